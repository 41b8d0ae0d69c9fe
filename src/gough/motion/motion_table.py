"""Tables of rows, from a file or from arrays, and the motion through them.

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
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gough.errors import GoughWarning
from gough.graph import Array
from gough.motion.column_names import RATES, WRENCH, integral_of
from gough.motion.curves import Curve, accelerations, hermite, linear, through_rows
from gough.motion.faults import Gap, MotionError, missing_rows, number, too_far
from gough.motion.motion import Motion
from gough.motion.recording import Recording, Smooth, recorded
from gough.robot import Robot

SHARE = 0.25
ROUNDING = 1e-6
FEWEST = 5
BRIDGED = 2
"""So many rows missing one after another are bridged by the curve through the others, with a warning."""


def check_rates(table: Table, column: str, t: Array, values: Array, rates: Array) -> None:
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
    unit = table.scale[table.columns.index(column)]
    about = float((values[right] - values[left]) / (t[right] - t[left]) / unit)
    base = integral_of(column)
    raise table.error(
        row,
        column,
        f"does not agree with {base}, which changes there by about {number(float(f'{about:.3g}'))} per s",
        "rates are per second in the unit of the coordinate; without xd_ and xdd_ columns they are computed",
    )


Spline = Callable[[Array, Array], Curve]

CLOSEST = 1e-9
"""Smallest spacing of rows, as a share of the motion's duration."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows over time.

    Attributes:
        source: File name, or what stands for it in messages.
        columns: Names: t, coordinates, `xd_`, `xdd_` of them, wrench.
        given: (N, columns) as they were given.
        scale: (columns,) SI value of one unit of each column.
        place: Where row k is, for messages.
    """

    source: str
    columns: tuple[str, ...]
    given: Array
    scale: Array
    place: Callable[[int], str]

    def column(self, name: str) -> Array:
        """A column in SI units."""
        k = self.columns.index(name)
        return self.given[:, k] * self.scale[k]

    def error(self, row: int, column: str, allowed: str, hint: str = "") -> MotionError:
        """The line about one cell."""
        value = float(self.given[row, self.columns.index(column)])
        return MotionError(self.place(row), column, value, allowed, hint)


def table_motion(
    robot: Robot, table: Table, name: str, rest: Spline | None = None, smooth: Smooth = None, bridge: float = 0.0
) -> Motion:
    """The motion through a table's rows; coordinates without a column stay at home.

    Args:
        robot: Whose coordinates the columns are.
        table: Its columns are known ones; `xd_` and `xdd_` are there for all coordinates that are, or for none.
        name: Name of the motion.
        rest: The spline through rows that are waypoints, at rest at both ends; they have no rates.
        smooth: "auto", "none" or a cut-off period [s]; a smoothed motion is made from values alone, without rates.
        bridge: The longest gap among rows that the curve may go across [s]; gaps of one or two rows are bridged anyway.
    Raises:
        MotionError: Too few rows, times that do not increase, numbers that are not finite, steps of an angle that could
            be either way, rates that do not agree with values.
    """
    check_rows(table)
    t = table.column("t")
    bridged = () if rest is not None else _bridge(table, missing_rows(t), bridge)
    x, *rates = _values(robot, table)
    curve: Curve
    if rest is not None:
        curve = rest(t, x)
    elif not rates:
        curve = through_rows(t, x)
    else:
        xd, xdd = rates if len(rates) == 2 else (rates[0], accelerations(t, x, rates[0]))
        curve = hermite(t, x, xd, xdd)
    names = robot.coordinate_names
    turns = tuple(c.turns for c in robot.platform.coordinates)
    if rest is not None:
        curve, recording = _waypoints(table.source, turns, t, x, curve, smooth)
    elif len(rates) == 2:
        if smooth not in (None, "none"):
            allowed = "has accelerations of its own: nothing is differentiated, so nothing is smoothed"
            raise MotionError(table.source, "", None, allowed, "leave --smooth out, or the xd_ and xdd_ columns")
        recording = Recording(table.source, tuple(t.tolist()), "", turns, (None,) * len(turns))
    else:
        curve, recording = recorded(table.source, turns, t, x, curve, smooth, bool(rates))
    recording = replace(recording, bridged=bridged)
    return Motion(name, names, float(t[0]), float(t[-1]), curve, _load(table, t), recording=recording)


def _waypoints(
    source: str, turns: tuple[bool, ...], t: Array, x: Array, law: Curve, smooth: Smooth
) -> tuple[Curve, Recording]:
    """Waypoints are met exactly; noisy ones are reported as rows are."""
    if smooth not in (None, "none"):
        allowed = "cannot go with --waypoints: they are gone through exactly"
        raise MotionError("--smooth", "", None, allowed, "give the file as --motion, or --smooth none")
    _, found = recorded(source, turns, t, x, law, smooth)
    return law, replace(found, rows=())


def _values(robot: Robot, table: Table) -> list[Array]:
    """x and, where the table has them, xd and xdd, each (N, n), checked against one another."""
    rows, coordinates = len(table.given), robot.platform.coordinates
    orders = [order for order in RATES if not order or any(order + c.name in table.columns for c in coordinates)]
    values = [np.zeros((rows, len(coordinates))) for _ in orders]
    values[0][:] = robot.platform.home
    for k, coordinate in enumerate(coordinates):
        if coordinate.name not in table.columns:
            continue
        given, stated = table.column(coordinate.name), table.scale[table.columns.index(coordinate.name)] != 1.0
        if (fault := too_far(robot, k, given, stated)) is not None:
            row, why, hint = fault
            raise table.error(row, coordinate.name, why, hint)
        values[0][:, k] = unwrapped(table, coordinate.name) if coordinate.turns else given
        for order in range(1, len(orders)):
            column = orders[order] + coordinate.name
            values[order][:, k] = table.column(column)
            check_rates(table, column, table.column("t"), values[order - 1][:, k], values[order][:, k])
    return values


def _load(table: Table, t: Array) -> Curve | None:
    if not any(name in table.columns for name in WRENCH):
        return None
    zero = np.zeros_like(t)
    return linear(t, np.stack([table.column(c) if c in table.columns else zero for c in WRENCH], axis=1))


def check_rows(table: Table) -> None:
    """Refuse rows that are too few, not finite, or not in the order of time."""
    rows = len(table.given)
    if rows < 2:
        what = "one row" if rows else "no rows"
        raise MotionError(table.source, "", None, f"has {what}: a motion needs at least 2")
    bad = np.argwhere(~np.isfinite(table.given))
    if len(bad):
        raise table.error(int(bad[0, 0]), table.columns[bad[0, 1]], "must be a finite number")
    k = table.columns.index("t")
    late = np.flatnonzero(~(np.diff(table.given[:, k] * table.scale[k]) > 0))
    if len(late):
        row = int(late[0]) + 1
        before = float(table.given[row - 1, k])
        if before == table.given[row, k]:
            raise table.error(row, "t", "is the time of the row before too", "remove one of the two rows")
        raise table.error(row, "t", f"must be later than the row before, {number(before)}", "sort the rows by time")
    t = table.column("t")
    close = np.flatnonzero(np.diff(t) < CLOSEST * (t[-1] - t[0]))
    if len(close):
        allowed = "is too close to the row before: less than 1e-9 of the motion's duration"
        raise table.error(int(close[0]) + 1, "t", allowed, "remove one of the two rows")


def _bridge(table: Table, gaps: list[Gap], longest: float) -> tuple[tuple[float, float], ...]:
    """Start and end [s] of the gaps of more than `BRIDGED` rows, which the curve bridges; all are warned of.

    Args:
        table: Its rows.
        gaps: Where some are missing.
        longest: The longest gap that may be bridged [s].
    Raises:
        MotionError: A gap of more than `BRIDGED` rows that is longer: what happened there is not known.
    """
    t = table.column("t")
    short, long = [g for g in gaps if g.missing <= BRIDGED], [g for g in gaps if g.missing > BRIDGED]
    for gap in long:
        if gap.step > longest * (1 + ROUNDING):
            told = f"comes {number(gap.step)} s after the row before, the others {number(gap.usual)} s"
            hint = f"--bridge {_shown_up(gap.step)}s goes across it by a smooth curve; or make two files of it"
            raise table.error(gap.row, "t", f"{told}: rows are missing", hint)
    for kind, told_by in ((short, ""), (long, ", as --bridge says; what it gives there is a guess")):
        if kind:
            count = sum(gap.missing for gap in kind)
            rows = "a row is" if count == 1 else f"{count} rows are"
            told = f"{rows} missing before it{' and later' * (len(kind) > 1)}"
            line = f"{table.place(kind[0].row)}: {told}: bridged by the curve through the others{told_by}"
            warnings.warn(line, GoughWarning, stacklevel=2)
    return tuple((float(t[gap.row - 1]), float(t[gap.row])) for gap in long)


def _shown_up(value: float) -> str:
    """A positive number with two digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return f"{math.ceil(value / unit * (1 - ROUNDING)) * unit:.2g}"


def unwrapped(table: Table, name: str) -> Array:
    """A turning coordinate without jumps of whole turns."""
    angle = table.column(name)
    step = np.diff(angle)
    turns = np.where(np.abs(step) > math.pi, np.round(step / (2 * math.pi)), 0.0)
    unclear = np.flatnonzero((np.abs(step) > math.pi) & (np.abs(step - 2 * math.pi * turns) > math.pi / 2))
    if len(unclear):
        row = int(unclear[0]) + 1
        before = number(float(table.given[row - 1, table.columns.index(name)]))
        hint = "add rows between, or make the angle continuous"
        raise table.error(row, name, f"turns by more than half a turn from the row before, {before}", hint)
    return angle - 2 * math.pi * np.concatenate([[0.0], np.cumsum(turns)])
