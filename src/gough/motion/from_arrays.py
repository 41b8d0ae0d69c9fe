"""Motions from arrays, in the robot's own coordinates or in a convention's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array
from gough.motion.columns import RATES, WRENCH, Columns, array_columns
from gough.motion.conventions import Convention, NotMet
from gough.motion.conventions import convention as convention_of
from gough.motion.faults import LARGEST_TURN, MotionError
from gough.motion.motion import Motion
from gough.motion.motion_table import check_rows, table_motion, unwrapped
from gough.motion.recording import bridge_of, smooth_of
from gough.motion.waypoint_splines import spline_of
from gough.robot import Mechanism, Robot
from gough.robot.file.units import Units


def in_own_coordinates(robot: Robot, rows: Columns, convention: Convention, units: Units | None = None) -> Columns:
    """The same rows in the robot's own coordinates, with rates and accelerations where they have them.

    Args:
        robot: The robot whose coordinates they are.
        rows: Columns t, values of the convention, `xd_`, `xdd_` of them, wrench; values without a column stay at home.
        convention: Convention of the columns.
        units: Units of the new columns, for messages.
    Raises:
        MotionError: Rows that are no motion, or that the robot has no coordinates for.
    """
    if convention.name == "robot":
        return rows
    check_rows(rows)
    stated, size = convention.values(robot), units or Units()
    home = convention.stated(robot, robot.platform.home)
    given = [order for order in RATES if any(order + value.name in rows for value in stated)]
    values = [np.zeros((len(rows), len(stated))) for _ in given or [""]]
    values[0][:] = home
    for k, value in enumerate(stated):
        if value.name not in rows:
            continue
        if value.turns:
            _check_turns(rows, value.name, home[k])
        for block, order in zip(values, given, strict=False):
            block[:, k] = rows[order + value.name]
    try:
        solved = convention.solved_rows(robot, values[0], *_padded(values[1:]), units=size)
    except NotMet as error:
        raise MotionError(rows.place(error.row), "", None, error.reason) from None
    return _own_columns(robot, rows, solved, size)


def _padded(rows: list[Array]) -> tuple[Array | None, Array | None]:
    """Rates and accelerations, None where there are none."""
    return (rows[0] if rows else None, rows[1] if len(rows) > 1 else None)


def _check_turns(rows: Columns, name: str, home: float) -> None:
    """Refuse angles that are degrees taken for radians, and steps that could be either way."""
    far = np.flatnonzero(np.abs(rows[name] - home) > LARGEST_TURN)
    if len(far):
        hint = "degrees? say --units deg" if rows.scale[name] == 1.0 else ""
        raise rows.error(int(far[0]), name, "is more than a turn from home", hint)
    unwrapped(rows, name)


def _own_columns(robot: Mechanism, rows: Columns, solved: tuple[Array, ...], units: Units) -> Columns:
    """Return the rows with `solved` (N, n), values, rates and accelerations, in the place of the convention's."""
    given = {name: values for name, values in rows.given.items() if name == "t" or name in WRENCH}
    scale = {name: rows.scale[name] for name in given}
    for order, values in zip(RATES, solved, strict=False):
        for c, column in zip(robot.platform.coordinates, values.T, strict=True):
            scale[order + c.name] = units.angle if c.turns else units.length
            given[order + c.name] = column / scale[order + c.name]
    return replace(rows, given=given, scale=scale)


def from_arrays(
    robot: Robot,
    t: ArrayLike,
    x: ArrayLike,
    xd: ArrayLike | None = None,
    xdd: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    name: str = "arrays",
    convention: str | Convention | None = None,
    smooth: str | float | None = None,
    bridge: str | float | None = None,
) -> Motion:
    """The motion through samples; between them as `gough.motion.motion_table` says.

    Args:
        robot: The robot whose coordinates they are.
        t: (N,) increasing times, N >= 2 [s].
        x, xd, xdd: (N, n) coordinates, rates, accelerations [m or rad, per s, per s^2].
        wrench: (N, 6) on the platform, base axes, force first [N, N m].
        name: For tables and messages.
        convention: Convention in which x is stated, by name; the robot's own coordinates if left out.
        smooth, bridge: As in `read_csv`.
    Raises:
        MotionError: Wrong shapes, or what `table_motion` refuses.
    """
    stated = convention_of(convention)
    if xdd is not None and xd is None:
        raise MotionError(name, "xdd", None, "accelerations need rates too", "give xd")
    rows = _columns(robot, name, (t, x, xd, xdd, wrench), stated)
    return table_motion(robot, rows, name, smooth=smooth_of(smooth), bridge=bridge_of(bridge))


def through(
    robot: Robot,
    t: ArrayLike,
    x: ArrayLike,
    wrench: ArrayLike | None = None,
    name: str = "waypoints",
    law: str = "minimum-jerk",
    convention: str | Convention | None = None,
    smooth: str | None = None,
) -> Motion:
    """The spline through waypoints, at rest at the first and the last.

    Args:
        robot: The robot whose coordinates they are.
        t, x, wrench, name, convention: As `from_arrays` takes them.
        law: Between two points and through many: minimum-jerk, the quintic spline (C4), or trig3, the trigonometric
            spline of third order (C2).
        smooth: "none" takes waypoints as given where they look like noise.
    """
    rows = _columns(robot, name, (t, x, None, None, wrench), convention_of(convention))
    return table_motion(robot, rows, name, spline_of(law), smooth_of(smooth))


def _columns(robot: Robot, name: str, given: tuple[ArrayLike | None, ...], stated: Convention) -> Columns:
    t, x, xd, xdd, wrench = given
    coordinates = [value.name for value in stated.values(robot)]
    times = _array(name, "t", t)
    if times.ndim != 1:
        raise MotionError(name, "t", None, f"must have shape (N,), has {times.shape}")
    columns = {"t": times}
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
        columns |= dict(zip(names, block.T, strict=True))
    return in_own_coordinates(robot, array_columns(name, columns), stated)


def _array(name: str, key: str, values: ArrayLike | None) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind in "iuf":
            return array.astype(float)
    except (ValueError, TypeError):
        pass
    raise MotionError(name, key, None, "must be an array of real numbers")
