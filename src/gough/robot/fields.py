"""Field types of the file format: what a value may be, and the quantity whose unit converts it."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from gough.robot import validators as v

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
Power = Annotated[float, BeforeValidator(v.number), Quantity("power")]
Viscous = Annotated[float, BeforeValidator(v.number), Quantity("viscous")]
Gear = Annotated[float, BeforeValidator(v.number), Quantity("gear")]
Home = Annotated[list[float], BeforeValidator(v.number_list), Quantity("home")]
