"""Rods between two universal joints with parallel axes have a closed form, which finds what Newton's method does."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.kinematics.closure.assembly import branch_of
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.robot import build
from gough.run import Program
from tests.support.motions import motion_near_home
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
