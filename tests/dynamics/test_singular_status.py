"""Forces at singular poses are never called fine: public call, bound call, and the functions that are exported."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.kinematics.status import Status
from gough.run import Program


def stretched_pose(robot: gough.Robot) -> np.ndarray:
    """The last pose sideways of home that a leg of the robot reaches."""
    home = np.array(robot.platform.home)
    low, high = 0.0, 10.0
    for _ in range(70):
        middle = 0.5 * (low + high)
        status = gough.inverse_kinematics(robot, [home + middle * np.eye(len(home))[0]]).status[0]
        low, high = (middle, high) if status <= Status.NEAR_SINGULAR else (low, middle)
    return home + low * np.eye(len(home))[0]


POSES = {
    "stewart": lambda robot: np.array([0, 0, 2, np.pi / 2, 0, 0]),  # type 2
    "delta": stretched_pose,  # type 1
}


@pytest.mark.parametrize("name", POSES)
def test_inverse_dynamics_tells_a_singular_pose_however_it_is_called(name):
    robot = gough.load(name)
    singular, home, n = POSES[name](robot), np.array(robot.platform.home), robot.dof
    xdd = np.zeros(n)
    xdd[1] = 1.0
    one = gough.inverse_dynamics(robot, gough.State(singular, np.zeros(n), xdd))
    assert (one.status, str(one.status_text)) == (Status.NEAR_SINGULAR, "near singular")
    many = gough.inverse_dynamics(robot, [home, singular])
    assert many.status.tolist() == [Status.FINE, Status.NEAR_SINGULAR]
    assert many.status_text.tolist() == ["fine", "near singular"]
    tick = gough.bind(robot, "inverse_dynamics")
    tick.inputs["xdd"][:] = xdd
    for pose, status in ((home, Status.FINE), (singular, Status.NEAR_SINGULAR), (home, Status.FINE)):
        tick.inputs["x"][:] = pose
        assert tick() == tick.status == status


@pytest.mark.parametrize("name", POSES)
@pytest.mark.parametrize("function", ["inverse", "computed-torque"])
def test_exported_functions_tell_a_singular_pose(name, function):
    robot = gough.load(name)
    chosen = next(f for f in FUNCTIONS if f.name == function)
    program = Program(function_graph(chosen, Exported(robot)))
    for pose, status in ((np.array(robot.platform.home), Status.FINE), (POSES[name](robot), Status.NEAR_SINGULAR)):
        inputs = {spec.name: np.zeros(spec.shape) for spec in program.graph.inputs}
        inputs["x"] = pose
        inputs["xdd"][1] = 1.0
        if function == "computed-torque":
            inputs |= {"guess": pose, "q": gough.inverse_kinematics(robot, pose).q}
        assert program(**inputs)["status"] == status


def test_status_is_that_of_the_kinematics_on_both_sides_of_the_limit():
    robot = gough.load("stewart")
    turns = np.pi / 2 - np.logspace(-10, -2, 400)
    x = np.tile([0.0, 0.0, 2.0, 0.0, 0.0, 0.0], (len(turns), 1))
    x[:, 3] = turns
    status = gough.inverse_dynamics(robot, x).status
    assert set(status.tolist()) == {Status.FINE, Status.NEAR_SINGULAR}
    np.testing.assert_array_equal(status, gough.inverse_kinematics(robot, x).status)
    tick = gough.bind(robot, "inverse_dynamics", len(x))
    tick.inputs["x"][:] = x
    np.testing.assert_array_equal(tick(), status)
