"""Forces within the limits of all actuators: nearest to the reference, or in the middle.

Nearest to the reference: `polygon` and `active_set` find which limits the forces are at. Those are then fixed, and the
others share what is left by least norm: exact to round-off, and differentiated like any other solve. Derivatives are
those of the limits that are held; where one is just being reached they have a kink.

In the middle, at the analytic centre, where the product of all distances from limits is largest: Newton's method on
-sum log(s - low) - log(high - s) with K^T s = Q, from the middle of the limits: each step makes up for what is missing
of Q and never leaves the limits, damped by its length in the metric of the logarithms (Nesterov and Nemirovskii). What
it finds is polished by a `root` in the internal forces alone, which has the derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.dynamics.sharing.active_set import polytope
from gough.dynamics.sharing.polygon import AtLimits, interval, polygon, strips, within
from gough.dynamics.sharing.shares import Shared, Shares
from gough.graph import (
    Scalar,
    Step,
    Vector,
    array,
    dot,
    greater,
    iterate,
    less,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    orthogonal,
    root,
    sqrt,
    where,
)


def limits_reached(given: Shares, limits: Sequence[tuple[Any, Any]]) -> AtLimits:
    """Which limits the smallest forces within them are at; the limits are those of s."""
    search = {0: within, 1: interval, 2: polygon}.get(given.spare, polytope)
    basis = given.internal() if given.spare else [[]] * len(given.K)
    return search(strips(basis, given.smallest(), limits))


def bounded(given: Shares, limits: Sequence[tuple[Any, Any]]) -> Shared:
    """The forces with the least sum of weight (tau - reference)^2 within `limits` of tau."""
    scaled = given.scaled(limits)
    if all(limit is None for pair in scaled for limit in pair):
        return Shared(given.force(given.smallest()), True)
    found = limits_reached(given, scaled)
    return Shared(given.force(at_limits_shared(given, scaled, found)), found.feasible)


def at_limits_shared(given: Shares, limits: Sequence[tuple[Any, Any]], found: AtLimits) -> Vector:
    """(m,) s: at the limits found where it is, of least norm otherwise."""
    if given.spare == 0:
        return given.smallest()
    fixed = []
    for upper, lower, (low, high) in zip(found.upper, found.lower, limits, strict=True):
        at = where(greater(upper, 0.5), 0.0 if high is None else high, 0.0)
        fixed.append(where(greater(lower, 0.5), 0.0 if low is None else low, at))
    held = [logical_or(greater(u, 0.5), greater(v, 0.5)) for u, v in zip(found.upper, found.lower, strict=True)]
    free = array([[where(held[k], 0.0, entry) for entry in row] for k, row in enumerate(given.K)])
    left = given.Q - given.K.T @ array(fixed)
    rest = orthogonal(free).least_norm(left, len(free))
    return array([where(held[k], fixed[k], rest[k]) for k in range(len(fixed))])


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

    def slope(u: Vector) -> list[Any]:
        s = s0 + N @ (u * unit)
        pull = unit / (high - s) - unit / (s - low)
        return [dot(N[:, k], pull) for k in range(given.spare)]

    start = array([dot(N[:, k], about.state - s0) for k in range(given.spare)]) / unit
    found = root(slope, start, 12)
    s = s0 + N @ (found.solution * unit)
    return Shared(given.force(s), logical_and(feasible, logical_and(about.found, found.converged)))


def maximum_of(values: Vector) -> Scalar:
    """The largest of a few numbers."""
    largest = values[0]
    for value in values[1:]:
        largest = maximum(largest, value)
    return largest


def _followed(given: Shares, low: Vector, high: Vector, feasible: Scalar) -> Vector:
    """(m,) s near the centre; where there is none, it stops at once."""
    m = len(low)

    def step(s: Vector) -> Step:
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
