"""Recordings from CSV files.

Columns, in any order, each with its unit in brackets or without: `t`; the motion, either platform coordinates by their
names (with rates `xd_psi` and accelerations `xdd_psi`, also written `psid` and `psidd`) or readings of the actuators,
`q_1` or `q1`; what the actuators gave, either forces `force_1`, `f_1` or `f1`, or motor currents `current_1`, `i_1` or
`i1` (a name follows `_`, else a name or a number: `gough.robot.actuator_columns`); and a known external wrench `fx` to
`mz`. Columns by which a pose is known twice, as in files that gough writes, are left aside.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gough.errors import GoughWarning, InputError
from gough.graph import Array
from gough.identification.recorded_forces import RecordedForces, from_columns
from gough.motion import parse_units
from gough.motion.columns import RATES, WRENCH, Columns, Header, KnownColumns, any_case, pose_measures, read_columns
from gough.motion.conventions import convention
from gough.motion.faults import MotionError
from gough.robot import Mechanism, Robot
from gough.robot.actuator_columns import column_actuator
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
    rows = read_columns(path, _layout(robot, parse_units(units)), "at least 20 rows")
    return from_columns(robot, _with_forces(robot, rows, constants), smooth)


def _layout(robot: Robot, units: Units) -> KnownColumns:
    """Columns of recordings: motion, wrench, and `q_`, `force_`, `current_` of each actuator."""
    names = robot.actuator_names
    known: dict[str, Measure | Mapping[str, float]] = dict(pose_measures(convention(None).values(robot), units))
    for name, joint in zip(names, robot.actuators, strict=True):
        known[f"q_{name}"] = measure("angle" if joint.turns else "length", units)
        known[f"force_{name}"] = measure("torque" if joint.turns else "force", units)
        known[f"current_{name}"] = AMPERES
    rates = {f"{c}{end}": order + c for c in robot.coordinate_names for end, order in _RATE_ENDS}

    def resolve(name: str, _: Sequence[str]) -> str:
        own = any_case(name, ("t", *robot.coordinate_names))
        if own in (*robot.coordinate_names, *WRENCH):
            return own
        for kind, mark in _MARKS:
            if (actuator := column_actuator(robot, own, mark)) is not None:
                return f"{kind}_{names[actuator]}"
        return rates.get(own, own)

    example = f"the header t,{','.join(robot.coordinate_names)},force_{names[0]},...,force_{names[-1]}"
    return KnownColumns(
        known, example, lambda _name, _header: None, lambda header: _used(robot, header, known), resolve
    )


def _used(robot: Mechanism, header: Header, known: Collection[str]) -> list[str]:
    """Names of the columns that are used.

    Raises:
        MotionError: Columns are missing.
    """
    poses, names, columns = robot.coordinate_names, robot.actuator_names, header.names
    rates = [order + c for order in RATES[1:] for c in poses]
    by_pose = any(c in columns for c in poses)
    motion = list(poses) if by_pose else [f"q_{a}" for a in names]
    effort = "current_" if any(name.startswith("current_") for name in columns) else "force_"
    needed = ["t", *motion, *(f"{effort}{a}" for a in names)]
    missing = [name for name in needed if name not in columns]
    if missing:
        near = did_you_mean(missing[0], [name for name in columns if name not in needed], listed=False)
        what = f"a recording needs t, {'poses' if by_pose else 'poses or readings q_'}, and forces: {','.join(needed)}"
        raise MotionError(header.place, missing[0], None, "is missing", near or what)
    other = [name for name in columns if name not in known and not name.startswith(_KNOWN_TWICE)]
    if other:
        listed = f"{', '.join(other[:5])}{' ...' if len(other) > 5 else ''}"
        warnings.warn(f"{header.place}: not used: {listed} (no name of this robot's)", GoughWarning, stacklevel=4)
    return [*needed, *(rates if by_pose and all(rate in columns for rate in rates) else []), *WRENCH]


def _with_forces(robot: Mechanism, rows: Columns, constants: float | Sequence[float] | None) -> Columns:
    """The rows with forces for currents.

    Raises:
        InputError: Currents without their constants, or constants without currents.
    """
    if not any(name.startswith("current_") for name in rows.given):
        if constants is not None:
            raise InputError(f"{rows.source}: has forces: constants of motors are for currents (current_1, ...)")
        return rows
    if constants is None:
        hint = "give --constant, the force per ampere at the actuator [N/A or N m/A]"
        raise InputError(f"{rows.source}: has motor currents and nothing says what force they give ({hint})")
    each: Array = np.broadcast_to(np.asarray(constants, dtype=float), (len(robot.actuators),))
    if not np.isfinite(each).all() or (each == 0.0).any():
        raise InputError(f"constants: {constants}: must be finite and not zero")
    of_currents = dict(zip((f"current_{name}" for name in robot.actuator_names), each.tolist(), strict=True))
    new = {name: name.replace("current_", "force_", 1) if name in of_currents else name for name in rows.given}
    scale = {new[name]: scale * of_currents.get(name, 1.0) for name, scale in rows.scale.items()}
    return replace(rows, given={new[name]: values for name, values in rows.given.items()}, scale=scale)
