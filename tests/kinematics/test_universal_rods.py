"""Rods between two universal joints with parallel axes have a closed form, which finds what Newton's method does."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.kinematics.closure.assembly import branch_of
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.kinematics.robot_pose import ways_of
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.robots import build
from tests.support.schoenflies import ROD, ROD_BODY, jointed, sliders, typed, typed_document

CRANKS = {
    "type": "RUU",
    "base": {"radius": 0.3, "angles": [0.1, 2.2, 4.1]},
    "platform": {"radius": 0.1, "angles": [0.1, 2.2, 4.1]},
    "motor": {"yaw": 0},
    "crank": {"length": 0.3, "mass": 0.2, "com": [0.1, 0.01, 0]},
    "rod": {"length": ROD} | ROD_BODY,
}


def cranks():
    moved = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [0, 0, 0.6], "mass": 1}
    return build({"name": "cranks", "platform": moved, "legs": CRANKS})


MACHINES = {
    "jointed": jointed,
    "turned over": lambda: jointed(turned_over=True),
    "leaning": typed,
    "ahead": lambda: typed(1),
    "cranks": cranks,
}


@pytest.mark.parametrize("name", MACHINES)
def test_the_closed_form_is_newtons(name):
    robot = MACHINES[name]()
    assert kinematic_faults(robot) == []
    assert {closure_name(leg) for leg in robot.legs} == {"rod"}
    x, xd, xdd = motion_near_home(robot, 5, 1, 0.03)
    closed, newton = (
        Program(kinematics_graph(robot, 2, by_newton), executor="blocks")(x=x, xd=xd, xdd=xdd)
        for by_newton in (False, True)
    )
    assert closed["residual"].max() < 2e-14  # [m or rad] a dozen rotations multiplied: round-off
    for key in ("joint_q", "joint_qd", "joint_qdd", "K"):
        np.testing.assert_allclose(closed[key], newton[key], rtol=0, atol=1e-12 * max(1.0, np.abs(newton[key]).max()))


def test_formulations_agree():
    """The transpose of the rates carries efforts of the joints to the platform: power tells whether it is that."""
    robot = jointed()
    assert gough.verify(robot, states=20).passed


def test_sliders_follow_the_law_of_the_rods():
    x = np.random.default_rng(2).uniform(-0.1, 0.1, (20, 4))
    for robot in (jointed(), typed()):
        np.testing.assert_allclose(gough.inverse_kinematics(robot, x).q, sliders(x), rtol=0, atol=1e-14)


def test_either_branch_of_the_short_form_loads_and_starts_with_it():
    """The short form has branches 1 and -1; 2 and -2, the joint turned over, are for legs given joint by joint."""
    platform = typed().platform
    assert [branch_of(typed(branch).legs[0], platform) for branch in (1, -1)] == [1, -1]
    for branch, sign in ((None, -1.0), (1, -1.0), (-1, 1.0)):
        robot = build(typed_document(branch))
        assert kinematic_faults(robot) == []
        assert np.sign(gough.inverse_kinematics(robot, robot.platform.home).q).tolist() == [sign] * 4
    with pytest.raises(gough.GoughError) as refused:
        build(typed_document(2))
    lines = str(refused.value).splitlines()
    assert len(lines) == 4
    assert all("must be 1 or -1" in line for line in lines)


def test_tilt_named_as_dependent_stays_zero_and_changes_nothing():
    """Each rod is in a plane with its outer axes: one equation, no joint among the unknowns."""
    robot, bare = jointed(dependent=True), jointed()
    constraint = ways_of(robot).constraint
    assert constraint is not None
    assert constraint.chains == ()
    x, xd, xdd = np.random.default_rng(2).uniform(-0.1, 0.1, (3, 8, 4))
    mine, other = gough.inverse_kinematics(robot, x), gough.inverse_kinematics(bare, x)
    np.testing.assert_allclose(mine.q, other.q, rtol=0, atol=1e-14)
    np.testing.assert_allclose(mine.K, other.K, rtol=0, atol=1e-13)
    force, expected = (gough.inverse_dynamics(one, gough.State(x, xd, xdd)).force for one in (robot, bare))
    np.testing.assert_allclose(force, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_a_rod_that_tilts_its_platform_agrees_with_its_joints():
    """Rates and accelerations of a roll that follows the other five coordinates, by one equation and by all joints."""
    tilting = _tilting()
    constraint = ways_of(tilting).constraint
    assert constraint is not None
    assert len(constraint.planes) == 1
    x, xd, xdd = motion_near_home(tilting, 5, 1, 0.03)
    planes, joints = (
        Program(kinematics_graph(tilting, 2, by_newton), executor="blocks")(x=x, xd=xd, xdd=xdd)
        for by_newton in (False, True)
    )
    for key in ("joint_q", "joint_qd", "joint_qdd", "K"):
        np.testing.assert_allclose(planes[key], joints[key], rtol=0, atol=1e-11 * max(1.0, np.abs(joints[key]).max()))


def _tilting():
    """A PUU leg beside four struts: one coordinate of six depends, and the rod's outer axes are not parallel."""
    names = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
    moved = {"coordinates": names, "dependent": ["roll"], "home": [0, 0, 0.5, 0, 0, 0], "mass": 2}
    struts = []
    for k, (base, tip) in enumerate(zip((0.2, 1.6, 2.9, 4.6), (0.6, 1.1, 3.3, 4.1), strict=True)):
        on = [0.2 * np.cos(tip), 0.2 * np.sin(tip), 0.0]
        struts.append(
            {"name": str(k), "type": "UPS", "base": [0.4 * np.cos(base), 0.4 * np.sin(base), 0], "platform": on}
        )
    rod = {"name": "rod", "type": "PUU", "base": [0.35, 0.1, 0.0], "platform": [0.1, 0.05, 0.0]}
    rod |= {"guide": {"direction": [0, 0, 1]}, "axes": [[0, 0, 1]], "rod": {"length": 0.5}}
    return build({"name": "tilting", "platform": moved, "leg": [*struts, rod]})
