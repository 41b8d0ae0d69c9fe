"""Small files beside robots, such as motors and envelopes: their tables held against models as those of robots are.

A number may carry its unit as text, "12 N m"; every fault is one line with file, line and key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ValidationError, ValidationInfo

from gough.files import read_bounded
from gough.robot.checks.fault import Fault, Place, RobotError
from gough.robot.checks.form import form_fault
from gough.robot.file.fields import refuse
from gough.robot.file.read import plain_lists
from gough.robot.file.toml_tables import toml_tables
from gough.robot.file.units import DIMENSIONS, Units, size_of, units
from gough.robot.quantities import Measure, QuantityError, quantity

LARGEST_FILE = 1_000_000
LARGEST = 1e12
"""Numbers beyond this, in any unit, are a slip of the hand."""

Measured = Callable[[Units], Measure]
"""What a number measures, given the units of its file."""
Model = TypeVar("Model", bound=BaseModel)


class _Done(float):
    """A number that is in SI units already."""


def number_field(what: Measured, least: float = -math.inf, above: bool = False) -> Any:
    """Type of a field with a finite number in SI units, at least or above `least`."""

    def checked(value: object, info: ValidationInfo) -> float:
        return value if isinstance(value, _Done) else _number(value, what(info.context or Units()), least, above)

    return Annotated[float, BeforeValidator(checked)]


def numbers_field(what: Measured, least: float = -math.inf) -> Any:
    """Type of a field with a list of such numbers."""
    entries: Any = list.__class_getitem__(number_field(what, least))
    return Annotated[entries, BeforeValidator(_listed)]


def interval_field(what: Measured) -> Any:
    """Type of a field with [low, high], low <= high, in SI units; a single number stands for both."""

    def pair(value: object, info: ValidationInfo) -> Any:
        if not isinstance(value, list):
            return [_Done(_number(value, what(info.context or Units())))] * 2
        if len(value) != 2:
            refuse("must be a list of 2 numbers")
        return value

    ends: Any = list.__class_getitem__(number_field(what))
    return Annotated[ends, BeforeValidator(pair), AfterValidator(_ordered)]


def _number(value: object, what: Measure, least: float = -math.inf, above: bool = False) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and LARGEST < abs(value) < math.inf:
        refuse(f"must not be larger than {LARGEST:g}")
    try:
        found = quantity(value, what)
    except QuantityError as error:
        refuse(str(error))
    if found < least or (above and found == least):
        refuse(f"must be {'greater than' if above else 'at least'} {least:g}")
    return found


def _listed(value: object) -> Any:
    if not isinstance(value, list):
        refuse("must be a list of numbers")
    return value


def _ordered(ends: list[float]) -> tuple[float, float]:
    low, high = ends
    if low > high:
        refuse("the first must not be larger than the second")
    return low, high


def tables_of(given: str | Mapping[str, Any], source: str, what: str) -> tuple[dict[str, Any], Place]:
    """Tables of a TOML text, or of a dict with the same keys, and their places for messages.

    Raises:
        RobotError: It is not TOML, or empty.
    """
    if isinstance(given, str):
        article = "an" if what[0] in "aeiou" else "a"
        tables, lines = toml_tables(given, source, what, f"{article} {what} is a TOML file, see `gough size --help`")
        return tables, Place(source, lines, (), tables)
    tables = plain_lists(given)
    return tables, Place(source, {}, (), tables)


def held_against(model: type[Model], tables: dict[str, Any], place: Place) -> Model:
    """The tables as a model, numbers in SI units.

    Raises:
        RobotError: With every fault of form.
    """
    try:
        return model.model_validate(tables, context=file_units(tables))
    except ValidationError as error:
        raise place.error([form_fault(entry, model) for entry in error.errors()]) from None


def file_units(tables: Mapping[str, Any]) -> Units:
    """Units that a file states; those at fault are left out."""
    stated = tables.get("units")
    good = {}
    for name, text in (stated if isinstance(stated, dict) else {}).items():
        if isinstance(text, str) and name in DIMENSIONS and size_of(text, DIMENSIONS[name]) is not None:
            good[name] = text
    return units(good)


def read_text(path: str | FilePath, what: str) -> str:
    """Text of a file; `what` says of what, for messages.

    Raises:
        RobotError: It cannot be read.
    """
    place = Place(str(path))
    try:
        if FilePath(path).is_dir():
            raise place.error([Fault((), f"is a folder; name the {what}'s .toml file")])
        return read_bounded(FilePath(path), LARGEST_FILE).decode("utf-8-sig")
    except FileNotFoundError:
        raise place.error([Fault((), "no such file")]) from None
    except (UnicodeDecodeError, ValueError) as error:
        if isinstance(error, RobotError):
            raise
        raise place.error([Fault((), "is not UTF-8 text")]) from None
    except OSError as error:
        raise place.error([Fault((), f"cannot be read: {(error.strerror or 'error').lower()}")]) from None
