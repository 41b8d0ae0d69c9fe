"""Lists of actuator displacements from CSV files, such as logs of drives: one row after the other, with times or not.

A column is called `q_NAME` or `NAME` after its actuator, or `q3` by its place (`gough.robot.actuator_columns`). Units,
separators and `columns` are those of motions (`gough.motion.csv_file`). Other columns of files that gough writes, poses
among them, may be there and are not read. A cell that is empty or NaN leaves its row without displacements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gough.graph import Array
from gough.motion.column_choice import chosen_columns
from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import VALUE_NAMES, Value
from gough.motion.csv_header import named_columns
from gough.motion.csv_rows import is_number, to_number
from gough.motion.faults import FARTHEST, LARGEST_TURN, MotionError
from gough.motion.motion_table import Table
from gough.motion.named_rows import NamedRows, read_named
from gough.robot import Robot
from gough.robot.actuator_columns import DoubtfulColumn, column_actuator
from gough.robot.extent import size
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean

_BESIDE = ("qd_", "qdd_", "force_", "power_", "current_", "joint_")
"""What begins the names of columns that are not read."""
_ALSO_BESIDE = ("status", "leg", "amount", "condition", "residual", "steps", "share")


@dataclass(frozen=True, slots=True)
class DisplacementList:
    """Displacements of a file.

    Attributes:
        q: (N, actuators) from the actuators' zeros [m or rad]; NaN where a cell is empty or NaN.
        t: (N,) times [s]; None where the file has none.
        lines: (N,) numbers of their lines in the file.
        left_out: Names of the actuators without a column, which stay as at home.
    """

    q: Array
    t: Array | None
    lines: tuple[int, ...]
    left_out: tuple[str, ...]


def read_displacements(
    robot: Robot,
    path: str | Path,
    units: Units,
    home: Sequence[float],
    relative: bool = False,
    columns: Mapping[str, str] | None = None,
) -> DisplacementList:
    """The actuator displacements of a CSV file.

    Args:
        robot: Whose actuators the columns are.
        path: The file.
        units: Of columns without one.
        home: (actuators,) displacements at home [m or rad], those of actuators without a column.
        relative: Values count from home.
        columns: Column of the file -> t or the actuator it is, with a minus where the file counts the other way.
    Raises:
        MotionError: One line naming file, row and column.
    """
    names = [f"q_{name}" for name in robot.actuator_names]
    wanted = {column: _target(robot, text) for column, text in (columns or {}).items()}
    needs = f"the header {','.join(names)} and a row for each time"
    rows = read_named(path, needs, names, wanted, ["t", *names], "actuator")
    rows = replace(rows, named=_own_names(robot, rows, names, wanted))
    _check_columns(robot, rows, names, choosing=bool(columns))
    read = chosen_columns(rows.named, ["t", *names])
    if not set(read.names) & set(names):
        raise MotionError(rows.place, "", None, "has no displacement", f"known: {', '.join(names)}")
    if not rows.rows:
        raise MotionError(str(path), "", None, "has no displacements", "one row for each time is needed")
    stated = [Value(name, "rx" if joint.turns else "x") for name, joint in zip(names, robot.actuators, strict=True)]
    table = rows.table(read, stated, units, _number_or_gap)
    q = np.tile(np.array(home, dtype=float), (len(rows.rows), 1))
    for k, name in enumerate(names):
        if name in table.columns:
            q[:, k] = table.column(name) + (home[k] if relative else 0.0)
            unit = read.units[read.names.index(name)]
            _check_size(robot, table, k, q[:, k] - home[k], bool(unit))
    left_out = tuple(a for a, name in zip(robot.actuator_names, names, strict=True) if name not in table.columns)
    return DisplacementList(q, table.column("t") if "t" in table.columns else None, rows.lines, left_out)


def _target(robot: Robot, text: str) -> str:
    """What --columns says, by the column's full name: -q_A of -A."""
    name = text.removeprefix("-")
    return f"{text.removesuffix(name)}q_{name}" if name in robot.actuator_names else text


def _own_names(robot: Robot, rows: NamedRows, names: Sequence[str], wanted: Mapping[str, str]) -> list[tuple[str, str]]:
    """Names and units of the columns, q_NAME of each that is an actuator's.

    An actuator may have the name of a coordinate: where there are columns q_NAME, names alone are not actuators'.
    """
    bare = [] if any(name.removeprefix("-") in names for name in rows.names) else list(robot.actuator_names)
    again = named_columns(rows.place, rows.header, [*names, *bare], wanted)
    found = []
    for plain, (name, unit) in zip(rows.named, again, strict=True):
        if plain[0] in _pose_names(robot) and plain[0] not in bare:
            found.append(plain)
        else:
            found.append((f"q_{name}" if name in bare else _by_place(robot, rows.place, name, names), unit))
    return found


def _by_place(robot: Robot, place: str, name: str, names: Sequence[str]) -> str:
    """q_C of q3 where C is the third actuator, and of qC; other names as they are."""
    if name.removeprefix("-") in names:
        return name
    try:
        actuator = column_actuator(robot, name, "q")
    except DoubtfulColumn as doubt:
        raise MotionError(place, name, None, str(doubt), doubt.hint) from None
    return name if actuator is None else names[actuator]


def _pose_names(robot: Robot) -> set[str]:
    """Names of the numbers that state poses of the robot in any convention."""
    return {*VALUE_NAMES, *(coordinate.name for coordinate in robot.platform.all_coordinates)}


def _check_columns(robot: Robot, rows: NamedRows, names: Sequence[str], *, choosing: bool) -> None:
    """Refuse columns that are there twice and, unless they are chosen, those with names that are not known."""
    if all(is_number(name) for name in rows.names):
        raise MotionError(rows.place, "", None, f"must be the header {','.join(names)}, found numbers")
    beside = {*WRENCH, *_ALSO_BESIDE, *(rate + name for rate in RATES for name in _pose_names(robot))}
    seen = set()
    for k, name in enumerate(rows.names):
        own = name.removeprefix("-")
        if own in seen:
            raise MotionError(rows.place, own, None, "is there twice")
        if own in ("t", *names):
            seen.add(own)
        elif not (choosing or name in beside or name.startswith(_BESIDE)):
            raise _unknown(rows.place, k, name, names)


def _unknown(place: str, k: int, name: str, names: Sequence[str]) -> MotionError:
    """The fault of column k, whose name is not known."""
    if not name:
        return MotionError(place, f"column {k + 1}", None, "has no name", "remove the comma that is too many?")
    hint = f"did you mean q_{name}?" if f"q_{name}" in names else did_you_mean(name, ["t", *names], listed=False)
    hint = hint or f"known: t, {', '.join(names)}; --columns tells other names, and leaves out the rest"
    return MotionError(place, "", name, "no such column", hint)


def _number_or_gap(place: str, column: str, cell: str) -> float:
    """The number in a cell, NaN where it is empty or says so."""
    return np.nan if cell.lower() in ("", "nan") else to_number(place, column, cell)


def _check_size(robot: Robot, table: Table, k: int, way: Array, has_unit: bool) -> None:
    """Refuse displacements (N,) of actuator k, as ways from home, that can only be meant in other units."""
    name = f"q_{robot.actuator_names[k]}"
    scale = table.scale[table.columns.index(name)]
    if robot.actuators[k].turns:
        if has_unit or abs(scale) != 1.0:
            return  # An encoder may count turns.
        limit, why, hint = LARGEST_TURN, "is more than a turn from home", "degrees? say --units deg"
    else:
        limit, why = FARTHEST * (size(robot) or np.inf), f"is more than {FARTHEST:.0f} times the robot's size from home"
        hint = "" if has_unit or abs(scale) != 1.0 else "millimetres? say --units mm"
    with np.errstate(invalid="ignore"):
        beyond = np.flatnonzero(np.abs(way) > limit)
    if len(beyond):
        raise table.error(int(beyond[0]), name, why, hint)
