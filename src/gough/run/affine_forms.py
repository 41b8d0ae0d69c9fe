"""Proved enclosures as recorded equations: compiled like any other, for millions of small boxes.

A form is c + sum s_i t_i + r e for any t_i, e in [-1, 1]: centre, slopes, and a rest r >= 0 that encloses whatever is
of higher order and every rounding error made on the way. `gough.run.enclose` has forms with bends, whose rests are
smaller and which solve linear systems; these are some hundred times quicker per box. A form without bounds has a rest
that is infinite or NaN.

Rounding: no operation here makes more than 8 + 2 d roundings, d the number of variables, each of at most 2^-53 of
something not larger than the sizes beside `EPS`; `EPS` counts 64 of them, which also covers those of the sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gough.graph import (
    Array,
    Graph,
    Scalar,
    Vector,
    absolute,
    array,
    cos,
    ieee,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    ops,
    record,
    sin,
    sqrt,
    where,
)
from gough.run.program import Program
from gough.run.unenclosed import unenclosed

EPS = 64.0 * 2.0**-53
TINY = 1e-300


class Affine:
    """A form of recorded numbers: centre c, slopes s, rest r."""

    __slots__ = ("c", "linear", "r", "radius", "s", "size")

    def __init__(self, c: Scalar, s: Sequence[Scalar], r: Scalar) -> None:
        self.c, self.s, self.r = c, list(s), r
        self.linear = sum((absolute(v) for v in self.s), 0.0)
        self.radius = self.linear + r
        self.size = absolute(c) + self.radius

    @property
    def low(self) -> Scalar:
        """Not above any value."""
        return self.c - self.radius - EPS * self.size

    @property
    def high(self) -> Scalar:
        """Not below any value."""
        return self.c + self.radius + EPS * self.size


Truth = tuple[Any, Any]
"""Whether a condition may hold, and whether it may fail."""


class Enclosure:
    """Forms of a graph's outputs over boxes of some of its inputs, compiled.

    Attributes:
        wide: Places, among all inputs, of those that vary.
        formed: Places of those that follow the wide ones, given as forms.
    """

    def __init__(self, graph: Graph, wide: Sequence[int], formed: Sequence[int] = ()) -> None:
        """An enclosure of `graph`, whose inputs are taken one after the other.

        Raises:
            InputError: An operation that has no enclosure here.
        """
        self.wide, self.formed = tuple(wide), tuple(formed)
        count, given = sum(spec.size for spec in graph.inputs), len(self.formed) * (len(self.wide) + 1)

        def equations(centre: Vector, radius: Vector, given: Vector = None) -> dict[str, Vector]:
            rows = [] if given is None else given.reshape(len(self.formed), -1)
            followers = {place: (row[:-1], row[-1]) for place, row in zip(self.formed, rows, strict=True)}
            return _forms(graph, centre, radius, self.wide, followers)

        sizes = {"centre": count, "radius": len(self.wide)} | ({"given": given} if given else {})
        self._program = Program(record(equations, **sizes))

    def __call__(
        self, centre: Array, radius: Array, slopes: Array | None = None, rest: Array | None = None
    ) -> dict[str, Array]:
        """(d + 2, *shape, B) centre, slopes and rest of each output.

        Args:
            centre: (B, inputs) middles of the boxes.
            radius: (B, d) half-widths of those that vary.
            slopes, rest: (B, f, d) and (B, f) of those that are given as forms.
        """
        given: dict[str, Any] = {}
        if slopes is not None and rest is not None:
            given["given"] = np.concatenate([slopes, rest[..., None]], axis=2).reshape(len(centre), -1)
        found = self._program(centre=centre, radius=radius, **given)
        named = found if isinstance(found, dict) else {"out": found}
        return {name: np.moveaxis(values, 0, -1) for name, values in named.items()}


def lowest(form: Array) -> Array:
    """Not above any value of forms (d + 2, ...); NaN where there is no bound."""
    with np.errstate(invalid="ignore"):
        radius = np.abs(form[1:]).sum(axis=0)
        return np.asarray(form[0] - radius - EPS * (np.abs(form[0]) + radius))


def highest(form: Array) -> Array:
    """Not below any value of forms (d + 2, ...); NaN where there is no bound."""
    with np.errstate(invalid="ignore"):
        radius = np.abs(form[1:]).sum(axis=0)
        return np.asarray(form[0] + radius + EPS * (np.abs(form[0]) + radius))


def _forms(
    graph: Graph, centre: Vector, radius: Vector, wide: Sequence[int], followers: Mapping[int, tuple[Any, Any]]
) -> dict[str, Vector]:
    d = len(wide)
    values: list[Any] = []
    for node in graph.nodes:
        op = node[0]
        if op == ops.INPUT:
            k = node[1]
            if k in followers:
                values.append(Affine(centre[k], *followers[k]))
                continue
            slopes = [radius[i] if place == k else 0.0 for i, place in enumerate(wide)]
            rest = EPS * (absolute(centre[k]) + radius[wide.index(k)]) if k in wide else 0.0
            values.append(Affine(centre[k], slopes, rest))
        elif op == ops.CONST:
            values.append(Affine(ieee.from_bits(node[1]), [0.0] * d, 0.0))
        elif op == ops.BOOL:
            values.append((bool(node[1]), not node[1]))
        elif op in _RULES:
            values.append(_RULES[op](*[values[k] for k in ops.operands(node)]))
        else:
            raise unenclosed(op)
    out = {}
    for output in graph.outputs:
        found = [values[k] for k in output.nodes]
        rows = array([[form.c, *form.s, form.r] for form in found]).T
        out[output.name] = rows.reshape(d + 2, *output.shape)
    return out


def _rounded(c: Scalar, s: Sequence[Scalar], r: Scalar) -> Affine:
    bare = absolute(c) + sum((absolute(v) for v in s), 0.0) + r
    return Affine(c, s, r + EPS * bare + TINY)


def _add(a: Affine, b: Affine) -> Affine:
    return _rounded(a.c + b.c, [u + v for u, v in zip(a.s, b.s, strict=True)], a.r + b.r)


def _negative(a: Affine) -> Affine:
    return Affine(-a.c, [-v for v in a.s], a.r)


def _subtract(a: Affine, b: Affine) -> Affine:
    return _rounded(a.c - b.c, [u - v for u, v in zip(a.s, b.s, strict=True)], a.r + b.r)


def _multiply(a: Affine, b: Affine) -> Affine:
    """a b. Of t_i t_i, which is 1/2 +- 1/2, the half goes to the centre."""
    half = [u * v * 0.5 for u, v in zip(a.s, b.s, strict=True)]
    spared = sum((absolute(h) for h in half), 0.0)
    rest = absolute(a.c) * b.r + absolute(b.c) * a.r + (a.radius * b.radius - spared)
    slopes = [a.c * v + b.c * u for u, v in zip(a.s, b.s, strict=True)]
    return Affine(a.c * b.c + sum(half, 0.0), slopes, rest + EPS * (a.size * b.size) + TINY)


def _reciprocal(a: Affine) -> Affine:
    """1 / (c + h) = v - v^2 h + v^2 h^2 / (c + h) with v = 1 / c; unbounded where a may be zero."""
    least = maximum(maximum(a.low, -a.high), 0.0)
    v = 1.0 / a.c
    square = v * v
    bend = square * a.radius * a.radius / least
    scale = absolute(v) + square * a.radius + bend
    c = v + where(v < 0.0, -0.5, 0.5) * bend
    return Affine(c, [-square * u for u in a.s], square * a.r + 0.5 * bend + EPS * scale + TINY)


def _root(a: Affine) -> Affine:
    """sqrt(c + h) = s + h / (2 s) - rest, rest <= h^2 / (8 low^1.5); only its ends where a may be zero."""
    low = a.low
    safe = where(low > 0.0, low, 1.0)
    s = sqrt(maximum(a.c, 0.0))
    slope = 0.5 / s
    bend = 0.125 * a.radius * a.radius / (safe * sqrt(safe))
    rest = slope * a.r + 0.5 * bend + EPS * (s + slope * a.radius + bend) + TINY
    smooth = Affine(s - 0.5 * bend, [slope * u for u in a.s], rest)
    return _choose(low > 0.0, smooth, _interval(0.0, sqrt(maximum(a.high, 0.0)), len(a.s)))


def _sine(a: Affine) -> Affine:
    return _wave(a, sin(a.c), cos(a.c))


def _cosine(a: Affine) -> Affine:
    return _wave(a, cos(a.c), -sin(a.c))


def _wave(a: Affine, value: Scalar, slope: Scalar) -> Affine:
    bend = 0.5 * a.radius * a.radius
    rest = absolute(slope) * a.r + bend + EPS * (absolute(value) + absolute(slope) * a.radius + bend) + TINY
    return Affine(value, [slope * u for u in a.s], rest)


def _interval(low: Scalar, high: Scalar, d: int) -> Affine:
    return _rounded(0.5 * (low + high), [0.0] * d, 0.5 * (high - low))


def _choose(condition: Scalar, a: Affine, b: Affine) -> Affine:
    slopes = [where(condition, u, v) for u, v in zip(a.s, b.s, strict=True)]
    return Affine(where(condition, a.c, b.c), slopes, where(condition, a.r, b.r))


def _larger(a: Affine, b: Affine) -> Affine:
    first, second = a.low >= b.high, b.low >= a.high
    either = _interval(maximum(a.low, b.low), maximum(a.high, b.high), len(a.s))
    return _choose(first, a, _choose(second, b, either))


def _smaller(a: Affine, b: Affine) -> Affine:
    return _negative(_larger(_negative(a), _negative(b)))


def _absolute(a: Affine) -> Affine:
    return _larger(a, _negative(a))


def _less(a: Affine, b: Affine) -> Truth:
    return logical_not(a.low >= b.high), logical_not(a.high < b.low)


def _less_equal(a: Affine, b: Affine) -> Truth:
    return logical_not(a.low > b.high), logical_not(a.high <= b.low)


def _select(condition: Truth, a: Affine, b: Affine) -> Affine:
    may, may_not = condition
    hull = _interval(minimum(a.low, b.low), maximum(a.high, b.high), len(a.s))
    return _choose(logical_not(may_not), a, _choose(logical_not(may), b, hull))


_RULES: dict[int, Callable[..., Any]] = {
    ops.ADD: _add,
    ops.SUB: _subtract,
    ops.MUL: _multiply,
    ops.NEG: _negative,
    ops.RECIP: _reciprocal,
    ops.SQRT: _root,
    ops.ABS: _absolute,
    ops.SIN: _sine,
    ops.COS: _cosine,
    ops.MAX: _larger,
    ops.MIN: _smaller,
    ops.LT: _less,
    ops.LE: _less_equal,
    ops.AND: lambda a, b: (logical_and(a[0], b[0]), logical_or(a[1], b[1])),
    ops.OR: lambda a, b: (logical_or(a[0], b[0]), logical_and(a[1], b[1])),
    ops.NOT: lambda a: (a[1], a[0]),
    ops.SELECT: _select,
}
