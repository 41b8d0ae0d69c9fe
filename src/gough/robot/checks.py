"""Static checks of the explicit robot: everything that can be told without moving it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from gough.robot.bodies import body_faults
from gough.robot.faults import Fault, Path, merged
from gough.robot.leg_checks import leg_faults, rotation_fault
from gough.robot.names import NAME
from gough.robot.numbers import is_plain
from gough.robot.places import Places
from gough.robot.plausible import table_faults
from gough.robot.reach import why_not
from gough.robot.values import Robot


def robot_faults(robot: Robot) -> list[Fault]:
    """Every fault of a robot; empty when it is fine. Numbers that are recorded scalars end the checks."""
    if not is_numeric(robot):
        return []
    places = Places(robot.document)
    faults = [*_finite(robot, places)]
    if faults:
        return merged(faults)
    faults += _whole(robot)
    faults += _platform(robot)
    for k in range(len(robot.legs)):
        faults += leg_faults(robot, k, places)
    faults += _actuators(robot)
    return merged(faults)


def is_numeric(value: Any) -> bool:
    """Whether all numbers in a value are plain ones."""
    if is_dataclass(value):
        return all(is_numeric(getattr(value, entry.name)) for entry in fields(value) if entry.name != "document")
    if isinstance(value, tuple):
        return all(is_numeric(entry) for entry in value)
    return value is None or isinstance(value, str) or is_plain(value)


def _all_finite(value: Any) -> bool:
    if is_dataclass(value):
        return all(_all_finite(getattr(value, entry.name)) for entry in fields(value) if entry.name != "document")
    if isinstance(value, tuple):
        return all(_all_finite(entry) for entry in value)
    return not isinstance(value, float) or math.isfinite(value)


def _finite(robot: Robot, places: Places) -> Iterator[Fault]:
    """Legs without geometry at home, and numbers that are not finite."""
    for k, leg in enumerate(robot.legs):
        if _all_finite(leg):
            continue
        entry = places.entry(k)
        if entry is None:
            yield Fault(places.leg(k), "must have finite numbers only")
            continue
        key, reason, hint = why_not(entry, robot.platform)
        yield Fault(places.leg(k, *key.split(".")), reason, _at(entry, key), hint, (leg.name,))
    if not _all_finite((robot.platform, robot.gravity, robot.length)):
        yield Fault(("platform",), "must have finite numbers only")


def _at(entry: Any, key: str) -> Any:
    for part in key.split("."):
        entry = entry.get(part) if entry is not None else None
    return list(entry) if isinstance(entry, tuple) else entry


def _names(robot: Robot) -> Iterator[Fault]:
    """Names that could not be part of a path."""
    named: list[tuple[Path, str]] = [(("name",), robot.name)]
    named += [(("platform", "coordinates"), c.name) for c in robot.platform.coordinates]
    for k, leg in enumerate(robot.legs):
        named.append((("leg", k, "name"), leg.name))
        named += [(("leg", k, "joint", i, "name"), joint.name) for i, joint in enumerate(leg.joints)]
    for path, name in named:
        if not NAME.fullmatch(name):
            yield Fault(path, "must be a name of letters, digits, - and _", name)


def _whole(robot: Robot) -> Iterator[Fault]:
    yield from _names(robot)
    names = [leg.name for leg in robot.legs]
    if not names:
        yield Fault(("leg",), "must have at least one leg")
    for k, name in enumerate(names):
        if name in names[:k]:
            listed = robot.document is None or "leg" in robot.document
            path = ("leg", k, "name") if listed else ("legs", "names")
            yield Fault(path, "must be unique in the robot", name)
    size = math.hypot(*robot.gravity)
    if (size != 0 and not 1.0 <= size <= 30.0) or size == 1.0:
        hint = "a direction? multiply it by 9.81" if size == 1.0 else ""
        for factor, unit in ((1000, "m/s^2"), (0.001, "mm/s^2")):
            if 1.0 < size * factor < 30.0:
                hint = f'in {unit}? state [units] acceleration = "{unit}"'
        allowed = f"must be 0 or between 1 and 30 m/s^2 long, not {size:.4g}"
        yield Fault(("gravity",), allowed, list(robot.gravity), hint)
    if robot.length is not None and not robot.length > 0:
        yield Fault(("length",), "must be greater than 0", robot.length)


def _platform(robot: Robot) -> Iterator[Fault]:
    stated = robot.document["platform"] if robot.document else None
    yield from body_faults(robot.platform.body, ("platform",), moving=True, stated=stated)
    yield from rotation_fault(robot.platform.rotation, ("platform", "origin", "rotation"))
    if robot.document is None:
        coordinates = {c.name: c.motion for c in robot.platform.coordinates}
        if len(coordinates) != len(robot.platform.coordinates):
            yield Fault(("platform", "coordinates"), "must have unique names")
        yield from table_faults({"platform": {"coordinates": coordinates, "home": list(robot.platform.home)}})


def _actuators(robot: Robot) -> Iterator[Fault]:
    """As many actuators as coordinates: nothing else is modelled."""
    driven = [f"{leg.name}.{joint.name}" for leg in robot.legs for joint in leg.joints if joint.actuated]
    wanted = len(robot.platform.coordinates)
    if len(driven) == wanted:
        return
    word = "missing" if len(driven) < wanted else "redundant"
    listed = ", ".join(driven[:8]) + (", ..." if len(driven) > 8 else "")
    need = (
        "1 coordinate needs 1 actuated joint" if wanted == 1 else f"{wanted} coordinates need {wanted} actuated joints"
    )
    allowed = f"{word} actuators: {need}, not {len(driven)}"
    yield Fault(("platform", "coordinates"), allowed, hint=f"actuated: {listed or 'none'}")
