"""Identities: how a robot is written, and where the whole machine stands, changes nothing in its joint motion."""

import numpy as np
import pytest

from gough import State, catalogue, load, loads
from gough.kinematics import inverse_kinematics
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, moved, odd_robot, random_robot, turn

pytestmark = pytest.mark.slow

MOTION = ("joint_q", "joint_qd", "joint_qdd", "K", "q", "qd", "qdd")


def robot_of(name):
    if name in catalogue():
        return load(name)
    return random_robot(name, 8) if name in KINDS else odd_robot(name)


def assert_same_motion(a, b, motion, tolerance):
    one, other = inverse_kinematics(a, State(*motion)), inverse_kinematics(b, State(*motion))
    assert (one.status == 0).all()
    assert (one.status == other.status).all()
    for name in MOTION:
        mine, yours = getattr(one, name), getattr(other, name)
        assert np.isfinite(mine).all()
        assert np.abs(mine - yours).max() <= tolerance * max(1.0, np.abs(mine).max()), name


@pytest.mark.parametrize("name", [*catalogue(), "RSS", "PPa", "RRU"])
def test_short_form_and_explicit_form(name):
    robot = robot_of(name)
    assert_same_motion(robot, loads(robot.to_toml()), motion_near_home(robot, 5, 41), 0.0)


@pytest.mark.parametrize(
    "name", [*catalogue(), *KINDS, "offset_universal", pytest.param("arm", marks=pytest.mark.slow)]
)
def test_the_whole_machine_moved(name):
    """Turned and shifted by two of its own sizes: what is left is round-off of the larger coordinates."""
    robot = robot_of(name)
    rng = np.random.default_rng(9)
    other = moved(robot, turn(rng), rng.uniform(-2, 2, 3))
    assert_same_motion(robot, other, motion_near_home(robot, 5, 42), 2e-12)
