"""Poses as other controllers state them, against SciPy's rotations, there and back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough.errors import InputError
from gough.kinematics import load
from gough.kinematics.conventions import NAMES, Convention
from gough.kinematics.pose import platform_pose

PIVOT = (0.02, -0.05, 0.15)


def poses(robot, count=40, size=0.6):
    rng = np.random.default_rng(7)
    return np.array(robot.platform.home) + size * rng.uniform(-1, 1, (count, len(robot.platform.home)))


@pytest.mark.parametrize("name", ["stewart", "hexapod", "delta", "spatial3", "planar3rrr"])
@pytest.mark.parametrize("convention", NAMES)
def test_there_and_back(name, convention):
    robot = load(name)
    stated = Convention(convention, PIVOT if convention != "robot" else (0.0, 0.0, 0.0))
    for x in poses(robot):
        values = stated.stated(robot, x)
        assert len(values) == len(stated.values(robot))
        np.testing.assert_allclose(stated.solved(robot, values), x, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("convention", "axes"), [("fixed-xyz", "xyz"), ("uvw", "XYZ")])
def test_angles_are_scipys(convention, axes):
    robot = load("hexapod")
    for x in poses(robot):
        pose = platform_pose(robot.platform, x)
        R = np.asarray(pose.R_BP, dtype=float)
        values = Convention(convention, PIVOT).stated(robot, x)
        np.testing.assert_allclose(values[3:], Rotation.from_matrix(R).as_euler(axes), atol=1e-12)
        np.testing.assert_allclose(values[:3], np.asarray(pose.p_BP, dtype=float) + R @ PIVOT, atol=1e-14)


def test_quaternions_are_scipys_scalar_first():
    robot = load("stewart")
    for x in poses(robot):
        R = np.asarray(platform_pose(robot.platform, x).R_BP, dtype=float)
        x_, y, z, w = Rotation.from_matrix(R).as_quat(canonical=True)
        np.testing.assert_allclose(Convention("quaternion").stated(robot, x)[3:], [w, x_, y, z], atol=1e-12)


def test_a_quaternion_may_have_any_length_but_none():
    robot, stated = load("stewart"), Convention("quaternion")
    x = stated.solved(robot, [0, 0, 2, 2, 0, 0, 0])
    np.testing.assert_allclose(x, [0, 0, 2, 0, 0, 0], atol=1e-15)
    with pytest.raises(InputError, match="must not be zero"):
        stated.solved(robot, [0, 0, 2, 0, 0, 0, 0])


def test_turning_about_a_pivot_keeps_it_in_place():
    robot, stated = load("stewart"), Convention("uvw", (0.0, 0.0, 0.2))
    home = stated.stated(robot, robot.platform.home)
    x = stated.solved(robot, [*home[:3], 0.2, 0.1, -0.3])
    pose = platform_pose(robot.platform, x)
    moved = np.asarray(pose.p_BP, dtype=float) + np.asarray(pose.R_BP, dtype=float) @ stated.pivot
    np.testing.assert_allclose(moved, home[:3], atol=1e-14)
    assert np.linalg.norm(np.array(x[:2])) > 0.01


def test_what_a_robot_cannot_do_is_refused():
    robot = load("delta")
    with pytest.raises(InputError, match=r"delta moves in x, y, z only .* 5\.\d+ deg off by uvw"):
        Convention("uvw").solved(robot, [0, 0, -0.85, 0.1, 0, 0])
    with pytest.raises(InputError, match=r"no such convention \(did you mean uvw"):
        Convention("uvww")
    with pytest.raises(InputError, match=r"--pivot: .* give --convention too"):
        Convention("robot", PIVOT)
