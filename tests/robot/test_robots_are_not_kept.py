"""No cache keeps a robot with its file: what is computed once is found by content."""

import gc
import weakref

import numpy as np
import pytest

import gough

CARRIED = {"position": (0.0, 0.0, 0.1)}
CALLS = {
    "inverse_kinematics": lambda robot: gough.inverse_kinematics(robot, robot.home),
    "forward_kinematics": lambda robot: gough.forward_kinematics(robot, np.full(6, 2.3)),
    "inverse_dynamics": lambda robot: gough.inverse_dynamics(robot, robot.home),
    "forward_dynamics": lambda robot: gough.forward_dynamics(robot, robot.home, np.zeros(6)),
    "force_derivatives": lambda robot: gough.force_derivatives(robot, robot.home, wrt=("x", "leg.1.base.x")),
    "joint_reactions": lambda robot: gough.joint_reactions(robot, robot.home),
    "linearise": gough.linearise,
    "plan_poses": lambda robot: gough.plan_poses(robot, count=8),
    "pose_errors": lambda robot: gough.pose_errors(robot.with_errors({"tolerances": {"base": 1e-4}}), robot.home),
    "bind": lambda robot: gough.bind(robot, "inverse_dynamics"),
    "stack_dynamics": lambda robot: gough.stack_dynamics(
        gough.Stack("two", robot, robot, **CARRIED), robot.home, robot.home
    ),
}


@pytest.fixture
def text():
    return gough.load("stewart").to_toml()


@pytest.mark.parametrize("call", CALLS)
def test_a_robot_goes_when_nobody_has_it(call, text):
    robot = gough.loads(text.replace('name = "stewart"', f'name = "{call}"'))
    CALLS[call](robot)
    gone = weakref.ref(robot)
    del robot
    gc.collect()
    assert gone() is None


def test_a_result_has_the_robot_that_was_asked(text):
    """Also after an equal robot of another file, and one of other tolerances."""
    first = gough.loads(text, "first.toml")
    second = gough.loads(text, "second.toml")
    third = second.with_errors({"tolerances": {"base": 1e-4}})
    assert first == second != third
    stack = gough.Stack("two", first, first, **CARRIED)
    gough.stack_dynamics(stack, first.home, first.home)
    gough.inverse_dynamics(first, first.home)
    for robot in (second, third):
        assert gough.inverse_dynamics(robot, robot.home).robot is robot
        assert gough.inverse_kinematics(robot, robot.home).robot is robot
        found = gough.stack_dynamics(gough.Stack("two", robot, robot, **CARRIED), robot.home, robot.home)
        assert found.upper.robot is robot
