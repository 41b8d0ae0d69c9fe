"""Small files beside robots, such as motors and envelopes: their text, and keys whose numbers may carry a unit.

A number may carry its unit as text, "12 N m"; every fault is one line with file, line and key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from gough.files import read_bounded
from gough.robot.checks.fault import Fault, Place, RobotError
from gough.robot.file.read import plain_lists
from gough.robot.file.reader import Key, Refused, refuse
from gough.robot.file.toml_tables import toml_tables
from gough.robot.file.units import Units
from gough.robot.quantities import Measure, QuantityError, quantity

LARGEST_FILE = 1_000_000
LARGEST = 1e12
"""Numbers beyond this, in any unit, are a slip of the hand."""

Measured = Callable[[Units], Measure]
"""What a number measures, given the units of its file."""


def number_key(what: Measured, least: float = -math.inf, above: bool = False, **stated: Any) -> Any:
    """A key with a finite number in SI units, at least or above `least`, that may carry its unit as text."""

    def number(value: object, of: Measure) -> float:
        return _number(value, of, least, above)

    return Key(number, measure=what, **stated)


def numbers_key(what: Measured, least: float = -math.inf, **stated: Any) -> Any:
    """A key with a list of such numbers."""

    def numbers(value: object, of: Measure) -> list[float]:
        if not isinstance(value, list):
            refuse("must be a list of numbers")
        return _numbers(value, of, least)

    return Key(numbers, measure=what, **stated)


def interval_key(what: Measured, **stated: Any) -> Any:
    """A key with (low, high), low <= high, in SI units; a single number stands for both."""

    def interval(value: object, of: Measure) -> tuple[float, float]:
        if not isinstance(value, list):
            return (_number(value, of),) * 2
        if len(value) != 2:
            refuse("must be a list of 2 numbers")
        low, high = _numbers(value, of)
        if low > high:
            refuse("the first must not be larger than the second")
        return low, high

    return Key(interval, measure=what, **stated)


def _numbers(values: list[Any], what: Measure, least: float = -math.inf) -> list[float]:
    found = []
    for k, value in enumerate(values):
        try:
            found.append(_number(value, what, least))
        except Refused as refused:
            raise Refused(refused.allowed, refused.hint, k) from None
    return found


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
