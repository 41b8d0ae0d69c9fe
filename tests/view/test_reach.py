"""How far sliders go: to the very place where a limit, the reach or a fold is met, and no further."""

from __future__ import annotations

import numpy as np
import pytest

from gough import load
from gough.dynamics import inverse_dynamics
from gough.kinematics import Status, forward_kinematics, inverse_kinematics
from gough.kinematics.configuration import chart_program
from gough.kinematics.status import PoseError
from gough.view.browser.reach import FOLD, Reach

EXTENT = 3.0


def off(robot, x):
    """A pose near home that no symmetry helps."""
    rng = np.random.default_rng(5)
    return np.array(robot.platform.home) + x * rng.uniform(-1, 1, robot.dof)


def within_strokes(robot, x):
    q = inverse_kinematics(robot, np.array([x])).q[0]
    ends = [joint.limits.stroke for joint in robot.actuators]
    return all(low <= value <= high for value, (low, high) in zip(q, ends, strict=True))


def side_of(robot, x):
    """Of the singularities; angles have singularities of their own, which do not count."""
    K, chart = inverse_kinematics(robot, x).K, chart_program(robot)(x=x)
    return np.sign(np.linalg.det(K) * np.linalg.det(chart))


@pytest.mark.parametrize(("name", "step"), [("stewart", 0.05), ("delta", 0.05), ("rps3", 0.02)])
def test_a_coordinate_ends_where_a_stroke_or_a_singularity_does(name, step):
    robot = load(name)
    x = off(robot, step)
    rooms = Reach(robot, EXTENT).of_platform(x)
    side = side_of(robot, x)
    for k, room in enumerate(rooms):
        assert room.low < x[k] < room.high
        for end, words in ((room.low, room.low_end), (room.high, room.high_end)):
            inside, outside = x.copy(), x.copy()
            inside[k], outside[k] = end + 1e-6 * (x[k] - end), end - 1e-6 * (x[k] - end)
            assert within_strokes(robot, inside)
            assert side_of(robot, inside) == side
            if words.startswith("stroke"):
                assert not within_strokes(robot, outside)
            elif words == "side":
                assert side_of(robot, outside) == -side
            else:
                assert abs(end - x[k]) == pytest.approx(np.pi)


@pytest.mark.parametrize(("name", "step"), [("stewart", 0.05), pytest.param("rps3", 0.02, marks=pytest.mark.slow)])
def test_an_actuator_ends_at_its_stroke_or_where_the_platform_cannot_follow(name, step):
    robot = load(name)
    x = off(robot, step)
    q = inverse_kinematics(robot, x).q
    rooms = Reach(robot, EXTENT).of_actuators(x)
    assert {room.high_end for room in rooms} | {room.low_end for room in rooms} >= {"its stroke", FOLD}
    for k, (room, joint) in enumerate(zip(rooms, robot.actuators, strict=True)):
        for end, words, bound in zip(
            (room.low, room.high), (room.low_end, room.high_end), joint.limits.stroke, strict=True
        ):
            asked = q.copy()
            asked[k] = end
            found = forward_kinematics(robot, asked, x)
            assert inverse_kinematics(robot, found.x).q == pytest.approx(asked, abs=1e-9)
            if words == "its stroke":
                assert end == pytest.approx(bound, abs=1e-9)
            elif words == FOLD:
                asked[k] += 0.02 * (end - q[k])
                with pytest.raises(PoseError, match="singular at"):
                    forward_kinematics(robot, asked, x)


def test_cables_end_where_no_tensions_hold_the_platform():
    robot = load("cable8")
    x = np.array(robot.platform.home)
    rooms = Reach(robot, 8.0).of_platform(x)
    for k, room in enumerate(rooms):
        for end, words in ((room.low, room.low_end), (room.high, room.high_end)):
            poses = np.tile(x, (2, 1))
            poses[:, k] = x[k] + np.array([0.999, 1.001]) * (end - x[k])
            inside, outside = inverse_dynamics(robot, poses).status
            assert inside == Status.FINE
            assert words != "margin" or outside == Status.INFEASIBLE
    assert rooms[0].low_end == rooms[2].high_end == "margin"


def test_beyond_a_limit_there_is_no_travel_and_the_limit_is_named():
    robot = load("stewart")
    reach = Reach(robot, EXTENT)
    x = np.array([0.0, 0.0, 3.4, 0.0, 0.0, 0.0])
    assert reach.of_platform(x) is reach.of_actuators(x) is None
    found = reach.violated(x)
    assert [limit.text for limit in found] == [f"stroke {k}, high" for k in range(1, 7)]
    assert [limit.legs for limit in found] == [(k,) for k in range(6)]
