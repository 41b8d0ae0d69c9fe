"""Passive hinges that guide the platform: the closed form finds what Newton's method finds, and closes nothing else."""

import numpy as np
import pytest

import gough
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.run import Program
from tests.support.guided_feet import ankle, lever
from tests.support.motions import motion_near_home
from tests.support.random_robots import reframed
from tests.support.robots import build


def outputs(robot, motion, newton):
    x, xd, xdd = motion
    return Program(kinematics_graph(robot, 2, newton), executor="blocks")(x=x, xd=xd, xdd=xdd)


@pytest.mark.parametrize("table", [ankle(), lever()], ids=["ankle", "lever"])
def test_closed_form_and_newton_agree(table):
    robot = build(table)
    assert kinematic_faults(robot) == []
    assert closure_name(robot.legs[0]) == "wrist"
    motion = motion_near_home(robot, 8, 5, size=0.2)
    newton = outputs(robot, motion, newton=True)
    for machine in (robot, reframed(robot, 3)):
        assert closure_name(machine.legs[0]) == "wrist"
        closed = outputs(machine, motion, newton=False)
        assert closed["converged"].all()
        assert closed["residual"].max() < 2e-14
        for key in ("joint_q", "joint_qd", "joint_qdd", "K"):
            assert np.abs(closed[key] - newton[key]).max() <= 1e-12 * max(1.0, np.abs(newton[key]).max()), key


def test_springs_of_the_hinges_are_felt_by_the_motors():
    """Their efforts go to the platform by the transpose of the rates."""
    stiff = {"stiffness": 3.0, "rest": 0.2}
    table = ankle()
    for joint in table["leg"][0]["joint"]:
        joint["spring"] = stiff
    x = [0.3, -0.2]
    forces = [
        gough.inverse_dynamics(robot, gough.State(x, [0.0, 0.0], [0.0, 0.0])).force
        for robot in (build(table), build(ankle()))
    ]
    robot = build(ankle())
    K = outputs(robot, (np.array(x), np.zeros(2), np.zeros(2)), newton=False)["K"].reshape(2, 2)
    torques = 3.0 * (np.array(x) - 0.2)
    np.testing.assert_allclose(K.T @ np.ravel(forces[0] - forces[1]), torques, rtol=1e-12)


def test_where_the_hinges_do_not_close_it_is_told():
    robot = build(ankle())
    x = np.zeros(2)
    assert outputs(robot, (x, x, x), newton=False)["converged"].all()
    moved = robot.replace({"leg.shank.position.0": 1e-6})
    assert outputs(moved, (x, x, x), newton=False)["converged"].tolist() == [False, True, True]


@pytest.mark.parametrize("change", [{"actuated": True}, {"axis": [1, 1e-6, 0]}], ids=["driven", "not across"])
def test_others_are_left_to_newton(change):
    """Whole turns of driven joints count from home; hinges that are not across need another solution."""
    table = ankle()
    table["leg"][0]["joint"][1] |= change
    if "actuated" in change:
        del table["leg"][2]
    assert closure_name(build(table).legs[0]) == "newton"
