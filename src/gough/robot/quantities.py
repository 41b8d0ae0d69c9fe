"""Quantities as people write them: a number, or a number with its unit, "20 mm" or "1.5e3N/m"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from gough.robot.file.units import BASE, DIMENSIONS, Units, size_of
from gough.robot.names import alternatives

_LETTER = r"[A-Za-z\u00b5\u03bc]"  # with both signs of micro
_TEXT = re.compile(rf"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*((?:{_LETTER}|(?:(?<=\s)1)?\s*/\s*{_LETTER}).*)?")
_USUAL = {
    "length": ("mm", "cm", "m", "in"),
    "angle": ("deg", "rad"),
    "mass": ("g", "kg", "lb"),
    "time": ("ms", "s", "min"),
    "inertia": ("kg m^2", "kg cm^2", "kg mm^2", "g mm^2"),
    "force": ("N", "kN", "lbf", "kgf"),
    "torque": ("N m", "N mm", "kgf cm"),
    "acceleration": ("m/s^2", "mm/s^2"),
    "power": ("W", "kW"),
    "frequency": ("Hz",),
}
SI_NAMES = {"length": "m", "angle": "rad", "time": "s"}
_PER = ("", "/s", "/s^2", "/s^3")


class QuantityError(ValueError):
    """A text that is not the quantity wanted; the message is a clause that says why, for any place."""


class Measure(NamedTuple):
    """What a number measures.

    Attributes:
        dimension: Powers of length, mass, time and angle.
        size: SI value of 1 where no unit is given.
        units: To name in messages; none for a plain number.
    """

    dimension: tuple[int, int, int, int] = (0, 0, 0, 0)
    size: float = 1.0
    units: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        """The units for messages: "mm, cm, m or in"."""
        return alternatives(self.units)


PLAIN = Measure()


def measure(quantity: str, units: Units | None = None, order: int = 0) -> Measure:
    """The measure of a quantity such as "length", of its rate (order 1), its acceleration (order 2) or its jerk.

    Args:
        quantity: A key of `DIMENSIONS`, or "frequency".
        units: Units of numbers without one; SI and radians if left out.
        order: Per second, per second squared or cubed, whatever the unit of time.
    """
    size = units or Units()
    if quantity == "frequency":
        return Measure((0, 0, -1, 0), 1.0, _USUAL[quantity])
    length, mass, time, angle = DIMENSIONS[quantity]
    dimension = (length, mass, time - order, angle)
    return Measure(dimension, size.factor(quantity), tuple(u + _PER[order] for u in _USUAL[quantity]))


def stiffness(turns: bool, units: Units) -> Measure:
    """The measure of what a displacement of an actuator costs in force, or in moment if it turns."""
    kind = "R" if turns else "P"
    size = units.factor("effort", kind) / units.factor("travel", kind)
    return (
        Measure((2, 1, -2, -1), size, ("N m/rad", "N m/deg"))
        if turns
        else Measure((0, 1, -2, 0), size, ("N/m", "N/mm"))
    )


def quantity(value: object, what: Measure) -> float:
    """SI value of a number or of a text with or without a unit.

    Raises:
        QuantityError: It is no finite number, or has a unit of something else.
    """
    if isinstance(value, bool) or (not isinstance(value, (str, int, float)) and not hasattr(value, "__float__")):
        raise QuantityError("must be a number")
    if not isinstance(value, str):
        if not math.isfinite(value):
            raise QuantityError("must be a finite number")
        return float(value) * what.size
    match = _TEXT.fullmatch(value.strip())
    if match is None:
        rest = f", with or without a unit ({what.listed})" if what.units else ""
        raise QuantityError(f"{value.strip() or 'nothing'} is not a number{rest}")
    number, unit = float(match[1]), match[2]
    if not math.isfinite(number):
        raise QuantityError("must be finite")
    if unit is None:
        return number * what.size
    if not what.units:
        raise QuantityError("is a plain number, without a unit")
    size = size_of(unit.strip(), what.dimension)
    if size is None:
        raise QuantityError(f"its unit must be {what.listed}, not {unit.strip()}")
    return number * size


def one_of(value: object, measures: Sequence[Measure]) -> float:
    """SI value of a number or text that may measure any of these, in the first that its unit fits.

    Raises:
        QuantityError: It fits none.
    """
    for what in measures[:-1]:
        with suppress(QuantityError):
            return quantity(value, what)
    listed = tuple(unit for what in measures for unit in what.units)
    return quantity(value, measures[-1]._replace(units=listed))


def has_unit(value: object) -> bool:
    """Whether a value is a text with a unit of its own."""
    match = _TEXT.fullmatch(value.strip()) if isinstance(value, str) else None
    return match is not None and match[2] is not None


def shown(value: float, what: str, units: Units | None = None, digits: int = 4) -> str:
    """A length, angle or time in the unit in which numbers are given: "150 mm"; angles in deg unless that is stated."""
    size = float(getattr(units or Units(), what))
    if what == "angle" and size == 1.0:
        size = math.pi / 180
    names = [name for name, (dimension, one) in BASE.items() if (dimension, one) == (DIMENSIONS[what], size)]
    return f"{value / size:.{digits}g} {names[0]}" if names else f"{value:.{digits}g} {SI_NAMES[what]}"
