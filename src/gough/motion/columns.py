"""Columns of CSV files by name, in SI units: the one reader of motions, poses, displacements, measurements and forces.

The header names the columns; a name may carry its unit, `x [mm]` or `pitch (deg)`. Columns are separated by commas, or,
if the header has none, by semicolons or tabs, as spreadsheets write them where the decimal mark is a comma: numbers of
such a file may have it. Blank lines and lines that begin with # are skipped. A `CsvLayout` says how the
numbers are stated; `KnownColumns` what a kind of file holds.
"""

from __future__ import annotations

import csv
import math
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gough.errors import GoughWarning, InputError
from gough.files import Unreadable, read_text
from gough.graph import Array
from gough.motion.conventions import Convention, Value
from gough.motion.conventions import convention as convention_of
from gough.motion.faults import MotionError
from gough.motion.pose import parse_units
from gough.robot.actuator_columns import DoubtfulColumn
from gough.robot.file.units import Units, size_of
from gough.robot.names import did_you_mean
from gough.robot.quantities import PLAIN, Measure, measure

RATES = ("", "xd_", "xdd_")
"""Prefixes of a coordinate's name in columns of itself, its rate and its acceleration."""
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
"""Columns of the external wrench on the platform: force [N] at the robot's tool and moment [N m] in base axes."""
LARGEST = 200_000_000
"""Size of the largest file that is read [bytes]."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_WITH_UNIT = re.compile(r"(.*?)\s*(?:\[\s*(.*?)\s*\]|\(\s*(.*?)\s*\))")
_UNIT_AT_END = re.compile(r"(.+)_(mm|cm|m|deg|rad|ms|s)")
_RENAMED = re.compile(r"\s*(.+?)\s*=\s*(-?)\s*(\S+?)\s*")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]|^(\xff\xfe|\xfe\xff)")
"""Bytes that no text in Latin letters has: control characters, and the marks of UTF-16."""


@dataclass(frozen=True)
class CsvLayout:
    """How the numbers of a CSV file are stated.

    Attributes:
        units: Of columns without one, "mm,deg,ms" or `Units`; SI and radians for what is not stated.
        columns: What columns with other names are, {"Surge": "x", "Heave": "-z"}, with a minus where the file counts
            the other way. Then columns that are not known are left out instead of refused.
        relative: Values count from home.
        hold_missing: Coordinates without a column stay at home instead of being refused.
        convention: Of which the columns are the values, by name: robot, fixed-xyz, uvw or quaternion.
    """

    units: str | Units = ""
    columns: Mapping[str, str] | None = None
    relative: bool = False
    hold_missing: bool = False
    convention: str | Convention = "robot"

    @classmethod
    def of(cls, given: object) -> CsvLayout:
        """What is given as a layout, the usual one for None.

        Raises:
            InputError: It is none.
        """
        if given is None:
            return cls()
        if not isinstance(given, cls):
            hint = f'e.g. gough.CsvLayout(units="{given}")' if isinstance(given, str) else "e.g. gough.CsvLayout()"
            raise InputError(f"layout: {type(given).__name__} given, must be a CsvLayout ({hint})")
        return given

    @property
    def sizes(self) -> Units:
        """SI value of one unit of each quantity.

        Raises:
            MotionError: A unit that is not one of length, angle, time, force or moment.
        """
        return self.units if isinstance(self.units, Units) else parse_units(self.units, "units")

    @property
    def stated_by(self) -> Convention:
        """The convention.

        Raises:
            InputError: An unknown name.
        """
        return convention_of(self.convention)


class Cell(NamedTuple):
    """Header of a column: its place in a row, its name in the file, its unit there (empty: none), SI value of one."""

    place: int
    written: str
    unit: str
    scale: float


class Header(NamedTuple):
    """Place of a header for messages, names of its columns as written (without units), and as resolved."""

    place: str
    written: list[str]
    names: list[str]


@dataclass(frozen=True, slots=True)
class Columns:
    """Numbers of N rows, from a file or from arrays.

    Attributes:
        source: File name, or what represents it in messages.
        given: (N,) numbers of each column, as given.
        scale: SI value of one unit of each column.
        lines: (N,) line of each row in the file, or its number.
        mark: Text between source and line.
        header: Header of each column of a file.
    """

    source: str
    given: Mapping[str, Array]
    scale: Mapping[str, float]
    lines: Sequence[int]
    mark: str = ":"
    header: Mapping[str, Cell] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Array:
        """(N,) column in SI units."""
        return self.given[name] * self.scale[name]

    def __contains__(self, name: str) -> bool:
        return name in self.given

    def __len__(self) -> int:
        return len(self.lines)

    def get(self, name: str) -> Array | None:
        """(N,) column in SI units; None where there is none."""
        return self[name] if name in self.given else None

    @property
    def block(self) -> Array:
        """(N, columns) numbers as given."""
        return np.column_stack([*self.given.values()])

    def part(self, rows: Sequence[int]) -> Columns:
        """Return these rows."""
        given = {name: values[rows] for name, values in self.given.items()}
        return replace(self, given=given, lines=[self.lines[row] for row in rows])

    def place(self, row: int) -> str:
        """File and line of a row, for messages."""
        return f"{self.source}{self.mark}{self.lines[row]}"

    def error(self, row: int, column: str, problem: str, hint: str = "") -> MotionError:
        """Return the message about one number, with file, line and column."""
        return MotionError(self.place(row), column, float(self.given[column][row]), problem, hint)


def array_columns(source: str, given: Mapping[str, Array]) -> Columns:
    """Return columns of arrays (N,) in SI units."""
    return Columns(source, given, dict.fromkeys(given, 1.0), range(len(next(iter(given.values())))), ": row ")


def wrench_rows(rows: Columns) -> Array | None:
    """(N, 6) external wrench on the platform, components without a column zero; None where no column is one."""
    if not any(name in rows for name in WRENCH):
        return None
    wrench = np.zeros((len(rows), 6))
    for k, name in enumerate(WRENCH):
        if name in rows:
            wrench[:, k] = rows[name]
    return wrench


def _same(name: str, _names: Sequence[str]) -> str:
    return name


@dataclass(frozen=True, slots=True)
class KnownColumns:
    """Columns that a kind of file may have.

    Attributes:
        known: What each column measures, or SI values of its units by their names ("": without a unit).
        example: The header for messages, "the header t,x,y".
        unknown: (name, header) -> hint about a column that is not known; None where it may be left out.
        select: Header -> names of the columns to read; raises MotionError if the file lacks some.
        resolve: (name in the file, names of all columns) -> name among the known ones, or the name itself.
        renamed: Name in the file -> known name, "-z" for the opposite sign; other unknown columns are then left out.
    """

    known: Mapping[str, Measure | Mapping[str, float]]
    example: str
    unknown: Callable[[str, Header], str | None]
    select: Callable[[Header], Collection[str]]
    resolve: Callable[[str, Sequence[str]], str] = _same
    renamed: Mapping[str, str] = field(default_factory=dict)


def read_columns(path: str | Path, layout: KnownColumns, rows: str, gaps: Collection[str] = ()) -> Columns:
    """Return the columns of a CSV file.

    Args:
        path: A UTF-8 file, with or without a byte-order mark; one in Windows-1252 is read with a warning.
        layout: Columns that it may have.
        rows: Rows that it needs, for messages.
        gaps: Cells, in lower case, that are NaN instead of an error.
    Raises:
        MotionError: One line naming file, line and column.
    """
    (first, cells), *lines = _rows(Path(path), str(path), f"{layout.example} and {rows}")
    found = header_columns(f"{path}:{first}", cells, layout)
    numbers = [_numbers(f"{path}:{line}", found, len(cells), row, gaps) for line, row in lines]
    block = np.array(numbers).reshape(-1, len(found))
    given = {name: block[:, k] for k, name in enumerate(found)}
    scale = {name: cell.scale for name, cell in found.items()}
    return Columns(str(path), given, scale, [line for line, _ in lines], header=found)


def header_columns(place: str, cells: Sequence[str], layout: KnownColumns) -> dict[str, Cell]:
    """Return the columns to read, by their names, in the order of the file.

    Raises:
        MotionError: Columns that are not known, missing or there twice; units of something else.
    """
    split = [_split(cell) for cell in cells]
    written = [name for name, _ in split]
    if written and all(_NUMBER.fullmatch(name) for name in written):
        raise MotionError(place, "", None, f"must be {layout.example}, found numbers")
    for own, target in layout.renamed.items():
        if own not in written:
            raise MotionError("columns", "", own, f"no such column in {place}", did_you_mean(own, written))
        if target.removeprefix("-") not in layout.known:
            near = did_you_mean(target, list(layout.known))
            raise MotionError("columns", own, target, "is no name of a column", near)
    renamed = [layout.renamed.get(name, name).removeprefix("-") for name in written]
    header = Header(place, written, [_name(place, own, unit, layout, renamed) for own, unit in split])
    found: dict[str, int] = {}
    for k, name in enumerate(header.names):
        if name in found:
            raise MotionError(place, name, None, "is there twice")
        if name in layout.known:
            found[name] = k
        elif not layout.renamed and (hint := layout.unknown(name, header)) is not None:
            if not name:
                raise MotionError(place, f"column {k + 1}", None, "has no name", "remove the comma that is too many?")
            raise MotionError(place, "", name, "no such column", hint)
    chosen = layout.select(header)
    return {name: _cell(place, k, name, *split[k], cells[k], layout) for name, k in found.items() if name in chosen}


def _split(cell: str) -> tuple[str, str]:
    """Name and unit in a cell of the header; the unit is empty where there is none."""
    match = _WITH_UNIT.fullmatch(cell)
    return (match[1], (match[2] or match[3] or "").replace("°", "deg")) if match else (cell, "")


def _name(place: str, own: str, unit: str, layout: KnownColumns, renamed: Sequence[str]) -> str:
    """Known name of a column, or its own."""
    target = layout.renamed.get(own, "").removeprefix("-")
    try:
        name = target or layout.resolve(own, renamed)
        ending = None if unit or own in layout.known else _UNIT_AT_END.fullmatch(own)
        # Numbers in a unit that is not read as one would be wrong by a factor.
        if ending and (target or (name not in layout.known and layout.resolve(ending[1], renamed) in layout.known)):
            hint = f"write {ending[1]} [{ending[2]}]"
            raise MotionError(place, own, None, "has a unit that is not in brackets", hint)
    except DoubtfulColumn as doubt:
        raise MotionError(place, own, None, str(doubt), doubt.hint) from None
    return name


def _cell(place: str, k: int, name: str, own: str, unit: str, cell: str, layout: KnownColumns) -> Cell:
    """The header of column k.

    Raises:
        MotionError: A unit of something else.
    """
    what, shown = layout.known[name], f"{name} [{unit}]"
    if not unit and cell != own:
        raise MotionError(place, cell, None, "has no unit in its brackets", f"write {own} [mm], or {own} alone")
    if not isinstance(what, Measure):
        size, listed = what.get(unit), " or ".join(filter(None, what))
    elif not what.units:
        size = 1.0
        if unit not in ("", "1", "-"):
            raise MotionError(place, shown, None, "has no unit", f"write {name}")
    else:
        size, listed = size_of(unit, what.dimension) if unit else what.size, what.listed
    if size is None:
        raise MotionError(place, shown, None, f"its unit must be {listed}")
    return Cell(k, own, unit, -size if layout.renamed.get(own, "").startswith("-") else size)


def any_case(name: str, names: Collection[str]) -> str:
    """Return the one of `names` that is `name` in any case of letters ("time" is t), or `name` itself."""
    known = {own.lower(): own for own in names} | ({"time": "t"} if "t" in names else {})
    return name if name in names else known.get(name.lower(), name)


def pose_measures(values: Sequence[Value], units: Units, rates: bool = True) -> dict[str, Measure]:
    """Return what columns measure: t, values of a pose, their rates and accelerations if asked for, the wrench.

    Rates are per second whatever the unit of time.
    """
    known = {"t": measure("time", units)}
    for order, rate in enumerate(RATES if rates else RATES[:1]):
        for value in values:
            what = PLAIN if value.motion == "q" else measure("angle" if value.turns else "length", units, order)
            known[rate + value.name] = what
    return known | {name: measure("force" if name[0] == "f" else "torque", units) for name in WRENCH}


def parse_columns(text: str | None) -> dict[str, str]:
    """Return columns by their names in the file, from "Heave=-z,Surge=x"; empty where nothing is given.

    Raises:
        MotionError: Something else than pairs.
    """
    found: dict[str, str] = {}
    for part in text.split(",") if text else []:
        pair = _RENAMED.fullmatch(part)
        if pair is None:
            raise MotionError("--columns", "", part, "must be COLUMN=COORDINATE", "e.g. Surge=x,Heave=-z,Time=t")
        found[pair[1]] = pair[2] + pair[3]
    return found


def _numbers(
    place: str, columns: Mapping[str, Cell], count: int, row: Sequence[str], gaps: Collection[str]
) -> list[float]:
    """Numbers of the columns that are read, from a row that must have `count` cells."""
    if len(row) != count:
        hint = "decimal commas? write 0.5 for 0,5" if len(row) > count else "is a cell missing, or the file cut off?"
        if ";" in row[0]:
            hint = "separate them as in the header"
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        raise MotionError(place, "", None, f"has {cells}, the header has {count}", hint)
    chosen = [row[cell.place] for cell in columns.values()]
    try:
        numbers = list(map(float, chosen))
        if all(map(math.isfinite, numbers)) and "_" not in "".join(chosen):
            return numbers
    except ValueError:
        pass
    pairs = zip(columns, chosen, strict=True)
    return [math.nan if cell.lower() in gaps else _number(place, name, cell) for name, cell in pairs]


def _number(place: str, column: str, cell: str) -> float:
    if not cell:
        raise MotionError(place, column, None, "is empty, must be a number", "fill the gap or remove the row")
    if _NUMBER.fullmatch(cell) and math.isfinite(float(cell)):
        return float(cell)
    if _NUMBER.fullmatch(cell) or _NOT_FINITE.fullmatch(cell):
        raise MotionError(place, column, cell, "must be a finite number", "fill the gap or remove the row")
    hint = ""
    if _DECIMAL_COMMA.fullmatch(cell):
        hint = f"write {cell.replace(',', '.')}"
    elif re.match(r"[+-]?\d", cell) and re.search(r"[A-Za-z°]$", cell):
        hint = "units are stated by option, not in cells"
    raise MotionError(place, column, cell, "must be a number", hint)


def _rows(path: Path, name: str, needs: str) -> list[tuple[int, list[str]]]:
    """Line and cells of each row but blank ones and comments; the first is the header."""
    numbered = enumerate(re.split(r"\r\n|\n|\r", _text(path, name)), 1)
    lines = [(k, line) for k, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise MotionError(name, "", None, "is empty", f"it needs {needs}")
    mark = next((mark for mark in ",;\t|" if mark in lines[0][1]), ",")
    if mark == "|":
        hint = "save it with commas, semicolons or tabs"
        raise MotionError(f"{name}:{lines[0][0]}", "", None, "columns are separated by bars", hint)
    cells = csv.reader((line for _, line in lines), delimiter=mark)
    try:
        rows = [(k, [cell.strip() for cell in row]) for (k, _), row in zip(lines, cells, strict=True)]
    except (ValueError, csv.Error):
        at = next((k for k, line in lines if line.count('"') % 2), lines[0][0])
        raise MotionError(f"{name}:{at}", "", None, "has a quotation mark that is not closed") from None
    commas = [k for k, row in rows if mark != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in row)]
    if not commas:
        return rows
    for k, row in rows[1:]:  # With both marks, one of them most likely separates thousands.
        if pointed := next((cell for cell in row if "." in cell and _NUMBER.fullmatch(cell)), None):
            problem = f"has a decimal point, line {commas[0]} has a decimal comma"
            raise MotionError(f"{name}:{k}", "", pointed, problem, "save it with one of them")
    return [(k, [c.replace(",", ".") if _DECIMAL_COMMA.fullmatch(c) else c for c in row]) for k, row in rows]


def _text(path: Path, name: str) -> str:
    try:
        text = read_text(path, LARGEST, lambda data: _decoded(data, name))
    except Unreadable as error:
        hint = "sample it more coarsely: a spline goes through the rows" if "too large" in error.problem else error.hint
        raise MotionError(name.replace("\0", "\\0"), "", None, error.problem, hint) from None
    if "\0" in text:
        raise MotionError(name, "", None, "is not text: it has zero bytes", "save it as UTF-8")
    return text


def _decoded(data: bytes, name: str) -> str:
    """Return the text of a file: UTF-8, or, with a warning, as Windows and recorders write signs such as "°".

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
