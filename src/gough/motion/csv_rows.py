"""Rows of CSV files: motions, recordings, measurements, lists of poses.

Columns are separated by commas; or, where the header has none, by semicolons or tabs, as spreadsheets write them where
the decimal mark is a comma: numbers of such a file may have it. Blank lines and lines that begin with # are skipped.
"""

from __future__ import annotations

import csv
import math
import re
import warnings
from pathlib import Path

from gough.errors import GoughWarning
from gough.files import read_bounded
from gough.motion.faults import MotionError

LARGEST = 200_000_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]|^(\xff\xfe|\xfe\xff)")
"""Bytes that no text in Latin letters has: control characters, and the marks of UTF-16."""
_LINE_END = re.compile(r"\r\n|\n|\r")
_NOT_FINITE = {"nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}

Line = tuple[int, list[str]]


def read_lines(path: str | Path, needs: str) -> list[Line]:
    """Number and cells of every line but blank ones and comments (#).

    Args:
        path: A UTF-8 file, with or without a byte-order mark; one in Windows-1252 is read with a warning.
        needs: What such a file must have, for messages.
    """
    text = _rows(Path(path), str(path))
    lines = [
        (k, line)
        for k, line in enumerate(_LINE_END.split(text), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise MotionError(str(path), "", None, "is empty", f"it needs {needs}")
    mark = _separator(f"{path}:{lines[0][0]}", lines[0][1])
    cells = csv.reader((line for _, line in lines), delimiter=mark)
    try:
        found = [(k, [c.strip() for c in row]) for (k, _), row in zip(lines, cells, strict=True)]
    except (ValueError, csv.Error):
        raise MotionError(f"{path}:{_open_quote(lines)}", "", None, "has a quotation mark that is not closed") from None
    return found if mark == "," else _with_points(str(path), found)


def _separator(place: str, header: str) -> str:
    """What separates the columns of a header."""
    if "," in header or not (found := [mark for mark in ";\t|" if mark in header]):
        return ","
    if found[0] == "|":
        raise MotionError(place, "", None, "columns are separated by bars", "save it with commas, semicolons or tabs")
    return found[0]


def _with_points(path: str, lines: list[Line]) -> list[Line]:
    """Lines with decimal points where they have decimal commas.

    Raises:
        MotionError: Both: one of them most likely separates thousands.
    """
    commas = [k for k, row in lines if any(_DECIMAL_COMMA.fullmatch(cell) for cell in row)]
    if not commas:
        return lines
    for k, row in lines[1:]:
        if pointed := next((cell for cell in row if "." in cell and _NUMBER.fullmatch(cell)), None):
            allowed = f"has a decimal point, line {commas[0]} has a decimal comma"
            raise MotionError(f"{path}:{k}", "", pointed, allowed, "save it with one of them")
    return [(k, [c.replace(",", ".") if _DECIMAL_COMMA.fullmatch(c) else c for c in row]) for k, row in lines]


def to_number(place: str, column: str, cell: str) -> float:
    """The number in a cell, or the line that says why it is none."""
    if not cell:
        raise MotionError(place, column, None, "is empty, must be a number", "fill the gap or remove the row")
    if _NUMBER.fullmatch(cell) and math.isfinite(float(cell)):
        return float(cell)
    if _NUMBER.fullmatch(cell) or cell.lower() in _NOT_FINITE:
        raise MotionError(place, column, cell, "must be a finite number", "fill the gap or remove the row")
    hint = ""
    if re.fullmatch(r"[+-]?\d+,\d+", cell):
        hint = f"write {cell.replace(',', '.')}"
    elif re.match(r"[+-]?\d", cell) and re.search(r"[A-Za-z°]+$", cell):
        hint = "units are stated by option, not in cells"
    raise MotionError(place, column, cell, "must be a number", hint)


def is_number(cell: str) -> bool:
    """Whether a cell holds a number."""
    return _NUMBER.fullmatch(cell) is not None


def _open_quote(lines: list[tuple[int, str]]) -> int:
    return next((k for k, line in lines if line.count('"') % 2), lines[0][0])


def _decoded(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, or, with a warning, as Windows and recorders write signs such as that of degrees.

    Raises:
        UnicodeDecodeError: It is neither.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if _CONTROL.search(data):
            raise
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            raise error from None
        line = f"{name}: is not UTF-8 text (byte {error.start}): read as Windows-1252 (Latin-1)"
        warnings.warn(line, GoughWarning, stacklevel=2)
        return text


def _rows(path: Path, name: str) -> str:
    try:
        if path.is_dir():
            raise MotionError(name, "", None, "is a folder", "name the .csv file in it")
        size = path.stat().st_size
        if size > LARGEST:
            allowed = f"too large for a motion: {size / 1e6:.1f} MB, at most {LARGEST / 1e6:.0f} MB"
            raise MotionError(name, "", None, allowed, "sample it more coarsely: a spline goes through the rows")
        text = _decoded(read_bounded(path, LARGEST), name)
    except FileNotFoundError:
        raise MotionError(name, "", None, "no such file") from None
    except UnicodeDecodeError as error:
        raise MotionError(name, "", None, f"is not UTF-8 text (byte {error.start})", "save it as CSV, UTF-8") from None
    except ValueError:
        raise MotionError(name.replace("\0", "\\0"), "", None, "cannot be a file's name") from None
    except OSError as error:
        raise MotionError(name, "", None, f"cannot be read: {(error.strerror or 'error').lower()}") from None
    if "\0" in text:
        raise MotionError(name, "", None, "is not text: it has zero bytes", "save it as CSV, UTF-8")
    return text
