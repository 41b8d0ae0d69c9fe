"""Motions from CSV files.

Header `t,<coordinate names>`, optionally `xd_<name>`, `xdd_<name>` (all coordinates or none; `xdd_` only with `xd_`)
and any of the wrench columns `fx,fy,fz,mx,my,mz` (those left out are zero), in any order; then one row per time. Blank
lines and lines that begin with # are skipped. A name may carry its unit, `x [mm]` or `pitch (deg)`, and t may be called
time. Rates are per second whatever the unit of t; they may have the names of earlier releases, `<name>_d` and
`<name>_dd`. What happens between rows is said in `gough.motion.table`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gough.motion.column_names import RATES
from gough.motion.conventions import Convention
from gough.motion.conventions import convention as convention_of
from gough.motion.csv_file import is_number, named_columns, read_lines, scale_of, to_number
from gough.motion.faults import MotionError
from gough.motion.given_units import parse_units
from gough.motion.in_convention import in_own_coordinates
from gough.motion.motion import Motion
from gough.motion.named import WRENCH
from gough.motion.recording import smooth_of
from gough.motion.table import Spline, Table, table_motion
from gough.motion.waypoint_splines import spline_of
from gough.renamed import new_column
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean


def read_csv(
    robot: Robot,
    path: str | Path,
    units: str | Units | None = None,
    hold_missing: bool = False,
    convention: str | Convention | None = None,
    pivot: Sequence[float | str] | None = None,
    smooth: str | float | None = None,
    relative: bool = False,
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
    Raises:
        MotionError: One line naming file, row and column.
    """
    return _read(robot, path, units, hold_missing, convention_of(convention, pivot), None, smooth, relative)


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
) -> Motion:
    """The spline through a file of waypoints with times, at rest at the first and the last, by a law as `through` has.

    The other arguments are those of `read_csv`.
    """
    stated = convention_of(convention, pivot)
    return _read(robot, path, units, hold_missing, stated, spline_of(law, "--law"), smooth, relative)


def _read(
    robot: Robot,
    path: str | Path,
    units: str | Units | None,
    hold_missing: bool,
    convention: Convention,
    rest: Spline | None,
    smooth: str | float | None,
    relative: bool,
) -> Motion:
    size = units if isinstance(units, Units) else parse_units(units, "units")
    stated = convention.values(robot)
    coordinates = [value.name for value in stated]
    lines = read_lines(path, f"the header t,{','.join(coordinates)} and at least 2 rows")
    (number, cells), rows = lines[0], lines[1:]
    place = f"{path}:{number}"
    named = named_columns(place, cells, coordinates)
    header = [name for name, _ in named]
    _check_header(place, header, coordinates, hold_missing, rest is not None, robot.dependent_names)
    given = np.array([_numbers(f"{path}:{k}", header, row) for k, row in rows]).reshape(-1, len(header))
    scale = np.array([scale_of(place, column, unit, stated, size) for column, unit in named])
    table = Table(str(path), tuple(header), given, scale, lambda row: f"{path}:{rows[row][0]}")
    if relative:
        table = _from_home(robot, table, convention)
    own = in_own_coordinates(robot, table, convention, size)
    found = table_motion(robot, own, Path(path).name, rest, smooth_of(smooth, size, "--smooth"))
    return found.read_in(units) if isinstance(units, str) else found


def _from_home(robot: Robot, table: Table, convention: Convention) -> Table:
    """The table with values that counted from home."""
    if convention.name == "quaternion":
        raise MotionError("--relative", "", None, "cannot go with --convention quaternion", "quaternions do not add")
    given = table.given.copy()
    for value, home in zip(convention.values(robot), convention.stated(robot, robot.platform.home), strict=True):
        if value.name in table.columns:
            k = table.columns.index(value.name)
            given[:, k] += home / table.scale[k]
    return replace(table, given=given)


def _check_header(
    place: str, header: Sequence[str], coordinates: Sequence[str], hold: bool, rest: bool, follows: Sequence[str]
) -> None:
    if all(is_number(cell) for cell in header):
        raise MotionError(place, "", None, f"must be the header t,{','.join(coordinates)}, found numbers")
    rates = [order + name for order in RATES[1:] for name in coordinates]
    known = ["t", *coordinates, *([] if rest else rates), *WRENCH]
    for k, name in enumerate(header):
        if not name:
            raise MotionError(place, f"column {k + 1}", None, "has no name", "remove the comma that is too many?")
        if name in header[:k]:
            raise MotionError(place, name, None, "is there twice")
        if name in follows:
            raise MotionError(place, "", name, f"follows {', '.join(coordinates)}", "leave its column out")
        if name not in known:
            raise _unknown(place, name, known, rates, coordinates)
    missing = [name for name in ("t", *([] if hold else coordinates)) if name not in header]
    for k, order in enumerate(RATES[1:], 1):
        if any(later + name in header for name in coordinates for later in RATES[k:]):
            missing += [order + c for c in coordinates if c in header and order + c not in header]
    if missing:
        hint = (
            "rates are given for all coordinates or for none" if missing[0] in rates else f"header: {','.join(header)}"
        )
        raise MotionError(place, missing[0], None, "is missing", hint)
    alone = [(order + c, c) for order in RATES[1:] for c in coordinates if order + c in header and c not in header]
    if alone:
        raise MotionError(place, alone[0][0], None, f"needs a column {alone[0][1]}")


def _unknown(
    place: str, name: str, known: Sequence[str], rates: Sequence[str], coordinates: Sequence[str]
) -> MotionError:
    if name in rates:
        hint = "waypoints have no rates; a motion file may"
    else:
        dotted = name.replace("_ddot", "_dd").replace("_dot", "_d").replace("ddot", "_dd").replace("dot", "_d")
        dotted = new_column(dotted, coordinates)
        hint = f"did you mean {dotted}?" if dotted in known else did_you_mean(name, known)
    return MotionError(place, "", name, "no such column", hint)


def _numbers(place: str, header: Sequence[str], row: Sequence[str]) -> list[float]:
    if len(row) != len(header):
        more = len(row) > len(header)
        hint = "decimal commas? write 0.5 for 0,5" if more else "is a cell missing, or the file cut off?"
        if ";" in row[0]:
            hint = "separate them by commas, not semicolons"
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        raise MotionError(place, "", None, f"has {cells}, the header has {len(header)}", hint)
    try:
        numbers = list(map(float, row))
        if all(map(math.isfinite, numbers)) and "_" not in "".join(row):
            return numbers
    except ValueError:
        pass
    return [to_number(place, column, cell) for column, cell in zip(header, row, strict=True)]
