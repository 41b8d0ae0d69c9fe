"""From one pose to another, at rest at both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.graph import Array
from gough.motion.curves import LAWS, Curve, Jet, Values
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import QuantityError, has_unit, measure, quantity
from gough.robot.quantities import shown as shown_in


@dataclass(frozen=True, slots=True)
class Line:
    """start + s(t) (end - start); exactly `start` where s is 0.

    Attributes:
        start, end: (n,).
        s: A curve into R.
    """

    start: Values
    end: Values
    s: Curve

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of s."""
        return self.s.breakpoints

    @property
    def analytic(self) -> bool:
        """As s is."""
        return self.s.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        s, sd, sdd = self.s(t)
        way = np.array(self.end) - np.array(self.start)
        return np.array(self.start) + s * way, sd * way, sdd * way


SHORTEST, LONGEST = 1e-6, 1e9
"""Of a motion [s]; its accelerations must not overflow."""


def point_to_point(
    robot: Robot,
    to: PoseLike,
    duration: float | str,
    from_: PoseLike | None = None,
    law: str = "minimum-jerk",
    back: bool = False,
) -> Motion:
    """A straight line in coordinates between two poses.

    Args:
        robot: The robot whose coordinates they are.
        to, from_: Poses as `parse_pose` takes them, SI units where none is given; from home if left out.
        duration: Duration of the whole motion, positive [s]; or a text with its unit, "300 ms".
        law: One of `gough.motion.curves`: minimum-jerk, trig3, cos.
        back: There and back within `duration`.
    Raises:
        MotionError: A bad pose, duration or law.
    """
    start = parse_pose(robot, {} if from_ is None else from_, "from")
    end = parse_pose(robot, to, "to")
    time, way = duration_of(duration, Units(), "duration"), LAWS[law_of(law, "law")]
    names = robot.coordinate_names
    return Motion(law, names, 0.0, time, Line(start, end, way(time, back)))


def duration_of(value: float | str, units: Units, place: str) -> float:
    """A positive duration [s] from a number or a text with or without a unit.

    Raises:
        MotionError: It is no positive time, or too short or too long to be one.
    """
    try:
        time = quantity(value, measure("time", units))
    except QuantityError as error:
        reason = str(error) if str(error).startswith("its unit") else "must be a positive number"
        shown = float(value) if isinstance(value, float) else value
        raise MotionError(place, "", shown, reason, "e.g. 2 or 500ms") from None
    given = value if isinstance(value, str) and has_unit(value) else float(value)
    if not time > 0.0:
        raise MotionError(place, "", given, "must be a positive number", "e.g. 2 or 500ms")
    if not SHORTEST <= time <= LONGEST:
        low, high = (shown_in(end, "time", units) for end in (SHORTEST, LONGEST))
        raise MotionError(place, "", given, f"must be between {low} and {high}")
    return time


def law_of(name: str, place: str) -> str:
    """The name of a law of `LAWS`.

    Raises:
        MotionError: It is none of them.
    """
    if name not in LAWS:
        raise MotionError(place, "", name, "no such law", did_you_mean(name, list(LAWS)))
    return name
