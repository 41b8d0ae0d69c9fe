"""Poses as other controllers state them, against SciPy's rotations, there and back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough import Convention, load
from gough.errors import InputError
from gough.kinematics.pose import platform_pose

NAMES = ("robot", "fixed-xyz", "uvw", "quaternion")
TOOL = (0.02, -0.05, 0.15)
TURN = {"sequence": "zyx", "angles": [0.4, -0.3, 0.7]}


def with_tool(name, turned=True):
    """A robot with a tool frame; one whose platform does not turn freely has one that is not turned."""
    free = sum(c.turns for c in load(name).platform.coordinates) == 3
    return load(name).with_tool(TOOL, TURN if turned and free else None)


def poses(robot, count=40, size=0.6):
    rng = np.random.default_rng(7)
    return np.array(robot.platform.home) + size * rng.uniform(-1, 1, (count, len(robot.platform.home)))


@pytest.mark.parametrize("name", ["stewart", "hexapod", "delta", "spatial3", "planar3rrr"])
@pytest.mark.parametrize("convention", NAMES)
def test_there_and_back(name, convention):
    robot, stated = with_tool(name), Convention(convention)
    for x in poses(robot):
        values = stated.stated(robot, x)
        assert len(values) == len(stated.values(robot))
        np.testing.assert_allclose(stated.solved(robot, values), x, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("convention", "axes"), [("fixed-xyz", "xyz"), ("uvw", "XYZ")])
def test_angles_are_scipys(convention, axes):
    for turned in (False, True):
        robot = with_tool("hexapod", turned)
        turn = Rotation.from_euler("ZYX", TURN["angles"]) if turned else Rotation.identity()
        for x in poses(robot):
            pose = platform_pose(robot.platform, x)
            R = np.asarray(pose.R_BP, dtype=float)
            values = Convention(convention).stated(robot, x)
            angles = (Rotation.from_matrix(R) * turn).as_euler(axes)
            np.testing.assert_allclose(values[3:], angles, atol=1e-12)
            np.testing.assert_allclose(values[:3], np.asarray(pose.p_BP, dtype=float) + R @ TOOL, atol=1e-14)


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


def test_turning_about_the_tool_keeps_it_in_place():
    robot, stated = load("stewart").with_tool((0.0, 0.0, 0.2)), Convention("uvw")
    home = stated.stated(robot, robot.platform.home)
    x = stated.solved(robot, [*home[:3], 0.2, 0.1, -0.3])
    pose = platform_pose(robot.platform, x)
    moved = np.asarray(pose.p_BP, dtype=float) + np.asarray(pose.R_BP, dtype=float) @ robot.tool.position
    np.testing.assert_allclose(moved, home[:3], atol=1e-14)
    assert np.linalg.norm(np.array(x[:2])) > 0.01


def test_what_a_robot_cannot_do_is_refused():
    robot = load("delta")
    with pytest.raises(InputError, match=r"delta moves in x, y, z only .* 5\.\d+ deg off by uvw"):
        Convention("uvw").solved(robot, [0, 0, -0.85, 0.1, 0, 0])
    with pytest.raises(InputError, match=r"no such convention \(did you mean uvw"):
        Convention("uvww")


@pytest.mark.parametrize("name", ["stewart", "hexapod", "delta", "spatial3", "planar3rrr"])
@pytest.mark.parametrize("convention", NAMES[1:])
def test_rates_are_derivatives_and_come_back(name, convention):
    robot, stated = with_tool(name), Convention(convention)
    rng = np.random.default_rng(11)
    x, xd, xdd = poses(robot), *rng.uniform(-1, 1, (2, 40, len(robot.platform.home)))
    values, rates, accelerations = stated.stated_rows(robot, x, xd, xdd)

    def at(t, k):
        path = x[k] + t[:, None] * xd[k] + 0.5 * t[:, None] ** 2 * xdd[k]
        return stated.stated_rows(robot, path, xd[k] + t[:, None] * xdd[k])

    step = 1e-4
    for k in range(0, 40, 8):  # central differences leave step^2 of the third derivative
        before, after = zip(*[(rows[0], rows[1]) for rows in at(np.array([-step, step]), k)], strict=True)
        np.testing.assert_allclose((after[0] - before[0]) / (2 * step), rates[k], rtol=0, atol=3e-7)
        np.testing.assert_allclose((after[1] - before[1]) / (2 * step), accelerations[k], rtol=0, atol=3e-6)
    for row in range(40):  # each on its own: the samples are no path
        one = slice(row, row + 1)
        back = stated.solved_rows(robot, values[one], rates[one], accelerations[one], near=x[row])
        for found, expected in zip(back, (x, xd, xdd), strict=True):
            np.testing.assert_allclose(found[0], expected[row], rtol=0, atol=2e-12)


def test_angles_continue_from_row_to_row():
    """A platform that turns on past half a turn, and over the top of its middle angle, does not jump."""
    robot = with_tool("stewart", turned=False)
    t = np.linspace(0, 1, 101)[:, None]
    for rates in ([0, 0, 0, 5.0, 0, 0], [0, 0, 0, 0.3, 2.5, 0.1]):
        x = np.array(robot.platform.home) + t * rates
        for convention in NAMES[1:]:
            stated = Convention(convention)
            values = stated.stated_rows(robot, x)[0]
            np.testing.assert_allclose(stated.solved_rows(robot, values)[0], x, rtol=0, atol=1e-9)


def test_own_coordinates_position_the_platform_whatever_the_tool():
    robot, own = load("stewart"), Convention()
    tooled = with_tool("stewart")
    x = poses(robot, 3)
    np.testing.assert_array_equal(own.stated_rows(tooled, x)[0], x)
    assert own.described(tooled) == own.described(robot)
    text = Convention("uvw").described(tooled, (1000.0, "mm"), (180.0 / np.pi, "deg"))
    axis = Rotation.from_euler("ZYX", TURN["angles"]).as_rotvec()
    turn = np.linalg.norm(axis)
    assert "position of the tool at (20, -50, 150) mm of the platform, turned by " in text
    assert f"{np.rad2deg(turn):.6g} deg about ({', '.join(f'{v:.4g}' for v in axis / turn)}); turns u, v, w" in text


def test_rates_where_the_robots_angles_are_singular_are_refused():
    robot, stated = load("stewart"), Convention("quaternion")
    x = np.array([[0, 0, 2, 0.2, np.pi / 2, 0.1]])
    q = stated.stated_rows(robot, x)[0]
    solved = stated.solved_rows(robot, q)[0]
    np.testing.assert_allclose(
        platform_pose(robot.platform, solved[0]).R_BP, platform_pose(robot.platform, x[0]).R_BP, atol=1e-14
    )
    with pytest.raises(Exception, match="the angles psi, theta, phi of stewart have no rates there"):
        stated.solved_rows(robot, q, np.zeros_like(q))
    with pytest.raises(Exception, match="the angles of fixed-xyz have no rates there"):
        Convention("fixed-xyz").stated_rows(robot, x, np.zeros_like(x))
