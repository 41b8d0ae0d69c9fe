"""Friction in passive joints: where it must be seen, and where it is refused."""

from dataclasses import replace

import numpy as np
import pytest

from gough import RobotError, load
from gough.dynamics.force_programs import Model
from gough.kinematics.leg import ChainLeg
from gough.kinematics.thin_leg import ThinLeg
from tests.support.forces import QUICK, forces, states
from tests.support.random_robots import random_robot
from tests.support.robots import validate, with_values


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize(("name", "path"), [("stewart", "leg.2.joint.1.viscous"), ("hexapod", "leg.B.joint.3.viscous")])
def test_thin_legs_see_friction_in_their_universal_joints(name, path, formulation):
    """Legs of thin bodies take a short way that knows no joint angles, unless a joint rubs: the power tells."""
    plain, rubs = load(name), load(name).explicit().replace({path: 0.3})
    x, xd, xdd, _ = states(plain, 4, 71)
    motion = Model(rubs, formulation).motion(x[0], xd[0], xdd[0])
    assert [type(leg) for leg in motion.pose.legs] == [ThinLeg, ChainLeg, *[ThinLeg] * 4]
    more = forces(rubs, formulation, x, xd, xdd) - forces(plain, formulation, x, xd, xdd)
    leg, joint = 1, int(path.split(".")[3]) - 1
    for k in range(4):
        motion = Model(rubs, formulation).motion(x[k], xd[k], xdd[k])
        speed = motion.leg_rates[leg][joint]
        power = more[k] @ (motion.pose.jacobian() @ xd[k]).astype(float)
        assert power == pytest.approx(0.3 * speed**2, rel=1e-11)


@pytest.mark.parametrize("kind", ["SPS", "PSS", "RSS"])
def test_spherical_joints_of_spinning_legs_cannot_rub(kind):
    robot = random_robot(kind, 1)
    with pytest.raises(RobotError) as error:
        robot.explicit().replace({"leg.2.joint.2.viscous": 0.1})
    assert str(error.value) == (
        f"{robot.name}: leg.2.joint.2.viscous: 0.1: leg 2: a spherical joint of a leg that spins freely cannot have "
        "friction (use U instead of the first S)"
    )


def test_spherical_joints_of_spinning_legs_cannot_be_driven():
    robot = random_robot("SPS", 1)
    leg = robot.legs[0]
    joints = tuple(replace(joint, actuated=k == 1) for k, joint in enumerate(leg.joints))
    odd = with_values(robot, legs=(replace(leg, joints=joints), *robot.legs[1:]))
    with pytest.raises(RobotError) as caught:
        validate(odd)
    assert [fault.allowed for fault in caught.value.faults] == [
        "a spherical joint of a leg that spins freely cannot be driven"
    ]


def test_parallelogram_joints_rub_together():
    """A joint that mimics another rubs at its own speed: all three of a parallelogram are equal."""
    robot = load("delta")
    x, xd, xdd, _ = states(robot, 3, 72)
    base = forces(robot, QUICK[0], x, xd, xdd)
    third, fourth, sixth = (robot.explicit().replace({f"leg.A.joint.{k}.viscous": 0.2}) for k in (3, 4, 6))
    more = [forces(rubs, QUICK[0], x, xd, xdd) - base for rubs in (third, fourth, sixth)]
    assert np.abs(more[0]).max() > 1e-3
    for other in more[1:]:
        assert other == pytest.approx(more[0], abs=1e-12 * np.abs(base).max())
