"""What every call checks of the robot and the numbers it is given."""

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
        given: Arrays (k,) or (N, k) by name: forces, a wrench, and values per platform coordinate.
    """
    for name, value in given.items():
        if (good := np.isfinite(values := np.asarray(value, dtype=float))).all():
            continue
        *row, column = np.argwhere(~good)[0].tolist()
        where = f"sample {row[0]}: " if row else ""
        raise InputError(f"{name}: {where}{_entry(robot, name, column)} is {values[(*row, column)]}: must be finite")


def _entry(robot: Robot, name: str, column: int) -> str:
    if name == "wrench":
        return WRENCH[column]
    if name in ("force", "q"):
        return f"actuator {robot.actuator_names[column]}"
    names = robot.coordinate_names
    return names[column] if column < len(names) and name in ("x", "xd", "xdd", "guess") else f"entry {column}"
