"""Rod ends: joints that turn freely about a bolt, their misalignment limited, in every place that looks at angles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gough import Limits, Motion, RobotError, loads
from gough.analysis import check
from gough.analysis.leg_distances import shape_of
from gough.analysis.pose_limits import exceeded_limits
from gough.kinematics import inverse_kinematics
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.simulation.joint_angles import cones_of, cosines
from gough.workspaces import workspace
from tests.support.robots import with_values

TEXT = """
name = "base"
units = { length = "mm", angle = "deg" }
[platform]
coordinates = { x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }
home = [0, 0, 595, 0, 0, 0]
mass = 295
inertia = [45e6, 60e6, 50e6]
[legs]
type = "RSS"
base = { radius = 560, half_angle = 12 }
platform = { radius = 480, half_angle = 9 }
motor = { yaw = 118.6 }
branch = -1
crank = { length = 180 }
rod = { length = 630 }
cone = 8
bolt = [0, 0, 2]
end_cone = 20
end_bolt = [1, 0.5, 0]
actuator = { stroke = [-75, 75] }
"""
_CRANKS = "motor = { yaw = 118.6 }\nbranch = -1\ncrank = { length = 180 }\nrod = { length = 630 }\n"


def _with(kind, drive, stroke):
    """The same machine with other legs and a lower bolt that is stated outward, tangential and up."""
    text = TEXT.replace('"RSS"', f'"{kind}"').replace(_CRANKS, drive).replace("[-75, 75]", stroke)
    return text.replace("bolt = [0, 0, 2]", "bolt = [0.3, 1, 0]").replace("cone = 8", "cone = 50")


SLIDERS = _with("PSS", "guide = { tilt = 10 }\nrod = { length = 630 }\n", "[-400, 400]")
STRUTS = _with("SPS", "", "[300, 900]")


def shown(robot, x):
    """(legs, 2) angles of the lower and the upper joint."""
    return np.arccos(shape_of(robot).program(x=np.asarray(x, dtype=float))["cosines"]).reshape(-1, 2)


def carried(text, robot, x, k):
    """Axes (rows) in B in which the lower bolt is stated: of the crank, or of the base point."""
    radial = np.array(robot.legs[k].position) * [1, 1, 0]
    if "PSS" in text:
        radial = np.array([np.cos(a := np.radians([12, 108, 132, 228, 252, 348][k])), np.sin(a), 0])
    radial = radial / np.linalg.norm(radial)
    if "RSS" not in text:
        return np.array([radial, np.cross([0, 0, 1], radial), [0, 0, 1]])
    q = inverse_kinematics(robot, x).q[k]
    f, s, a = np.array(robot.legs[k].rotation).T
    c = np.cos(q) * f + np.sin(q) * s
    return np.array([c, np.cross(a, c), a])


@pytest.mark.parametrize("text", [TEXT, SLIDERS, STRUTS], ids=["cranks", "sliders", "struts"])
def test_the_angle_is_that_from_the_plane_across_the_bolt(text):
    robot, rng = loads(text), np.random.default_rng(2)
    home = np.array(robot.platform.home)
    for x in (home, *(home + rng.uniform(-1, 1, (4, 6)) * [0.05, 0.05, 0.05, 0.1, 0.1, 0.1])):
        shape = shape_of(robot)
        points, found = shape.program(x=x)["points"], shown(robot, x)
        z, y, r = (np.array(m) for m in _turns(x[3:]))
        R = z @ y @ r
        for k in range(6):
            side = -1.0 if k % 2 else 1.0
            own = [s for s in shape.segments if s.leg == k][-1]
            d = points[own.last] - points[own.first]
            d = d / np.linalg.norm(d)
            stated = np.array([0, 0, side * 2] if "RSS" in text else [0.3, side, 0])
            lower = stated @ carried(text, robot, x, k)
            angle = np.radians([51, 69, 171, 189, 291, 309][k])
            out = np.array([np.cos(angle), np.sin(angle), 0])
            upper = R @ (out + 0.5 * side * np.cross([0, 0, 1], out))
            for bolt, value in ((lower, found[k, 0]), (upper, found[k, 1])):
                misaligned = abs(np.arcsin(d @ bolt / np.linalg.norm(bolt)))
                # acos of a cosine near 1 has half the digits
                assert value == pytest.approx(misaligned, abs=1e-7)
                assert np.cos(value) == pytest.approx(np.cos(misaligned), abs=1e-14)


def _turns(angles):
    for axis, angle in zip((2, 1, 0), angles, strict=True):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.eye(3)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[i, i] = turn[j, j] = c
        turn[i, j], turn[j, i] = -s, s
        yield turn


@pytest.mark.parametrize("text", [TEXT, SLIDERS, STRUTS], ids=["cranks", "sliders", "struts"])
def test_legs_of_a_pair_are_mirror_images(text):
    found = shown(loads(text), loads(text).platform.home)
    np.testing.assert_allclose(found[::2], np.tile(found[0], (3, 1)), atol=1e-7)
    np.testing.assert_allclose(found[1::2], np.tile(found[0], (3, 1)), atol=1e-7)


def joint_by_joint(robot, largest):
    """The same machine, its lower rod ends written as a hinge about the bolt and one across it with a stroke."""
    legs = []
    for leg in robot.legs:
        first, second = leg.joints[1:]
        d = np.array(first.rotation)[:, 0]
        across = replace(
            second, axis=(0.0, 1.0, 0.0), start=-np.arcsin(d[2]), limits=Limits(stroke=(-largest, largest))
        )
        about = replace(
            first, axis=(0.0, 0.0, 1.0), rotation=tuple(map(tuple, np.eye(3))), start=np.arctan2(d[1], d[0])
        )
        joints = (leg.joints[0], *(replace(joint, cone=None, bolt=None) for joint in (about, across)))
        legs.append(replace(leg, joints=joints))
    return with_values(robot, legs=tuple(legs))


def test_travel_and_a_check_are_those_of_two_hinges():
    robot = loads(TEXT.replace("end_cone = 20\nend_bolt = [1, 0.5, 0]\n", ""))
    hinges = joint_by_joint(robot, np.radians(8))
    rows = [workspace(machine, travel_only=True).travel for machine in (robot, hinges)]
    for one, other in zip(*rows, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)
    assert {limit.kind for row in rows[0] for limit in (*row.low_limits, *row.high_limits)} >= {"angle"}
    motion = Motion.to(robot, {"y": 0.08, "yaw": 0.1}, 1.0)
    kinds = [
        next(f for f in check(m, motion).findings if f.kind == k) for m, k in ((robot, "angle"), (hinges, "joint"))
    ]
    assert kinds[0].value == pytest.approx(abs(kinds[1].value), rel=1e-9)
    assert kinds[0].t == pytest.approx(kinds[1].t, abs=1e-4)  # the end of a move is flat
    assert kinds[0].value > 0.01


def test_other_places_see_the_same_angles():
    robot = loads(TEXT)
    x = np.array(robot.platform.home) + [0.1, 0.05, 0.02, 0.1, 0.0, 0.0]
    expected = shown(robot, x)
    ways = ways_of(robot)
    cones = cones_of(robot, robot_pose(robot, ways, np.array(robot.platform.home)))
    simulated = np.arccos([float(c) for c in cosines(cones, robot_pose(robot, ways, x))])
    np.testing.assert_allclose(simulated.reshape(-1, 2), expected, atol=1e-7)
    found = [e for e in exceeded_limits(inverse_kinematics(robot, x), x) if e.kind == "angle"]
    beyond = expected > np.radians([8, 20])
    assert sorted(e.value for e in found) == pytest.approx(sorted(expected[beyond]), abs=1e-7)
    assert 0 < len(found) < 12
    again = loads(robot.to_toml())
    np.testing.assert_allclose(shown(again, x), expected, atol=1e-7)
    assert [leg.end.bolt for leg in again.legs] == [leg.end.bolt for leg in robot.legs]


def test_travel_at_a_bolt_is_proved():
    robot = loads(STRUTS)
    row = workspace(robot, travel_only=True, prove=True, only=["reach", "angle"]).travel[2]
    assert row.proved


def test_bolts_that_cannot_be():
    with pytest.raises(RobotError, match=r"legs.bolt: \[0, 0, 0\]: must be a direction, not zero"):
        loads(TEXT.replace("bolt = [0, 0, 2]", "bolt = [0, 0, 0]"))
    with pytest.raises(RobotError, match="bolt"):
        loads(TEXT.replace('"RSS"', '"RUS"'))
