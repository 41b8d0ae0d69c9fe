"""New values of a robot's numbers, with their unit ("300 g" for `platform.mass`) or without."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gough.errors import InputError
from gough.robot.actuator_quantities import actuator_measure
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.reader import key_at
from gough.robot.file.schema import RobotTable
from gough.robot.file.units import Units, parse
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity
from gough.robot.spec import Spec


class SettingError(InputError):
    """A value whose unit is not one of the number it is for, or that has none where it must."""


Stated = Mapping[str, Units]
"""Units in which a number without a unit could be meant, by what states them ("the file is in")."""


def in_si(spec: Spec, keys: tuple[str | int, ...], value: object, stated: Stated | None = None) -> Any:
    """The value for the place `keys` of a spec in SI units and radians; what has no unit stays as it is.

    Raises:
        SettingError: A unit of something else; none, where another than the SI unit is stated.
    """
    if isinstance(value, (list, tuple)):
        return [in_si(spec, (*keys, k), entry, stated) for k, entry in enumerate(value)]
    named = ".".join(str(key) for key in keys if isinstance(key, str))
    if not has_unit(value):
        if stated and isinstance(value, (int, float)) and value != 0:
            _demand_one_meaning(spec, keys, f"{named}={value:g}", value, stated)
        return value
    what = measure_of(spec, keys)
    if what is None:
        return value
    try:
        return quantity(value, what)
    except QuantityError as error:
        raise SettingError(f"{named}={value}: {error}") from None


def _demand_one_meaning(spec: Spec, keys: tuple[str | int, ...], setting: str, value: float, stated: Stated) -> None:
    """Refuse a number without a unit that could be meant in another than the SI unit."""
    for states, units in stated.items():
        what = measure_of(spec, keys, units)
        if what is None or math.isclose(what.size, 1.0):
            continue
        own, si = (_written(value, what, size) for size in (what.size, 1.0))
        unit = unit_name(what, what.size) or "other than SI units"
        ways = f"write {own} (or {si})" if own else f"write {si}, or with another unit"
        raise SettingError(f"{setting}: has no unit, and {states} {unit}: {ways}")


def _written(value: float, what: Measure, size: float) -> str:
    """A number with the unit of this size as a shell takes it, or nothing where that unit has no usual name."""
    unit = unit_name(what, size)
    return f"'{value:g} {unit}'" if " " in unit else f"{value:g}{unit}" if unit else ""


def unit_name(what: Measure, size: float) -> str:
    """The usual name of the unit of this size, or nothing."""
    sizes = {unit: (parse(unit) or (None, 0.0))[1] for unit in what.units}
    return next((unit for unit, own in sizes.items() if math.isclose(own, size)), "")


def measure_of(spec: Spec, keys: tuple[str | int, ...], units: Units | None = None) -> Measure | None:
    """What the number at a place measures, its size that of these units (SI if left out); None where it is a word."""
    size = units or Units()
    if keys[0] in ERROR_TABLES:
        from gough.robot.file.error_tables import measure_of_error
        from gough.robot.legs.expand import expand

        return measure_of_error(spec, expand(spec), keys, size)
    field = keys
    while field and isinstance(field[-1], int):
        field = field[:-1]
    own = key_at(field, RobotTable)
    if own is not None and own.measure is not None:
        return own.measure(size)
    mark = own.quantity if own is not None else ""
    if not mark:
        return measure("angle", units) if _turned(field) else None
    mark = "travel" if mark == "starts" else mark
    if mark == "home":
        motion = list(spec["platform"]["coordinates"].values())[int(keys[len(field)])]
        return measure("angle" if motion.startswith("r") else "length", units)
    if mark == "efforts":
        from gough.robot.legs.expand import expand

        joints = expand(spec).actuators
        k = int(keys[len(field)])
        return measure("torque" if k < len(joints) and joints[k].turns else "force", units)
    turns = field[0] != "spring" and _kind(spec, field) == "R"
    what = _measure(mark, turns)
    return what._replace(size=size.factor(mark, "R" if turns else "P")) if what.units else what


def _turned(field: tuple[str | int, ...]) -> bool:
    """Whether a place is the angle of a rotation {axis, angle}, or one of those of {sequence, angles}."""
    own = key_at(field[:-1], RobotTable) if field[-1:] in (("angle",), ("angles",)) else None
    return own is not None and own.quantity == "rotation"


def _measure(mark: str, turns: bool) -> Measure:
    """What a number with this mark measures, of a joint that turns or slides."""
    match mark:
        case "travel" | "effort":
            return actuator_measure(mark, turns)
        case "speed":
            return actuator_measure("rate", turns)
        case "viscous" if turns:
            return Measure((2, 1, -1, -1), 1.0, ("N m s/rad", "N m s/deg"))
        case "viscous":
            return Measure((0, 1, -1, 0), 1.0, ("N s/m", "N s/mm"))
        case "stiffness" if turns:
            return Measure((2, 1, -2, -1), 1.0, ("N m/rad", "N m/deg"))
        case "stiffness":
            return Measure((0, 1, -2, 0), 1.0, ("N/m", "N/mm"))
        case "gear" if not turns:
            return Measure((-1, 0, 0, 1), 1.0, ("rad/m", "rad/mm"))
        case "gear" | "axis" | "rotation":
            return PLAIN
        case _:
            return measure(mark)


def _kind(spec: Spec, keys: tuple[str | int, ...]) -> str:
    """Whether the joint or actuator a number belongs to slides, "P", or turns, "R"."""
    shared = (spec.get("legs") or {}).get("type")
    kind = SHORT_FORMS[shared].drive if shared else "P"
    table: Any = spec
    for key in keys[:-1]:
        table = table[int(key)] if isinstance(table, list) else table.get(key, {})
        stated = table.get("type") if isinstance(table, Mapping) else None
        if stated is not None and ("joint" in keys or stated in SHORT_FORMS):
            kind = ("P" if stated == "P" else "R") if "joint" in keys else SHORT_FORMS[stated].drive
    return kind
