"""What inverse dynamics checks of the numbers it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.robot import Robot

WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")


def check_robot(robot: Any) -> None:
    """Refuse what is not a robot, such as its name."""
    if not isinstance(robot, Robot):
        given = repr(robot) if isinstance(robot, str) else type(robot).__name__
        raise InputError(f"robot: {given} given, expected a Robot: gough.load(name or file)")


def check_finite(robot: Robot, given: Mapping[str, Any]) -> None:
    """Refuse numbers that are not finite, with the place of the first: sample and coordinate.

    Args:
        robot: Whose motion.
        given: Arrays (k,) or (N, k) by name: x, xd, xdd and wrench; None for what is not there.
    """
    coordinates = tuple(c.name for c in robot.platform.coordinates)
    for name, value in given.items():
        if value is None or (good := np.isfinite(values := np.asarray(value, dtype=float))).all():
            continue
        *row, column = np.argwhere(~good)[0].tolist()
        where = f"sample {row[0]}: " if row else ""
        entry = (WRENCH if name == "wrench" else coordinates)[column]
        raise InputError(f"{name}: {where}{entry} is {values[(*row, column)]}: must be finite")


def times_of(time: Any, rows: int | None) -> Any:
    """Times as an array of floats: (rows,), or a single one for rows None; None stays None.

    Raises:
        InputError: Not that many, or not finite numbers.
    """
    if time is None:
        return None
    try:
        times = np.asarray(time, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"time: {str(time)[:40]!r} given, expected seconds") from None
    shape = () if rows is None else (rows,)
    if times.shape != shape:
        raise InputError(f"time: shape {times.shape} given, expected {shape}, one per sample")
    if not np.isfinite(times).all():
        raise InputError("time: must be finite")
    return times
