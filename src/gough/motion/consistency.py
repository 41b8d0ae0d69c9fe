"""Whether a column of rates agrees with the column it is the rate of.

On each interval the slope of the values must agree with the mean of the two rates to a quarter of the column's largest
rate, plus the range of the slopes of this and the two intervals either side (more than a smooth motion needs, and what
a jump of the rate needs), plus 1e-6 of the largest value per row spacing (values rounded to 6 digits). That finds wrong
units, signs and columns, large single slips, and rows too far apart for the motion; fewer than 5 rows are not checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gough.motion.curve import Array
from gough.motion.faults import number

if TYPE_CHECKING:
    from gough.motion.table import Table

SHARE = 0.25
ROUNDING = 1e-6
FEWEST = 5


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
    base = column.removesuffix("d").removesuffix("_")
    raise table.error(
        row,
        column,
        f"does not agree with {base}, which changes there by about {number(float(f'{about:.3g}'))} per s",
        "rates are per second in the unit of the coordinate; without _d and _dd columns they are computed",
    )
