"""What is wrong with the rows of a recording, one line each with the likely cause."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from gough.errors import GoughWarning
from gough.graph import Array
from gough.kinematics.forward import forward_kinematics
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.status import Status
from gough.motion.columns import RATES, WRENCH, Columns
from gough.motion.faults import LARGEST_TURN, MotionError, missing_rows, number
from gough.motion.rows import check_finite, unwrapped
from gough.motion.smooth import FEWEST
from gough.robot import Mechanism, Robot
from gough.robot.mechanism import FARTHEST, size

SLOWEST = 0.5
"""Steps of time beyond which rows are no recording of a motion [s]."""


def check_values(robot: Mechanism, rows: Columns) -> None:
    """Refuse rows that are too few or not in the order of time, clocks that jump, columns that stand still.

    Raises:
        MotionError: One line with the likely cause.
    """
    if len(rows) < FEWEST:
        problem = f"has {len(rows)} rows: a recording needs at least {FEWEST}"
        raise MotionError(rows.source, "", None, problem, "cut off?")
    check_finite(rows)
    _check_times(rows)
    for name, values in rows.given.items():
        if np.ptp(values) > 0.0 or name in WRENCH:
            continue
        if name in robot.coordinate_names:
            still = f"{rows.source}: {name} is {number(float(values[0]))} in every row"
            line = f"{still}: parameters that only its motion shows are not determined"
            warnings.warn(line, GoughWarning, stacklevel=2)
        elif not name.startswith(tuple(rate for rate in RATES if rate)):
            allowed = "is the same in every row"
            raise rows.error(0, name, allowed, "sensor not connected, or a column of the wrong name?")


def _check_times(rows: Columns) -> None:
    t = rows["t"]
    steps = np.diff(t)
    back = np.flatnonzero(steps <= 0.0)
    if len(back):
        row = int(back[0]) + 1
        before = number(float(rows.given["t"][row - 1]))
        hint = "the clock jumped back, or two recordings are in one file: cut it there"
        raise rows.error(row, "t", f"must be later than the row before, {before}", hint)
    if gaps := missing_rows(t):
        allowed = f"comes {number(gaps[0].step)} s after the row before, the others {number(gaps[0].usual)} s"
        raise rows.error(gaps[0].row, "t", allowed, "the clock jumped, or rows were lost: cut the recording there")
    usual = float(np.median(steps))
    if usual > SLOWEST and rows.scale["t"] == 1.0:
        allowed = f"rows are {number(usual)} s apart: too slow for a recording"
        raise MotionError(rows.source, "t", None, allowed, "milliseconds? say --units ms, or call the column t [ms]")


def check_readings(robot: Mechanism, rows: Columns) -> None:
    """Refuse readings of actuators so large that their unit must be another.

    Raises:
        MotionError: One line with the likely unit.
    """
    reach = FARTHEST * (size(robot) or math.inf)
    for name, joint in zip(robot.actuator_names, robot.actuators, strict=True):
        column = f"q_{name}"
        limit = 4.0 * LARGEST_TURN if joint.turns else reach
        far = np.flatnonzero(np.abs(rows[column]) > limit)
        if len(far):
            allowed = "is several turns" if joint.turns else f"is more than {FARTHEST:.0f} times the robot's size"
            raise rows.error(
                int(far[0]), column, allowed, f"{'degrees' if joint.turns else 'millimetres'}? say --units"
            )


def check_rows(robot: Robot, rows: Columns, q: Array) -> None:
    """Refuse readings (N, actuators) whose first row no pose near home belongs to.

    Raises:
        MotionError: With the first cause that would explain it.
    """
    found = forward_kinematics(robot, q[:1])
    if found.status[0] <= Status.NEAR_SINGULAR:
        return
    hint = next(_causes(robot, q[0]), "are zeros, signs and order of the actuators those of the robot's file?")
    raise MotionError(rows.place(0), "", None, "no pose on the way from home has these displacements", hint)


def _causes(robot: Robot, q: Array) -> Iterator[str]:
    """What would make a row of readings (actuators,) one of the robot, most likely first."""
    home = inverse_kinematics(robot, robot.platform.home).q
    turns = np.array([joint.turns for joint in robot.actuators])
    tries = [(np.where(turns, q, 1e-3 * q), "millimetres? say --units mm")] if not turns.all() else []
    tries += [(np.where(turns, np.radians(q), q), "degrees? say --units deg")] if turns.any() else []
    tries += [(q + home, "counted from home? add the displacements at home"), (-q, "counted the other way?")]
    for a, b in combinations(range(len(q)), 2):
        swapped = q.copy()
        swapped[[a, b]] = q[[b, a]]
        names = f"q_{robot.actuator_names[a]} and q_{robot.actuator_names[b]}"
        tries.append((swapped, f"columns {names} exchanged?"))
    for trial, hint in tries:
        if forward_kinematics(robot, trial[None]).status[0] <= Status.NEAR_SINGULAR:
            yield hint


def check_poses(robot: Robot, rows: Columns) -> None:
    """Refuse poses that the robot cannot take.

    Raises:
        MotionError: The first, with the likely cause.
    """
    x = np.stack(
        [
            _values(rows, name, c.turns)
            for name, c in zip(robot.coordinate_names, robot.platform.coordinates, strict=True)
        ],
        axis=1,
    )
    found = inverse_kinematics(robot, x)
    lost = np.flatnonzero(found.status > Status.NEAR_SINGULAR)
    if not len(lost):
        return
    row = int(lost[0])
    leg = robot.legs[int(found.leg[row])].name if found.leg[row] >= 0 else ""
    turned = [c.turns and np.abs(x[:, k]).max() > 1.0 for k, c in enumerate(robot.platform.coordinates)]
    hint = "angles in degrees? say --units deg" if any(turned) else "is it this robot, in these units and coordinates?"
    share = f"in {len(lost)} of {len(x)} rows" if len(lost) > 1 else "in this row"
    raise MotionError(rows.place(row), "", None, f"out of reach{f' of leg {leg}' if leg else ''} {share}", hint)


def _values(rows: Columns, name: str, turns: bool) -> Array:
    return unwrapped(rows, name) if turns else rows[name]
