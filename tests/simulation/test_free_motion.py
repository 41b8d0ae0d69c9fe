"""Motion under springs: energy is kept, the audit balances, the description of the angles does not matter."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Limits
from tests.simulation.cases import ROBOTS, pushed, robot, springs
from tests.simulation.test_singular import zyz
from tests.support.robots import with_values

pytestmark = pytest.mark.slow

TIGHT = {"rtol": 1e-13, "atol": 1e-14}


@pytest.mark.parametrize("name", ROBOTS)
def test_springs_and_gravity_keep_energy_over_ten_seconds(name):
    machine = robot(name)
    held = springs(machine)
    run = gough.simulate(
        machine, pushed(machine, size=0.03 if name == "rotary" else 0.05), held, 10.0, rtol=3e-13, atol=1e-14
    )
    assert run.complete
    k, _, rest = held.ready(machine, np.array(machine.platform.home))
    for sampled in (run, run.at(np.linspace(0.0, 10.0, 1777))):
        stored = (0.5 * k * (sampled.q - rest) ** 2).sum(axis=1)
        total = sampled.kinetic + sampled.potential + stored
        assert np.abs(total - total[0]).max() <= 1e-10 * sampled.kinetic.max()
        assert np.abs(sampled.balance).max() <= 1e-10 * sampled.kinetic.max()
    assert run.closure.max() <= 1e-12


def test_angles_that_are_singular_at_home_move_as_others_do():
    machine = robot("stewart")
    other = zyz(machine)
    rng = np.random.default_rng(0)
    force = 7.0 + rng.normal(size=(5, 6))
    t = np.linspace(0.0, 0.4, 5)
    start = np.array(machine.platform.home)
    one = gough.simulate(machine, start, (t, force), 0.4, **TIGHT)
    two = gough.simulate(other, start, (t, force), 0.4, **TIGHT)
    assert np.abs(one.q - two.q).max() == 0.0
    assert np.abs(one.kinetic - two.kinetic).max() == 0.0
    assert np.isnan(two.xd[0, 3:]).any()


def test_friction_dissipates_what_the_audit_says():
    machine = robot("stewart")
    legs = tuple(
        replace(
            leg,
            joints=tuple(
                replace(j, viscous=2.0, coulomb=1.0, limits=Limits(speed=1.0)) if j.actuated else j for j in leg.joints
            ),
        )
        for leg in machine.legs
    )
    rough = with_values(machine, legs=legs)
    run = gough.simulate(rough, pushed(rough), springs(rough), 1.0, rtol=1e-12, atol=1e-13)
    assert run.dissipated[-1] > 0.1 * run.kinetic.max()
    assert (np.diff(run.dissipated) >= -1e-12).all()
    assert np.abs(run.balance).max() <= 1e-9 * run.kinetic.max()


def test_coulomb_friction_fades_below_the_slip_speed():
    machine = robot("planar3rrr")
    from gough.simulation.system import system_of

    rough = with_values(
        machine,
        legs=tuple(
            replace(leg, joints=tuple(replace(j, coulomb=3.0) if j.actuated else j for j in leg.joints))
            for leg in machine.legs
        ),
    )
    system = system_of(rough)
    joints = [j for leg in rough.legs for j in leg.joints if j.actuated]
    assert system.slip == pytest.approx([1e-3 * j.limits.speed for j in joints])
    slip = system.slip[0]
    assert np.allclose(
        system.friction(joints, np.array([slip, 100 * slip, 0.0])), [3 / np.sqrt(2), 3.0, 0.0], rtol=1e-4
    )
    assert system_of(rough, slip=0.5).slip == (0.5, 0.5, 0.5)


def test_dampers_bring_the_robot_to_rest():
    machine = robot("hexapod")
    run = gough.simulate(machine, pushed(machine), springs(machine, damping=20.0), 4.0)
    assert run.kinetic[-1] < 1e-6 * run.kinetic[0]
    assert np.abs(run.x[-1] - machine.platform.home).max() < 1e-4


def test_an_external_wrench_does_work():
    machine = robot("delta")
    run = gough.simulate(machine, None, springs(machine), 0.5, wrench=[5.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert run.x[:, 0].max() > 1e-6
    assert np.abs(run.balance).max() <= 1e-9 * max(run.kinetic.max(), 1e-6)
