"""Motions from CSV files.

Header `t,<coordinate names>`, optionally `xd_<name>`, `xdd_<name>` (all coordinates or none; `xdd_` only with `xd_`)
and any of the wrench columns `fx,fy,fz,mx,my,mz` (those left out are zero), in any order; then one row per time. What
separates columns is said in `gough.motion.csv_rows`. A name may carry its unit, `x [mm]`, `pitch (deg)` or `x_mm`, in
any case of letters, and t may be called time; what other names mean is said by `columns`. Rates are per second whatever
the unit of t; they may have the names of earlier releases, `<name>_d` and `<name>_dd`. `gough.motion.motion_table` says
what happens between rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gough.errors import GoughWarning
from gough.graph import Array
from gough.motion.column_choice import chosen_columns, every_column
from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import Convention
from gough.motion.conventions import convention as convention_of
from gough.motion.csv_header import names_in
from gough.motion.faults import MotionError
from gough.motion.from_arrays import in_own_coordinates
from gough.motion.motion import Motion
from gough.motion.motion_columns import check_motion_columns
from gough.motion.motion_table import Spline, Table, table_motion
from gough.motion.named_rows import read_named
from gough.motion.pose import parse_units
from gough.motion.recording import bridge_of, smooth_of
from gough.motion.waypoint_splines import spline_of
from gough.robot import Robot
from gough.robot.file.units import Units

NEAR_ZERO = 0.2
"""Share of a slide's value at home: where half of its values are nearer to 0, it most likely counts from home."""
MANY = 50
"""Rows from which on whole seconds between all of them are in doubt."""


def read_csv(
    robot: Robot,
    path: str | Path,
    units: str | Units | None = None,
    hold_missing: bool = False,
    convention: str | Convention | None = None,
    pivot: Sequence[float | str] | None = None,
    smooth: str | float | None = None,
    relative: bool = False,
    bridge: str | float | None = None,
    columns: Mapping[str, str] | None = None,
) -> Motion:
    """The motion of a CSV file.

    Args:
        robot: Whose coordinates the columns are.
        path: The file.
        units: Of t, coordinates and wrench, e.g. "mm,deg,ms"; SI and radians for what is not stated.
        hold_missing: Coordinates without a column stay at home instead of being refused.
        convention: Of which the columns are the values, by name; the robot's own coordinates if left out.
        pivot: (3,) point of the platform whose place they state, platform axes [m].
        smooth: For rows without accelerations: "auto" smooths as much as the noise needs, a number with this cut-off
            period [s], "none" takes them as given. If left out they are taken as given too, but forces are refused
            where noise makes up much of them.
        relative: Values count from home.
        bridge: The longest gap among evenly spaced rows that the curve may go across [s]; longer ones are refused. If
            left out one or two missing rows are bridged, with a warning.
        columns: What columns with other names are, `{"Surge": "x", "Heave": "-z"}`, with a minus where the file counts
            the other way. Then columns that are not known are left out instead of refused.
    Raises:
        MotionError: One line naming file, row and column.
    """
    stated = convention_of(convention, pivot)
    return _read(robot, path, units, hold_missing, stated, None, smooth, relative, bridge=bridge, columns=columns)


def read_waypoints(
    robot: Robot,
    path: str | Path,
    units: str | Units | None = None,
    hold_missing: bool = False,
    law: str | None = None,
    convention: str | Convention | None = None,
    pivot: Sequence[float | str] | None = None,
    smooth: str | float | None = None,
    relative: bool = False,
    timed: bool = True,
    columns: Mapping[str, str] | None = None,
) -> Motion:
    """The spline through a file of waypoints with times, at rest at the first and the last, by a law as `through` has.

    The other arguments are those of `read_csv`. Where only the path counts (not `timed`), the file need not have times:
    then they are those of even steps along the chords, and the ends are not at rest.
    """
    stated = convention_of(convention, pivot)
    rest = spline_of(law, "--law")
    return _read(robot, path, units, hold_missing, stated, rest, smooth, relative, timed, columns=columns)


def _read(
    robot: Robot,
    path: str | Path,
    units: str | Units | None,
    hold_missing: bool,
    convention: Convention,
    rest: Spline | None,
    smooth: str | float | None,
    relative: bool,
    timed: bool = True,
    bridge: str | float | None = None,
    columns: Mapping[str, str] | None = None,
) -> Motion:
    """The motion of a file: through waypoints by the spline `rest`, or as its rows say where that is None."""
    size = units if isinstance(units, Units) else parse_units(units, "units")
    stated = convention.values(robot)
    coordinates = [value.name for value in stated]
    known = ["t", *(rate + name for rate in RATES for name in coordinates), *WRENCH]
    needs = f"the header t,{','.join(coordinates)} and at least 2 rows"
    rows = read_named(path, needs, coordinates, columns, known)
    read = chosen_columns(rows.named, known) if columns else every_column(rows.named)
    header = list(read.names)
    other = "" if columns is None else "; --columns tells other names, and leaves out the rest"
    check_motion_columns(
        rows.place,
        header,
        coordinates,
        hold_missing=hold_missing,
        waypoints=rest is not None,
        dependent=robot.dependent_names,
        timed=timed,
        other=other,
        motions=[value.motion for value in stated],
        own=[*dict.fromkeys(names_in(rows.header)[: len(rows.header)])],
    )
    table = rows.table(read, stated, size)
    if "t" in header:
        table, k = _without_repeats(table), header.index("t")
        if not read.units[k] and size.time == 1.0:
            _doubt_seconds(str(path), rows.header[read.places[k]], table.given[:, k])
    else:
        table, rest = _with_even_times(table), None
    if relative:
        table = from_home(robot, table, convention)
    elif len(table.given):
        bare = [name for name, unit in zip(read.names, read.units, strict=True) if not unit]
        doubt_absolute(robot, table, convention, bare)
    own = in_own_coordinates(robot, table, convention, size)
    longest = bridge_of(bridge, size, "--bridge")
    found = table_motion(robot, own, Path(path).name, rest, smooth_of(smooth, size, "--smooth"), longest)
    return found.read_in(units) if isinstance(units, str) else found


def _with_even_times(table: Table) -> Table:
    """The table with times in even steps along the chords, where only the path counts."""
    steps = np.sqrt(np.linalg.norm(np.diff(table.given * table.scale, axis=0), axis=1))
    t = np.concatenate([[0.0], np.cumsum(steps)])[: len(table.given)]
    return replace(
        table,
        columns=("t", *table.columns),
        given=np.column_stack([t, table.given]),
        scale=np.concatenate([[1.0], table.scale]),
    )


def _without_repeats(table: Table) -> Table:
    """The table without rows that repeat the row before in every column, with a warning."""
    again = np.flatnonzero((table.given[1:] == table.given[:-1]).all(axis=1)) + 1
    if not len(again):
        return table
    more = f", and {len(again) - 1} more rows likewise" if len(again) > 1 else ""
    line = f"{table.place(again[0])}: is the same as the row before: left out{more}"
    warnings.warn(line, GoughWarning, stacklevel=2)
    kept = np.delete(np.arange(len(table.given)), again).tolist()
    return replace(table, given=table.given[kept], place=lambda row: table.place(kept[row]))


def _doubt_seconds(source: str, column: str, t: Array) -> None:
    """Warn of times (N,) without a unit that count as those of a recorder in milliseconds do."""
    steps = np.diff(t)
    if len(t) < MANY or not (steps >= 1.0).all() or (t != np.round(t)).any():
        return
    line = f"{source}: rows are {np.median(steps):.6g} s apart: is {column} in ms? (write {column} [ms], or [s])"
    warnings.warn(line, GoughWarning, stacklevel=2)


def doubt_absolute(robot: Robot, table: Table, convention: Convention, bare: Sequence[str]) -> None:
    """Warn of a column of places about 0 that never come to home.

    Args:
        robot: Whose home.
        table: As read.
        convention: Of its poses.
        bare: Columns without a unit of their own: numbers that suit metres may be in metres.
    """
    for value, home in zip(convention.values(robot), convention.stated(robot, robot.platform.home), strict=True):
        if value.turns or value.name not in table.columns:
            continue
        column = table.column(value.name)
        if np.median(np.abs(column)) < NEAR_ZERO * abs(home) and np.abs(column).max() < abs(home):
            told = f"{column.min() + 0.0:.3g} to {column.max():.3g} m, home is {home:.3g} m"
            hint = "does it count from home? (say --relative)"
            k = table.columns.index(value.name)
            usual = float(np.median(np.abs(table.given[:, k])))
            metres = NEAR_ZERO * abs(home) <= usual <= abs(home) / NEAR_ZERO
            if value.name in bare and table.scale[k] != 1.0 and metres:
                own = f"leave its unit out of --units, or write {value.name} [m] in the header"
                hint = f"is it in metres? ({own}; if it counts from home, say --relative)"
            line = f"{table.source}: {value.name}: {told}: {hint}"
            warnings.warn(line, GoughWarning, stacklevel=2)


def from_home(robot: Robot, table: Table, convention: Convention) -> Table:
    """The table with values that counted from home."""
    if convention.name == "quaternion":
        raise MotionError("--relative", "", None, "cannot go with --convention quaternion", "quaternions do not add")
    given = table.given.copy()
    for value, home in zip(convention.values(robot), convention.stated(robot, robot.platform.home), strict=True):
        if value.name in table.columns:
            k = table.columns.index(value.name)
            given[:, k] += home / table.scale[k]
    return replace(table, given=given)
