"""Modes: the frequencies a small motion really has, and derivatives that are exact."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import gough
from gough.errors import InputError
from gough.kinematics.configuration import chart_program
from gough.simulation.inputs import rest_for
from tests.simulation.cases import ROBOTS, robot, springs
from tests.support.lanes import with_dear_ones_slow
from tests.support.motions import scales
from tests.support.robots import with_values


@pytest.mark.parametrize("name", with_dear_ones_slow(ROBOTS))
def test_frequencies_are_those_of_small_motions(name):
    """Each mode swings for a period, at two amplitudes: what these do to the frequency is taken away."""
    machine = robot(name)
    k = springs(machine, 5.0).stiffness
    found = gough.modes(machine, None, k)
    assert found.stable
    held = gough.Springs(k, rest=rest_for(machine, found.x, k))
    turning = [c.motion[0] == "r" for c in machine.platform.coordinates]
    scale = np.where(turning, 1.0 / _length(machine), 1.0)
    S = chart_program(machine)(x=found.x)

    def measured(shape, period, size):
        """The time of the platform's return, as what it has of the mode crosses zero upwards."""
        xd = np.linalg.solve(S, shape * size * 2 * np.pi / period)
        run = gough.simulate(machine, gough.State(found.x, xd), held, 1.05 * period, rtol=1e-12, atol=1e-14)
        weight = S.T @ found.mass @ shape
        return brentq(lambda t: (run.at([t]).x[0] - found.x) @ weight, 0.95 * period, 1.05 * period, xtol=1e-15)

    for frequency, shape in zip(found.frequency, found.shapes * scale, strict=True):
        large, small = (measured(shape, 1.0 / frequency, size * _length(machine)) for size in (1e-3, 5e-4))
        assert abs((small + (small - large) / 3.0) * frequency - 1.0) <= 1e-6


def _length(machine):
    from gough.kinematics.programs import characteristic_length

    return characteristic_length(machine)


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr"])
def test_linearisation_is_the_derivative_of_the_motion(name):
    machine = robot(name)
    rng = np.random.default_rng(0)
    n = len(machine.platform.coordinates)
    x = np.array(machine.platform.home) + 0.05 * scales(machine) * rng.normal(size=n)
    xd = 0.2 * scales(machine) * rng.normal(size=n)
    tau = gough.inverse_dynamics(machine, gough.State(x, xd, np.zeros(n))).force
    found = gough.linearise(machine, gough.State(x, xd), tau)
    assert np.abs(found.xdd).max() <= 1e-9
    h = 1e-5

    def xdd(dx, dxd, du):
        return gough.forward_dynamics(machine, gough.State(x + dx, xd + dxd), tau + du).xdd

    zero = np.zeros(n)
    for k, unit in enumerate(np.eye(n)):
        for column, pair in (
            (found.A[n:, k], (xdd(h * unit, zero, zero), xdd(-h * unit, zero, zero))),
            (found.A[n:, n + k], (xdd(zero, h * unit, zero), xdd(zero, -h * unit, zero))),
            (found.B[n:, k], (xdd(zero, zero, h * unit), xdd(zero, zero, -h * unit))),
        ):
            assert np.allclose(
                column, (pair[0] - pair[1]) / (2 * h), rtol=1e-6, atol=1e-6 * max(1, np.abs(found.A).max())
            )
    assert (found.A[:n] == np.hstack([np.zeros((n, n)), np.eye(n)])).all()


def test_coulomb_friction_is_in_a_linearisation_only_with_a_slip_speed():
    def rubbing(viscous, coulomb):
        machine = robot("delta")
        legs = [
            replace(
                leg, joints=tuple(replace(j, viscous=viscous, coulomb=coulomb) if j.actuated else j for j in leg.joints)
            )
            for leg in machine.legs
        ]
        return with_values(machine, legs=tuple(legs))

    viscous, dry = rubbing(0.3, 0.0), rubbing(0.3, 1.1)
    x, n = np.array(dry.platform.home) + 0.01, dry.dof
    plain, found = (gough.linearise(machine, x) for machine in (viscous, dry))
    assert (found.A == plain.A).all()
    assert (found.B == plain.B).all()
    assert np.abs(found.A[n:, n:]).max() > 0.0, "viscous friction is there"
    smooth = gough.linearise(dry, x, slip=0.02)
    K = gough.inverse_kinematics(dry, x).K
    steep = -found.B[n:] @ (1.1 / 0.02 * K)
    assert np.abs(smooth.A[n:, n:] - found.A[n:, n:] - steep).max() <= 1e-12 * np.abs(steep).max()
    xd = np.array([0.1, -0.2, 0.3])
    moving = gough.linearise(dry, gough.State(x, xd), found.force)
    assert (
        np.abs(moving.xdd - gough.forward_dynamics(dry, gough.State(x, xd), found.force).xdd).max()
        <= 1e-12 * np.abs(moving.xdd).max()
    )
    with pytest.raises(InputError, match="slip: 0 given, must be a speed above 0"):
        gough.linearise(dry, x, slip=0)


def test_weight_alone_makes_a_hanging_robot_stiffer_and_a_standing_one_softer():
    machine = robot("stewart")
    found = gough.modes(machine, None, 1e4)
    turned = _upside_down(machine)
    assert (found.frequency < gough.modes(turned, None, 1e4).frequency + 1e-9).all()
    assert np.abs(found.geometric_stiffness).max() > 1.0
    soft = gough.modes(machine, None, 1e-3)
    assert not soft.stable


def _upside_down(machine):

    return with_values(machine, gravity=tuple(-g for g in machine.gravity))


@pytest.mark.parametrize("name", ["stewart", "hexapod", "spatial3", "delta", "planar3rrr"])
def test_stiffness_is_the_actuators_and_what_the_preload_adds(name):
    machine = robot(name)
    one, two = (gough.modes(machine, None, k) for k in (1e4, 2e4))
    assert np.allclose(one.geometric_stiffness, two.geometric_stiffness, atol=1e-9 * np.abs(two.total_stiffness).max())
    assert np.abs(two.total_stiffness - two.total_stiffness.T).max() == 0.0


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"xd": np.full(6, 0.1)}, "takes no rates into account"),
        ({"xd": np.zeros(6), "xdd": np.ones(6)}, "takes no accelerations into account"),
        ({"wrench": np.ones(6)}, "takes no external wrench into account"),
        ({"base": gough.BaseState(w=(1, 0, 0))}, "takes no motion of the base into account"),
    ],
)
def test_parts_of_a_state_that_do_not_count_are_refused(given, part):
    machine = robot("stewart")
    home = machine.home
    with pytest.raises(InputError, match=f"modes: {part}"):
        gough.modes(machine, gough.State(home, **given))
    at_rest = gough.modes(machine, gough.State(home, np.zeros(6), np.zeros(6), wrench=np.zeros(6)))
    np.testing.assert_array_equal(at_rest.frequency, gough.modes(machine, home).frequency)
