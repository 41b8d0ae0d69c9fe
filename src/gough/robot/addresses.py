"""Numbers of a robot by their address: values, what they measure, changes of them; see `gough.robot.spec`."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from typing import Any

from gough.errors import InputError
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.reader import key_at, table_at
from gough.robot.file.schema import RobotTable
from gough.robot.file.units import Units
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, is_quantity, measure, quantity
from gough.robot.robot import Robot
from gough.robot.spec import (
    AXES,
    Keys,
    PathError,
    Spec,
    address,
    complete,
    find,
    nearest_address,
    number_at,
    numbers,
    steps,
)


class SettingError(InputError):
    """A value whose unit is not one of the number it is for, or that has none where it must."""


Stated = Mapping[str, Units]
"""Units in which a number without a unit could be meant, by what states them ("the file is in")."""


def measured(robot: Robot) -> dict[str, tuple[float, Measure | None]]:
    """By address the value of each number, SI units, and what it measures in the units of the robot's file."""
    tree = complete(robot.spec)
    found = numbers(robot.spec)
    return {path: (value, measure_of(tree, keys, robot.units)) for path, (keys, value) in found.items()}


def value_at(robot: Robot, path: str) -> float:
    """The number at an address, SI units.

    Raises:
        PathError: There is no such number.
    """
    return float(number_at(complete(robot.spec), only(robot, path)))


def only(robot: Robot, path: str) -> Keys:
    """Keys of the one number at an address.

    Raises:
        PathError: There is none, or more than one.
    """
    found = find(robot.spec, path)
    if len(found) > 1:
        raise PathError(path, address(complete(robot.spec), found[0]))
    return found[0]


def canonical(robot: Robot, path: str) -> str:
    """The one address of a number that may be written in several ways: `leg.A.base.0` for `leg.1.base.x`.

    Raises:
        PathError: There is no such number, or more than one.
    """
    return address(complete(robot.spec), only(robot, path))


def expanded(robot: Robot, path: str) -> list[str]:
    """Addresses of all numbers that a pattern names, their axes as it has them; an address stays as it is written.

    Raises:
        PathError: It names none.
    """
    found, tree, last = find(robot.spec, path), complete(robot.spec), path.rpartition(".")[2]
    if "*" not in path.split("."):
        return [path]
    addresses = [address(tree, keys) for keys in found]
    return [f"{one.rpartition('.')[0]}.{last}" for one in addresses] if last in AXES else addresses


def in_si_at(robot: Robot, path: str, value: object, stated: Mapping[str, Units] | None = None) -> Any:
    """A new value for the number at an address in SI units: a text with its unit, "300 g", as a number; else as it is.

    Raises:
        SettingError: When the unit is not one of that number, or is needed: see `replace`.
        PathError: When there is no such number.
    """
    return in_si(complete(robot.spec), only(robot, path), value, stated)


def changes_in_si(robot: Robot, changes: Mapping[str, Any], stated: Stated | None = None) -> dict[Keys, Any]:
    """Changes in SI units by their keys.

    Args:
        robot: Whose addresses they are.
        changes: As `Robot.replace` takes them.
        stated: Other units in which a number without a unit could be meant, by what states them; it is refused then.

    Raises:
        SettingError: A unit is not one of the number it is for, or is needed.
        PathError: An address leads nowhere.
        InputError: There are no values by address.
    """
    if not isinstance(changes, Mapping) or not all(isinstance(path, str) for path in changes):
        shown = "None" if changes is None else type(changes).__name__
        raise InputError(f'changes: {shown} given, must be values by address, e.g. {{"platform.mass": 2.5}}')
    tree = complete(robot.spec)
    return {keys: in_si(tree, keys, value, stated) for path, value in changes.items() for keys in _places(tree, path)}


def _places(tree: Spec, path: str) -> list[Keys]:
    """Keys of all values, numbers, lists or words, that an address names; also of one that the file leaves out.

    Raises:
        PathError: It names none.
    """
    parts = path.split(".")
    found = [keys for keys, value in steps(tree, parts) if not isinstance(value, Mapping)]
    for count in (1, 2):  # a key, or a table with a key, that the file leaves out
        missing = tuple(parts[-count:])
        tables = [] if found else [keys for keys, value in steps(tree, parts[:-count]) if isinstance(value, Mapping)]
        found += [(*keys, *missing) for keys in tables if key_at((*keys, *missing), RobotTable) is not None]
    if not found and parts[0] == "tolerances" and any(steps(tree, parts[1:])):
        found.append(("tolerances", ".".join(parts[1:])))
    if not found:
        raise PathError(path, nearest_address(tree, path))
    return found


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
        return path, _value(text)
    except ValueError:
        allowed = "must be a number, a list or a name (e.g. platform.mass=300g, stroke=[740mm,1580mm])"
        raise InputError(f"--set {setting}: {text}: {allowed}") from None


def _value(text: str) -> Any:
    """A value in TOML, a number with its unit, a name, or a list of them with commas between, in brackets or not."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        pass
    parts = [part.strip() for part in text.removeprefix("[").removesuffix("]").split(",")]
    if len(parts) > 1 and text.startswith("[") == text.endswith("]") and any(map(has_unit, parts)):
        return [part if has_unit(part) else float(part) for part in parts]
    if has_unit(text) or (text.replace("-", "").replace("_", "").isalnum() and text.isascii()):
        return text
    raise ValueError(text)


def in_si(spec: Spec, keys: Keys, value: object, stated: Stated | None = None) -> Any:
    """The value, list or table for the place `keys` of a spec in SI units and radians; what has no unit stays as it is.

    Raises:
        SettingError: A unit of something else; none, where another than the SI unit is stated.
    """
    if isinstance(value, Mapping):
        return {key: in_si(spec, (*keys, key), entry, stated) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_si(spec, (*keys, k), entry, stated) for k, entry in enumerate(value)]
    named = ".".join(str(key) for key in keys if isinstance(key, str))
    if is_quantity(value):
        what = measure_of(spec, keys)
        if what is None:
            return value
        try:
            number = quantity(value, what)
        except QuantityError as error:
            raise SettingError(f"{named}={value}: {error}") from None
        if has_unit(value):
            return number
        value = number
    if stated and isinstance(value, (int, float)) and value != 0 and math.isfinite(value):
        _demand_one_meaning(spec, keys, f"{named}={value:g}", value, stated)
    return value


def _demand_one_meaning(spec: Spec, keys: Keys, setting: str, value: float, stated: Stated) -> None:
    """Refuse a number without a unit that could be meant in another than the SI unit."""
    for states, units in stated.items():
        what = measure_of(spec, keys, units)
        if what is None or math.isclose(what.size, 1.0):
            continue
        own, si = (_written(value, unit) for unit in (what.unit, what.named(1.0)))
        ways = f"write {own} (or {si})" if own else f"write {si}, or with another unit"
        raise SettingError(f"{setting}: has no unit, and {states} {what.unit or 'other than SI units'}: {ways}")


def _written(value: float, unit: str) -> str:
    """A number with its unit as a shell takes it, or nothing without one."""
    return f"'{value:g} {unit}'" if " " in unit else f"{value:g}{unit}" if unit else ""


def measure_of(spec: Spec, keys: Keys, units: Units | None = None) -> Measure | None:
    """What the number at a place measures, its size that of these units (SI if left out); None where it is a word."""
    if keys[0] in ERROR_TABLES:
        from gough.robot.file.error_tables import measure_of_error

        return measure_of_error(spec, keys, units)
    field = keys
    while field and isinstance(field[-1], int):
        field = field[:-1]
    own = key_at(field, RobotTable)
    if own is not None and own.measure is not None:
        return own.measure(units or Units())
    mark = own.quantity if own is not None else "angle" if _is_turn(field) else ""
    if mark in ("axis", "rotation"):
        return PLAIN
    if mark == "home":
        motion = list(spec["platform"]["coordinates"].values())[int(keys[len(field)])]
        return measure("travel", units, turns=motion.startswith("r"))
    if mark == "efforts":
        from gough.robot.legs.expand import expand

        joints, k = expand(spec).actuators, int(keys[len(field)])
        return measure("effort", units, turns=k < len(joints) and joints[k].turns)
    if not mark:
        return None
    return measure("travel" if mark == "starts" else mark, units, turns=_kind(spec, field) == "R")


def _is_turn(field: Keys) -> bool:
    """Whether a place is the angle of a rotation {axis, angle}, or one of those of {sequence, angles}."""
    own = key_at(field[:-1], RobotTable) if field[-1:] in (("angle",), ("angles",)) else None
    return own is not None and own.quantity == "rotation"


def _kind(spec: Spec, keys: Keys) -> str:
    """Whether the joint or actuator a number belongs to slides, "P", or turns, "R", as readers of files see it."""
    node: Any = spec
    kind = RobotTable.joint_kind(spec, "P")
    for depth, key in enumerate(keys[:-1], 1):
        node = node[int(key)] if isinstance(node, (list, tuple)) else node.get(key, {})
        table = table_at(keys[:depth], RobotTable)
        if table is not None and isinstance(node, Mapping):
            kind = table.joint_kind(node, kind)
    return kind
