"""Where the robots of an ensemble start."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError, NumericalError
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.status import sentence
from gough.resources import check_memory
from gough.robot import Robot
from gough.simulation.start import start_state

Array = NDArray[np.float64]

ROBOT_BYTES = 2.5e3
"""Per coordinate of each robot: states, stages, statistics; measured on stewart."""


def many_starts(robot: Robot, start: Any, count: int | None) -> tuple[Array, Array]:
    """x and xd (N, n), every one reached: N equal ones, or those given.

    Raises:
        InputError: Wrong shapes, or a count that is none or not that of the starts.
        NumericalError: A start is out of reach.
    """
    pair = isinstance(start, tuple) and len(start) == 2
    many = [part for part in (start if pair else (start,)) if part is not None and np.ndim(part) == 2]
    if not many:
        x, xd = start_state(robot, start)
        number = 1 if count is None else count
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise InputError(f"count: {count!r} given, must be a whole number from 1 on")
        what = "robots at a time (first= numbers the rest)"
        check_memory(f"count {number:g}", int(number), len(x) * ROBOT_BYTES, what)
        return np.tile(x, (number, 1)), np.tile(xd, (number, 1))
    number = len(many[0])
    if count is not None and count != number:
        raise InputError(f"count: {count} given, but there are {number} starts")
    rows = (
        [np.broadcast_to(np.asarray(part, dtype=float), (number, np.shape(part)[-1])) for part in start] if pair else []
    )
    x, xd = rows if pair else (np.asarray(start, dtype=float), np.zeros(np.shape(start)))
    start_state(robot, (x[0], xd[0]))
    found = inverse_kinematics(robot, x)
    lost = np.flatnonzero(found.status > Status.NEAR_SINGULAR)
    if len(lost):
        k = int(lost[0])
        leg = robot.legs[int(found.leg[k])].name
        raise NumericalError(f"start: robot {k}: {sentence(Status(int(found.status[k])), leg, float(found.amount[k]))}")
    return np.ascontiguousarray(x), np.ascontiguousarray(xd)
