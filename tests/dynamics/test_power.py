"""Identity: actuators + wrench - friction - rotors = dE/dt, the energy written from the frames of the links alone."""

import numpy as np
import pytest

from gough import Motion, State
from gough.kinematics import inverse_kinematics
from gough.kinematics.robot_pose import robot_pose, ways_of
from tests.support.dynamic_cases import case, drawn_cases
from tests.support.energy import energy_program
from tests.support.forces import QUICK, forces, states
from tests.support.papers import assert_printed, paper

EXACT = 1e-12  # of the largest power in the balance: the worst that was seen is 1e-13


@pytest.mark.parametrize("name", drawn_cases(12, "power"))
def test_balance(name):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 4, 31, size=0.05)
    rate = energy_program(robot)(x=x, xd=xd, xdd=xdd)["rate"]
    moved = inverse_kinematics(robot, State(x, xd, xdd))
    joints = [joint for leg in robot.legs for joint in leg.joints]
    viscous, coulomb, rotor = np.array([(j.viscous, j.coulomb, j.rotor_inertia * j.gear**2) for j in joints]).T
    speed = moved.joint_qd
    friction = viscous * speed**2 + coulomb * np.abs(speed)
    rotors = rotor * speed * moved.joint_qdd
    ways = ways_of(robot)
    twists = np.array(
        [np.concatenate(robot_pose(robot, ways, p).platform.twist(v)) for p, v in zip(x, xd, strict=True)]
    )
    for formulation in QUICK:
        power = forces(robot, formulation, x, xd, xdd, wrench) * moved.qd
        terms = np.concatenate([power, wrench * twists, -friction, -rotors, -rate[:, None]], axis=1)
        assert np.isfinite(terms).all()
        assert (np.abs(terms.sum(axis=1)) <= EXACT * np.abs(terms).max(axis=1) * moved.condition).all()


HEXAPOD = paper("hexapod")["motions"]
PRINTED = {
    **{("hexapod", law): HEXAPOD[law]["samples"] for law in ("vertical", "horizontal", "rotation")},
    ("spatial3", "paper"): paper("spatial3")["table"],
    ("sru", "lecture"): paper("sru")["samples"],
}


@pytest.mark.parametrize(("name", "law"), PRINTED)
def test_energy_of_the_papers(name, law):
    """The energy itself is that of the companions."""
    samples = PRINTED[name, law]
    motion = Motion.named(case(name), law)
    at = motion([sample["t"] for sample in samples])
    x, xd, xdd = at.x, at.xd, at.xdd
    found = energy_program(case(name))(x=x, xd=xd, xdd=xdd)
    if name == "hexapod":
        assert_printed(found["kinetic"], [sample["kinetic"] for sample in samples])
        assert_printed(found["potential"], [sample["potential"] for sample in samples])
        assert_printed(found["rate"], [sample["total_power"] for sample in samples])
    else:
        assert_printed(found["kinetic"] + found["potential"], [sample["energy"] for sample in samples])
