"""Lists of poses from CSV files: one row per pose, in any order, with or without times.

The header has any of the coordinates, those left out stay at home, and may have a column t. Units, separators and names
are those of motions (`gough.motion.csv_file`); columns of rates and of the wrench may be there, and are not read. Each
pose is read by itself: angles are not made continuous from row to row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gough.graph import Array
from gough.motion.column_choice import check_wanted, chosen_columns
from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import OWN, Convention, NotMet
from gough.motion.csv_file import doubt_absolute, from_home, row_numbers
from gough.motion.csv_header import named_columns, names_in, scale_of
from gough.motion.csv_rows import read_lines
from gough.motion.faults import MotionError, too_far
from gough.motion.motion_columns import check_motion_columns
from gough.motion.motion_table import Table
from gough.robot import Robot
from gough.robot.file.units import Units


@dataclass(frozen=True, slots=True)
class PoseList:
    """Poses of a file.

    Attributes:
        x: (N, n) platform coordinates [m or rad].
        t: (N,) times [s]; None where the file has none.
        lines: (N,) numbers of their lines in the file.
    """

    x: Array
    t: Array | None
    lines: tuple[int, ...]


def read_poses(
    robot: Robot,
    path: str | Path,
    units: Units,
    convention: Convention = OWN,
    relative: bool = False,
    columns: Mapping[str, str] | None = None,
) -> PoseList:
    """The poses of a CSV file.

    Args:
        robot: Whose coordinates the columns are.
        path: The file.
        units: Of columns without one.
        convention: Of which the columns are the values.
        relative: Values count from home.
        columns: As in `read_csv`.
    Raises:
        MotionError: One line naming file, row and column.
    """
    stated = convention.values(robot)
    coordinates = [value.name for value in stated]
    lines = read_lines(path, f"the header {','.join(coordinates)} and a row for each pose")
    (number, cells), rows = lines[0], lines[1:]
    place = f"{path}:{number}"
    named = named_columns(place, cells, coordinates, columns)
    if columns:
        known = ["t", *(rate + name for rate in RATES for name in coordinates), *WRENCH]
        check_wanted(place, names_in(cells), columns, known)
    else:
        other = "; --columns tells other names, and leaves out the rest"
        check_motion_columns(
            place,
            [name for name, _ in named],
            coordinates,
            hold_missing=True,
            waypoints=False,
            dependent=robot.dependent_names,
            timed=False,
            other=other,
        )
    read = chosen_columns(named, ["t", *coordinates])
    if not set(read.names) & set(coordinates):
        raise MotionError(place, "", None, "has no coordinate", f"known: {', '.join(coordinates)}")
    if not rows:
        raise MotionError(str(path), "", None, "has no poses", "one row for each is needed")
    given = np.array([row_numbers(f"{path}:{k}", read, len(cells), row) for k, row in rows])
    scales = [scale_of(place, name, unit, stated, units) for name, unit in zip(read.names, read.units, strict=True)]
    table = Table(str(path), read.names, given, np.array(scales) * read.signs, lambda row: f"{path}:{rows[row][0]}")
    if relative:
        table = from_home(robot, table, convention)
    else:
        doubt_absolute(robot, table, convention)
    t = table.column("t") if "t" in table.columns else None
    return PoseList(_own_coordinates(robot, table, convention, units), t, tuple(k for k, _ in rows))


def _own_coordinates(robot: Robot, table: Table, convention: Convention, units: Units) -> Array:
    """(N, n) platform coordinates of the rows, each by itself."""
    stated, home = convention.values(robot), convention.stated(robot, robot.platform.home)
    values = np.tile(np.array(home, dtype=float), (len(table.given), 1))
    for k, value in enumerate(stated):
        if value.name in table.columns:
            values[:, k] = table.column(value.name)
    found = values
    if convention.name != "robot":
        try:
            found = convention.solved_rows(robot, values, units=units, apart=True)[0]
        except NotMet as error:
            raise MotionError(table.place(error.row), "", None, error.reason) from None
    for k, coordinate in enumerate(robot.platform.coordinates):
        scale = table.scale[table.columns.index(coordinate.name)] if coordinate.name in table.columns else 1.0
        if (fault := too_far(robot, k, found[:, k], scale != 1.0)) is not None:
            row, why, hint = fault
            raise MotionError(table.place(row), coordinate.name, float(found[row, k] / scale), why, hint)
    return found
