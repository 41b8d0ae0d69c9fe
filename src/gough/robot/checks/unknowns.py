"""What the faults of a file leave unknown, so that their consequences are not reported as well."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.leg_values import Leg
from gough.robot.legs.short_form import DRIVE
from gough.robot.legs.short_forms import BODIES
from gough.robot.values import Platform, Robot

_LIMITS = (*DRIVE, "cone")
_OF_CABLES = ("tension", "reference", "elasticity")
_OF_BODIES = ("mass", "com", "inertia", "about", "body", "second")
_WORDS = (
    "name",
    "names",
    "group",
    "description",
    "end_cone",
    "bolt",
    "end_bolt",
    "actuated",
    "free_spin",
    "actuator",
    "branch",
)
HARMLESS = frozenset(
    (*_LIMITS, *_OF_CABLES, *_OF_BODIES, *_WORDS, *(key for key in BODIES if key not in ("rod", "crank")))
)
"""Keys that do not affect where a leg's links are at home."""


@dataclass(slots=True)
class Doubts:
    """What is wrong or missing in a document.

    Attributes:
        paths: Paths of the values; numbers there are NaN, which no check finds fault with.
        units: Quantities whose unit is not known: signs and ratios of their numbers are known, sizes are not.
        legs: Names of the legs whose frames at home are at fault.
    """

    paths: set[Path] = field(default_factory=set)
    units: frozenset[str] = frozenset()
    legs: set[str] = field(default_factory=set)

    def new(self, faults: Iterable[Fault]) -> list[Fault]:
        """The faults that do not follow from what is in doubt already."""
        known = [f for f in faults if not (f.path and self.within(*f.path))]
        return [f for f in known if not self.units.intersection(f.scale)]

    def add(self, faults: Iterable[Fault]) -> None:
        """Doubt the values of these faults."""
        for fault in faults:
            if fault.legs and is_geometric(fault.path):
                self.legs.update(fault.legs)
            else:
                self.paths.add(fault.path)

    def covers(self, path: Path) -> bool:
        """Whether the value at a path, or a table that holds it, is unknown."""
        return any(path[:end] in self.paths for end in range(1, len(path) + 1))

    def within(self, *table: str | int) -> bool:
        """Whether anything at or below a path is unknown, or a table that holds it."""
        return self.covers(table) or any(path[: len(table)] == table for path in self.paths)

    def type_of(self, leg: int) -> bool:
        """Whether the type of a leg is not known."""
        return self.covers(("legs", "type")) or self.covers(("leg", leg, "type"))

    def count(self) -> bool:
        """Whether it is not known how many legs there are."""
        sides = ("base", "platform")
        rings = any(self.covers(("legs", side)) or self.within("legs", side, "angles") for side in sides)
        return rings or self.covers(("legs", "count")) or self.covers(("leg",))

    def drives(self) -> bool:
        """Whether it is not known which joints are actuated."""
        joints = any(path[0] == "leg" and (len(path) == 2 or path[2] in ("type", "joint")) for path in self._short())
        keys = any("actuated" in path or "mimic" in path for path in self.paths)
        return joints or keys or self.count() or self.covers(("legs", "type"))

    def kinds(self, leg: int) -> bool:
        """Whether the type of a joint of a leg is not known."""
        own = [path for path in self.paths if path[:3] == ("leg", leg, "joint")]
        return any(len(path) < 5 or path[4] == "type" for path in own)

    def body_names(self) -> bool:
        """Whether it is not known what the bodies are called: after their legs and joints."""
        own = [path for path in self.paths if path[:1] == ("leg",)]
        legs = any(len(path) == 2 or path[2] in ("name", "type") for path in own if len(path) > 1)
        joints = any(len(path) < 5 or path[4] in ("name", "type") for path in own if path[2:3] == ("joint",))
        shared = self.covers(("legs", "names")) or self.covers(("legs", "type"))
        return legs or joints or shared or self.count()

    def _short(self) -> list[Path]:
        """Paths down to a leg, one of its keys or one of its joints."""
        return [path for path in self.paths if 1 < len(path) < 5]

    def moves(self) -> bool:
        """Whether the platform's motion or its pose at home is not known."""
        return any(self.within("platform", key) for key in ("coordinates", "dependent", "home", "origin"))


def is_geometric(path: Path) -> bool:
    """Whether the value at a path has a say in where links are at home."""
    if path[-1:] == ("radius",):
        return len(path) > 2 and path[-2] in ("base", "platform")
    return not HARMLESS.intersection(path)


@dataclass(frozen=True, slots=True)
class Trust:
    """What of a robot can be relied on where some of its file is in doubt.

    Attributes:
        legs: Indices of the legs whose links and platform pose at home are known.
        whole: The same of all legs, and of their number, the coordinates and the actuators.
        driven: The actuators as well.
    """

    legs: frozenset[int]
    whole: bool
    driven: bool


def trusted(robot: Robot, doubts: Doubts) -> Trust:
    """What of a robot expanded from a document in doubt can be relied on."""
    if doubts.moves() or doubts.units.intersection(("length", "angle")) or not finite(robot.platform.whole().home):
        return Trust(frozenset(), False, False)
    shared = any(path[0] == "legs" and is_geometric(path) for path in doubts.paths if path)
    known = set()
    for k, leg in enumerate(robot.legs):
        own = any(path[:2] == ("leg", k) and is_geometric(path) for path in doubts.paths)
        jointed = robot.document is not None and "leg" in robot.document and "joint" in _own(robot, k)
        if not own and (jointed or not shared) and leg.name not in doubts.legs and finite(geometry(leg)):
            known.add(k)
    whole = len(known) == len(robot.legs) and not doubts.count() and not doubts.covers(("legs",))
    return Trust(frozenset(known), whole, whole and not doubts.drives())


def _own(robot: Robot, k: int) -> Any:
    assert robot.document is not None
    listed: Any = robot.document["leg"]
    return listed[k]


def geometry(part: Leg | Platform) -> Iterator[Any]:
    """All numbers that say where the links of a leg are, or the platform at home."""
    if isinstance(part, Platform):
        yield from (part.home, part.start, part.position, part.rotation)
        return
    end = part.end
    yield from (part.position, part.rotation, end.point, end.rotation, end.platform_point, end.platform_rotation)
    for joint in part.joints:
        yield from (joint.axis, joint.offset, joint.rotation)
        if joint.start is not None:
            yield joint.start
        if joint.mimic is not None:
            yield from (joint.mimic.ratio, joint.mimic.offset)


def finite(value: object) -> bool:
    """Whether all plain numbers in nested values are finite; what a robot was written in does not count."""
    if is_dataclass(value):
        return all(finite(getattr(value, entry.name)) for entry in fields(value) if entry.name != "document")
    if isinstance(value, Iterable) and not isinstance(value, str):
        return all(finite(entry) for entry in value)
    return not isinstance(value, (int, float)) or math.isfinite(value)
