"""Motions from arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.motion.curve import Array
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.motion.named import WRENCH
from gough.motion.table import Table, table_motion
from gough.robot import Robot


def from_arrays(
    robot: Robot, t: Any, x: Any, xd: Any = None, xdd: Any = None, wrench: Any = None, name: str = "arrays"
) -> Motion:
    """The motion through samples; between them as `gough.motion.table` says.

    Args:
        robot: Whose coordinates.
        t: (N,) increasing times, N >= 2 [s].
        x, xd, xdd: (N, n) coordinates, rates, accelerations [m or rad, per s, per s^2].
        wrench: (N, 6) on the platform, base axes, force first [N, N m].
        name: For tables and messages.
    Raises:
        MotionError: Wrong shapes, or what `table_motion` refuses.
    """
    if xdd is not None and xd is None:
        raise MotionError(name, "xdd", None, "accelerations need rates too", "give xd")
    return table_motion(robot, _table(robot, name, t, x, xd, xdd, wrench), name)


def through(robot: Robot, t: Any, x: Any, wrench: Any = None, name: str = "waypoints") -> Motion:
    """The quintic spline through waypoints x (N, n) at times t (N,), at rest at the first and the last; C4."""
    return table_motion(robot, _table(robot, name, t, x, None, None, wrench), name, rest=True)


def _table(robot: Robot, name: str, t: Any, x: Any, xd: Any, xdd: Any, wrench: Any) -> Table:
    coordinates = [c.name for c in robot.platform.coordinates]
    times = _array(name, "t", t)
    if times.ndim != 1:
        raise MotionError(name, "t", None, f"must have shape (N,), has {times.shape}")
    blocks, columns = [times[:, None]], ["t"]
    entries = [("x", "", x), ("xd", "_d", xd), ("xdd", "_dd", xdd)]
    wanted: list[tuple[str, Any, Sequence[str]]] = [(key, v, [c + end for c in coordinates]) for key, end, v in entries]
    for key, values, names in [*wanted, ("wrench", wrench, WRENCH)]:
        if values is None and key != "x":
            continue
        block = _array(name, key, values)
        if block.shape != (len(times), len(names)):
            allowed = f"must have shape ({len(times)}, {len(names)}), has {block.shape}"
            raise MotionError(name, key, None, allowed, f"one row per time, columns {', '.join(names)}")
        blocks.append(block)
        columns += names
    given = np.hstack(blocks)
    return Table(name, tuple(columns), given, np.ones(len(columns)), lambda row: f"{name}: row {row}")


def _array(name: str, key: str, values: Any) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind in "iuf":
            return array.astype(float)
    except (ValueError, TypeError):
        pass
    raise MotionError(name, key, None, "must be an array of real numbers")
