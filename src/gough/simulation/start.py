"""Where a simulation starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.kinematics import PoseError, inverse_kinematics
from gough.kinematics.status import Status
from gough.motion.pose import PoseLike, parse_pose, parse_rates
from gough.robot import Robot
from gough.robot.actuator_quantities import has_text
from gough.robot.quantities import QuantityError, measure, quantity

Array = NDArray[np.float64]


StartLike: TypeAlias = PoseLike | tuple[PoseLike, PoseLike] | None
"""A pose at rest, or a pose and its rates; None is home."""


def start_state(robot: Robot, start: StartLike) -> tuple[Array, Array]:
    """Platform coordinates and rates (n,) to start from.

    Args:
        robot: Whose.
        start: None for home at rest, x (n,) for a pose at rest, or the pair (x, xd); each may be a text,
            "z=2.1,psi=5deg" and "z=20mm/s".

    Raises:
        InputError: Wrong sizes, or numbers that are not finite.
        PoseError: Out of reach, or no solution.
    """
    n = robot.dof
    given: Any = start
    if given is None:
        x, xd = robot.platform.home, np.zeros(n)
    elif isinstance(given, tuple) and len(given) == 2 and (np.ndim(given[0]) == 1 or _is_pose(given[0])):
        x, xd = given
    else:
        x, xd = given, np.zeros(n)
    pose = _vector(robot, "start pose", parse_pose(robot, x, "start pose") if _in_words(x) else x)
    rates = _vector(robot, "start velocity", parse_rates(robot, xd, 1, "start velocity") if _in_words(xd) else xd)
    try:
        found = inverse_kinematics(robot, pose)
    except PoseError as error:
        raise PoseError(error.status, error.leg, error.amount, "start") from None
    if found.status == Status.NEAR_SINGULAR and not np.isfinite(found.K).all():
        raise PoseError(Status.NEAR_SINGULAR, "", 0.0, "start")
    return pose, rates


def _is_pose(value: Any) -> bool:
    """Whether a value is a whole pose in words, not one of its numbers."""
    return isinstance(value, Mapping) or (isinstance(value, str) and ("=" in value or "," in value or value == "home"))


def _in_words(value: Any) -> bool:
    return isinstance(value, Mapping) or has_text(value)


def _vector(robot: Robot, what: str, values: Any) -> Array:
    names = robot.coordinate_names
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
    """The number, if it is finite and above zero; it may be a text with its unit, "20 ms"."""
    try:
        number = quantity(value, measure("frequency" if unit == "Hz" else "time"))
    except QuantityError:
        number = float("nan")
    if isinstance(value, bool) or not (np.isfinite(number) and number > 0.0):
        shown = value if isinstance(value, (str, int, float)) else repr(value)
        raise InputError(f"{what}: {shown} given, must be a positive number [{unit}]")
    return number
