"""What a short form of a leg is: a leg type of a file, its keys, how they become joints, and why it may not reach.

A leg type states all that is known of it, its keys with their texts included: the schema of robot files, their checks,
the pages of the documentation and `gough new` read it. `short_forms.register_leg_type` makes it known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from gough.brief import brief
from gough.robot.file.reader import Table
from gough.robot.file.units import Units
from gough.robot.leg_values import Leg, Matrix, Vector
from gough.robot.legs.chain import build_leg
from gough.robot.legs.leg_keys import SharedKeys
from gough.robot.legs.rings import Entry, Values
from gough.robot.quantities import shown


class Reason(NamedTuple):
    """Why a leg has no geometry.

    Attributes:
        key: At fault.
        wrong: What is wrong; {by} in it stands for a length.
        hint: What to try.
        by: The length [m].
    """

    key: str
    wrong: str
    hint: str
    by: float = 0.0

    def told(self, units: Units) -> str:
        """What is wrong, with the length in these units."""
        return self.wrong.format(by=shown(self.by, "length", units))


class Misfit(NamedTuple):
    """A key of a leg that is missing, or does not go with the others.

    Attributes:
        keys: Where: the key of the leg, and those below it.
        wrong: What is wrong.
        value: What is stated there; None where nothing is.
    """

    keys: tuple[str, ...]
    wrong: str
    value: Any = None


Expand: TypeAlias = Callable[[Entry, Vector, Matrix], Values]
COMMON = ("name", "type", "branch", "radius", "actuator", "base", "platform")
"""Keys of every short form; the last two are needed."""


def always_reaches(_entry: Entry, _d: Vector) -> Reason | None:
    """None: a leg of any length."""
    return None


def all_stated(_entry: Entry) -> Iterable[Misfit]:
    """Nothing: a leg whose keys go with each other whatever they are."""
    return ()


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A leg type of a file.

    Attributes:
        name: The `type` in the file.
        expand: (table, p_BP, R_BP at home) -> the same leg as a table of joints: `blocks.chain`. It branches
            on no value, so that any number of the table may be traced; what has no solution comes out as NaN.
        bodies: For each joint the key of the body it moves, None for a body without a key.
        drive: How its actuator moves: "P" slides, "R" turns.
        needed: Keys it must have besides `COMMON`.
        optional: Keys it may have besides.
        keys: What its own keys hold, each with its text: a kind of table. Keys of other types it has by their names.
        reach: (table, d from base to platform joint at home) -> why the leg does not reach, None where it does.
        outward: What to state where the base point gives no outward direction.
        unused: Those of `COMMON` and of its actuator that would have no effect on it.
        misfits: (table) -> keys that are missing in its tables, or do not go with each other.
        passive: Whether none of its joints is driven.
        about: One line for lists, "strut with a spring".
        example: Text of the file of a small robot on such legs, to draw and to start from.
    """

    __repr__ = brief

    name: str
    expand: Expand
    bodies: tuple[str | None, ...]
    drive: Literal["P", "R"]
    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    keys: type[Table] = SharedKeys
    reach: Callable[[Entry, Vector], Reason | None] = always_reaches
    outward: str = "axes"
    unused: tuple[str, ...] = ()
    misfits: Callable[[Entry], Iterable[Misfit]] = all_stated
    passive: bool = False
    about: str = ""
    example: str = ""

    @property
    def usable(self) -> tuple[str, ...]:
        """Keys that its table may have."""
        return tuple(key for key in (*COMMON, *self.needed, *self.optional) if key not in self.unused)

    def leg(self, entry: Entry, p_BP: Vector, R_BP: Matrix) -> Leg:
        """The leg of a table, with the platform at home."""
        return build_leg(self.expand(entry, p_BP, R_BP))


_HINT = "check platform.home, and mm for m"


def between(distance: float, low: float, high: float, key: str) -> Reason | None:
    """The fault of a leg that spans `low` to `high` [m] over a distance; `key` states its length."""
    if distance > high:
        return too_short(key, distance - high)
    return too_long(key, low - distance) if distance < low else None


def too_short(key: str, by: float) -> Reason:
    """A leg whose `key` is too short by `by` [m]."""
    return Reason(key, "is {by} too short to reach the platform at home", _HINT, by)


def too_long(key: str, by: float) -> Reason:
    """A leg whose `key` is too long by `by` [m]."""
    return Reason(key, "is {by} too long to reach the platform at home", _HINT, by)
