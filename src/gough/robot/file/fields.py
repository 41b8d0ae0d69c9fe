"""Tables and field types of the file format: what a value may be, and the quantity whose unit converts it."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from gough.robot.file import fields as v
from gough.robot.file.units import ALLOWED, DIMENSIONS, size_of
from gough.robot.names import LONGEST, NAME, try_name

_LARGEST = 10**300
"""Whole numbers have no bounds in TOML."""


class Table(BaseModel):
    """A table: unknown keys are refused, values are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True)


def refuse(allowed: str, hint: str = "") -> NoReturn:
    """Refuse a value, saying what is allowed."""
    raise PydanticCustomError("gough", "{allowed}", {"allowed": allowed, "hint": hint})


def is_number(value: object) -> bool:
    """Whether a value is a finite number (a boolean is not)."""
    if isinstance(value, int) and abs(value) > _LARGEST:
        return False
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def number(value: object) -> float:
    """A finite number."""
    if (isinstance(value, float) and not math.isfinite(value)) or (isinstance(value, int) and abs(value) > _LARGEST):
        refuse("must be a finite number")
    if isinstance(value, str) and re.fullmatch(r"\s*[-+0-9.eE]+\s*", value):
        refuse("must be a number", "remove the quotes")
    if isinstance(value, str) and re.fullmatch(r"\s*[-+]?[0-9.]+(e[-+]?[0-9]+)?\s*[a-zA-Z].*", value):
        refuse("must be a number", "write it in the file's units, without one: [units] states them")
    if not isinstance(value, (int, float)) or not is_number(value):
        refuse("must be a number")
    return float(value)


def numbers(value: object, count: int, what: str) -> list[float]:
    """A list of `count` finite numbers."""
    if not isinstance(value, list) or len(value) != count or not all(is_number(v) for v in value):
        found = f"{len(value)} given" if isinstance(value, list) and len(value) != count else ""
        refuse(f"must be {what}", found or endless(value))
    return [float(v) for v in value]


def endless(value: object) -> str:
    """A hint when a list has entries that are not finite."""
    listed = value if isinstance(value, list) else []
    return "nan and inf are not allowed" if any(isinstance(v, float) and not math.isfinite(v) for v in listed) else ""


def vector3(value: object) -> list[float]:
    """Three numbers."""
    return numbers(value, 3, "three numbers [x, y, z]")


def vectors(value: object) -> list[list[float]]:
    """A list of vectors."""
    if not isinstance(value, list) or not all(isinstance(v, list) for v in value):
        refuse("must be a list of directions [[x, y, z], ...]")
    return [vector3(v) for v in value]


def number_list(value: object) -> list[float]:
    """A list of numbers."""
    if not isinstance(value, list) or not all(is_number(v) for v in value):
        refuse("must be a list of finite numbers")
    return [float(v) for v in value]


def weights(value: object) -> Any:
    """One weight per actuator, or that they follow from the force limits."""
    if value == "force":
        return value
    what = 'one number above 0 per actuator, or "force" for 1 / (force limit)^2'
    if not isinstance(value, list) or not all(is_number(v) and v > 0 for v in value):
        refuse(f"must be {what}", endless(value))
    return [float(v) for v in value]


def tension(value: object) -> list[float]:
    """The range of a cable's tension."""
    low, high = numbers(value, 2, "two numbers [least, largest]")
    if not 0.0 <= low < high:
        refuse("must be [least, largest], the least first and not negative")
    return [low, high]


def stroke(value: object) -> list[float]:
    """A range."""
    low, high = numbers(value, 2, "two numbers [least, greatest]")
    if not low < high:
        refuse("must be [least, greatest], the least first")
    return [low, high]


def matrix3(value: list[Any], what: str) -> list[list[float]]:
    """Three rows of three numbers."""
    if len(value) != 3 or not all(isinstance(row, list) for row in value):
        refuse(f"must be {what}")
    return [numbers(row, 3, what) for row in value]


def symmetric(rows: list[list[float]]) -> list[list[float]]:
    """Rows of a symmetric matrix, to round-off."""
    size = max(abs(entry) for row in rows for entry in row)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if abs(rows[i][j] - rows[j][i]) > 1e-9 * size:
            apart = f"{'xyz'[i]}{'xyz'[j]} is {rows[i][j]:g} in one row and {rows[j][i]:g} in another"
            refuse("must be symmetric", apart)
    return rows


def inertia(value: object) -> list[Any]:
    """3 principal moments, 6 numbers, or 3 rows."""
    what = "3 principal moments, 6 numbers xx, yy, zz, xy, xz, yz, or 3 rows of 3"
    if not isinstance(value, list) or not value:
        refuse(f"must be {what}")
    if isinstance(value[0], list):
        return symmetric(matrix3(value, what))
    if len(value) == 9:
        refuse(f"must be {what}", "9 numbers in one list: write them as 3 rows [[..], [..], [..]]")
    return numbers(value, 6 if len(value) == 6 else 3, what)


def rotation(value: object) -> Any:
    """3 rows, {axis, angle} or {sequence, angles}."""
    what = '3 rows of 3, {axis = [x, y, z], angle = ..} or {sequence = "zyx", angles = [..]}'
    if isinstance(value, list):
        if len(value) == 9:
            refuse(f"must be {what}", "9 numbers in one list: write them as 3 rows [[..], [..], [..]]")
        return matrix3(value, what)
    if isinstance(value, dict) and set(value) == {"axis", "angle"}:
        axis = numbers(value["axis"], 3, what)
        if not any(axis):
            refuse(f"must be {what}", "the axis has no length")
        if not is_number(value["angle"]):
            refuse(f"must be {what}", "the angle must be a number")
        return {"axis": axis, "angle": float(value["angle"])}
    if isinstance(value, dict) and set(value) == {"sequence", "angles"}:
        sequence = value["sequence"]
        if not isinstance(sequence, str) or not re.fullmatch("[xyz]{1,3}", sequence):
            refuse(
                f"must be {what}", "the sequence is one to three letters out of x, y, z, each turn about a moved axis"
            )
        return {"sequence": sequence, "angles": numbers(value["angles"], len(sequence), what)}
    refuse(f"must be {what}")


def about(value: object) -> Any:
    """The point an inertia is about."""
    if value in ("com", "joint", "origin"):
        return value
    what = '"com", "joint", "origin" or a point [x, y, z]'
    if isinstance(value, str):
        refuse(f"must be {what}")
    return numbers(value, 3, what)


def name(value: object) -> str:
    """A name that can be part of a path."""
    if not isinstance(value, str) or not NAME.fullmatch(value):
        long = isinstance(value, str) and len(value) > LONGEST
        hint = "" if long or not isinstance(value, str) else try_name(value)
        refuse(f"must be a name of {f'at most {LONGEST} ' if long else ''}letters a-z, digits, - and _", hint)
    return value


def body_name(value: object) -> str:
    """A name, or none."""
    return "" if value == "" else name(value)


def body_place(value: object) -> str:
    """A body of the robot: "base", "platform" or "leg.joint"."""
    if not isinstance(value, str) or not all(NAME.fullmatch(part) for part in value.split(".")):
        refuse('must be "base", "platform" or the name of a leg and its joint, e.g. "A.crank"')
    return value


def unit(quantity: str, value: object) -> str:
    """Unit of one quantity."""
    if not isinstance(value, str) or size_of(value, DIMENSIONS[quantity]) is None:
        refuse(f"must be {ALLOWED[quantity]}")
    return str(value)


EMPTY: Any = Field(default_factory=list)
"""Default of a list; what a file does not state is not in its document."""


class Quantity(str):
    """Marks a field with the quantity its numbers are in."""


def unit_of(quantity: str) -> BeforeValidator:
    """Validator of the unit of one quantity."""
    return BeforeValidator(partial(v.unit, quantity))


Name = Annotated[str, BeforeValidator(v.name)]
BodyName = Annotated[str, BeforeValidator(v.body_name)]
Number = Annotated[float, BeforeValidator(v.number)]
Axis = Annotated[list[float], BeforeValidator(v.vector3), Quantity("axis")]
Axes = Annotated[list[list[float]], BeforeValidator(v.vectors), Quantity("axis")]
Direction = Annotated[list[float], BeforeValidator(v.vector3)]
Directions = Annotated[list[list[float]], BeforeValidator(v.vectors)]
Length = Annotated[float, BeforeValidator(v.number), Quantity("length")]
Angle = Annotated[float, BeforeValidator(v.number), Quantity("angle")]
Angles = Annotated[list[float], BeforeValidator(v.number_list), Quantity("angle")]
Point = Annotated[list[float], BeforeValidator(v.vector3), Quantity("length")]
Mass = Annotated[float, BeforeValidator(v.number), Quantity("mass")]
InertiaField = Annotated[list[Any], BeforeValidator(v.inertia), Quantity("inertia")]
Moment = Annotated[float, BeforeValidator(v.number), Quantity("inertia")]
Acceleration = Annotated[list[float], BeforeValidator(v.vector3), Quantity("acceleration")]
About = Annotated[Any, BeforeValidator(v.about), Quantity("length")]
Rotation = Annotated[Any, BeforeValidator(v.rotation), Quantity("rotation")]
Travel = Annotated[float, BeforeValidator(v.number), Quantity("travel")]
Travels = Annotated[list[float], BeforeValidator(v.number_list), Quantity("travel")]
Stroke = Annotated[list[float], BeforeValidator(v.stroke), Quantity("travel")]
Speed = Annotated[float, BeforeValidator(v.number), Quantity("speed")]
Effort = Annotated[float, BeforeValidator(v.number), Quantity("effort")]
Force = Annotated[float, BeforeValidator(v.number), Quantity("force")]
Tension = Annotated[list[float], BeforeValidator(v.tension), Quantity("force")]
Efforts = Annotated[list[float], BeforeValidator(v.number_list), Quantity("efforts")]
Weights = Annotated[Any, BeforeValidator(v.weights)]
Power = Annotated[float, BeforeValidator(v.number), Quantity("power")]
Viscous = Annotated[float, BeforeValidator(v.number), Quantity("viscous")]
Stiffness = Annotated[float, BeforeValidator(v.number), Quantity("stiffness")]
BodyPlace = Annotated[str, BeforeValidator(v.body_place)]
Gear = Annotated[float, BeforeValidator(v.number), Quantity("gear")]
Home = Annotated[list[float], BeforeValidator(v.number_list), Quantity("home")]
