"""One motion from a set of options."""

from functools import cache

import numpy as np
import pytest

import gough
from gough import Motion, catalogue, choose_motion, motions
from tests.support.robots import pose_of


@cache
def stewart():
    return gough.load("stewart")


@pytest.mark.parametrize("name", catalogue())
def test_names_and_the_default(name):
    robot = gough.load(name)
    assert Motion.named(robot) == Motion.named(robot, motions(robot)[0])
    for motion in motions(robot):
        assert Motion.named(robot, motion) == Motion.named(robot, motion)
        assert Motion.named(robot, Motion.named(robot, motion)) == Motion.named(robot, motion)


def test_a_name_comes_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trig3").write_text("not a motion")
    assert Motion.named(stewart(), "trig3") == Motion.named(stewart(), "trig3")


def test_point_to_point():
    motion = Motion.to(stewart(), "z=2.2,psi=0.1", "2")
    assert motion == Motion.to(stewart(), [0, 0, 2.2, 0.1, 0, 0], 2.0)
    other = Motion.to(stewart(), {"z": 2.2}, 2, start="0,0,2.1,0,0,0", law="trig3")
    assert other.law.start == (0, 0, 2.1, 0, 0, 0)
    assert other.name == "trig3"


def test_units_apply_to_poses_and_durations():
    motion = choose_motion(stewart(), to="z=2200,psi=90", duration=1500, units="mm,deg,ms")
    assert motion.end == 1.5
    np.testing.assert_allclose(motion(1.5).x, [0, 0, 2.2, np.pi / 2, 0, 0], atol=1e-15)


def test_poses():
    expected = (0.0, 0.0, 2.5, 0.0, 0.0, 0.25)
    for pose in ("0,0,2.5,0,0,0.25", "z=2.5, phi = 0.25", {"z": 2.5, "phi": 0.25}, np.array(expected), list(expected)):
        assert pose_of(stewart(), pose) == expected
    assert pose_of(stewart(), {}) == (0, 0, 2, 0, 0, 0)
    assert pose_of(stewart(), "x=5", "mm")[0] == 0.005
    assert pose_of(stewart(), "x=5", "mm")[2] == 2.0
