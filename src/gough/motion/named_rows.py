"""Rows of numbers under named columns: what motions, lists of poses and lists of displacements have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gough.motion.column_choice import Columns, check_wanted
from gough.motion.conventions import Value
from gough.motion.csv_header import named_columns, names_in, scale_of
from gough.motion.csv_rows import Line, read_lines, to_number
from gough.motion.faults import MotionError
from gough.motion.motion_table import Table
from gough.robot.file.units import Units


@dataclass(frozen=True, slots=True)
class NamedRows:
    """The cells of a file.

    Attributes:
        path: The file.
        place: Of its header, for messages.
        header: Its cells.
        named: Name and unit of each column; the unit is empty where the header has none.
        rows: Number of the line and cells of each row.
    """

    path: str
    place: str
    header: Sequence[str]
    named: list[tuple[str, str]]
    rows: Sequence[Line]

    @property
    def names(self) -> list[str]:
        """Of the columns."""
        return [name for name, _ in self.named]

    @property
    def lines(self) -> tuple[int, ...]:
        """Numbers of the rows' lines in the file."""
        return tuple(line for line, _ in self.rows)

    def table(
        self,
        read: Columns,
        stated: Sequence[Value],
        units: Units,
        number: Callable[[str, str, str], float] = to_number,
    ) -> Table:
        """The numbers of the columns that are read.

        Args:
            read: These columns.
            stated: What they may be, beside t, rates and the wrench.
            units: Of columns without one.
            number: (place, column, cell) -> the number in a cell that is not plainly one.
        Raises:
            MotionError: A row with more or fewer cells, a cell that is no number, a unit of something else.
        """
        given = [row_numbers(f"{self.path}:{k}", read, len(self.named), row, number) for k, row in self.rows]
        scale = [
            scale_of(self.place, name, unit, stated, units) for name, unit in zip(read.names, read.units, strict=True)
        ]
        return Table(
            self.path,
            read.names,
            np.array(given).reshape(-1, len(read.names)),
            np.array(scale) * read.signs,
            lambda row: f"{self.path}:{self.rows[row][0]}",
        )


def read_named(
    path: str | Path,
    needs: str,
    names: Sequence[str],
    wanted: Mapping[str, str] | None,
    known: Sequence[str],
    what: str = "coordinate",
) -> NamedRows:
    """The rows of a file, its columns by the names they have here.

    Args:
        path: The file.
        needs: What such a file must have, for messages.
        names: Names that may stand in any case of letters, and with their unit at the end.
        wanted: What columns with other names are, as `--columns` says.
        known: What such columns may be.
        what: What these are called in messages.
    Raises:
        MotionError: One line naming file and column.
    """
    lines = read_lines(path, needs)
    (number, cells), rows = lines[0], lines[1:]
    place = f"{path}:{number}"
    named = named_columns(place, cells, names, wanted)
    if wanted:
        check_wanted(place, names_in(cells), wanted, known, what)
    return NamedRows(str(path), place, cells, named, rows)


def row_numbers(
    place: str, read: Columns, count: int, row: Sequence[str], number: Callable[[str, str, str], float]
) -> list[float]:
    """Numbers of the columns that are read, of a row that must have `count` cells."""
    if len(row) != count:
        more = len(row) > count
        hint = "decimal commas? write 0.5 for 0,5" if more else "is a cell missing, or the file cut off?"
        if ";" in row[0]:
            hint = "separate them as in the header"
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        raise MotionError(place, "", None, f"has {cells}, the header has {count}", hint)
    picked = [row[k] for k in read.places]
    try:
        numbers = list(map(float, picked))
        if all(map(math.isfinite, numbers)) and "_" not in "".join(picked):
            return numbers
    except ValueError:
        pass
    return [number(place, column, cell) for column, cell in zip(read.names, picked, strict=True)]
