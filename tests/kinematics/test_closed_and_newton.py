"""Identities: closed forms find what Newton's method finds, on every leg pattern, and both close the loops."""

from dataclasses import replace

import numpy as np
import pytest

from gough import catalogue, load
from gough.kinematics.chain import end_point, end_rotation, misclosure
from gough.kinematics.closure.closed_forms import closed_form, closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.catalogue_lanes import CLOSED_FORMS
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, odd_robot, random_robot, reframed
from tests.support.user_robots import branched, interleaved

pytestmark = pytest.mark.slow

EXPECTED = {"UPS": "ups", "SPS": "ups", "SRU": "sru"}
ODD = ("offset_universal", "slanted", "skew", "arm")
CLOSED = 2e-14  # [m or rad] a dozen rotations multiplied: round-off


def outputs(robot, motion, newton=False):
    x, xd, xdd = motion
    return Program(kinematics_graph(robot, 2, newton), executor="blocks")(x=x, xd=xd, xdd=xdd)


def assert_same(a, b, tolerance=1e-12):
    for name in ("joint_q", "joint_qd", "joint_qdd", "K"):
        assert np.isfinite(a[name]).all()
        assert np.abs(a[name] - b[name]).max() <= tolerance * max(1.0, np.abs(a[name]).max()), name


def agree(robot, seed):
    motion = motion_near_home(robot, 12, seed)
    closed, newton = outputs(robot, motion), outputs(robot, motion, newton=True)
    assert closed["converged"].all()
    assert newton["converged"].all()
    assert closed["residual"].max() < CLOSED
    assert newton["residual"].max() < CLOSED
    assert closed["short"].max() <= 0.0
    assert newton["short"].max() <= 0.0
    assert_same(closed, newton)


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_catalogue(name):
    robot = load(name)
    agree(robot, 1)


@pytest.mark.parametrize("name", catalogue())
def test_catalogue_loops_close(name):
    robot = load(name)
    assert outputs(robot, motion_near_home(robot, 50, 7))["residual"].max() < 1e-14


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", KINDS)
def test_random_geometry(kind, seed):
    robot = random_robot(kind, seed)
    assert kinematic_faults(robot) == []
    patterns = {closure_name(leg) for leg in robot.legs}
    assert patterns == {EXPECTED.get(kind, "rod")}
    agree(robot, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_patterns_are_recognised_through_turned_frames(kind):
    robot = random_robot(kind, 3)
    other = reframed(robot, 5)
    assert [closed_form(leg) for leg in other.legs] == [closed_form(leg) for leg in robot.legs]
    motion = motion_near_home(robot, 5, 2)
    assert_same(outputs(robot, motion), outputs(other, motion))


@pytest.mark.parametrize("name", ODD)
def test_legs_without_a_closed_form_go_to_newton_and_close(name):
    robot = odd_robot(name)
    assert {closure_name(leg) for leg in robot.legs} == {"newton"}
    assert kinematic_faults(robot) == []
    found = outputs(robot, motion_near_home(robot, 12, 3))
    assert found["converged"].all()
    assert found["residual"].max() < 1e-14


@pytest.mark.parametrize(
    ("make", "name"),
    [
        *((branched, name) for name in CLOSED_FORMS),
        *((interleaved, name) for name in CLOSED_FORMS if name not in ("hexapod", "spatial3")),  # no file can say these
    ],
)
def test_side_branches_leave_a_leg_its_closed_form(name, make):
    """Counterweights geared to a joint of the chain, behind its joints and among them."""
    robot, bare = make(name), load(name)
    assert [closed_form(leg) for leg in robot.legs] == [closed_form(leg) for leg in bare.legs]
    motion = motion_near_home(bare, 6, 9)
    closed, newton, alone = outputs(robot, motion), outputs(robot, motion, newton=True), outputs(bare, motion)
    assert_same(closed, newton)
    assert (closed["K"] == alone["K"]).all()
    assert (closed["short"] == alone["short"]).all()


def test_a_side_joint_of_its_own_is_left_to_newton():
    """Nothing says where it is: there is no closed form of such a leg."""
    robot = branched("hexapod")
    leg = robot.legs[0]
    loose = replace(leg, joints=(*leg.joints[:-1], replace(leg.joints[-1], mimic=None)))
    assert closure_name(loose) == "newton"


def test_both_knees_of_an_sru_leg():
    robot = load("sru")
    flipped = robot.replace({"legs.branch": -1})
    motion = motion_near_home(robot, 5, 4)
    one, other = outputs(robot, motion), outputs(flipped, motion)
    knees = [k for k in range(36) if k % 6 == 3]
    np.testing.assert_allclose(one["joint_q"][:, knees], -other["joint_q"][:, knees], rtol=1e-13)
    agree(flipped, 4)


@pytest.mark.parametrize("name", ["delta", "rotary", "planar3rrr", "hexapod", "spatial3"])
def test_both_branches(name):
    robot = load(name)
    stated = robot.legs[0].branch
    other = robot.replace({"legs.branch": -stated})
    assert kinematic_faults(other) == []
    agree(other, 5)
    x = np.array(robot.platform.home)
    one = outputs(robot, (x, x, x))["joint_q"]
    assert np.abs(one - outputs(other, (x, x, x))["joint_q"]).max() > 0.05


def test_a_leg_close_to_a_pattern_is_none():
    robot = load("stewart").explicit().replace({"leg.1.joint.2.offset.1": 1e-6})
    assert [closure_name(leg) for leg in robot.legs] == ["newton", *["ups"] * 5]


def test_an_end_turned_over_is_not_closed():
    """Half a turn leaves no cross product of the axes, yet the frames are as far apart as they can be."""
    robot = load("planar3rrr")
    leg = robot_pose(robot, ways_of(robot), np.array(robot.platform.home)).legs[0]
    R = end_rotation(leg.leg, leg.links)
    p = end_point(leg.leg, leg.links)
    assert misclosure(leg.leg, leg.links, p, R) == 0.0
    over = R @ np.diag([-1.0, -1.0, 1.0])
    assert np.abs(sum(np.cross(R[:, k], over[:, k]) for k in range(3))).max() < 1e-14
    assert misclosure(leg.leg, leg.links, p, over) == pytest.approx(2.0, rel=1e-14)
