"""Modes: the frequencies a small motion really has, and derivatives that are exact."""

import numpy as np
import pytest

import gough
from gough.simulate.springs import rest_for
from gough.simulate.state_rates import chart_program
from tests.simulate.cases import robot, springs
from tests.support.motions import scales


def crossing_period(run, values, t0, t1):
    """Time between two zero crossings, to round-off of the dense output."""
    from scipy.optimize import brentq

    return brentq(lambda t: values(run.at([t]))[0], t0, t1, xtol=1e-15)


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr", "delta", "hexapod", "sru"])
def test_frequencies_are_those_of_a_small_motion(name):
    """Two amplitudes: the second-order shift of the frequency is extrapolated away."""
    machine = robot(name)
    k = springs(machine, 5.0).stiffness
    found = gough.modes(machine, None, k)
    assert found.stable
    mode = 0
    scale = np.array([1.0 if c.motion[0] != "r" else 1.0 / _length(machine) for c in machine.platform.coordinates])
    shape = found.shapes[mode] * scale
    weight = found.mass @ shape
    rest = rest_for(machine, found.x, k)
    period = 1.0 / found.frequency[mode]

    def measured(size):
        S = chart_program(machine)(x=found.x)
        xd = np.linalg.solve(S, shape * size * 2 * np.pi / period)
        run = gough.simulate(machine, (found.x, xd), gough.Springs(k, rest=rest), 3.3 * period, rtol=1e-13, atol=1e-16)
        return crossing_period(run, lambda at: (at.x - found.x) @ (S.T @ weight), 2.7 * period, 3.3 * period) / 3.0

    small, half = (measured(size * 1e-4 * _length(machine)) for size in (2.0, 1.0))
    extrapolated = half + (half - small) / 3.0
    assert abs(extrapolated / period - 1.0) <= 1e-6


def _length(machine):
    from gough.kinematics.model import characteristic_length

    return characteristic_length(machine)


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr"])
def test_linearisation_is_the_derivative_of_the_motion(name):
    machine = robot(name)
    rng = np.random.default_rng(0)
    n = len(machine.platform.coordinates)
    x = np.array(machine.platform.home) + 0.05 * scales(machine) * rng.normal(size=n)
    xd = 0.2 * scales(machine) * rng.normal(size=n)
    tau = gough.inverse_dynamics(machine, x, xd, np.zeros(n)).force
    found = gough.linearise(machine, x, xd, tau)
    assert np.abs(found.xdd).max() <= 1e-9
    h = 1e-5

    def xdd(dx, dxd, du):
        return gough.forward_dynamics(machine, x + dx, xd + dxd, tau + du).xdd

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


def test_weight_alone_makes_a_hanging_robot_stiffer_and_a_standing_one_softer():
    machine = robot("stewart")
    found = gough.modes(machine, None, 1e4)
    turned = _upside_down(machine)
    assert (found.frequency < gough.modes(turned, None, 1e4).frequency + 1e-9).all()
    assert np.abs(found.geometric_stiffness).max() > 1.0
    soft = gough.modes(machine, None, 1e-3)
    assert not soft.stable


def _upside_down(machine):
    from dataclasses import replace

    return replace(machine, gravity=tuple(-g for g in machine.gravity), document=None)


@pytest.mark.parametrize("name", ["stewart", "hexapod", "spatial3", "delta", "planar3rrr"])
def test_stiffness_is_the_actuators_and_what_the_preload_adds(name):
    machine = robot(name)
    one, two = (gough.modes(machine, None, k) for k in (1e4, 2e4))
    assert np.allclose(one.geometric_stiffness, two.geometric_stiffness, atol=1e-9 * np.abs(two.total_stiffness).max())
    assert np.abs(two.total_stiffness - two.total_stiffness.T).max() == 0.0
