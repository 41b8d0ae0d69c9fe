"""New values of a robot's numbers, with their unit ("300 g" for `platform.mass`) or without."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gough.errors import InputError
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.reader import key_at
from gough.robot.file.schema import RobotTable
from gough.robot.file.units import Units
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, is_quantity, measure, quantity
from gough.robot.spec import Keys, Spec


class SettingError(InputError):
    """A value whose unit is not one of the number it is for, or that has none where it must."""


Stated = Mapping[str, Units]
"""Units in which a number without a unit could be meant, by what states them ("the file is in")."""


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
    if stated and isinstance(value, (int, float)) and value != 0:
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
    turns = field[0] != "spring" and _kind(spec, field) == "R"
    return measure("travel" if mark == "starts" else mark, units, turns=turns)


def _is_turn(field: Keys) -> bool:
    """Whether a place is the angle of a rotation {axis, angle}, or one of those of {sequence, angles}."""
    own = key_at(field[:-1], RobotTable) if field[-1:] in (("angle",), ("angles",)) else None
    return own is not None and own.quantity == "rotation"


def _kind(spec: Spec, keys: Keys) -> str:
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
