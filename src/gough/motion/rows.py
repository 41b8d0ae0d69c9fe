"""The motion through rows of a file or of arrays, in the robot's own coordinates or in those of a convention.

Turning coordinates that jump by about a whole turn from one row to the next (to within a quarter turn) are unwrapped;
any other step of more than half a turn is refused. One or two rows missing among evenly spaced ones are bridged, with a
warning; longer gaps only where the caller says up to which length. Between rows:

| columns | the motion | continuous derivatives |
|---|---|---|
| values | quintic spline, not-a-knot ends; fewer than 6 rows: one polynomial | 4 |
| values and rates | quintic Hermite with accelerations that make it C3 | 3 |
| values, rates and accelerations | quintic Hermite | 2 |
| wrench | straight lines | 0 |

With `smooth` the first two are a smoothing spline of degree 7 instead, see `gough.motion.smooth`.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from gough.errors import GoughWarning
from gough.graph import Array
from gough.motion.columns import RATES, WRENCH, Columns, array_columns, wrench_rows
from gough.motion.conventions import OWN, Convention, NoSuchPose
from gough.motion.conventions import convention as convention_of
from gough.motion.curves import Curve, linear
from gough.motion.faults import DEGREES, LARGEST_TURN, Gap, MotionError, missing_rows, number, too_far
from gough.motion.motion import Motion
from gough.motion.recording import Recording, Smooth, bridge_of, recorded, smooth_of, without_noise
from gough.motion.splines import accelerations, at_rest, hermite, through_rows
from gough.motion.state import State
from gough.robot import Mechanism, Robot
from gough.robot.file.units import Units

SHARE = 0.25
ROUNDING = 1e-6
FEWEST = 5
BRIDGED = 2
"""So many rows missing one after another are bridged by the curve through the others, with a warning."""


def check_rates(rows: Columns, column: str, t: Array, values: Array, rates: Array) -> None:
    """Refuse rates (N,) that are not those of values (N,) at times t (N,)."""
    if len(t) < FEWEST:
        return
    h = np.diff(t)
    slope = np.diff(values) / h
    around = sliding_window_view(np.pad(slope, 2, mode="edge"), 5)
    beside = around.max(axis=1) - around.min(axis=1)
    allowed = SHARE * np.abs(rates).max() + beside + ROUNDING * np.abs(values).max() / h
    excess = np.abs(slope - (rates[1:] + rates[:-1]) / 2) / np.maximum(allowed, np.finfo(float).tiny)
    if not (excess > 1.0).any():
        return
    row = int(np.argmax(np.append(excess, 0.0) + np.insert(excess, 0, 0.0)))
    left, right = max(row - 1, 0), min(row + 1, len(t) - 1)
    about = float((values[right] - values[left]) / (t[right] - t[left]) / rows.scale[column])
    base = column.replace("xdd_", "xd_", 1) if column.startswith("xdd_") else column.removeprefix("xd_")
    raise rows.error(
        row,
        column,
        f"does not agree with {base}, which changes there by about {number(float(f'{about:.3g}'))} per s",
        "rates are per second in the unit of the coordinate; without xd_ and xdd_ columns they are computed",
    )


CLOSEST = 1e-9
"""Smallest spacing of rows, as a share of the motion's duration."""


def table_motion(
    robot: Mechanism, rows: Columns, name: str, rest: bool = False, smooth: Smooth = None, bridge: float = 0.0
) -> Motion:
    """The motion through rows; coordinates without a column stay at home.

    Args:
        robot: Whose coordinates the columns are.
        rows: Columns t, coordinates, wrench, `xd_` and `xdd_` of all coordinates that are there or of none.
        name: Name of the motion.
        rest: Whether the rows are waypoints: the motion then is at rest at the first and the last; they have no rates.
        smooth: "auto", "none" or a cut-off period [s]; a smoothed motion is made from values alone, without rates.
        bridge: The longest gap among rows that the curve may go across [s]; gaps of one or two rows are bridged anyway.
    Raises:
        MotionError: Too few rows, times that do not increase, numbers that are not finite, steps of an angle that could
            be either way, rates that do not agree with values.
    """
    check_rows(rows)
    t = rows["t"]
    bridged = () if rest else _bridge(rows, missing_rows(t), bridge)
    x, *rates = _values(robot, rows)
    curve: Curve
    if rest:
        curve = at_rest(t, x)
    elif not rates:
        curve = through_rows(t, x)
    else:
        xd, xdd = rates if len(rates) == 2 else (rates[0], accelerations(t, x, rates[0]))
        curve = hermite(t, x, xd, xdd)
    names = robot.coordinate_names
    turns = tuple(c.turns for c in robot.platform.coordinates)
    if rest:
        curve, recording = _waypoints(rows.source, turns, t, x, curve, smooth)
    elif len(rates) == 2:
        if smooth not in (None, "none"):
            allowed = "has accelerations of its own: nothing is differentiated, so nothing is smoothed"
            raise MotionError(rows.source, "", None, allowed, "leave smooth out, or the xd_ and xdd_ columns")
        recording = Recording(rows.source, tuple(t.tolist()), "", turns, (None,) * len(turns))
    else:
        curve, recording = recorded(rows.source, turns, t, x, curve, smooth, bool(rates))
    recording, wrench = replace(recording, bridged=bridged), wrench_rows(rows)
    load = None if wrench is None else linear(t, wrench)
    return Motion(name, names, float(t[0]), float(t[-1]), curve, load, recording=recording)


def _waypoints(
    source: str, turns: tuple[bool, ...], t: Array, x: Array, law: Curve, smooth: Smooth
) -> tuple[Curve, Recording]:
    """Waypoints are met exactly; noisy ones are reported as rows are."""
    if smooth not in (None, "none"):
        allowed = "cannot go with waypoints: they are gone through exactly"
        raise MotionError(
            "smooth", "", None, allowed, 'Motion.read_csv with smooth="auto" smooths rows; or say smooth="none"'
        )
    _, found = recorded(source, turns, t, x, law, smooth)
    return law, replace(found, rows=())


def _values(robot: Mechanism, rows: Columns) -> list[Array]:
    """x and, where the rows have them, xd and xdd, each (N, n), checked against one another."""
    coordinates = robot.platform.coordinates
    orders = [order for order in RATES if not order or any(order + c.name in rows for c in coordinates)]
    values = [np.zeros((len(rows), len(coordinates))) for _ in orders]
    values[0][:] = robot.platform.home
    for k, coordinate in enumerate(coordinates):
        if coordinate.name not in rows:
            continue
        given, stated = rows[coordinate.name], rows.scale[coordinate.name] != 1.0
        if (fault := too_far(robot, k, given, stated)) is not None:
            row, why, hint = fault
            raise rows.error(row, coordinate.name, why, hint)
        values[0][:, k] = unwrapped(rows, coordinate.name) if coordinate.turns else given
        for order in range(1, len(orders)):
            column = orders[order] + coordinate.name
            values[order][:, k] = rows[column]
            check_rates(rows, column, rows["t"], values[order - 1][:, k], values[order][:, k])
    return values


def check_rows(rows: Columns) -> None:
    """Refuse rows that are too few, not finite, or not in the order of time."""
    if len(rows) < 2:
        what = "one row" if len(rows) else "no rows"
        raise MotionError(rows.source, "", None, f"has {what}: a motion needs at least 2")
    check_finite(rows)
    t = rows["t"]
    late = np.flatnonzero(~(np.diff(t) > 0))
    if len(late):
        row = int(late[0]) + 1
        before = float(rows.given["t"][row - 1])
        if before == rows.given["t"][row]:
            raise rows.error(row, "t", "is the time of the row before too", "remove one of the two rows")
        raise rows.error(row, "t", f"must be later than the row before, {number(before)}", "sort the rows by time")
    close = np.flatnonzero(np.diff(t) < CLOSEST * (t[-1] - t[0]))
    if len(close):
        allowed = "is too close to the row before: less than 1e-9 of the motion's duration"
        raise rows.error(int(close[0]) + 1, "t", allowed, "remove one of the two rows")


def check_finite(rows: Columns) -> None:
    """Refuse numbers that are not finite."""
    bad = np.argwhere(~np.isfinite(rows.block))
    if len(bad):
        raise rows.error(int(bad[0, 0]), list(rows.given)[bad[0, 1]], "must be a finite number")


def _bridge(rows: Columns, gaps: list[Gap], longest: float) -> tuple[tuple[float, float], ...]:
    """Start and end [s] of the gaps of more than `BRIDGED` rows, which the curve bridges; all are warned of.

    Args:
        rows: The rows.
        gaps: Where some are missing.
        longest: The longest gap that may be bridged [s].
    Raises:
        MotionError: A gap of more than `BRIDGED` rows that is longer: what happened there is not known.
    """
    t = rows["t"]
    short, long = [g for g in gaps if g.missing <= BRIDGED], [g for g in gaps if g.missing > BRIDGED]
    for gap in long:
        if gap.step > longest * (1 + ROUNDING):
            problem = f"comes {number(gap.step)} s after the row before, the others {number(gap.usual)} s"
            hint = f'max_gap="{_shown_up(gap.step)}s" goes across it by a smooth curve; or make two files of it'
            raise rows.error(gap.row, "t", f"{problem}: rows are missing", hint)
    for kind, by in ((short, ""), (long, "; what it gives there is a guess")):
        if kind:
            count = sum(gap.missing for gap in kind)
            lost = "a row is" if count == 1 else f"{count} rows are"
            problem = f"{lost} missing before it{' and later' * (len(kind) > 1)}"
            line = f"{rows.place(kind[0].row)}: {problem}: bridged by the curve through the others{by}"
            warnings.warn(line, GoughWarning, stacklevel=2)
    return tuple((float(t[gap.row - 1]), float(t[gap.row])) for gap in long)


def _shown_up(value: float) -> str:
    """A positive number with two digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / unit * (1 - ROUNDING)) * unit:.2g}"


def unwrapped(rows: Columns, name: str) -> Array:
    """A turning coordinate without jumps of whole turns."""
    angle = rows[name]
    step = np.diff(angle)
    turns = np.where(np.abs(step) > math.pi, np.round(step / (2 * math.pi)), 0.0)
    unclear = np.flatnonzero((np.abs(step) > math.pi) & (np.abs(step - 2 * math.pi * turns) > math.pi / 2))
    if len(unclear):
        row = int(unclear[0]) + 1
        before = number(float(rows.given[name][row - 1]))
        hint = "add rows between, or make the angle continuous"
        raise rows.error(row, name, f"turns by more than half a turn from the row before, {before}", hint)
    return angle - 2 * math.pi * np.concatenate([[0.0], np.cumsum(turns)])


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
    except NoSuchPose as error:
        raise MotionError(rows.place(error.row), "", None, error.reason) from None
    return _own_columns(robot, rows, solved, size)


def _padded(rows: list[Array]) -> tuple[Array | None, Array | None]:
    """Rates and accelerations, None where there are none."""
    return (rows[0] if rows else None, rows[1] if len(rows) > 1 else None)


def _check_turns(rows: Columns, name: str, home: float) -> None:
    """Refuse angles that are degrees taken for radians, and steps that could be either way."""
    far = np.flatnonzero(np.abs(rows[name] - home) > LARGEST_TURN)
    if len(far):
        hint = DEGREES if rows.scale[name] == 1.0 else ""
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


def from_samples(
    robot: Robot,
    samples: State,
    name: str,
    convention: str | Convention | None,
    smooth: str | float | None,
    max_gap: str | float | None,
) -> Motion:
    """The motion through states; see `Motion.from_samples`."""
    stated = convention_of(convention)
    states = samples if isinstance(samples, State) else State(samples)
    if states.base is not None:
        raise MotionError(name, "base", None, "must be stated by Motion.on_base")
    if stated == OWN:
        State.of(robot, states)
    rows = _columns(robot, name, states, stated)
    found = table_motion(robot, rows, name, smooth=smooth_of(smooth), bridge=bridge_of(max_gap))
    return without_noise(robot, found)


def through(
    robot: Robot,
    t: ArrayLike,
    x: ArrayLike,
    wrench: ArrayLike | None,
    name: str,
    convention: str | Convention | None,
    smooth: str | None,
) -> Motion:
    """The spline through waypoints; see `Motion.through`."""
    rows = _columns(robot, name, State(x, wrench=wrench, t=t), convention_of(convention))
    return without_noise(robot, table_motion(robot, rows, name, True, smooth_of(smooth)))


def _columns(robot: Robot, name: str, samples: State, stated: Convention) -> Columns:
    """Columns t, values of a convention, their rates and accelerations, and the wrench, in the robot's coordinates."""
    coordinates = [value.name for value in stated.values(robot)]
    if samples.t is None:
        raise MotionError(name, "t", None, "is missing: a motion has a time for each row")
    if samples.is_single or samples.x.shape[1] != len(coordinates):
        allowed = f"must have shape ({len(samples)}, {len(coordinates)}), has {samples.x.shape}"
        raise MotionError(name, "x", None, allowed, f"one row per time, columns {', '.join(coordinates)}")
    columns = {"t": np.broadcast_to(samples.t, len(samples))}
    for order, values in zip(RATES, (samples.x, samples.xd, samples.xdd), strict=True):
        if values is not None:
            rows = np.broadcast_to(values, samples.x.shape)
            columns |= dict(zip([order + c for c in coordinates], rows.T, strict=True))
    if samples.wrench is not None:
        columns |= dict(zip(WRENCH, np.broadcast_to(samples.wrench, (len(samples), 6)).T, strict=True))
    return in_own_coordinates(robot, array_columns(name, columns), stated)
