"""What is wrong with a motion: one line, `place: what: value: what is allowed (likely cause, what to try)`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.escape import one_line
from gough.graph import Array
from gough.robot import Mechanism
from gough.robot.checks.fault import show
from gough.robot.mechanism import FARTHEST, size

_SHOWN = 120


class MotionError(InputError):
    """A motion that cannot be accepted, or does not have what a call takes of it.

    Attributes:
        place: Where: file and line, option, argument, name of the motion.
        what: The column, coordinate or quantity; empty where the place says it all.
        value: What was found; None where nothing was.
        allowed: What would be right.
        hint: Likely cause and what to try.
    """

    def __init__(self, place: str, what: str, value: object, allowed: str, hint: str = "") -> None:
        """The line made from its parts; those that are empty (None) are left out."""
        self.place, self.what, self.value, self.allowed, self.hint = place, what, value, allowed, hint
        shown = "" if value is None else number(value) if isinstance(value, float) else show(value)
        parts = [part for part in (place, one_line(what, _SHOWN), shown, allowed) if part]
        super().__init__(one_line(": ".join(parts) + (f" ({hint})" if hint else "")))


def number(value: float) -> str:
    """A number for people: up to 12 digits, no trailing ".0"."""
    return f"{value:.12g}"


LARGEST_TURN = 2 * math.pi
"""How far its platform may turn from home [rad]."""
DEGREES = 'degrees? say CsvLayout(units="deg")'
MILLIMETRES = 'millimetres? say CsvLayout(units="mm")'
_EVEN, _ALIKE, _GAP, _FEWEST = 0.9, 0.01, 1.5, 10


def too_far(robot: Mechanism, k: int, values: ArrayLike, stated: bool) -> tuple[int, str, str] | None:
    """The first of a coordinate's values (N,) [m or rad] that is implausible: its row, why, and what to try.

    Args:
        robot: Whose coordinate.
        k: Which.
        values: As they were given, angles not unwrapped.
        stated: Whether they were given in a unit of their own, so that it is not the unit that was forgotten.
    """
    offset = np.atleast_1d(values) - robot.platform.home[k]
    return too_far_from_home(robot, robot.platform.coordinates[k].turns, offset, stated)


def too_far_from_home(robot: Mechanism, turns: bool, offset: Array, stated: bool) -> tuple[int, str, str] | None:
    """The first of offsets (N,) from home [rad if `turns`, else m] that is implausible, as `too_far` returns it."""
    if turns:
        limit, why, hint = LARGEST_TURN, "is more than a turn from home", DEGREES
    else:
        limit, why = (
            FARTHEST * (size(robot) or math.inf),
            f"is more than {FARTHEST:.0f} times the robot's size from home",
        )
        hint = MILLIMETRES
    beyond = np.flatnonzero(np.abs(offset) > limit)
    return (int(beyond[0]), why, "" if stated else hint) if len(beyond) else None


@dataclass(frozen=True, slots=True)
class Gap:
    """A step between evenly spaced times that leaves some out.

    Attributes:
        row: Row after the gap.
        step: Its length [s].
        usual: What the others have [s].
    """

    row: int
    step: float
    usual: float

    @property
    def missing(self) -> int:
        """Number of rows that are missing."""
        return round(self.step / self.usual) - 1


def missing_rows(t: Array) -> list[Gap]:
    """Where evenly spaced times leave some out; nothing where most steps differ anyway."""
    steps = np.diff(t)
    if len(steps) < _FEWEST:
        return []
    usual = float(np.median(steps))
    if np.mean(np.abs(steps - usual) <= _ALIKE * usual) < _EVEN:
        return []
    return [Gap(int(k) + 1, float(steps[k]), usual) for k in np.flatnonzero(steps > _GAP * usual)]
