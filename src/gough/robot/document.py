"""From a TOML text's tables to a document: every fault of form found at once, every number in SI units and radians."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from gough.robot.faults import Fault, Path
from gough.robot.fields import Quantity
from gough.robot.names import did_you_mean
from gough.robot.patterns import drive_kind
from gough.robot.schema import JointTable, LegTable, PlatformTable, RobotTable
from gough.robot.tidy import proper, unit_axis
from gough.robot.units import Units, units

_WORDS = {
    "missing": "is missing",
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "list_type": "must be a list",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "dict_type": "must be a table",
}


def to_document(tables: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[Fault]]:
    """The document in SI units, or None and the faults of form.

    Args:
        tables: As read from TOML, or the same built in Python.
    """
    try:
        model = RobotTable.model_validate(tables)
    except ValidationError as error:
        return None, [_fault(entry) for entry in error.errors()]
    given = units(model.units.model_dump(exclude_unset=True))
    document = _plain(model, given, "P")
    document.pop("units", None)
    return document, []


def _fault(entry: Any) -> Fault:
    is_key = entry["loc"][-1:] == ("[key]",)
    path: Path = entry["loc"][:-1] if is_key else entry["loc"]
    kind, context = entry["type"], entry.get("ctx", {})
    value = None if kind == "missing" or is_key else entry["input"]
    if kind == "gough":
        return Fault(path, context["allowed"], value, context["hint"])
    if kind == "extra_forbidden":
        known = known_keys(path[:-1])
        return Fault(path, "unknown key", None, did_you_mean(str(path[-1]), known))
    if kind == "literal_error":
        allowed = f"must be {context['expected'].replace(chr(39), chr(34))}"
        choices = [c.strip(" '\"") for c in context["expected"].replace(" or ", ", ").split(",")]
        near = did_you_mean(value, choices, listed=False) if isinstance(value, str) else ""
        return Fault(path, allowed, value, near)
    return Fault(path, _WORDS.get(kind, entry["msg"].lower()), value)


def known_keys(path: Path) -> list[str]:
    """Keys a table at `path` may have; none when there can be no table."""
    model: Any = RobotTable
    for part in path:
        if isinstance(part, int):
            continue
        model = _table_in(model.model_fields[part].annotation) if model and part in model.model_fields else None
    return list(model.model_fields) if model else []


def _table_in(annotation: Any) -> Any:
    """The table model inside `Model`, `Model | None` or `list[Model]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inside = [_table_in(part) for part in getattr(annotation, "__args__", ())]
    return next((model for model in inside if model is not None), None)


def _plain(model: BaseModel, given: Units, kind: str) -> dict[str, Any]:
    """Stated fields of a model as a dict, converted."""
    kind = _kind(model, kind)
    result: dict[str, Any] = {}
    for key, info in type(model).model_fields.items():
        if key not in model.model_fields_set:
            continue
        value = getattr(model, key)
        quantity = next((str(mark) for mark in info.metadata if isinstance(mark, Quantity)), None)
        if key == "home" and isinstance(model, PlatformTable):
            result[key] = _home(model, given)
        elif key == "starts" and getattr(model, "type", None) == "C":
            result[key] = _cylinder(value, given)
        elif key in ("legs", "leg") and isinstance(model, RobotTable):
            result[key] = _legs(model, key, given)
        elif quantity is not None:
            result[key] = _scaled(value, quantity, given, kind)
        else:
            result[key] = _nested(value, given, kind)
    return result


def _kind(model: BaseModel, kind: str) -> str:
    """Whether the coordinates in this table slide or turn."""
    return ("P" if model.type == "P" else "R") if isinstance(model, JointTable) else kind


def _legs(model: RobotTable, key: str, given: Units) -> Any:
    stated = model.legs.type if model.legs is not None and "type" in model.legs.model_fields_set else None
    if key == "leg":
        return [_plain(leg, given, drive_kind(_type(leg, stated))) for leg in model.leg]
    if model.legs is None:
        return None
    default = stated or next((leg.type for leg in model.leg if "type" in leg.model_fields_set), "UPS")
    return _plain(model.legs, given, drive_kind(default))


def _type(leg: LegTable, default: str | None) -> str:
    return str(leg.type) if "type" in leg.model_fields_set or default is None else default


def _home(model: PlatformTable, given: Units) -> list[float]:
    motions = list(model.coordinates.values())
    factors = [given.angle if motion.startswith("r") else given.length for motion in motions]
    factors += [1.0] * (len(model.home) - len(factors))
    return [value * factor for value, factor in zip(model.home, factors, strict=False)]


def _cylinder(starts: list[float], given: Units) -> list[float]:
    """Start of a C joint: it turns, then slides."""
    return [value * (given.length if k else given.angle) for k, value in enumerate(starts)]


def _nested(value: Any, given: Units, kind: str) -> Any:
    if isinstance(value, BaseModel):
        return _plain(value, given, kind)
    if isinstance(value, list):
        return [_nested(entry, given, kind) for entry in value]
    return value


def _scaled(value: Any, quantity: str, given: Units, kind: str) -> Any:
    """Value times the SI value of its unit; names as they are, rotation matrices and axes made exact."""
    if quantity == "rotation":
        return _rotation(value, given.angle)
    if quantity == "axis":
        return [unit_axis(axis) for axis in value] if not value or isinstance(value[0], list) else unit_axis(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [_scaled(entry, quantity, given, kind) for entry in value]
    return value * given.factor(quantity, kind)


def _rotation(value: Any, angle: float) -> Any:
    if not isinstance(value, dict):
        return proper(value)
    if "angle" in value:
        return {**value, "angle": value["angle"] * angle}
    return {**value, "angles": [entry * angle for entry in value["angles"]]}
