"""Checks of values of a file, and the keys made of them: what a value may be, and the quantity of its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from gough.robot.file.reader import EXACT, Check, Each, Key, largest, refuse
from gough.robot.file.units import ALLOWED, DIMENSIONS, Units, size_of
from gough.robot.names import LONGEST, alternatives, did_you_mean, try_name
from gough.robot.names import NAME as NAMES
from gough.robot.quantities import Measure, QuantityError, measure, quantity

_LARGEST = 10**300
"""Whole numbers have no bounds in TOML."""


def anything(value: Any) -> Any:
    """Any value: what it may be depends on more than its table."""
    return value


def text(value: object) -> str:
    """A text."""
    return value if isinstance(value, str) else refuse("must be text in quotes")


def truth(value: object) -> bool:
    """True or false."""
    return value if isinstance(value, bool) else refuse("must be true or false")


def whole(value: object) -> int:
    """A whole number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else refuse("must be a whole number")


def table(value: object) -> dict[str, Any]:
    """A table of any keys."""
    return value if isinstance(value, dict) else refuse("must be a table")


def one_of(*words: str | int) -> Check:
    """A check: one of some words or whole numbers."""
    allowed = alternatives([f'"{word}"' if isinstance(word, str) else str(word) for word in words])

    def choice(value: object) -> Any:
        if isinstance(value, bool) or value not in words:
            known = tuple(str(word) for word in words)
            hint = did_you_mean(value, known, listed=False) if isinstance(value, str) else ""
            refuse(f"must be {allowed}", hint)
        return value

    choice.words = words  # type: ignore[attr-defined]
    return choice


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


def ratio(value: object) -> float:
    """A number that is not 0."""
    return number(value) or refuse("must not be 0")


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


def direction(value: object) -> list[float]:
    """Three numbers, not all of them zero."""
    found = vector3(value)
    if largest(found) > LARGEST_DIRECTION:
        refuse(f"implausibly large for a direction: at most {LARGEST_DIRECTION:g}")
    if largest(found) < 1.0 / LARGEST_DIRECTION:
        refuse("must be a direction, not zero")
    return found


def universal_axes(value: object) -> list[list[float]]:
    """One or two directions, perpendicular."""
    found = vectors(value)
    if len(found) not in (1, 2) or not all(any(axis) for axis in found):
        refuse("must be one or two directions, none of them zero")
    if len(found) == 2 and not perpendicular(*map(direction, found)):
        refuse("the two axes of a universal joint must be perpendicular")
    return [direction(axis) for axis in found]


def perpendicular(a: list[float], b: list[float]) -> bool:
    """Whether two directions are perpendicular."""
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return abs(product) <= EXACT * math.hypot(*a) * math.hypot(*b)


def weights(value: object) -> Any:
    """One weight per actuator, or that they follow from the force limits."""
    if value == "force":
        return value
    what = 'one number above 0 per actuator, or "force" for 1 / (force limit)^2'
    if not isinstance(value, list) or not all(is_number(v) and v > 0 for v in value):
        refuse(f"must be {what}", endless(value))
    return [float(v) for v in value]


def stroke(value: object) -> list[float]:
    """A range: of displacements, or of a cable's tension."""
    low, high = numbers(value, 2, "two numbers [least, greatest]")
    if not low < high:
        refuse("must be [least, greatest], the least first")
    return [low, high]


def matrix3(value: list[Any], what: str) -> list[list[float]]:
    """Three rows of three numbers."""
    if len(value) == 9:
        refuse(f"must be {what}", "9 numbers in one list: write them as 3 rows [[..], [..], [..]]")
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
    if isinstance(value, list) and value and (isinstance(value[0], list) or len(value) == 9):
        return symmetric(matrix3(value, what))
    return numbers(value, 6 if isinstance(value, list) and len(value) == 6 else 3, what)


def rotation(value: object) -> Any:
    """3 rows, {axis, angle} or {sequence, angles}."""
    what = '3 rows of 3, {axis = [x, y, z], angle = ..} or {sequence = "zyx", angles = [..]}'
    if isinstance(value, list):
        return matrix3(value, what)
    if isinstance(value, dict) and set(value) == {"axis", "angle"}:
        axis = numbers(value["axis"], 3, what)
        if not 1.0 / LARGEST_DIRECTION < largest(axis) < LARGEST_DIRECTION:
            refuse(f"must be {what}", "the axis has no length" if largest(axis) < 1.0 else "the axis is too long")
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
    if not isinstance(value, str) or not NAMES.fullmatch(value):
        long = isinstance(value, str) and len(value) > LONGEST
        hint = "" if long or not isinstance(value, str) else try_name(value)
        refuse(f"must be a name of {f'at most {LONGEST} ' if long else ''}letters a-z, digits, - and _", hint)
    return value


def coordinate_name(value: object) -> str:
    """The name of a coordinate; addresses count with whole numbers."""
    text = name(value)
    return refuse("must not be a whole number") if text.isdecimal() else text


def body_name(value: object) -> str:
    """A name, or none."""
    return "" if value == "" else name(value)


def body_place(value: object) -> str:
    """A body of the robot: "base", "platform" or "leg.joint"."""
    if not isinstance(value, str) or not all(NAMES.fullmatch(part) for part in value.split(".")):
        refuse('must be "base", "platform" or the name of a leg and its joint, e.g. "A.crank"')
    return value


def unit_of(quantity: str) -> Check:
    """A check: a unit of one quantity."""

    def unit(value: object) -> str:
        if not isinstance(value, str) or size_of(value, DIMENSIONS[quantity]) is None:
            refuse(f"must be {ALLOWED[quantity]}")
        return str(value)

    unit.quantity = quantity  # type: ignore[attr-defined]
    return unit


Measured = Callable[[Units], Measure]
"""What a number measures, given the units of its file."""


def number_key(what: str | Measured, **stated: Any) -> Key:
    """A key with a finite number in SI units, that may carry its unit as text, "12 N m"."""
    return _measured_key(number_with_unit, what, **stated)


def interval_key(what: str | Measured, **stated: Any) -> Key:
    """A key with [low, high], low <= high, of such numbers; a single one stands for both."""

    def interval(value: object, of: Measure) -> tuple[float, float]:
        if not isinstance(value, list):
            return (number_with_unit(value, of),) * 2
        if len(value) != 2:
            refuse("must be a list of 2 numbers")
        low, high = (number_with_unit(entry, of) for entry in value)
        if low > high:
            refuse("the first must not be larger than the second")
        return low, high

    return _measured_key(interval, what, **stated)


def _measured_key(check: Check, what: str | Measured, **stated: Any) -> Key:
    quantity, of = (what, partial(measure, what)) if isinstance(what, str) else ("", what)
    return Key(check, quantity, of, **{"high": 1e12, **stated})


def number_with_unit(value: object, of: Measure) -> float:
    """A finite number, with or without its unit."""
    try:
        return quantity(value, of)
    except QuantityError as error:
        refuse(str(error))


def each_in_si(
    table: Mapping[str, Any], key: str, what: str, kinds: Sequence[str], units: Units
) -> dict[str, list[float]]:
    """The list at a key, if there is one, in SI units: each number in the unit of its own joint, or of the last one."""
    factors = [units.factor(what, kind) for kind in kinds or "P"]
    numbers = table.get(key, ())
    found = [value * factors[min(k, len(factors) - 1)] for k, value in enumerate(numbers)]
    return {key: found} if key in table else {}


LARGEST_DIRECTION = 1e6
LARGEST_TRAVEL = 1000.0

ANYTHING, TEXT, TRUTH, WHOLE = Key(anything), Key(text), Key(truth), Key(whole)
NAME, BODY_NAME, BODY_PLACE = Key(name), Key(body_name), Key(body_place)
NAME_LIST = Key(Each(NAME))
NUMBER, DIRECTION, WEIGHTS = Key(number), Key(direction), Key(weights)
AXIS, AXES, ROTATION = Key(vector3, "axis"), Key(vectors, "axis"), Key(rotation, "rotation")
LENGTH = Key(number, "length", high=100.0)
SIZE = LENGTH.of(low=0.0, above=True)
POINT, ABOUT = LENGTH.of(holds=vector3), LENGTH.of(holds=about)
ANGLE = Key(number, "angle", high=2.0 * math.pi + 1e-9)
ANGLES, CONE = ANGLE.of(holds=number_list), ANGLE.of(low=0.0, above=True, high=math.pi)
MASS = Key(number, "mass", low=0.0, high=1e5)
INERTIA, MOMENT = Key(inertia, "inertia"), Key(number, "inertia", low=0.0)
ACCELERATION, HOME = Key(vector3, "acceleration"), Key(number_list, "home", high=math.inf)
TRAVEL, STROKE = Key(number, "travel", high=LARGEST_TRAVEL), Key(stroke, "travel")
STARTS = Key(number_list, "starts", high=math.inf)
SPEED, POWER = Key(number, "speed", low=0.0, above=True), Key(number, "power", low=0.0, above=True)
LIMIT = Key(number, "effort", low=0.0, above=True)
EFFORT, EFFORTS, FRICTION = Key(number, "effort"), Key(number_list, "efforts"), Key(number, "effort", low=0.0)
FORCE, TENSION = Key(number, "force"), Key(stroke, "force", low=0.0)
VISCOUS, STIFFNESS = Key(number, "viscous", low=0.0), Key(number, "stiffness", low=0.0)
GEAR = Key(ratio, "gear")
TWO_TURNS = ANGLE.of(high=4.0 * math.pi)
