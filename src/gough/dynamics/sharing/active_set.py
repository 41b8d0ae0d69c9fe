"""The point of a polytope that is nearest to the origin, by the dual method of Goldfarb and Idnani (1983).

It begins at the origin, the nearest point without limits, and takes the limits up one by one, the most violated first.
On the way to a new one, old ones whose multipliers would change sign are let go. Each full step goes farther from the
origin than any before, so no set of limits comes twice, and the method ends: at the nearest point, or where a limit
cannot be met by what is left. At the end all multipliers have their signs: that is the proof that no point is nearer.

As in `polygon`, only the limits that the point is at are found. The state of a step: z, multipliers, marks (+1 upper,
-1 lower, 0 not held) of the limits that are held, mark and multiplier of the one that is being taken up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.dynamics.sharing.polygon import FAR, AtLimits, Strip
from gough.graph import (
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    dot,
    factor,
    greater,
    iterate,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    not_equal,
    solve,
    where,
)

DEPENDENT = 1e-12
"""Square of the sine below which a limit's direction counts as one of those that are held."""


def polytope(given: Sequence[Strip]) -> AtLimits:
    """Any number of spare actuators."""
    m, r = len(given), len(given[0].row)
    rows = np.stack([strip.row for strip in given])
    gram = array([[dot(rows[i], rows[j]) for j in range(m)] for i in range(m)])

    def step(state: Vector) -> Step:
        z, u, held, taken, rising = (
            state[:r],
            state[r : r + m],
            state[r + m : r + 2 * m],
            state[r + 2 * m : -1],
            state[-1],
        )
        fresh = _most_violated(given, rows @ z, held)
        busy = less(0.5, sum(absolute(taken[1:]), absolute(taken[0])))
        mark = array([where(busy, taken[k], fresh[k]) for k in range(m)])
        met = less(sum(absolute(mark[1:]), absolute(mark[0])), 0.5)

        d = held  # +-1 makes limits of one kind: sign times row is the normal that points out of the polytope
        on = absolute(d)
        system = array(
            [[gram[i, j] * on[i] * on[j] + (1.0 - on[i] if i == j else 0.0) for j in range(m)] for i in range(m)]
        )
        normal = array([dot(rows[:, a], mark) for a in range(r)])
        y = solve(factor(system, spd=True), array([on[k] * dot(rows[k], normal) for k in range(m)]))
        ahead = array([normal[a] - dot(rows[:, a], y) for a in range(r)])
        share = [d[k] * y[k] for k in range(m)]  # how fast each multiplier falls
        square, whole = dot(ahead, ahead), dot(normal, normal)
        free = greater(square, DEPENDENT * whole)

        most: Any = FAR
        which: Any = 0.0
        for k in range(m):
            falls = logical_and(greater(on[k], 0.5), greater(share[k], 1e-14))
            at = where(falls, u[k] / where(falls, share[k], 1.0), FAR)
            sooner = less(at, most)
            most, which = where(sooner, at, most), where(sooner, k + 1.0, which)
        gap = _gap(given, rows, z, mark)
        full = where(free, gap / where(free, square, 1.0), FAR)
        takes = less_equal(full, most)
        length = where(takes, full, most)
        stuck = logical_and(logical_not(met), greater_equal_far(length))
        move = where(logical_or(met, stuck), 0.0, length)

        z_next = [z[a] - where(free, ahead[a], 0.0) * move for a in range(r)]
        dropped = [
            logical_and(logical_not(takes), logical_and(less(which - 0.5, k + 1.0), less(k + 0.5, which)))
            for k in range(m)
        ]
        u_next = [where(dropped[k], 0.0, u[k] - share[k] * on[k] * move) for k in range(m)]
        rising_next = rising + move
        held_next, taken_next = [], []
        for k in range(m):
            added = logical_and(takes, not_equal(mark[k], 0.0))
            held_next.append(where(dropped[k], 0.0, where(added, mark[k], held[k])))
            u_next[k] = where(added, rising_next, u_next[k])
            taken_next.append(where(takes, 0.0, mark[k]))
        after = [*z_next, *u_next, *held_next, *taken_next, where(takes, 0.0, rising_next)]
        kept = [where(met, state[k], value) for k, value in enumerate(after)]
        return Step(kept, logical_not(logical_or(met, stuck)), met)

    last = iterate(step, np.zeros(r + 3 * m + 1), 6 * m + 10)
    held = last.state[r + m : r + 2 * m]
    upper = array([where(greater(held[k], 0.5), 1.0, 0.0) for k in range(m)])
    lower = array([where(less(held[k], -0.5), 1.0, 0.0) for k in range(m)])
    return AtLimits(upper, lower, last.found)


def greater_equal_far(value: Scalar) -> Scalar:
    """Whether a step has no end."""
    return less_equal(0.5 * FAR, value)


def _most_violated(given: Sequence[Strip], at: Scalar, held: Vector) -> Vector:
    """(m,) mark of the limit that is violated most, beyond round-off, of those that are not held; zeros if none is."""
    worst: Any = 0.0
    marks: list[Any] = [0.0] * len(given)
    for k, strip in enumerate(given):
        over, under = at[k] - strip.high, strip.low - at[k]
        upper = greater(over, under)
        excess = where(upper, over, under)
        free = less(absolute(held[k]), 0.5)
        larger = logical_and(free, logical_and(greater(excess, strip.slack), greater(excess, worst)))
        worst = where(larger, excess, worst)
        for j in range(len(given)):
            marks[j] = where(larger, where(upper, 1.0, -1.0) if j == k else 0.0, marks[j])
    return array(marks)


def _gap(given: Sequence[Strip], rows: Vector, z: Vector, mark: Scalar) -> Scalar:
    """By how much the limit that is being taken up is violated."""
    total: Any = 0.0
    for k, strip in enumerate(given):
        value = dot(rows[k], z)
        over = where(greater(mark[k], 0.5), value - strip.high, where(less(mark[k], -0.5), strip.low - value, 0.0))
        total = total + over
    return total
