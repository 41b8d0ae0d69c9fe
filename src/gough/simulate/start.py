"""Where a simulation starts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.kinematics import PoseError, inverse_kinematics
from gough.kinematics.status import Status
from gough.robot import Robot

Array = NDArray[np.float64]


def start_state(robot: Robot, start: Any) -> tuple[Array, Array]:
    """Platform coordinates and rates (n,) to start from.

    Args:
        robot: Whose.
        start: None for home at rest, x (n,) for a pose at rest, or the pair (x, xd).

    Raises:
        InputError: Wrong sizes, or numbers that are not finite.
        PoseError: Out of reach, or no solution.
    """
    n = len(robot.platform.coordinates)
    if start is None:
        x, xd = robot.platform.home, np.zeros(n)
    elif isinstance(start, tuple) and len(start) == 2 and np.ndim(start[0]) == 1:
        x, xd = start
    else:
        x, xd = start, np.zeros(n)
    pose, rates = _vector(robot, "start pose", x), _vector(robot, "start velocity", xd)
    try:
        found = inverse_kinematics(robot, pose)
    except PoseError as error:
        raise PoseError(error.status, error.leg, error.amount, "start") from None
    if found.status == Status.NEAR_SINGULAR and not np.isfinite(found.K).all():
        raise PoseError(Status.NEAR_SINGULAR, "", 0.0, "start")
    return pose, rates


def _vector(robot: Robot, what: str, values: Any) -> Array:
    names = [c.name for c in robot.platform.coordinates]
    expected = f"expected {len(names)}: {', '.join(names)}"
    try:
        vector = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: {values!r} given, {expected}") from None
    if vector.shape != (len(names),):
        given = f"{vector.size} numbers" if vector.ndim == 1 else f"shape {vector.shape}"
        raise InputError(f"{what}: {given} given, {expected}")
    if not np.isfinite(vector).all():
        name = names[int(np.argmin(np.isfinite(vector)))]
        raise InputError(f"{what}: {name} is not a finite number")
    return vector


def positive(what: str, value: Any, unit: str = "s") -> float:
    """The number, if it is finite and above zero."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not (np.isfinite(number) and number > 0.0):
        shown = value if isinstance(value, (str, int, float)) else repr(value)
        raise InputError(f"{what}: {shown} given, must be a positive number [{unit}]")
    return number
