"""From one pose to another, at rest at both."""

from __future__ import annotations

import math
from typing import Any

from gough.motion.faults import MotionError
from gough.motion.laws import LAWS
from gough.motion.line import Line
from gough.motion.motion import Motion
from gough.motion.pose import parse_pose
from gough.robot import Robot
from gough.robot.names import did_you_mean

SHORTEST, LONGEST = 1e-6, 1e9
"""Of a motion [s]; its accelerations must not overflow."""


def point_to_point(
    robot: Robot, to: Any, duration: float, from_: Any = None, law: str = "minimum-jerk", back: bool = False
) -> Motion:
    """A straight line in coordinates between two poses.

    Args:
        robot: Whose coordinates.
        to, from_: Poses as `parse_pose` takes them, SI units; from home if left out.
        duration: Of the whole motion, positive [s].
        law: One of `gough.motion.laws`: minimum-jerk, trig3, cos.
        back: There and back within `duration`.
    Raises:
        MotionError: A bad pose, duration or law.
    """
    start = parse_pose(robot, {} if from_ is None else from_, "from")
    end = parse_pose(robot, to, "to")
    if not is_positive(duration):
        raise MotionError("duration", "", duration, "must be a positive number of seconds")
    if not SHORTEST <= duration <= LONGEST:
        raise MotionError("duration", "", float(duration), f"must be between {SHORTEST:g} and {LONGEST:g} s")
    if law not in LAWS:
        raise MotionError("law", "", law, "no such law", did_you_mean(law, list(LAWS)))
    names = tuple(c.name for c in robot.platform.coordinates)
    return Motion(law, names, 0.0, float(duration), Line(start, end, LAWS[law](float(duration), back)))


def is_positive(value: Any) -> bool:
    """Whether `value` is a number above zero, finite."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0
