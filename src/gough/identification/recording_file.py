"""Recordings from CSV files.

Columns, in any order, each with its unit in brackets or without: `t`; the motion, either platform coordinates by their
names (with rates `xd_psi` and accelerations `xdd_psi`, also written `psid` and `psidd`) or readings of the actuators,
`q_1` or `q1`; what the actuators gave, either forces `force_1`, `f_1` or `f1`, or motor currents `current_1`, `i_1` or
`i1` (a name follows `_`, else a name or a number: `gough.robot.actuator_columns`); and a known external wrench `fx` to
`mz`. Columns by which a pose is known twice, as in files that gough writes, are left aside.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gough.errors import GoughWarning, InputError
from gough.graph import Array
from gough.identification.recorded_forces import RecordedForces, from_table
from gough.motion import parse_units
from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import convention
from gough.motion.csv_header import named_columns, scale_of, unit_size
from gough.motion.csv_rows import read_lines, to_number
from gough.motion.faults import MotionError
from gough.motion.motion_table import Table
from gough.robot import Robot
from gough.robot.actuator_columns import DoubtfulColumn, column_actuator
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, measure

AMPERES = {"": 1.0, "A": 1.0, "mA": 1e-3}
_MARKS = (("q", "q"), *(("force", mark) for mark in ("force", "f", "tau", "torque")))
_MARKS += tuple(("current", mark) for mark in ("current", "i", "I"))
"""What a column of actuators is, by what it begins with."""
_RATE_ENDS = (("dd", RATES[2]), ("d", RATES[1]))
_KNOWN_TWICE = ("qd_", "qdd_", "power_", "status", "leg", "amount", "condition")


def read_recording(
    robot: Robot,
    path: str | Path,
    units: str = "",
    constants: float | Sequence[float] | None = None,
    smooth: str | float = "auto",
) -> RecordedForces:
    """The recording of a CSV file.

    Args:
        robot: The robot.
        path: The file.
        units: Units of columns without one, e.g. "mm,deg,ms"; SI and radians for what is not stated.
        constants: Force of each actuator per ampere, or one for all [N/A or N m/A]; where the file has currents.
        smooth: Where there are no accelerations: "auto", "none" or a cut-off period [s].
    Raises:
        MotionError: One line naming file, row and column, with the likely cause.
    """
    own = parse_units(units)
    lines = read_lines(path, f"the header {_example(robot)} and at least 20 rows")
    (number, cells), rows = lines[0], lines[1:]
    place = f"{path}:{number}"
    named = [
        (_own_name(robot, place, name), unit) for name, unit in named_columns(place, cells, robot.coordinate_names)
    ]
    wanted = _wanted(robot, place, [name for name, _ in named])
    places = [k for k, (name, _) in enumerate(named) if name in wanted]
    columns = [named[k][0] for k in places]
    scale = np.array([_scale(robot, place, *named[k], own) for k in places])
    given = np.empty((len(rows), len(places)))
    for i, (k, row) in enumerate(rows):
        if len(row) != len(cells):
            hint = "is the file cut off?" if len(row) < len(cells) else "decimal commas? write 0.5 for 0,5"
            raise MotionError(f"{path}:{k}", "", None, f"has {len(row)} cells, the header has {len(cells)}", hint)
        try:
            given[i] = [float(row[j]) for j in places]
        except ValueError:
            given[i] = [to_number(f"{path}:{k}", named[j][0], row[j]) for j in places]
    table = Table(str(path), tuple(columns), given, scale, lambda row: f"{path}:{rows[row][0]}")
    return from_table(robot, _with_forces(robot, table, constants), smooth)


def _example(robot: Robot) -> str:
    names = robot.actuator_names
    return f"t,{','.join(robot.coordinate_names)},force_{names[0]},...,force_{names[-1]}"


def _own_name(robot: Robot, place: str, name: str) -> str:
    """The name by which a column is known here."""
    if name in (*robot.coordinate_names, *WRENCH):
        return name
    for kind, mark in _MARKS:
        try:
            actuator = column_actuator(robot, name, mark)
        except DoubtfulColumn as doubt:
            raise MotionError(place, name, None, str(doubt), doubt.hint) from None
        if actuator is not None:
            return f"{kind}_{robot.actuator_names[actuator]}"
    rates = {f"{c}{end}": order + c for c in robot.coordinate_names for end, order in _RATE_ENDS}
    return rates.get(name, name)


def _wanted(robot: Robot, place: str, header: list[str]) -> list[str]:
    """Names of the columns that are used.

    Raises:
        MotionError: Columns that are missing or there twice.
    """
    poses, names = robot.coordinate_names, robot.actuator_names
    for k, name in enumerate(header):
        if name in header[:k]:
            raise MotionError(place, name, None, "is there twice")
    rates = [order + c for order in RATES[1:] for c in poses]
    by_pose = any(c in header for c in poses)
    motion = list(poses) if by_pose else [f"q_{a}" for a in names]
    effort = "current_" if any(name.startswith("current_") for name in header) else "force_"
    needed = ["t", *motion, *(f"{effort}{a}" for a in names)]
    missing = [name for name in needed if name not in header]
    if missing:
        near = did_you_mean(missing[0], [name for name in header if name not in needed], listed=False)
        what = f"a recording needs t, {'poses' if by_pose else 'poses or readings q_'}, and forces: {','.join(needed)}"
        raise MotionError(place, missing[0], None, "is missing", near or what)
    used = [*needed, *(rates if by_pose and all(rate in header for rate in rates) else []), *WRENCH]
    beside = {*rates, *(f"q_{a}" for a in names), *(f"{kind}{a}" for kind in ("force_", "current_") for a in names)}
    other = [n for n in header if n not in used and n not in beside and not n.startswith(_KNOWN_TWICE)]
    if other:
        listed = f"{', '.join(other[:5])}{' ...' if len(other) > 5 else ''}"
        warnings.warn(f"{place}: not used: {listed} (no name of this robot's)", GoughWarning, stacklevel=3)
    return used


def _scale(robot: Robot, place: str, column: str, unit: str, units: Units) -> float:
    """SI value of one unit of a column."""
    kind, _, actuator = column.partition("_")
    if kind not in ("q", "force", "current") or actuator not in robot.actuator_names:
        return scale_of(place, column, unit, convention(None).values(robot), units)
    if kind == "current":
        if unit not in AMPERES:
            raise MotionError(place, f"{column} [{unit}]", None, "its unit must be A or mA")
        return AMPERES[unit]
    turns = robot.actuators[robot.actuator_names.index(actuator)].turns
    what: Measure = measure("angle" if turns else "length", units)
    if kind == "force":
        what = measure("torque" if turns else "force", units)
    return unit_size(place, column, unit, what)


def _with_forces(robot: Robot, table: Table, constants: float | Sequence[float] | None) -> Table:
    """The table with forces for currents.

    Raises:
        InputError: Currents without their constants, or constants without currents.
    """
    currents = [name for name in table.columns if name.startswith("current_")]
    if not currents:
        if constants is not None:
            raise InputError(f"{table.source}: has forces: constants of motors are for currents (current_1, ...)")
        return table
    if constants is None:
        hint = "give --constant, the force per ampere at the actuator [N/A or N m/A]"
        raise InputError(f"{table.source}: has motor currents and nothing says what force they give ({hint})")
    each: Array = np.broadcast_to(np.asarray(constants, dtype=float), (len(robot.actuators),))
    if not np.isfinite(each).all() or (each == 0.0).any():
        raise InputError(f"constants: {constants}: must be finite and not zero")
    scale = table.scale.copy()
    for name, constant in zip(robot.actuator_names, each.tolist(), strict=True):
        scale[table.columns.index(f"current_{name}")] *= constant
    renamed = tuple(name.replace("current_", "force_", 1) for name in table.columns)
    return Table(table.source, renamed, table.given, scale, table.place)
