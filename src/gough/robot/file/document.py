"""From the checked tables of a file to a document: every number in SI units and radians."""

from __future__ import annotations

from typing import Any, Protocol

from pydantic import BaseModel

from gough.robot.file.fields import Quantity
from gough.robot.file.leg_schema import JointTable, LegTable
from gough.robot.file.schema import HeatTable, PlatformTable, RobotTable, StiffnessTable, TolerancesTable, UnitsTable
from gough.robot.file.units import Units, units
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.rotation import proper, unit_axis


class WithUnits(Protocol):
    """Tables of a file that states its units."""

    units: UnitsTable


def to_document(model: WithUnits) -> dict[str, Any]:
    """The document of a file's tables, in SI units."""
    given = units(model.units.model_dump(exclude_unset=True))
    assert isinstance(model, BaseModel)
    document = _plain(model, given, "P")
    document.pop("units", None)
    return document


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
        elif key == "actuation" and isinstance(model, RobotTable):
            result[key] = _actuation(model, given)
        elif isinstance(value, (TolerancesTable, HeatTable, StiffnessTable)):
            result[key] = value.model_dump(exclude_unset=True)
        elif quantity is not None:
            result[key] = _scaled(value, quantity, given, kind)
        else:
            result[key] = _nested(value, given, kind)
    return result


def _kind(model: BaseModel, kind: str) -> str:
    """Whether the coordinates in this table slide or turn."""
    if not isinstance(model, JointTable):
        return kind
    slides = model.type == "P" or (model.type == "C" and model.actuated) or model.coordinate == "slide"
    return "P" if slides else "R"


def _legs(model: RobotTable, key: str, given: Units) -> Any:
    stated = model.legs.type if model.legs is not None and "type" in model.legs.model_fields_set else None
    if key == "leg":
        return [_plain(leg, given, SHORT_FORMS[_type(leg, stated)].drive) for leg in model.leg]
    if model.legs is None:
        return None
    default = stated or next((leg.type for leg in model.leg if "type" in leg.model_fields_set), "UPS")
    return _plain(model.legs, given, SHORT_FORMS[default].drive)


def _actuation(model: RobotTable, given: Units) -> Any:
    """The table of the actuation; each force of its reference in the unit of its actuator."""
    if model.actuation is None:
        return None
    stated = model.actuation.model_dump(exclude_unset=True)
    if "reference" in stated:
        kinds = _actuator_kinds(model)
        kinds += kinds[-1:] * (len(stated["reference"]) - len(kinds))
        stated["reference"] = [
            v * given.factor("effort", kind) for v, kind in zip(stated["reference"], kinds, strict=False)
        ]
    return stated


def _actuator_kinds(model: RobotTable) -> list[str]:
    """Of each actuator whether it slides, "P", or turns; of legs on rings that of the first, which is that of all."""
    stated = model.legs.type if model.legs is not None and "type" in model.legs.model_fields_set else None
    if not model.leg:
        return [SHORT_FORMS[stated or "UPS"].drive]
    kinds: list[str] = []
    for leg in model.leg:
        driven = [_kind(joint, "P") for joint in leg.joint if joint.actuated]
        kinds += driven if leg.joint else [SHORT_FORMS[_type(leg, stated)].drive]
    return kinds or ["P"]


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


def _nested(value: object, given: Units, kind: str) -> object:
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
