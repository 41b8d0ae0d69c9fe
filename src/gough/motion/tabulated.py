"""Motions from arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array
from gough.motion.column_names import RATES
from gough.motion.conventions import Convention
from gough.motion.conventions import convention as convention_of
from gough.motion.faults import MotionError
from gough.motion.in_convention import in_own_coordinates
from gough.motion.motion import Motion
from gough.motion.named import WRENCH
from gough.motion.recording import smooth_of
from gough.motion.table import Table, table_motion
from gough.motion.waypoint_splines import spline_of
from gough.robot import Robot


def from_arrays(
    robot: Robot,
    t: ArrayLike,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    xdd: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    name: str = "arrays",
    convention: str | Convention | None = None,
    pivot: Sequence[float | str] | None = None,
    smooth: str | float | None = None,
) -> Motion:
    """The motion through samples; between them as `gough.motion.table` says.

    Args:
        robot: Whose coordinates.
        t: (N,) increasing times, N >= 2 [s].
        x, xd, xdd: (N, n) coordinates, rates, accelerations [m or rad, per s, per s^2].
        wrench: (N, 6) on the platform, base axes, force first [N, N m].
        name: For tables and messages.
        convention: Of which x are the values, by name; the robot's own coordinates if left out.
        pivot: (3,) point of the platform whose place they state, platform axes [m].
        smooth: As of `read_csv`.
    Raises:
        MotionError: Wrong shapes, or what `table_motion` refuses.
    """
    stated = convention_of(convention, pivot)
    if xdd is not None and xd is None:
        raise MotionError(name, "xdd", None, "accelerations need rates too", "give xd")
    table = _table(robot, name, (t, x, xd, xdd, wrench), stated)
    return table_motion(robot, table, name, smooth=smooth_of(smooth))


def through(
    robot: Robot,
    t: ArrayLike,
    x: ArrayLike,
    wrench: ArrayLike | None = None,
    name: str = "waypoints",
    law: str = "minimum-jerk",
    convention: str | Convention | None = None,
    pivot: Sequence[float | str] | None = None,
    smooth: str | None = None,
) -> Motion:
    """The spline through waypoints, at rest at the first and the last.

    Args:
        robot: Whose coordinates.
        t, x, wrench, name, convention, pivot: As `from_arrays` takes them.
        law: Between two points and through many: minimum-jerk, the quintic spline (C4), or trig3, the trigonometric
            spline of third order (C2).
        smooth: "none" takes waypoints as given where they look like noise.
    """
    table = _table(robot, name, (t, x, None, None, wrench), convention_of(convention, pivot))
    return table_motion(robot, table, name, spline_of(law), smooth_of(smooth))


def _table(robot: Robot, name: str, given: tuple[ArrayLike | None, ...], stated: Convention) -> Table:
    t, x, xd, xdd, wrench = given
    coordinates = [value.name for value in stated.values(robot)]
    times = _array(name, "t", t)
    if times.ndim != 1:
        raise MotionError(name, "t", None, f"must have shape (N,), has {times.shape}")
    blocks, columns = [times[:, None]], ["t"]
    entries = zip(("x", "xd", "xdd"), RATES, (x, xd, xdd), strict=True)
    wanted: list[tuple[str, ArrayLike | None, Sequence[str]]] = [
        (key, v, [order + c for c in coordinates]) for key, order, v in entries
    ]
    for key, values, names in [*wanted, ("wrench", wrench, WRENCH)]:
        if values is None and key != "x":
            continue
        block = _array(name, key, values)
        if block.shape != (len(times), len(names)):
            allowed = f"must have shape ({len(times)}, {len(names)}), has {block.shape}"
            raise MotionError(name, key, None, allowed, f"one row per time, columns {', '.join(names)}")
        blocks.append(block)
        columns += names
    table = Table(name, tuple(columns), np.hstack(blocks), np.ones(len(columns)), lambda row: f"{name}: row {row}")
    return in_own_coordinates(robot, table, stated)


def _array(name: str, key: str, values: ArrayLike | None) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind in "iuf":
            return array.astype(float)
    except (ValueError, TypeError):
        pass
    raise MotionError(name, key, None, "must be an array of real numbers")
