"""`gough fk --displacements FILE.csv`: poses for a list of actuator displacements, each from the one before."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.calls import bind
from gough.cli.fk import INCONSISTENT, UNFIT
from gough.cli.list_output import list_form, list_table, list_units, rows_by_status, tell_rows, write_list
from gough.cli.pose_options import PoseOptions
from gough.display import Display
from gough.graph import Array
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.status import sentence
from gough.motion.columns import CsvLayout, parse_columns
from gough.motion.files import read_displacements
from gough.robot import Robot
from gough.table.result import robot_block


class Followed(NamedTuple):
    """Poses of N rows, each at the end of the path from the last one found.

    Attributes:
        x: (N, n) platform coordinates; NaN where there is no pose.
        status: (N,) of `Status`; NOT_FINITE in rows without displacements.
        leg, amount: (N,) as in `gough.kinematics.status.Verdict`.
        residual: (N,) what the pose misses of the displacements [m or rad].
    """

    x: Array
    status: Array
    leg: Array
    amount: Array
    residual: Array


def solve_displacements(
    robot: Robot, start: Sequence[float], path: str, out: str, relative: bool, columns: str | None, solving: PoseOptions
) -> int:
    """The exit code of a list of displacements: 0 all rows have their pose, 3 some have none or are near singular.

    Args:
        robot: The robot.
        start: (n,) pose from which the first row is sought.
        path: The file of displacements.
        out: File to write; empty for standard output.
        relative, columns: As stated.
        solving: Format, units and convention.
    """
    form = list_form(out, solving)
    stated = solving.poses
    home = inverse_kinematics(robot, robot.platform.home).q.tolist()
    given = read_displacements(robot, path, home, CsvLayout(solving.given, parse_columns(columns), relative))
    found = followed(robot, given.q, start)
    words = _words(robot, given.q, found, list_units(form, solving))
    dependent = dependent_coordinates(robot, found.x)[0] if robot.dependent_names else None
    travel = robot_block(robot, "q", given.q, "actuator")
    write_list(list_table(robot, given.t, found.x, dependent, travel, stated, words), form, out, solving)
    if given.left_out:
        print(f"gough: note: {', '.join(given.left_out)} not given, taken as at home", file=sys.stderr)
    kinds = rows_by_status(found.status)
    told = {("without displacements" if kind == Status.NOT_FINITE.text else kind): rows for kind, rows in kinds.items()}
    tell_rows(told.items(), given.lines, "row")
    return 3 if kinds else 0


def followed(robot: Robot, q: Array, start: Sequence[float]) -> Followed:
    """Poses at displacements q (N, actuators), each sought from the last pose found, the first from `start` (n,)."""
    call = bind(robot, "fk")
    guess, asked = call.inputs["guess"], call.inputs["q"]
    guess[:] = start
    count = len(q)
    x, residual = np.full((count, robot.dof), np.nan), np.full(count, np.nan)
    status, leg, amount = np.full(count, int(Status.NOT_FINITE)), np.full(count, -1), np.zeros(count)
    for k in np.flatnonzero(np.isfinite(q).all(axis=1)).tolist():
        asked[:] = q[k]
        status[k] = call()
        if status[k] != Status.FINE:
            leg[k], amount[k] = call.leg, call.amount
        if status[k] <= Status.NEAR_SINGULAR:
            x[k], residual[k] = call.outputs["x"], call.outputs["residual"]
            guess[:] = x[k]
    return Followed(x, status, leg, amount, residual)


def _words(robot: Robot, q: Array, found: Followed, display: Display) -> list[str]:
    """The status of each row in words."""
    words = [Status.FINE.text] * len(q)
    for row in np.flatnonzero(found.status != Status.FINE).tolist():
        status, leg = Status(int(found.status[row])), int(found.leg[row])
        if status == Status.NOT_FINITE:
            missing = [name for name, value in zip(robot.actuator_names, q[row], strict=True) if not np.isfinite(value)]
            words[row] = f"no displacement of {', '.join(missing)}"
        elif status == Status.NEAR_SINGULAR:
            words[row] = status.text
        else:
            words[row] = sentence(status, robot.legs[leg].name if leg >= 0 else "", float(found.amount[row]), display)
    if robot.actuation is not None:
        for row in np.flatnonzero(found.residual > INCONSISTENT).tolist():
            words[row] += f"; {UNFIT} (residual {found.residual[row]:.2g})"
    return words
