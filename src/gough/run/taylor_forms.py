"""Taylor forms: what a number can be when the inputs move within a box, to second order, with a proved rest.

A form is c + sum s_i t_i + sum_{i<=j} q_ij t_i t_j + r e for any t_i, e in [-1, 1]: centre, slopes, bends, and a rest
r >= 0 that encloses whatever is of higher order and every rounding error made on the way. All of it for B boxes at
once: rows (R, B) with R = 1 + d + d (d + 1) / 2 + 1. The rest shrinks with the cube of the box. A form without bounds
has NaN in its rest.

Rounding: each operation makes a handful of roundings, each of at most 2^-53 of something not larger than the sizes
added up beside `EPS`; `EPS` counts sixteen of them, which also covers those of the rests themselves.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

EPS = 16.0 * 2.0**-53
TINY = 1e-300


@lru_cache(maxsize=16)
def row_count(d: int) -> int:
    """Rows of a form in d variables."""
    return 2 + d + d * (d + 1) // 2


@lru_cache(maxsize=16)
def _pairs(d: int) -> tuple[Any, Any, Array]:
    """Of each bend its two variables, and a weight that is 1/2 where they are the same."""
    first, second = np.triu_indices(d)
    return first, second, np.where(first == second, 0.5, 1.0)[:, None]


class Form:
    """B forms in d variables: `rows` (R, B)."""

    __slots__ = ("__dict__", "d", "rows")

    def __init__(self, rows: Array, d: int) -> None:
        self.rows, self.d = rows, d

    @property
    def centre(self) -> Array:
        """(B,) values in the middle of the boxes."""
        return np.asarray(self.rows[0])

    @property
    def rest(self) -> Array:
        """(B,) of what is beyond second order."""
        return np.asarray(self.rows[-1])

    @cached_property
    def linear(self) -> Array:
        """(B,) bound of the linear part."""
        return np.asarray(np.abs(self.rows[1 : self.d + 1]).sum(axis=0) * (1.0 + EPS))

    @cached_property
    def curved(self) -> Array:
        """(B,) bound of what is not linear."""
        return np.asarray(np.abs(self.rows[self.d + 1 :]).sum(axis=0) * (1.0 + EPS))

    @cached_property
    def radius(self) -> Array:
        """(B,) not less than the distance from the centre to any value."""
        return np.asarray((self.linear + self.curved) * (1.0 + EPS))

    @cached_property
    def size(self) -> Array:
        """(B,) not less than any absolute value."""
        return np.asarray((np.abs(self.rows[0]) + self.radius) * (1.0 + EPS))

    @cached_property
    def low(self) -> Array:
        """(B,) not above any value."""
        return np.asarray(self.rows[0] - self.radius - EPS * self.size)

    @cached_property
    def high(self) -> Array:
        """(B,) not below any value."""
        return np.asarray(self.rows[0] + self.radius + EPS * self.size)


def rounded(rows: Array, d: int) -> Form:
    """The form of rows computed with one rounding each."""
    rows[-1] += EPS * np.abs(rows).sum(axis=0) + TINY
    return Form(rows, d)


def interval(low: Array, high: Array, d: int) -> Form:
    """Forms that know only their ends."""
    rows = np.zeros((row_count(d), len(low)))
    rows[0] = 0.5 * (low + high)
    rows[-1] = 0.5 * (high - low)
    return rounded(rows, d)


def variables(centre: Array, radius: Array) -> list[Form]:
    """Inputs of boxes with these middles and half-widths (B, n): variables where there is a width, else numbers."""
    wide = np.flatnonzero((radius > 0.0).any(axis=0)).tolist()
    found = []
    for k in range(centre.shape[1]):
        rows = np.zeros((row_count(len(wide)), len(centre)))
        rows[0] = centre[:, k]
        if k in wide:
            rows[1 + wide.index(k)] = radius[:, k]
        found.append(rounded(rows, len(wide)) if k in wide else Form(rows, len(wide)))
    return found


def constant(value: float, like: Form) -> Form:
    """The same number in all boxes."""
    rows = np.zeros_like(like.rows)
    rows[0] = value
    return Form(rows, like.d)


def add(a: Form, b: Form) -> Form:
    """a + b."""
    return rounded(a.rows + b.rows, a.d)


def shift(a: Form, c: float) -> Form:
    """a + c."""
    rows = a.rows.copy()
    rows[0] += c
    return rounded(rows, a.d)


def scale(a: Form, c: float) -> Form:
    """a times a number."""
    rows = a.rows * c
    np.abs(rows[-1], out=rows[-1])
    return rounded(rows, a.d)


def negative(a: Form) -> Form:
    """-a."""
    rows = -a.rows
    rows[-1] = a.rest
    return Form(rows, a.d)


def multiply(a: Form, b: Form) -> Form:
    """a b, of which products of third order and above go into the rest."""
    d, x, y = a.d, a.rows, b.rows
    first, second, weight = _pairs(d)
    rows = x[0] * y
    rows[1:-1] += y[0] * x[1:-1]
    s, t = x[1 : d + 1], y[1 : d + 1]
    rows[d + 1 : -1] += weight * (s[first] * t[second] + s[second] * t[first])
    rest = np.abs(x[0]) * b.rest + np.abs(y[0]) * a.rest + a.linear * b.curved + a.curved * b.radius
    rows[-1] = rest + EPS * (a.size * b.size) + TINY
    return Form(rows, d)


def reciprocal(a: Form) -> Form:
    """1 / a; unbounded where a may be zero.

    1 / (c + h) = v - v^2 h + v^3 h^2 - v^3 h^3 / (c + h) with v = 1 / c.
    """
    least = np.maximum(a.low, -a.high)
    least = np.where(least > 0.0, least, np.nan)
    v = 1.0 / a.centre
    return _smooth(a, v, -v * v, v**3, np.abs(v) ** 3 / least)


def root(a: Form) -> Form:
    """Square root of what is not negative in a; only its ends are known where a may be zero."""
    positive = a.low > 0.0
    c, low = (np.where(positive, value, 1.0) for value in (a.centre, a.low))
    s = np.sqrt(c)
    smooth = _smooth(a, s, 0.5 / s, -0.125 / (c * s), 0.0625 / (low * low * np.sqrt(low)))
    if positive.all():
        return smooth
    top = np.sqrt(np.where(a.high >= 0.0, a.high, np.nan))
    return choose(positive, smooth, interval(np.zeros_like(top), top, a.d))


def sine(a: Form) -> Form:
    """sin a."""
    s, c = np.sin(a.centre), np.cos(a.centre)
    return _smooth(a, s, c, -0.5 * s, np.full(s.shape, 1.0 / 6.0))


def cosine(a: Form) -> Form:
    """cos a."""
    s, c = np.sin(a.centre), np.cos(a.centre)
    return _smooth(a, c, -s, -0.5 * c, np.full(s.shape, 1.0 / 6.0))


def absolute(a: Form) -> Form:
    """|a|."""
    return larger(a, negative(a))


def larger(a: Form, b: Form) -> Form:
    """The larger of two; where it is not decided which, only its ends are known."""
    first, second = a.low >= b.high, b.low >= a.high
    decided = choose(first, a, b)
    if (first | second).all():
        return decided
    either = interval(np.maximum(a.low, b.low), np.maximum(a.high, b.high), a.d)
    return choose(first | second, decided, either)


def hull(a: Form, b: Form) -> Form:
    """Either of two."""
    return interval(np.minimum(a.low, b.low), np.maximum(a.high, b.high), a.d)


def choose(condition: NDArray[np.bool_], a: Form, b: Form) -> Form:
    """a in the boxes where the condition (B,) holds, else b."""
    return Form(np.where(condition, a.rows, b.rows), a.d)


def straightened(rows: Array, d: int) -> Array:
    """Forms (R, ...) without bends (d + 2, ...): t_i^2 is 1/2 +- 1/2 and t_i t_j is 0 +- 1."""
    first, second, _ = _pairs(d)
    bends, size = rows[d + 1 : -1], np.abs(rows).sum(axis=0)
    square = first == second
    out = np.concatenate([rows[: d + 1], rows[-1:]])
    out[0] += 0.5 * bends[square].sum(axis=0)
    out[-1] += 0.5 * np.abs(bends[square]).sum(axis=0) + np.abs(bends[~square]).sum(axis=0) + 2.0 * EPS * size
    return out


def _smooth(a: Form, value: Array, slope: Array, bend: Array, third: Array) -> Form:
    """value + slope h + bend h^2 + rest with |rest| <= third |h|^3, for a = centre + h."""
    d, first, second = a.d, *_pairs(a.d)[:2]
    weight = _pairs(d)[2]
    s = a.rows[1 : d + 1]
    rows = slope * a.rows
    rows[0] = value
    rows[d + 1 : -1] += (2.0 * bend) * weight * (s[first] * s[second])
    rest = np.abs(slope) * a.rest + np.abs(bend) * (2.0 * a.linear + a.curved) * a.curved + third * a.radius**3
    scale = np.abs(value) + (np.abs(slope) + np.abs(bend) * a.radius) * a.radius
    rows[-1] = rest * (1.0 + EPS) + EPS * scale + TINY
    return Form(rows, d)
