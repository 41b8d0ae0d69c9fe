"""Quantities as people write them: a number, or a number with its unit, "20 mm" or "1.5e3N/m"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from gough.robot.file.units import BASE, DIMENSIONS, Dimension, Units, parse, size_of
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
_OF_JOINTS: dict[str, tuple[tuple[Dimension, tuple[str, ...]], ...]] = {
    "travel": ((DIMENSIONS["length"], _USUAL["length"]), (DIMENSIONS["angle"], _USUAL["angle"])),
    "effort": ((DIMENSIONS["force"], _USUAL["force"]), (DIMENSIONS["torque"], _USUAL["torque"])),
    "viscous": (((0, 1, -1, 0), ("N s/m", "N s/mm")), ((2, 1, -1, -1), ("N m s/rad", "N m s/deg"))),
    "stiffness": (((0, 1, -2, 0), ("N/m", "N/mm")), ((2, 1, -2, -1), ("N m/rad", "N m/deg"))),
    "gear": (((-1, 0, 0, 1), ("rad/m", "rad/mm")), ((0, 0, 0, 0), ())),
}
"""Dimension and usual units of what depends on how a joint moves: where it slides, and where it turns."""
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

    dimension: Dimension = (0, 0, 0, 0)
    size: float = 1.0
    units: tuple[str, ...] = ()

    @property
    def listed(self) -> str:
        """The units for messages: "mm, cm, m or in"."""
        return alternatives(self.units)

    def in_units(self, units: Units) -> Measure:
        """The same with numbers in a file's units where none is stated."""
        named = [units.factor(name) for name, dimension in DIMENSIONS.items() if dimension == self.dimension]
        simple = zip(("length", "mass", "time", "angle"), self.dimension, strict=True)
        return self._replace(size=named[0] if named else math.prod(units.factor(name) ** n for name, n in simple))

    @property
    def unit(self) -> str:
        """The usual name of the unit of numbers without one, or nothing."""
        return self.named(self.size)

    def named(self, size: float) -> str:
        """The usual name of the unit of this SI value, or nothing."""
        sizes = {unit: (parse(unit) or (None, 0.0))[1] for unit in self.units}
        return next((unit for unit, own in sizes.items() if math.isclose(own, size)), "")


PLAIN = Measure()


def measure(quantity: str, units: Units | None = None, order: int = 0, turns: bool = False) -> Measure:
    """Return what a quantity measures, or its rate (order 1), its acceleration (order 2) or its jerk.

    Args:
        quantity: A key of `DIMENSIONS`; "frequency"; or of a joint "travel", "speed", "effort", "viscous", "stiffness"
            or "gear".
        units: Units of numbers without one; SI and radians if left out.
        order: Per second, per second squared or cubed, whatever the unit of time.
        turns: Whether the joint turns.
    """
    if quantity == "frequency":
        return Measure((0, 0, -1, 0), 1.0, _USUAL[quantity])
    size = (units or Units()).factor(quantity, "R" if turns else "P")
    if quantity == "speed":
        quantity, order = "travel", 1
    known = _OF_JOINTS.get(quantity)
    (length, mass, time, angle), usual = known[turns] if known else (DIMENSIONS[quantity], _USUAL[quantity])
    return Measure((length, mass, time - order, angle), size, tuple(unit + _PER[order] for unit in usual))


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


def is_quantity(value: object) -> bool:
    """Whether a value is a text with a number, with or without a unit."""
    return isinstance(value, str) and _TEXT.fullmatch(value.strip()) is not None


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
    return f"{value / size:.{digits}g} {names[0]}" if names else f"{value:.{digits}g} {measure(what).named(1.0)}"
