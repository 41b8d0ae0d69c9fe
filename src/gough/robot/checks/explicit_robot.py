"""Static checks of the explicit robot: everything that can be told without moving it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from gough.graph import is_plain
from gough.robot.checks.actuation import actuation_faults
from gough.robot.checks.body import body_faults
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.checks.leg import leg_faults, rotation_fault
from gough.robot.checks.leg_reach import why_not
from gough.robot.checks.plausible_sizes import platform_faults
from gough.robot.checks.springs import spring_faults
from gough.robot.checks.unknowns import Doubts, finite, geometry
from gough.robot.file.sources import Places
from gough.robot.names import NAME
from gough.robot.values import Platform, Robot


def robot_faults(robot: Robot, doubts: Doubts | None = None) -> list[Fault]:
    """Every fault of a robot; empty when it is fine. Numbers that are recorded scalars end the checks.

    Args:
        robot: NaN in it is a fault, except of what is in doubt.
        doubts: What is known to be wrong or missing in its document.
    """
    if not is_numeric(robot):
        return []
    doubts = doubts or Doubts()
    places = Places(robot.document)
    faults = [*_finite(robot, places, doubts)]
    faults += _whole(robot)
    faults += _platform(robot)
    for k in range(len(robot.legs)):
        of_leg = leg_faults(robot, k, places)
        faults += [f for f in of_leg if f.path[-2:] != ("mimic", "joint") or not doubts.kinds(k)]
    if not doubts.drives() and not doubts.within("platform", "dependent"):
        faults += actuation_faults(robot)
    faults += spring_faults(robot, named=not doubts.body_names())
    return merged(doubts.new(faults))


def is_numeric(value: object) -> bool:
    """Whether all numbers in a value are plain ones."""
    if is_dataclass(value):
        return all(is_numeric(getattr(value, entry.name)) for entry in fields(value) if entry.name != "document")
    if isinstance(value, tuple):
        return all(is_numeric(entry) for entry in value)
    return value is None or isinstance(value, str) or is_plain(value)


def _finite(robot: Robot, places: Places, doubts: Doubts) -> Iterator[Fault]:
    """Legs without geometry at home, and numbers that are not finite."""
    for k, leg in enumerate(robot.legs):
        if finite(leg) or doubts.type_of(k):
            continue
        entry = places.entry(k)
        if entry is not None and not finite(geometry(leg)):
            why = why_not(entry, robot.platform)
            if why is not None:
                key, reason, hint = why
                path = places.leg(k, *key.split("."))
                yield Fault(path, reason, _at(entry, key), hint, (leg.name,), scale=("length", "angle"))
        elif not doubts.within("leg", k) and not doubts.within("legs"):
            yield Fault(places.leg(k), "must have finite numbers only")
    for key, value in (
        ("platform", robot.platform),
        ("gravity", robot.gravity),
        ("length", robot.length),
        ("spring", robot.springs),
    ):
        if not finite(value):
            yield Fault((key,), "must have finite numbers only")


def _at(entry: Any, key: str) -> Any:
    for part in key.split("."):
        entry = entry.get(part) if entry is not None else None
    return list(entry) if isinstance(entry, tuple) else entry


def _names(robot: Robot) -> Iterator[Fault]:
    """Names that could not be part of a path."""
    named: list[tuple[Path, str]] = [(("name",), robot.name)]
    named += [(("platform", "coordinates"), c.name) for c in robot.platform.all_coordinates]
    for k, leg in enumerate(robot.legs):
        named.append((("leg", k, "name"), leg.name))
        named += [(("leg", k, "joint", i, "name"), joint.name) for i, joint in enumerate(leg.joints)]
    for path, name in named:
        if not NAME.fullmatch(name):
            yield Fault(path, "must be a name of letters a-z, digits, - and _", name)


def _whole(robot: Robot) -> Iterator[Fault]:
    yield from _names(robot)
    names = [leg.name for leg in robot.legs]
    if not names and robot.document is None:
        yield Fault(("leg",), "must have at least one leg")
    for k, name in enumerate(names):
        if name in names[:k]:
            listed = robot.document is None or "leg" in robot.document
            path = ("leg", k, "name") if listed else ("legs", "names")
            yield Fault(path, "must be unique in the robot", name)
    size = math.hypot(*robot.gravity)
    if 0 < size <= 1.0 or size > 30.0:
        hint = "a direction? multiply it by 9.81" if size == 1.0 else ""
        for factor, unit in ((1000, "m/s^2"), (0.001, "mm/s^2")):
            if 1.0 < size * factor < 30.0:
                hint = f'in {unit}? state [units] acceleration = "{unit}"'
        allowed = f"must be 0 or between 1 and 30 m/s^2 long, not {size:.4g}"
        yield Fault(("gravity",), allowed, list(robot.gravity), hint, scale=("acceleration",))
    if robot.length is not None and robot.length <= 0:
        yield Fault(("length",), "must be greater than 0", robot.length)


def _platform(robot: Robot) -> Iterator[Fault]:
    stated = robot.document["platform"] if robot.document else None
    yield from body_faults(robot.platform.body, ("platform",), moving=True, stated=stated)
    yield from rotation_fault(robot.platform.rotation, ("platform", "origin", "rotation"))
    if robot.document is None:
        yield from _described(robot.platform)


def _described(platform: Platform) -> Iterator[Fault]:
    """Faults of the coordinates of a platform that was put together from values."""
    listed = (*platform.coordinates, *platform.dependent)
    coordinates = {c.name: c.motion for c in listed}
    if len(coordinates) != len(listed):
        yield Fault(("platform", "coordinates"), "must have unique names")
    elif platform.dependent and (sorted(platform.order) != sorted(coordinates)):
        yield Fault(("platform", "order"), "must be the names of all coordinates", list(platform.order))
    elif len(platform.start) != len(platform.dependent):
        allowed = f"must be {len(platform.dependent)} numbers, one per dependent coordinate"
        yield Fault(("platform", "start"), allowed, list(platform.start))
    else:
        whole = platform.whole()
        stated = {"coordinates": {c.name: c.motion for c in whole.coordinates}, "home": list(whole.home)}
        yield from platform_faults(stated | {"dependent": [c.name for c in platform.dependent]})
