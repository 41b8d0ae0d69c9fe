"""One condition number everywhere: where it ends a workspace, inverse kinematics and `check` tell the same."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough import Motion, load
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.programs import free_jacobian_program
from tests.support.robots import with_values
from tests.support.velocity_jacobians import on_velocities

ORDERS = (("rz", "ry", "rx"), ("rx", "ry", "rz"), ("ry", "rx", "rz"), ("rz", "rx", "ry"))


def turned_by(robot, order):
    """The same machine with angles of another order."""
    turns = [replace(c, motion=motion) for c, motion in zip(robot.platform.coordinates[3:], order, strict=True)]
    platform = replace(robot.platform, coordinates=(*robot.platform.coordinates[:3], *turns))
    return with_values(robot, platform=platform)


def least_value(robot, x):
    """Least singular value of K for velocities, turns by the length, from K on the rates of angles."""
    return np.linalg.svd(on_velocities(robot, x, inverse_kinematics(robot, x).K), compute_uv=False)[-1]


def test_no_choice_of_angles_changes_the_condition_number():
    R = Rotation.from_rotvec([0.5, -0.4, 0.3])
    found = []
    for order in ORDERS:
        robot = turned_by(load("stewart"), order)
        x = [0.1, -0.05, 2.0, *R.as_euler("".join(motion[-1] for motion in order).upper())]
        found.append(inverse_kinematics(robot, x).condition)
    assert found == pytest.approx([found[0]] * 4, rel=1e-13)


def test_where_two_turning_axes_fall_together_nothing_is_wrong_with_the_machine():
    robot = load("stewart")
    x = np.array([0.0, 0.0, 2.0, 0.2, np.pi / 2, 0.0])
    locked, motion = inverse_kinematics(robot, x), gough.inverse_dynamics(robot, x)
    assert np.linalg.cond(locked.K) > 1e15
    other = Rotation.from_euler("ZYX", x[3:]).as_euler("YXZ")
    same = inverse_kinematics(turned_by(robot, ORDERS[2]), [*x[:3], *other])
    assert locked.condition == pytest.approx(same.condition, rel=1e-12)
    assert locked.status == same.status == motion.status == Status.FINE


@pytest.mark.parametrize(
    ("name", "pose", "limits"),
    [
        ("stewart", "theta=0.6", {"condition": 5.0}),
        ("stewart", "theta=0.6", {"singular": 0.2}),
        ("hexapod", "a1=0.2,a2=-0.2", {"condition": 8.0}),
        ("ankle", "home", {"condition": 2.0}),
        ("tricept", "home", {"condition": 4.0}),
    ],
)
def test_the_ends_of_travel_are_those_of_check(name, pose, limits):
    robot, ((kind, limit),) = load(name), limits.items()
    found = gough.workspace(robot, pose, limits=limits, only=["reach", kind], travel_only=True)
    ended = 0
    for k, row in enumerate(found.travel):
        for end, ends in ((row.low, row.low_limits), (row.high, row.high_limits)):
            if [one.kind for one in ends] != [kind]:
                continue
            ended += 1
            x = np.array(found.x)
            x[k] = end
            value = inverse_kinematics(robot, x).condition if kind == "condition" else least_value(robot, x)
            assert value == pytest.approx(limit, rel=1e-10)
            for share in (1.0 - 1e-7, 1.0 + 1e-7):
                x[k] = found.x[k] + share * (end - found.x[k])
                result = gough.check(robot, Motion.to(robot, x, 1.0, start=found.x), limits)
                assert (kind in result.violated) == (share > 1.0)
    assert ended >= 2


def test_jacobians_on_free_rates_are_those_of_coordinates_where_none_are_replaced():
    robot, x = load("tricept"), np.array(load("tricept").platform.home) + 0.01
    assert np.array_equal(free_jacobian_program(robot)(x=x[None])[0], inverse_kinematics(robot, x).K)
