"""Shapes of positions at each of which the platform tilts to all sides."""

import numpy as np
import pytest

import gough
from gough.kinematics import inverse_kinematics
from gough.workspaces.conditions import conditions_of
from gough.workspaces.inscribed import largest
from gough.workspaces.region import region_of
from gough.workspaces.tilted_shapes import tilted_shapes
from gough.workspaces.tilts import tilted
from tests.cli.running import outcome

ANGLE = np.radians(8.0)
PIVOT = np.array([0.0, 0.0, -0.1])


def test_a_box_with_every_tilt_is_the_least_of_all_orientations():
    """Strokes by inverse kinematics alone: all tilts fit at all corners, and one of them meets a limit."""
    robot = gough.load("stewart")
    x = np.array(robot.platform.home)
    region = region_of(robot, conditions_of(robot, None, ["stroke"]), x)
    (box,) = tilted_shapes(region, ANGLE, PIVOT, ["box"], (1.0, 1.0, 0.5))
    upright = largest(region, "box", (1.0, 1.0, 0.5))
    assert 0.0 < box.size < upright.size
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    poses = []
    for R in tilted(ANGLE):
        pitch, roll, yaw = -np.arcsin(R[2, 0]), np.arctan2(R[2, 1], R[2, 2]), np.arctan2(R[1, 0], R[0, 0])
        poses += [[*(x[:3] + PIVOT - R @ PIVOT + corner), yaw, pitch, roll] for corner in signs * box.half]
    strokes = np.array([actuator.limits.stroke for actuator in robot.actuators])
    q = inverse_kinematics(robot, np.array(poses)).q
    spare = np.minimum(q - strokes[:, 0], strokes[:, 1] - q)
    assert spare.min() == pytest.approx(0.0, abs=1e-5)  # of the search for the direction


def test_a_pose_that_does_not_tilt_has_none():
    robot = gough.load("stewart")
    least = gough.workspace(robot, cells=16).tilts.least
    found = gough.workspace(robot, cells=16, tilt=1.05 * least)
    assert found.sets.shapes == ()
    assert len(found.shapes) == 3


def test_shapes_about_the_pose_stay_beside_those_anywhere(capsys):
    given = ("workspace", "spatial3", "--cells", "16", "--units", "mm")
    alone, both = (outcome(capsys, *given, *more)[1].splitlines() for more in ((), ("--anywhere",)))
    about = [line for line in alone if line.startswith("Largest")]
    assert len(about) == 2
    assert [line for line in both if " about the pose: " in line] == about
    assert sum(", anywhere: " in line for line in both) == 2
