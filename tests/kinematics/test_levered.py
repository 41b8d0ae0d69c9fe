"""A force at a point of the platform: the lever turns with it, in every command that takes a wrench."""

import numpy as np
import pytest

import gough
from tests.cli.running import outcome
from tests.support.spindle_heads import head_file

FILE = """
name = "mill"
[units]
length = "mm"
angle = "deg"
inertia = "kg m^2"
[platform]
coordinates = {{ x = "x", y = "y", z = "z", C = "rz", B = "ry", A = "rx" }}
home = [0, 0, {home}, 0, 0, 0]
mass = 85
com = [0, 0, {com}]
inertia = [1.9, 1.9, 2.6]
[legs]
type = "UPS"
base = {{ radius = 750, half_angle = 10, z = 1500 }}
platform = {{ radius = 260, half_angle = 12, z = {above} }}
actuator = {{ stroke = [900, 1500], force = 1200 }}
[stiffness]
actuator = "150 N/um"
"""
TIP = (0.0, 0.0, -0.18)
FORCE = (500.0, -200.0, 800.0, 3.0, 5.0, -7.0)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """The same machine twice: its platform's origin in the plane of the joints, and at the tool tip below."""
    folder = tmp_path_factory.mktemp("mills")
    found = []
    for name, home, com, above in (("joints", 430, -20, 0), ("tip", 250, 160, 180)):
        (folder / f"{name}.toml").write_text(FILE.format(home=home, com=com, above=above))
        found.append(folder / f"{name}.toml")
    return found


def test_forces_are_those_of_the_machine_whose_origin_is_the_point(machines):
    joints, tip = map(gough.load, machines)
    x = np.array([[0.05, -0.03, 0.25, 0.2, 0.15, -0.1], [0.0, 0.0, 0.25, 0.0, 0.0, 0.3]])
    levered = gough.origin_wrench(tip, x, FORCE, np.negative(TIP))
    above = x.copy()
    for k, row in enumerate(x):
        c, b, a = row[3:]
        R = (
            np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
            @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
            @ np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        )
        above[k, :3] = row[:3] - R @ TIP
        np.testing.assert_allclose(levered[k, 3:], np.array(FORCE[3:]) + np.cross(R @ np.negative(TIP), FORCE[:3]))
    at_tip = gough.inverse_dynamics(tip, gough.State(x, wrench=np.tile(FORCE, (2, 1)))).force
    moved = gough.origin_wrench(joints, above, FORCE, TIP)
    at_joints = gough.inverse_dynamics(joints, gough.State(above, wrench=moved)).force
    np.testing.assert_allclose(at_joints, at_tip, rtol=1e-12)


def test_a_motion_s_wrench_and_its_rates(machines):
    robot = gough.load(machines[0])
    motion = gough.point_to_point(robot, {"x": 0.1, "B": 0.3, "A": -0.2}, 1.0).with_wrench(FORCE)
    levered = gough.wrench_at(robot, motion, TIP)
    t = np.array([0.31, 0.62])
    x = motion(t).x
    np.testing.assert_array_equal(levered.wrench(t), gough.origin_wrench(robot, x, FORCE, TIP))
    _, rate, second = levered.load(t)
    h = 1e-5
    after, before = levered.load(t + h), levered.load(t - h)
    np.testing.assert_allclose(rate, (after[0] - before[0]) / (2 * h), atol=1e-6)  # of the difference
    np.testing.assert_allclose(second, (after[1] - before[1]) / (2 * h), atol=1e-6)
    # Retimed, the lever is that of the pose.
    moved = gough.move(robot, levered, {"platform_speed": 0.1, "force": 5000.0}, jerk=100.0).motion
    u = np.linspace(0.0, moved.duration, 5)
    np.testing.assert_allclose(moved.wrench(u), gough.origin_wrench(robot, moved(u).x, FORCE, TIP), rtol=1e-12)
    with pytest.raises(gough.InputError, match="has no wrench"):
        gough.wrench_at(robot, gough.point_to_point(robot, {"x": 0.1}, 1.0), TIP)


def test_workspace_with_the_force_at_the_tip(machines):
    joints, tip = map(gough.load, machines)
    given = {"limits": {"force": 500.0}, "only": ["stroke", "force"], "wrench": FORCE, "travel_only": True}
    own = gough.workspace(tip, **given).travel
    lever = gough.workspace(joints, **given, wrench_at=TIP).travel
    without = gough.workspace(joints, **given).travel
    spans = [[(way.low - way.at, way.high - way.at) for way in ways[:3]] for ways in (own, lever, without)]
    np.testing.assert_allclose(spans[1], spans[0], rtol=1e-9)
    assert np.abs(np.subtract(spans[1], spans[2])).max() > 1e-3


def test_platforms_with_dependent_coordinates(tmp_path):
    robot = gough.load(head_file(tmp_path))
    x = np.array([robot.platform.home])
    found = gough.origin_wrench(robot, x, (100.0, 0, 0, 0, 0, 0), (0.0, 0.0, 0.1))
    assert found.shape == (1, 6)
    assert abs(found[0, 4]) > 1.0


def test_commands(capsys, machines):
    joints, tip = map(str, machines)
    load = ("--wrench", "500,-200,800,3,5,-7")
    one = outcome(capsys, "accuracy", joints, *load, "--wrench-at", "0,0,-180mm", "--tool", "0,0,-180mm")[1]
    other = outcome(capsys, "accuracy", tip, *load)[1]
    assert one.splitlines()[-1].split(":")[1] == other.splitlines()[-1].split(":")[1]
    to = ("--to", "x=10mm", "--duration", "1s")
    for command, *more in (("inverse", *to), ("check", *to), ("size", *to), ("accuracy",), ("workspace",)):
        code, _, err = outcome(capsys, command, joints, *more, "--wrench-at", "0,0,-180mm")
        assert (code, err) == (2, "gough: error: --wrench-at: is where a wrench acts; give --wrench too\n"), command
    code, _, err = outcome(capsys, "check", joints, *to, *load, "--wrench-at", "0,0")
    assert (code, err) == (2, "gough: error: --wrench-at 0,0: must be three numbers x,y,z, not 2\n")
    line = "gough: error: wrench at: (0, 0, -180) m: is more than 50 times"
    assert outcome(capsys, "check", joints, *to, *load, "--wrench-at", "0,0,-180")[2].startswith(line)
