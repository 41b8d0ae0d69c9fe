"""A CSV file as lines of cells: what is not even that is refused here."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from pathlib import Path

from gough.files import read_bounded
from gough.motion.column_names import RATES
from gough.motion.conventions import Value
from gough.motion.faults import MotionError
from gough.motion.named import WRENCH
from gough.renamed import new_column
from gough.robot.file.units import Units, parse
from gough.robot.quantities import measure

_WITH_UNIT = re.compile(r"(.*?)\s*(?:\[\s*(.*?)\s*\]|\(\s*(.*?)\s*\))")


def named_columns(place: str, header: Sequence[str], coordinates: Sequence[str]) -> list[tuple[str, str]]:
    """Name and unit of each column, the unit empty where there is none; old names are made new.

    Raises:
        MotionError: Brackets with nothing in them.
    """
    found = []
    for cell in header:
        match = _WITH_UNIT.fullmatch(cell)
        name = match[1] if match else cell
        unit = (match[2] or match[3] or "") if match else ""
        if match and name and not unit:
            raise MotionError(place, cell, None, "has no unit in its brackets", f"write {name} [mm], or {name} alone")
        found.append((new_column(name, coordinates), unit.replace("°", "deg")))
    return found


def scale_of(place: str, column: str, unit: str, stated: Sequence[Value], units: Units) -> float:
    """SI value of one unit of a column: its own unit, or that of `units`.

    Args:
        place: For messages.
        column: t, a value of `stated` with or without `xd_` or `xdd_`, or one of the wrench.
        unit: From the header; empty if it has none.
        stated: The values that columns may be.
        units: Of columns without a unit; rates are per second whatever the unit of time.
    Raises:
        MotionError: A unit of something else.
    """
    quantity, order = _quantity(column, stated)
    if not quantity:
        if unit not in ("", "1", "-"):
            raise MotionError(place, f"{column} [{unit}]", None, "has no unit", f"write {column}")
        return 1.0
    what = measure(quantity, units, order)
    if not unit:
        return what.size
    known = parse(unit)
    if known is None or known[0] != what.dimension:
        raise MotionError(place, f"{column} [{unit}]", None, f"its unit must be {what.listed}")
    return known[1]


def _quantity(column: str, stated: Sequence[Value]) -> tuple[str, int]:
    """What a column measures, and of which order; empty for components of a quaternion."""
    if column == "t":
        return "time", 0
    if column in WRENCH:
        return ("force" if column[0] == "f" else "torque"), 0
    value, order = next((v, k) for v in stated for k, rate in enumerate(RATES) if column == rate + v.name)
    if value.motion == "q":
        return "", 0
    return ("angle" if value.turns else "length"), order


LARGEST = 200_000_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_LINE_END = re.compile(r"\r\n|\n|\r")
_NOT_FINITE = {"nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}

Line = tuple[int, list[str]]


def read_lines(path: str | Path, needs: str) -> list[Line]:
    """Number and cells of every line but blank ones and comments (#).

    Args:
        path: A UTF-8 file, with or without a byte-order mark.
        needs: What such a file must have, for messages.
    """
    text = _read(Path(path), str(path))
    lines = [
        (k, line)
        for k, line in enumerate(_LINE_END.split(text), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise MotionError(str(path), "", None, "is empty", f"it needs {needs}")
    first = lines[0][1]
    for mark, called in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        if "," not in first and mark in first:
            hint = "save it with commas, and with decimal points: 0.5, not 0,5"
            raise MotionError(f"{path}:{lines[0][0]}", "", None, f"columns are separated by {called}, not commas", hint)
    cells = csv.reader(line for _, line in lines)
    try:
        return [(k, [c.strip() for c in row]) for (k, _), row in zip(lines, cells, strict=True)]
    except (ValueError, csv.Error):
        raise MotionError(f"{path}:{_open_quote(lines)}", "", None, "has a quotation mark that is not closed") from None


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


def _read(path: Path, name: str) -> str:
    try:
        if path.is_dir():
            raise MotionError(name, "", None, "is a folder", "name the .csv file in it")
        size = path.stat().st_size
        if size > LARGEST:
            allowed = f"too large for a motion: {size / 1e6:.1f} MB, at most {LARGEST / 1e6:.0f} MB"
            raise MotionError(name, "", None, allowed, "sample it more coarsely: a spline goes through the rows")
        text = read_bounded(path, LARGEST).decode("utf-8-sig")
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
