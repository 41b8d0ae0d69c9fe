"""Lists of poses from CSV files: one row per pose, in any order, with or without times.

The header has any of the coordinates, those left out stay at home, and may have a column t. Units, separators and names
are those of motions (`gough.motion.csv_file`); columns of rates, of the wrench, of displacements `q_NAME` and of the
status may be there, and are not read. Each pose is read by itself: angles are not made continuous from row to row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gough.graph import Array
from gough.motion.column_choice import chosen_columns
from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import OWN, Convention, NotMet
from gough.motion.csv_file import doubt_absolute, from_home
from gough.motion.faults import MotionError, too_far
from gough.motion.motion_columns import check_motion_columns
from gough.motion.motion_table import Table
from gough.motion.named_rows import read_named
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
    known = ["t", *(rate + name for rate in RATES for name in coordinates), *WRENCH]
    needs = f"the header {','.join(coordinates)} and a row for each pose"
    rows = read_named(path, needs, coordinates, columns, known)
    if not columns:
        beside = {"status", *(f"q_{name}" for name in robot.actuator_names)} - {*coordinates}
        other = "; --columns tells other names, and leaves out the rest"
        check_motion_columns(
            rows.place,
            [name for name in rows.names if name not in beside],
            coordinates,
            hold_missing=True,
            waypoints=False,
            dependent=robot.dependent_names,
            timed=False,
            other=other,
            motions=[value.motion for value in stated],
        )
    read = chosen_columns(rows.named, ["t", *coordinates])
    if not set(read.names) & set(coordinates):
        raise MotionError(rows.place, "", None, "has no coordinate", f"known: {', '.join(coordinates)}")
    if not rows.rows:
        raise MotionError(str(path), "", None, "has no poses", "one row for each is needed")
    table = rows.table(read, stated, units)
    if relative:
        table = from_home(robot, table, convention)
    else:
        bare = [name for name, unit in zip(read.names, read.units, strict=True) if not unit]
        doubt_absolute(robot, table, convention, bare)
    t = table.column("t") if "t" in table.columns else None
    return PoseList(_own_coordinates(robot, table, convention, units), t, rows.lines)


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
