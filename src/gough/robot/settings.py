"""New values of a robot's numbers that carry their unit: "300 g" for `platform.mass`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.errors import InputError
from gough.robot.actuator_quantities import actuator_measure
from gough.robot.checks.form import model_at
from gough.robot.file.fields import Quantity
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.quantities import Measure, QuantityError, has_unit, measure, quantity


class SettingError(InputError):
    """A value whose unit is not one of the number it is for."""


def in_si(document: Mapping[str, Any], keys: tuple[str | int, ...], value: object) -> Any:
    """The value for the place `keys` of a document in SI units and radians; what has no unit stays as it is.

    Raises:
        SettingError: A unit of something else.
    """
    if isinstance(value, (list, tuple)):
        return [in_si(document, (*keys, k), entry) for k, entry in enumerate(value)]
    if not has_unit(value):
        return value
    what = measure_of(document, keys)
    if what is None:
        return value
    try:
        return quantity(value, what)
    except QuantityError as error:
        raise SettingError(f"{'.'.join(str(key) for key in keys if isinstance(key, str))}={value}: {error}") from None


def measure_of(document: Mapping[str, Any], keys: tuple[str | int, ...]) -> Measure | None:
    """What the number at a place measures; None where it is a word."""
    field = keys
    while field and isinstance(field[-1], int):
        field = field[:-1]
    model = model_at(field[:-1]) if field else None
    info = model.model_fields.get(str(field[-1])) if model else None
    mark = next((str(m) for m in info.metadata if isinstance(m, Quantity)), None) if info else None
    if mark is None:
        return None
    if mark == "home":
        motion = list(document["platform"]["coordinates"].values())[int(keys[len(field)])]
        return measure("angle" if motion.startswith("r") else "length")
    if mark == "efforts":
        from gough.robot.legs.expand import expand

        joints = expand(document).actuators
        k = int(keys[len(field)])
        return measure("torque" if k < len(joints) and joints[k].turns else "force")
    turns = field[0] != "spring" and _kind(document, field) == "R"
    match mark:
        case "travel" | "effort":
            return actuator_measure(mark, turns)
        case "speed":
            return actuator_measure("rate", turns)
        case "viscous" if turns:
            return Measure((2, 1, -1, -1), 1.0, ("N m s/rad",))
        case "viscous":
            return Measure((0, 1, -1, 0), 1.0, ("N s/m", "N s/mm"))
        case "stiffness" if turns:
            return Measure((2, 1, -2, -1), 1.0, ("N m/rad",))
        case "stiffness":
            return Measure((0, 1, -2, 0), 1.0, ("N/m", "N/mm"))
        case "gear" if not turns:
            return Measure((-1, 0, 0, 1), 1.0, ("rad/m", "rad/mm"))
        case "gear" | "axis" | "rotation":
            return Measure()
        case _:
            return measure(mark)


def _kind(document: Mapping[str, Any], keys: tuple[str | int, ...]) -> str:
    """Whether the joint or actuator a number belongs to slides, "P", or turns, "R"."""
    shared = (document.get("legs") or {}).get("type")
    kind = SHORT_FORMS[shared].drive if shared else "P"
    table: Any = document
    for key in keys[:-1]:
        table = table[int(key)] if isinstance(table, list) else table.get(key, {})
        stated = table.get("type") if isinstance(table, Mapping) else None
        if stated is not None and ("joint" in keys or stated in SHORT_FORMS):
            kind = ("P" if stated == "P" else "R") if "joint" in keys else SHORT_FORMS[stated].drive
    return kind
