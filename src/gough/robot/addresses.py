"""Numbers of a robot by their path: `legs.base.radius`, `leg.A.joint.1.axis`, `platform.mass`.

Legs go by name, joints by number from 1 or by name, entries of vectors by number from 0 or as x, y, z. Names of
`gough.robot.readable_addresses`, `leg.1.base.x`, stand for the number they mean. A path of the document the
robot was written in (its short form) changes the document; any other path is one of the explicit form. Values are in SI
units and radians, or recorded scalars of `gough.graph`, which are not checked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace as with_fields
from typing import Any

from gough.errors import InputError
from gough.graph import is_plain
from gough.robot.candidates import AXES, candidates
from gough.robot.file.units import Units
from gough.robot.file.write import explicit_document
from gough.robot.legs.expand import STANDARD_GRAVITY, expand
from gough.robot.legs.rings import leg_entries
from gough.robot.names import nearest
from gough.robot.quantities import Measure, has_unit
from gough.robot.values import Robot


class PathError(InputError):
    """A path that leads nowhere, with the nearest one that leads somewhere (or None)."""

    def __init__(self, path: str, near: str | None) -> None:
        """No `path`; perhaps `near`."""
        self.path = path
        self.nearest = near
        hint = f"did you mean {near}?" if near else "`gough show ROBOT --addresses` lists them all"
        super().__init__(f"{path}: no such number in the robot ({hint})")


def paths(robot: Robot) -> list[str]:
    """Paths of all numbers: those of the robot's document first, then those of its explicit form."""
    return list(measured(robot))


def measured(robot: Robot) -> dict[str, tuple[float, Measure | None]]:
    """By path the value of each number, SI units, and what it measures in the units of the robot's file."""
    from gough.robot.settings import measure_of

    found: dict[str, tuple[float, Measure | None]] = {}
    for document in _documents(robot):
        for path, value in leaves(document):
            keys = None if path in found or isinstance(value, (str, bool)) else _keys(document, path)
            if keys is not None:
                found[path] = value, measure_of(document, keys, robot.units)
    return found


def nearest_path(robot: Robot, path: str) -> str | None:
    """The path most like one that leads nowhere, also "platform.home.2" for "home.z"; None when nothing is alike."""
    names = [c.name.lower() for c in robot.platform.all_coordinates]
    *way, last = path.lower().split(".")
    if last in names and way in (["home"], ["platform"], ["platform", "home"], []):
        return f"platform.home.{names.index(last)}"
    known = paths(robot)
    ends = [entry for entry in known if entry.endswith(f".{path}")]
    return ends[0] if ends else nearest(path, known)


def value_at(robot: Robot, path: str) -> float:
    """The number at a path, SI units.

    Raises:
        PathError: When there is no such number.
    """
    for document in _documents(robot):
        value = number_in(document, path)
        if value is not None:
            return value
    return value_at(robot, _meant(robot, path))


def leads(robot: Robot, path: str) -> bool:
    """Whether there is a number at a path as it stands."""
    return any(number_in(document, path) is not None for document in _documents(robot))


def set_by(robot: Robot, path: str) -> dict[str, float]:
    """Paths of the explicit form whose numbers move with that at a path, and how far per unit of it."""
    value = value_at(robot, path)
    step = 1e-3 * (abs(value) or 1.0)
    before, after = (dict(leaves(explicit_document(r))) for r in (robot, replace(robot, {path: value + step})))
    moved = {key: (after.get(key, was) - was) / step for key, was in before.items() if isinstance(was, float)}
    return {key: by for key, by in moved.items() if abs(by) > 1e-9}


def number_in(document: Mapping[str, Any], path: str) -> float | None:
    """The number at a path of a document, or None."""
    value = _get(document, path)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def in_si_at(robot: Robot, path: str, value: object, stated: Mapping[str, Units] | None = None) -> Any:
    """A new value for the number at a path in SI units: a text with its unit, "300 g", as a number; all else as it is.

    Raises:
        SettingError: When the unit is not one of that number, or is needed: see `replace`.
        PathError: When there is no such number.
    """
    from gough.robot.settings import in_si

    return in_si(*keyed(robot, path), value, stated)


def measure_at(robot: Robot, path: str, units: Units | None = None) -> Measure | None:
    """What the number at a path measures, its size that of these units (SI if left out); None where it is a word.

    Raises:
        PathError: When there is no such number.
    """
    from gough.robot.settings import measure_of

    return measure_of(*keyed(robot, path), units)


def _documents(robot: Robot) -> Iterator[dict[str, Any]]:
    """The documents in which a path is sought: that of the file, if there is one, then the explicit form."""
    if robot.document is not None:
        yield _complete(robot.document)
    yield explicit_document(robot)


def keyed(robot: Robot, path: str) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """The first document that has a path, and the path's keys in it.

    Raises:
        PathError: When none has it.
    """
    for document in _documents(robot):
        keys = _keys(document, path)
        if keys is not None:
            return document, keys
    return keyed(robot, _meant(robot, path))


def _meant(robot: Robot, path: str) -> str:
    """The path of a number that a readable name, `leg.1.base.x`, stands for.

    Raises:
        PathError: When it stands for none, or is one already.
    """
    documents = [*_documents(robot)]
    for candidate in candidates(robot, path):
        if candidate != path and any(_keys(document, candidate) is not None for document in documents):
            return candidate
    raise PathError(path, nearest_path(robot, path))


def replace(robot: Robot, changes: Mapping[str, Any], stated: Mapping[str, Units] | None = None) -> Robot:
    """A robot with the numbers at some paths changed, checked again where all are plain numbers.

    Args:
        robot: Stays as it is.
        changes: Path to value, a number or a list, SI units and radians; or a text with its unit, "300 g".
            `gough show ROBOT --addresses` lists the paths.
        stated: Other units in which a number without a unit could be meant, by what states them; it is refused then.

    Raises:
        SettingError: When a unit is not one of the number it is for, or is needed.
        PathError: When a path leads nowhere.
        RobotError: When the new values are not allowed.
    """
    later, units = dict(changes), robot.units
    if robot.document is not None:
        document = _complete(robot.document)
        for path, value in changes.items():
            if any(_set(document, meant, value, stated) for meant in candidates(robot, path)):
                del later[path]
        robot = _rebuilt(document) if len(later) < len(changes) else robot
    if later:
        document = explicit_document(robot)
        for path, value in later.items():
            if not any(_set(document, meant, value, stated) for meant in candidates(robot, path)):
                raise PathError(path, nearest_path(robot, path))
        robot = _rebuilt(document)
    return with_fields(robot, units=units)


def parse_setting(setting: str) -> tuple[str, Any]:
    """Path and value of a text such as "platform.mass=2.5", "gravity=[0, 0, -9.81]" or "stroke=[740mm, 1580mm]"."""
    if "\n" in setting:
        shown = setting.replace("\n", "\\n")
        raise InputError(f"--set {shown}: must be path=value on one line (e.g. platform.mass=2.5)")
    path, equals, text = setting.partition("=")
    path, text = path.strip(), text.strip()
    if not equals or not path or not text:
        raise InputError(f"--set {setting}: must be path=value (e.g. platform.mass=2.5)")
    try:
        return path, tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        entries = _entries(text)
        if entries is not None:
            return path, entries
        if has_unit(text) or (text.replace("-", "").replace("_", "").isalnum() and text.isascii()):
            return path, text
    allowed = "must be a number, a list or a name (e.g. platform.mass=300g, stroke=[740mm,1580mm])"
    raise InputError(f"--set {setting}: {text}: {allowed}")


def _entries(text: str) -> list[Any] | None:
    """Numbers with commas between them, in brackets or not, each with or without its unit; None if they are not."""
    parts = [part.strip() for part in text.removeprefix("[").removesuffix("]").split(",")]
    if len(parts) < 2 or text.startswith("[") != text.endswith("]") or not any(map(has_unit, parts)):
        return None
    try:
        return [part if has_unit(part) else float(part) for part in parts]
    except ValueError:
        return None


def _rebuilt(document: dict[str, Any]) -> Robot:
    from gough.robot.file.read import rebuild

    return rebuild(document) if _is_plain(document) else expand(document)


def _is_plain(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(_is_plain(entry) for entry in value.values())
    if isinstance(value, (list, tuple)):
        return all(_is_plain(entry) for entry in value)
    return isinstance(value, str) or is_plain(value)


def _copied(value: object) -> Any:
    if isinstance(value, Mapping):
        return {key: _copied(entry) for key, entry in value.items()}
    return [_copied(entry) for entry in value] if isinstance(value, (list, tuple)) else copy(value)


def _complete(document: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a document with the legs' names and what every robot has, so that paths lead there."""
    result: dict[str, Any] = _copied(document)
    result.setdefault("gravity", list(STANDARD_GRAVITY))
    platform = result["platform"]
    platform.setdefault("home", [0.0] * len(platform["coordinates"]))
    platform.setdefault("com", [0.0, 0.0, 0.0])
    platform.setdefault("inertia", [0.0, 0.0, 0.0])
    for side in ("base", "platform"):
        if "radius" in (ring := result.get("legs", {}).get(side, {})):
            ring.setdefault("z", 0.0)
    for leg, entry in zip(result.get("leg", []), leg_entries(document), strict=False):
        leg.setdefault("name", entry["name"])
    return result


def leaves(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of everything in a document that is no table or list."""
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from leaves(entry, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for k, entry in enumerate(value):
            named = isinstance(entry, Mapping)
            part = entry["name"] if named and path == "leg" else k + 1 if named else k
            yield from leaves(entry, f"{path}.{part}")
    else:
        yield path, value


def _set(document: dict[str, Any], path: str, value: object, stated: Mapping[str, Units] | None) -> bool:
    """Set the value at a path; False when there is no such place."""
    from gough.robot.file.reader import key_at
    from gough.robot.file.schema import RobotTable
    from gough.robot.settings import in_si

    *way, last = path.split(".")
    table: Any = document
    keys: list[str | int] = []
    for k, part in enumerate(way):
        if (
            isinstance(table, dict)
            and part not in table
            and k == len(way) - 1
            and key_at((*keys, part, last), RobotTable)
        ):
            table[part] = {}
        found = _step(table, part, keys)
        if found is None:
            return False
        table = table[found]
        keys.append(found)
    if isinstance(table, dict):
        if last not in table and key_at((*keys, last), RobotTable) is None:
            return False
        table[last] = in_si(document, (*keys, last), value, stated)
        return not isinstance(table.get(last), dict)
    found = _step(table, last, keys)
    if found is None or isinstance(table[found], dict):
        return False
    table[found] = in_si(document, (*keys, found), value, stated)
    return True


def _get(document: Any, path: str) -> Any:
    """The value at a path, or None."""
    keys = _keys(document, path)
    for key in keys or ():
        document = document[key]
    return document if keys is not None else None


def _keys(document: Any, path: str) -> tuple[str | int, ...] | None:
    """Keys and indices of the value at a path, or None where there is none."""
    keys: list[str | int] = []
    for part in path.split("."):
        found = _step(document, part, keys)
        if found is None:
            return None
        document = document[found]
        keys.append(found)
    return tuple(keys)


def _step(table: object, part: str, keys: list[str | int]) -> str | int | None:
    """Key or index that `part` names in a table or list, or None."""
    if isinstance(table, dict):
        return part if part in table else None
    if not isinstance(table, list):
        return None
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in table]
    if part in names:
        return names.index(part)
    counted = bool(table) and isinstance(table[0], dict)
    if part in AXES and len(table) == 3 and not counted and keys[-1:] != ["home"]:
        return AXES.index(part)
    if not part.isdigit() or (counted and keys == ["leg"]):
        return None
    index = int(part) - 1 if counted else int(part)
    return index if 0 <= index < len(table) else None
