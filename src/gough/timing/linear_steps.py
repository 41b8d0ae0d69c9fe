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
    from scipy.optimize import linprog

    radius, taken = FIRST, 0
    goal, slope, rows, slopes = look(y)
    while taken < steps and radius > SMALLEST:
        taken += 1
        merit = goal + PRICE * max(float(rows.max()), 0.0)
        reached = rows > -1.5 * radius * np.abs(slopes).sum(axis=1)
        slack = np.full((int(reached.sum()), 1), -1.0)
        box = np.stack([np.maximum(low - y, -radius), np.minimum(high - y, radius)], axis=1)
        step = linprog(
            np.append(slope, PRICE),
            A_ub=np.concatenate([slopes[reached], slack], axis=1),
            b_ub=-rows[reached],
            bounds=[*box.tolist(), (0.0, None)],
            method="highs-ds",
        )
        if step.status != 0:
            radius *= 0.5
            continue
        promised = merit - (goal + float(slope @ step.x[:-1]) + PRICE * float(step.x[-1]))
        if promised <= precise * abs(goal):
            break
        there = np.clip(y + step.x[:-1], low, high)
        found = look(there)
        kept = (merit - found[0] - PRICE * max(float(found[2].max()), 0.0)) / promised
        if kept > 0.1:
            y, (goal, slope, rows, slopes) = there, found
        if kept > 0.7:
            radius = min(2.0 * radius, LARGEST)
        elif not kept > 0.4:
            radius *= 0.4
    miss = float(rows.max())
    return Least(y, goal, miss if miss > NEAR else 0.0, taken)
