"""`move`: S-curves that keep every limit, that of jerk too."""

import numpy as np
import pytest

from gough import InfeasibleError, InputError, Motion, check, inverse_kinematics, load, move
from gough.motion.curves import linear
from gough.timing.geometry import Way
from gough.timing.move import motion_of, s_curve
from gough.timing.ramps import Shape
from tests.cli.running import outcome


@pytest.mark.parametrize(("jerk", "steady"), [(0.25, 0.0), (0.1, 0.0), (0.1, 0.6), (0.08, 0.25), (0.15, 0.4)])
def test_an_s_curve_goes_from_rest_to_rest(jerk, steady):
    law = s_curve(jerk, steady)
    t = np.array([0.0, 1.0])
    s, sd, sdd = law(t)
    assert s[:, 0] == pytest.approx([0.0, 1.0], abs=1e-14)
    assert sd[:, 0] == pytest.approx([0.0, 0.0], abs=1e-13)
    assert sdd[:, 0] == pytest.approx([0.0, 0.0], abs=1e-12)
    inner = law.knots[1:-1]
    before, after = law(np.nextafter(inner, 0)), law(inner)
    for one, other in zip(before, after, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("name", ["delta", "stewart"])
def test_jerk_is_bounded_and_used(name):
    robot = load(name)
    home = dict(zip(robot.coordinate_names, robot.platform.home, strict=True))
    motion = Motion.to(robot, {"z": home["z"] - 0.05, "x": 0.03}, 1.0)
    loose = move(robot, motion, {"force": 60.0})
    limit = 0.2 * loose.largest
    found = move(robot, motion, {"force": 60.0}, jerk=limit)
    assert found.fits
    assert found.duration > loose.duration
    # Differences of accelerations, apart from the polynomials.
    t = np.linspace(0, found.duration, 4001)
    qdd = inverse_kinematics(robot, found.motion(t)).qdd
    jerk = np.abs(np.diff(qdd, axis=0) / np.diff(t)[:, None]).max()
    assert 0.5 * limit < jerk <= limit * (1 + 1e-6)
    assert check(robot, found.motion, {"force": 60.0}).fits


def test_ramps_are_as_short_as_the_jerk_allows():
    """On a straight way at a bounded feed the time is the way over the feed and one ramp, 2 sqrt(v / J)."""
    robot = load("spatial3")
    motion = Motion.to(robot, {"z": robot.platform.home[1] + 0.04}, 1.0)
    feed = {"platform_speed": 0.05, "force": 1e4}
    times = []
    for jerk in (4.0, 40.0, 400.0):
        found = move(robot, motion, feed, jerk=jerk)
        assert found.fits
        assert found.largest <= jerk * (1 + 1e-9)
        times.append(found.duration)
    assert times[0] > times[1] > times[2]
    # The actuators all go with z here, one for one.
    expected = [0.04 / 0.05 + 2.0 * np.sqrt(0.05 / jerk) for jerk in (4.0, 40.0, 400.0)]
    assert times == pytest.approx(expected, rel=5e-3)


def test_stretches_have_their_own_times():
    """A way with a corner takes as long as its two straight parts."""
    robot = load("spatial3")
    rows = np.array([robot.platform.home, (0.0, 0.04, 0.0), (0.0, 0.04, 0.1)])
    feed = {"platform_speed": 0.05, "force": 1e4}
    times = []
    for part in (rows, rows[:2], rows[1:]):
        places = np.arange(float(len(part)))
        way = Way(linear(places, part), tuple(places), tuple(places))
        motion = motion_of(robot, way, [Shape(0.5, 1.0)] * (len(part) - 1), [1.0] * (len(part) - 1), "straight")
        times.append(move(robot, motion, feed, jerk=40.0).duration)
    assert times[0] == pytest.approx(times[1] + times[2], rel=1e-6)
    assert abs(times[1] / times[2] - 1.0) > 0.1


def test_corners_are_stops():
    found = move(load("stewart"), Motion.named(load("stewart"), "trig3"), {"force": 30.0}, jerk=60.0)
    middle = found.motion(0.5 * found.duration)
    assert np.abs(middle.xd).max() < 1e-9
    assert found.fits


def test_pieces_of_the_motion_begin_where_those_of_the_path_do():
    robot = load("spatial3")
    rows = np.array([robot.platform.home, (0.0, 0.02, 0.0), (0.0, 0.04, 0.1)])
    places = np.array([0.0, 0.5, 2.0])
    way = Way(linear(places, rows), tuple(places), (0.0, 2.0))
    motion = motion_of(robot, way, [Shape(0.3, 0.6)], [1.0], "bent")
    at = motion(np.array(motion.breakpoints)).x
    assert np.abs(at - rows[1]).max(axis=1).min() <= 1e-12


def test_what_cannot_be():
    robot = load("stewart")
    with pytest.raises(InputError, match="move: jerk -1: must be a positive number"):
        move(robot, Motion.named(robot, "trig3"), jerk=-1.0)
    with pytest.raises(InfeasibleError, match="force"):
        move(robot, Motion.named(robot, "trig3"), {"force": 5.0})


def test_command(capsys, tmp_path):
    points, platform = tmp_path / "set.csv", tmp_path / "motion.csv"
    options = ("--to", "z=-800mm", "--limit", "force=30", "--jerk", "300", "--step", "2ms")
    files = ("--out", str(points), "--motion-out", str(platform))
    code, out, err = outcome(capsys, "move", "delta", *options, *files)
    assert (code, err) == (0, "")
    assert out.startswith("minimum-jerk, S-curve: ")
    rows = points.read_text().splitlines()
    assert rows[0].split(",")[:4] == ["t", "q_A", "q_B", "q_C"]
    assert float(rows[2].split(",")[0]) == 0.002
    for units in ((), ("--units", "mm,ms")):  # every unit is in the header
        code, _, err = outcome(capsys, "check", "delta", "--motion", str(platform), "--limit", "force=30.01N m", *units)
        assert (code, err) == (0, "")
    code, _, err = outcome(capsys, "move", "delta", "--to", "z=-800mm", "--step", "0")
    assert (code, err) == (2, "gough: error: --step 0: must be a positive number\n")
