"""TOML files and texts as tables, with the line of each key."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from gough import files
from gough.robot.checks.fault import Fault, Path, Place

LARGEST = 4_000_000
"""Size of the largest file that is read [bytes]."""


def read_text(path: str | FilePath) -> str:
    """Text of a TOML file.

    Raises:
        RobotError: It cannot be read.
    """
    try:
        return files.read_text(path, LARGEST)
    except files.Unreadable as error:
        raise Place(str(path)).error([Fault((), error.problem, hint=error.hint)]) from None


def tables_of(given: str | Mapping[str, Any], source: str, what: str, needs: str = "") -> tuple[dict[str, Any], Place]:
    """Tables of a TOML text, or of a dict with the same keys, and their places for messages.

    Args:
        given: All of the text, or the dict.
        source: Its name in messages.
        what: It should describe, "a motor".
        needs: What it must have at least, for hints.

    Raises:
        RobotError: It is not TOML, nested too deeply, or empty.
    """
    if not isinstance(given, str):
        tables = plain_lists(given)
        return tables, Place(source, tables=tables)
    try:
        tables = tomllib.loads(given)
    except ValueError as error:
        raise _not_toml(given, source, str(error), what) from None
    except RecursionError:
        raise Place(source).error([Fault((), f"nested too deeply to be {what}")]) from None
    if not tables:
        raise Place(source).error([Fault((), "is empty", hint=needs)])
    return tables, Place(source, key_lines(given), (), tables)


def plain_lists(value: object) -> Any:
    """Tuples and arrays as lists, so that Python values pass where a file's would."""
    if isinstance(value, Mapping):
        return {key: plain_lists(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_lists(entry) for entry in value]
    if hasattr(value, "tolist"):
        return plain_lists(value.tolist())
    return value


_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]*")


def key_lines(text: str) -> dict[Path, int]:
    """Line, from 1, of each key path; entries of arrays are counted from 0.

    Args:
        text: Valid TOML.
    """
    return _Scanner(text).run()


def value_spans(text: str) -> dict[Path, tuple[int, int]]:
    """Where in a text each number, word and truth value begins and ends, by its key path.

    Args:
        text: Valid TOML.
    """
    scanner = _Scanner(text)
    scanner.run()
    return scanner.spans


class _Scanner:
    """Walks the text once, noting where each key and each entry of an array begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.spans: dict[Path, tuple[int, int]] = {}
        self.counts: dict[Path, int] = {}
        self.breaks = [found.start() for found in re.finditer("\n", text)]

    def run(self) -> dict[Path, int]:
        table: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self.header(2)
                table = (*table, self.count(table))
                self.note(table)
            elif self.text[self.at] == "[":
                table = self.header(1)
                self.note(table)
            else:
                self.pair(table)
            self.skip()
        return self.lines

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def line(self) -> int:
        return bisect_left(self.breaks, self.at) + 1

    def note(self, path: Path) -> None:
        line = self.line()
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], line)

    def count(self, table: Path) -> int:
        self.counts[table] = self.counts.get(table, -1) + 1
        return self.counts[table]

    def header(self, brackets: int) -> Path:
        """Path of a table's header, with the index of the newest entry after each array of tables on the way."""
        self.at += brackets
        keys = self.keys("]")
        path: Path = ()
        for k, key in enumerate(keys):
            path = (*path, key)
            if path in self.counts and (k < len(keys) - 1 or brackets == 1):
                path = (*path, self.counts[path])
        self.at += brackets
        return path

    def keys(self, stop: str) -> list[str]:
        """Dotted key up to `stop`, unquoted."""
        parts: list[str] = []
        while True:
            self.skip()
            character = self.text[self.at]
            if character == stop:
                return parts
            if character == ".":
                self.at += 1
                continue
            found = (_STRING if character in "\"'" else _BARE).match(self.text, self.at)
            assert found is not None
            parts.append(_unquoted(found.group()))
            self.at = found.end()

    def pair(self, table: Path) -> None:
        start = self.line()
        path = (*table, *self.keys("="))
        for end in range(len(table) + 1, len(path) + 1):
            self.lines.setdefault(path[:end], start)
        self.at += 1
        self.skip()
        self.value(path)

    def value(self, path: Path) -> None:
        opening = self.text[self.at]
        if opening in "[{":
            self.entries(path, opening)
        else:
            found = (_STRING if opening in "\"'" else _SCALAR).match(self.text, self.at)
            assert found is not None
            self.spans[path] = self.at, self.at + len(found.group().rstrip())
            self.at = found.end()

    def entries(self, path: Path, opening: str) -> None:
        """Entries of an array or an inline table."""
        self.at += 1
        index = 0
        while True:
            self.skip()
            character = self.text[self.at]
            if character in "]}":
                self.at += 1
                return
            if character == ",":
                self.at += 1
            elif opening == "{":
                self.pair(path)
            else:
                self.note((*path, index))
                self.value((*path, index))
                index += 1


def _unquoted(key: str) -> str:
    """What a key stands for, as the parser takes it."""
    if key[0] == "'":
        return key[1:-1]
    return str(tomllib.loads(f"key = {key}")["key"]) if key[0] == '"' else key


def _not_toml(text: str, source: str, message: str, what: str) -> Exception:
    """The error of a text that the TOML parser refused with `message`."""
    found = re.search(r" \(at line (\d+), column \d+\)$", message)
    number = int(found.group(1)) if found else text.count("\n") + 1
    digits = re.search(r"\d{4000}", text) if "integer string conversion" in message else None
    if digits is not None:
        number, message = text.count("\n", 0, digits.start()) + 1, "a number with too many digits"
    reason = re.sub(r" \(at [^)]*\)$", "", message)
    hint = f"{what} is a TOML file; `gough new` prints one to start from" if number == 1 else ""
    fault = Fault(("toml",), f"{reason[:1].lower()}{reason[1:]}", key="not valid TOML", hint=hint)
    return Place(source, {("toml",): number}).error([fault])
