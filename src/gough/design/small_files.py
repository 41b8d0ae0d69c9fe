"""Small strict TOML files: every fault in one line with file, line and key."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from gough.files import read_bounded
from gough.robot.checks.fault import Fault, Path, Place, RobotError
from gough.robot.file.key_lines import key_lines
from gough.robot.file.not_toml import not_toml
from gough.robot.names import did_you_mean

LARGEST_FILE = 1_000_000
LARGEST = 1e12
"""Numbers beyond this, in any unit, are a slip of the hand."""


class Reader:
    """Tables of a file, read key by key; faults are gathered and raised together.

    Attributes:
        source: Name of the file, for messages.
        tables: What it holds.
        faults: Found so far.
    """

    def __init__(self, text: str, source: str, what: str) -> None:
        """Reads TOML text; `what` says of what, for messages.

        Raises:
            RobotError: It is not TOML, or empty.
        """
        self.source = source
        self.faults: list[Fault] = []
        article = "an" if what[0] in "aeiou" else "a"
        try:
            self.tables: dict[str, Any] = tomllib.loads(text)
        except ValueError as error:
            raise not_toml(
                text, source, str(error), f"{article} {what} is a TOML file, see `gough size --help`"
            ) from None
        except RecursionError:
            raise Place(source).error([Fault((), f"nested too deeply to be {article} {what}")]) from None
        if not self.tables:
            raise Place(source).error([Fault((), "is empty")])
        self.place = Place(source, key_lines(text), (), self.tables)

    def fault(self, path: Path, allowed: str, value: Any = None, hint: str = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(path, allowed, value, hint))

    def known(self, path: Path, table: Mapping[str, Any], keys: Sequence[str]) -> None:
        """Note keys that the table at `path` cannot have."""
        for key in table:
            if key not in keys:
                self.fault((*path, key), "unknown key", None, did_you_mean(key, keys))

    def table(self, path: Path, value: Any) -> dict[str, Any]:
        """The table at a path; empty where there is none."""
        if value is None or isinstance(value, dict):
            return value or {}
        self.fault(path, "must be a table", value)
        return {}

    def number(self, path: Path, value: Any, least: float = -math.inf, above: bool = False) -> float:
        """A finite number at a path, at least or above `least`; NaN and a fault if it is none."""
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.fault(path, "must be a number", value)
        elif not abs(value) < math.inf:
            self.fault(path, "must be a finite number", value)
        elif abs(value) > LARGEST:
            self.fault(path, f"must not be larger than {LARGEST:g}", value)
        elif value < least or (above and value == least):
            self.fault(path, f"must be {'greater than' if above else 'at least'} {least:g}", value)
        else:
            return float(value)
        return math.nan

    def numbers(self, path: Path, value: Any, count: int | None = None, least: float = -math.inf) -> list[float]:
        """A list of finite numbers, `count` of them if stated."""
        if not isinstance(value, list) or (count is not None and len(value) != count):
            self.fault(path, "must be a list" + (f" of {count} numbers" if count is not None else " of numbers"), value)
            return [math.nan] * (count or 1)
        return [self.number((*path, k), entry, least) for k, entry in enumerate(value)]

    def interval(self, path: Path, value: Any) -> tuple[float, float]:
        """[low, high] with low <= high; a single number stands for both."""
        if not isinstance(value, list):
            number = self.number(path, value)
            return number, number
        low, high = self.numbers(path, value, 2)
        if low > high:
            self.fault(path, "the first must not be larger than the second", value)
        return low, high

    def finish(self) -> None:
        """Raise what was found.

        Raises:
            RobotError: With every fault, one line each.
        """
        if self.faults:
            raise self.place.error(self.faults)


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
