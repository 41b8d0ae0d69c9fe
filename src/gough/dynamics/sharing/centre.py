"""Forces in the middle of their limits: the analytic centre, where the product of all distances from limits is largest.

Newton's method on -sum log(s - low) - log(high - s) with K^T s = Q, from the middle of the limits: each step makes up
for what is missing of Q and never leaves the limits, damped by its length in the metric of the logarithms (Nesterov and
Nemirovskii). What it finds is polished by a `root` in the internal forces alone, which has the derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.dynamics.sharing.bounded import limits_reached
from gough.dynamics.sharing.shares import Shared, Shares
from gough.graph import (
    Step,
    array,
    dot,
    iterate,
    less,
    logical_and,
    logical_not,
    maximum,
    orthogonal,
    root,
    sqrt,
    where,
)

MOST_STEPS = 60
NEAR = 1e-6
"""Length of the last damped step: `root` squares it."""


def centre(given: Shares, limits: Sequence[tuple[Any, Any]]) -> Shared:
    """The forces at the analytic centre of `limits` of tau, all of which are stated."""
    scaled = given.scaled(limits)
    low, high = (array([pair[side] for pair in scaled]) for side in (0, 1))
    feasible = limits_reached(given, scaled).feasible
    if given.spare == 0:
        return Shared(given.force(given.smallest()), feasible)
    about = _followed(given, low, high, feasible)
    s0, N = given.smallest(), given.internal()
    unit = maximum_of(high - low)

    def slope(u: Any) -> list[Any]:
        s = s0 + N @ (u * unit)
        pull = unit / (high - s) - unit / (s - low)
        return [dot(N[:, k], pull) for k in range(given.spare)]

    start = array([dot(N[:, k], about.state - s0) for k in range(given.spare)]) / unit
    found = root(slope, start, 12)
    s = s0 + N @ (found.solution * unit)
    return Shared(given.force(s), logical_and(feasible, logical_and(about.found, found.converged)))


def maximum_of(values: Any) -> Any:
    """The largest of a few numbers."""
    largest = values[0]
    for value in values[1:]:
        largest = maximum(largest, value)
    return largest


def _followed(given: Shares, low: Any, high: Any, feasible: Any) -> Any:
    """(m,) s near the centre; where there is none, it stops at once."""
    m = len(low)

    def step(s: Any) -> Step:
        below, above = 1.0 / (s - low), 1.0 / (high - s)
        size = array([1.0 / sqrt(below[k] * below[k] + above[k] * above[k]) for k in range(m)])
        slope = (above - below) * size
        factors = orthogonal(given.K * size[:, None])
        missing = factors.least_norm(given.Q - given.K.T @ s, m)
        along = factors.turned_back(-slope)
        free = factors.turned(np.concatenate([np.zeros(m - given.spare), along[m - given.spare :]]))
        move = missing + free
        length = sqrt(dot(move, move))
        share = where(less(length, 0.25), 1.0, 1.0 / (1.0 + length))
        near = less(length, NEAR)
        finite = less(length, 1e100)
        after = array([where(finite, s[k] + share * move[k] * size[k], s[k]) for k in range(m)])
        return Step(after, logical_and(logical_and(logical_not(near), finite), feasible), near)

    return iterate(step, (low + high) * 0.5, MOST_STEPS)
