"""Motions from CSV files.

Header `t,<coordinate names>`, optionally `<name>_d`, `<name>_dd` (all coordinates or none; `_dd` only with `_d`) and
any of the wrench columns `fx,fy,fz,mx,my,mz` (those left out are zero), in any order; then one row per time. Blank
lines and lines that begin with # are skipped. Rates are per second whatever the unit of t. What happens between rows is
said in `gough.motion.table`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gough.motion.csv_file import is_number, read_lines, to_number
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.motion.named import WRENCH
from gough.motion.table import Table, table_motion
from gough.motion.units import parse_units
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.robot.units import Units


def read_csv(robot: Robot, path: str | Path, units: str | Units | None = None, hold_missing: bool = False) -> Motion:
    """The motion of a CSV file.

    Args:
        robot: Whose coordinates the columns are.
        path: The file.
        units: Of t, coordinates and wrench, e.g. "mm,deg,ms"; SI and radians for what is not stated.
        hold_missing: Coordinates without a column stay at home instead of being refused.
    Raises:
        MotionError: One line naming file, row and column.
    """
    return _read(robot, path, units, hold_missing, rest=False)


def read_waypoints(
    robot: Robot, path: str | Path, units: str | Units | None = None, hold_missing: bool = False
) -> Motion:
    """The quintic spline (C4) through a file of waypoints with times, at rest at the first and the last."""
    return _read(robot, path, units, hold_missing, rest=True)


def _read(robot: Robot, path: str | Path, units: str | Units | None, hold_missing: bool, rest: bool) -> Motion:
    size = units if isinstance(units, Units) else parse_units(units, "units")
    coordinates = [c.name for c in robot.platform.coordinates]
    lines = read_lines(path, f"the header t,{','.join(coordinates)} and at least 2 rows")
    (number, header), rows = lines[0], lines[1:]
    _check_header(f"{path}:{number}", header, coordinates, hold_missing, rest)
    given = np.array([_numbers(f"{path}:{k}", header, row) for k, row in rows]).reshape(-1, len(header))
    scale = np.array([_scale(robot, column, size) for column in header])
    table = Table(str(path), tuple(header), given, scale, lambda row: f"{path}:{rows[row][0]}")
    return table_motion(robot, table, Path(path).name, rest)


def _check_header(place: str, header: Sequence[str], coordinates: Sequence[str], hold: bool, rest: bool) -> None:
    if all(is_number(cell) for cell in header):
        raise MotionError(place, "", None, f"must be the header t,{','.join(coordinates)}, found numbers")
    rates = [name + order for order in ("_d", "_dd") for name in coordinates]
    known = ["t", *coordinates, *([] if rest else rates), *WRENCH]
    for k, name in enumerate(header):
        if not name:
            raise MotionError(place, f"column {k + 1}", None, "has no name", "remove the comma that is too many?")
        if name in header[:k]:
            raise MotionError(place, name, None, "is there twice")
        if name not in known:
            raise _unknown(place, name, known, rates)
    missing = [name for name in ("t", *([] if hold else coordinates)) if name not in header]
    for order, needed_by in (("_d", ("_d", "_dd")), ("_dd", ("_dd",))):
        if any(name + end in header for name in coordinates for end in needed_by):
            missing += [c + order for c in coordinates if c in header and c + order not in header]
    if missing:
        hint = (
            "rates are given for all coordinates or for none" if "_d" in missing[0] else f"header: {','.join(header)}"
        )
        raise MotionError(place, missing[0], None, "is missing", hint)
    alone = [name for name in header if name in rates and name.rsplit("_", 1)[0] not in header]
    if alone:
        raise MotionError(place, alone[0], None, f"needs a column {alone[0].rsplit('_', 1)[0]}")


def _unknown(place: str, name: str, known: Sequence[str], rates: Sequence[str]) -> MotionError:
    bare = name.split("[")[0].split("(")[0].strip()
    if name in rates:
        hint = "waypoints have no rates; a motion file may"
    elif bare != name and bare in known:
        hint = f"call it {bare}; units are stated by option, e.g. mm,deg"
    else:
        dotted = name.replace("_ddot", "_dd").replace("_dot", "_d").replace("ddot", "_dd").replace("dot", "_d")
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


def _scale(robot: Robot, column: str, units: Units) -> float:
    if column == "t":
        return units.time
    if column in WRENCH:
        return units.force if column[0] == "f" else units.torque
    bare = next(c for c in robot.platform.coordinates if column in (c.name, c.name + "_d", c.name + "_dd"))
    return units.angle if bare.motion[0] == "r" else units.length
