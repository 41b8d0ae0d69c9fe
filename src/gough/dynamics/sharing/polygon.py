"""The point of an interval or a convex polygon that is nearest to the origin, in a fixed number of operations.

One spare actuator: low_i <= N_i z <= high_i is an interval. Two: a polygon. If the origin is not in it, the nearest
point lies on an edge. Line by line: the foot of the origin, moved along the line as far as all others ask; where they
leave none of it, the line has no edge. The nearest of the points found is the answer. The result is only which limits
it is at: the forces follow from them, with their derivatives.

A limit has a code: k + 1 is the upper one of actuator k, -(k + 1) its lower one, 0 is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.graph import (
    Scalar,
    Vector,
    absolute,
    array,
    dot,
    equal,
    greater,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    where,
)

FAR = 1e300
"""Beyond every force; the limit of what has none."""
PARALLEL = 1e-12
"""Sine of the angle below which two lines count as parallel: what they differ by is round-off of the forces."""
SLACK = 1e-12
"""By how much of the limits' size two parallel lines may miss each other and be the same."""


class AtLimits(NamedTuple):
    """Which limits the nearest point is at: (m,) 1 and 0 for upper and lower ones; and whether there is a point."""

    upper: Any
    lower: Any
    feasible: Scalar


@dataclass(frozen=True, slots=True)
class Strip:
    """low <= row . z <= high.

    Attributes:
        row: (r,) of the basis of internal forces.
        low, high: Less what is there at z = 0.
        slack: Round-off of these.
    """

    row: Any
    low: Scalar
    high: Scalar
    slack: Scalar

    @property
    def holds_origin(self) -> Scalar:
        """Whether z = 0 is in it."""
        return logical_and(less_equal(self.low, 0.0), less_equal(0.0, self.high))


def strips(N: Vector, s0: Vector, limits: Sequence[tuple[Any, Any]]) -> list[Strip]:
    """The limits of s0 + N z as limits of z; None has no limit."""
    found = []
    for row, at, (low, high) in zip(N, s0, limits, strict=True):
        sizes = [absolute(limit) for limit in (low, high, at) if limit is not None]
        slack = sum(sizes[1:], sizes[0]) * SLACK
        found.append(Strip(row, -FAR if low is None else low - at, FAR if high is None else high - at, slack))
    return found


def within(given: Sequence[Strip]) -> AtLimits:
    """No spare actuator: whether the only forces there are, z = 0, are within all limits."""
    inside: Any = True
    for strip in given:
        low, high = less_equal(strip.low, strip.slack), less_equal(-strip.slack, strip.high)
        inside = logical_and(inside, logical_and(low, high))
    return AtLimits(np.zeros(len(given)), np.zeros(len(given)), inside)


def interval(given: Sequence[Strip]) -> AtLimits:
    """One spare actuator."""
    left = _Stretch()
    for k, strip in enumerate(given):
        left = left.cut(k, strip.row[0], PARALLEL, strip.low, strip.high, strip.slack)
    _, code = left.nearest()
    return at_limits(len(given), left.exists, code)


def polygon(given: Sequence[Strip]) -> AtLimits:
    """Two spare actuators."""
    inside: Any = True
    for strip in given:
        inside = logical_and(inside, strip.holds_origin)
    best: Any = where(inside, 0.0, FAR)
    own: Any = 0.0
    other: Any = 0.0
    squares = [dot(strip.row, strip.row) for strip in given]
    for k, strip in enumerate(given):
        pointless = less_equal(squares[k], PARALLEL**2)
        square = where(pointless, 1.0, squares[k])
        slopes = [strip.row[0] * each.row[1] - strip.row[1] * each.row[0] for each in given]
        levels = [dot(strip.row, each.row) / square for each in given]
        for limit, sign in ((strip.low, -1.0), (strip.high, 1.0)):
            left = _Stretch()
            for j, each in enumerate(given):
                if j != k:
                    at = levels[j] * limit
                    left = left.cut(j, slopes[j], PARALLEL, each.low - at, each.high - at, each.slack)
            moved, code = left.nearest()
            far = limit * limit / square + moved * moved * square
            nearer = logical_and(logical_and(left.exists, logical_not(pointless)), less(far, best))
            best = where(nearer, far, best)
            own, other = where(nearer, sign * (k + 1), own), where(nearer, code, other)
    return at_limits(len(given), less(best, FAR), own, other)


def at_limits(m: int, feasible: Scalar, *codes: Scalar) -> AtLimits:
    """The limits with these codes."""
    marks = []
    for sign in (1.0, -1.0):
        found = []
        for k in range(m):
            here: Any = False
            for code in codes:
                here = logical_or(here, equal(code, sign * (k + 1)))
            found.append(where(here, 1.0, 0.0))
        marks.append(array(found))
    return AtLimits(marks[0], marks[1], feasible)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What is left of a line after cuts, low <= z <= high, with the codes of what cut it.

    `possible` is false where it lies outside a strip along which it runs.
    """

    low: Scalar = -FAR
    high: Scalar = FAR
    at_low: Any = 0.0
    at_high: Any = 0.0
    possible: Any = True

    @property
    def exists(self) -> Scalar:
        """Whether anything is left."""
        return logical_and(less_equal(self.low, self.high), self.possible)

    def cut(self, k: int, slope: Scalar, least: float, low: Scalar, high: Scalar, slack: Scalar) -> _Stretch:
        """What is left of it with low <= slope z <= high; a slope below `least` is none."""
        along = less_equal(absolute(slope), least)
        in_it = logical_and(less_equal(low, slack), less_equal(-slack, high))
        rises = greater(slope, 0.0)
        per = 1.0 / where(along, 1.0, slope)
        begin = where(along, -FAR, where(rises, low, high) * per)
        end = where(along, FAR, where(rises, high, low) * per)
        code = where(rises, -(k + 1.0), k + 1.0)
        later, sooner = greater(begin, self.low), less(end, self.high)
        return _Stretch(
            where(later, begin, self.low),
            where(sooner, end, self.high),
            where(later, code, self.at_low),
            where(sooner, -code, self.at_high),
            logical_and(self.possible, logical_or(logical_not(along), in_it)),
        )

    def nearest(self) -> tuple[Any, Any]:
        """The z in it that is nearest to 0, and the code of the limit it is at."""
        above, below = greater(self.low, 0.0), less(self.high, 0.0)
        z = where(above, self.low, where(below, self.high, 0.0))
        return z, where(above, self.at_low, where(below, self.at_high, 0.0))
