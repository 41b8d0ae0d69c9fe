"""Least of a function under many rows by linear programs in a region of trust.

Where as many rows are active as there are variables, as in motions at their limits, this converges fast; everywhere it
is robust: a start that keeps no row is led back by one common slack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gough.graph import Array

FIRST, LARGEST, SMALLEST = 0.1, 0.5, 1e-7
"""Of the region: changes of each variable."""
PRICE = 10.0
"""Of a violated row, in units of the goal."""
GOOD = 0.7
"""Share of what was promised that a step keeps where it may be larger next time."""
NEAR = 1e-9
"""Misses below are round-off."""

Look = Callable[[Array], tuple[float, Array, Array, Array]]
"""From variables (n,) to the goal, its slope (n,), rows (m,) at most 0, and their slopes (m, n)."""


@dataclass(frozen=True)
class Least:
    """What was found: variables (n,), the goal, the largest row (0 where all are kept), and how many steps it took."""

    y: Array
    goal: float
    violated: float
    steps: int


def least(look: Look, y: Array, low: Array, high: Array, steps: int = 120, precise: float = 1e-4) -> Least:
    """The least goal near a start.

    Args:
        look: Goal about 1 in size, rows in shares of their limits.
        y, low, high: (n,) start and bounds.
        steps: At most.
        precise: Share of the goal that a step must promise for another one.
    """
    radius, taken = FIRST, 0
    goal, slope, rows, slopes = look(y)
    while taken < steps and radius > SMALLEST:
        taken += 1
        merit = _merit(goal, rows)
        box = np.stack([np.maximum(low - y, -radius), np.minimum(high - y, radius)], axis=1)
        step = _step(slope, rows, slopes, box, radius)
        if step is None:
            radius *= 0.5
            continue
        promised = merit - (goal + float(slope @ step[:-1]) + PRICE * float(step[-1]))
        if promised <= precise * abs(goal):
            break
        there = np.clip(y + step[:-1], low, high)
        found = look(there)
        kept = (merit - _merit(*found[::2])) / promised
        if kept < GOOD:
            # Rows are curved: once more, with what they have there in place of what their slopes said.
            curved = _step(slope, found[2] - slopes @ (there - y), slopes, box, radius)
            if curved is not None:
                other = np.clip(y + curved[:-1], low, high)
                better = look(other)
                again = (merit - _merit(*better[::2])) / promised
                if again > kept:
                    there, found, kept = other, better, again
        if kept > 0.1:
            y, (goal, slope, rows, slopes) = there, found
        if kept > GOOD:
            radius = min(2.0 * radius, LARGEST)
        elif not kept > 0.4:
            radius *= 0.4
    miss = float(rows.max())
    return Least(y, goal, miss if miss > NEAR else 0.0, taken)


def _merit(goal: float, rows: Array) -> float:
    """A goal and what its violated rows cost."""
    return float(goal) + PRICE * max(float(rows.max()), 0.0)


def _step(slope: Array, rows: Array, slopes: Array, box: Array, radius: float) -> Array | None:
    """(n + 1,) the best step by linear rows within a box (n, 2), and its slack; None where the program fails."""
    from scipy.optimize import linprog

    reached = rows > -1.5 * radius * np.abs(slopes).sum(axis=1)
    slack = np.full((int(reached.sum()), 1), -1.0)
    found = linprog(
        np.append(slope, PRICE),
        A_ub=np.concatenate([slopes[reached], slack], axis=1),
        b_ub=-rows[reached],
        bounds=[*box.tolist(), (0.0, None)],
        method="highs-ds",
    )
    return found.x if found.status == 0 else None
