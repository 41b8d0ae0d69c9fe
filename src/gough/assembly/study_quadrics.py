"""The equations of six distance legs on Study's quadric, and the Taylor coefficients of a solution along a path.

Leg i reaches from a_i in the base to b_i in the platform and is l_i long; both origins are in leg 0: a_0 = b_0 = 0. The
pose is a quaternion e and g = p e (p the position, a product of quaternions): eight numbers x = (e, g) that count up to
a factor. With e = (e_0, u), g = (g_0, v), D = g_0 u - e_0 v, X = u x v and n R(e) the rotation times n = e.e

    e.g = 0                                                         Study's condition
    g.g - m n = 0                                                   m = l_0^2
    (a_i - b_i).D - (a_i + b_i).X + k_i n - a_i.n R b_i = 0         k_i = (|a_i|^2 + |b_i|^2 - l_i^2 + l_0^2) / 2

These are seven quadrics in seven unknowns z = x_1 .. x_7, where a complex chart, x_0 + c.z = 1, fixes the factor: no
real pose is at infinity but for a set of codimension two. On a path a, b, k and m go in straight lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gough.assembly.complex_numbers import (
    ONE,
    ZERO,
    Complex,
    Complexes,
    Factored,
    factored,
    paired,
    product,
    scaled_sum,
    total,
)

LEGS = 5
"""Legs beside the first one."""
UNKNOWNS = 7
CHART = (
    *(0.8342 + 0.4127j, -0.5363 + 0.7711j, 0.2941 - 0.9047j),
    *(0.3719 + 0.6623j, -0.7258 + 0.2094j, 0.4486 - 0.5391j, -0.1573 - 0.8614j),
)
"""c: any numbers that nobody's geometry is made from."""
_C = [Complex(v.real, v.imag) for v in CHART]
Reals = Sequence[Any]
Matrix = list[list[Any]]


def chart(z: Complexes, whole: Complex = ONE) -> Complexes:
    """x of the unknowns z; of a change of them, where `whole` is zero."""
    return [whole - product(_C, z), *z]


@dataclass(frozen=True, slots=True)
class Forms:
    """What is quadratic in x: its parts that the equations are made of, at one order of a series or in all.

    Attributes:
        eg, gg, n: e.g, g.g and e.e.
        D, X: See above.
        nR: (3, 3) n R.
    """

    eg: Complex
    gg: Complex
    n: Complex
    D: Complexes
    X: Complexes
    nR: list[Complexes]

    def leg(self, a: Reals, b: Reals, k: Complex) -> Complex:
        """The equation of a leg."""
        minus, plus = [p - q for p, q in zip(a, b, strict=True)], [p + q for p, q in zip(a, b, strict=True)]
        return scaled_sum(minus, self.D) - scaled_sum(plus, self.X) + k * self.n - self.between(a, b)

    def between(self, a: Reals, b: Reals) -> Complex:
        """a.n R b."""
        return total([self.nR[r][c].times(a[r] * b[c]) for r in range(3) for c in range(3)])


def forms(pairs: Sequence[tuple[Complexes, Complexes]], square: Complexes | None = None, double: bool = False) -> Forms:
    """The parts as sums over pairs (x, y) of what is symmetric in them, twice if `double`, and of a square."""

    def both(i: int, j: int) -> Complex:
        """x_i x_j of all."""
        found = [x[i] * y[j] for x, y in pairs]
        if i != j and double:
            found += [y[i] * x[j] for x, y in pairs]
        elif i == j and double:
            found = [value.times(2.0) for value in found]
        if square is not None:
            found.append(square[i].squared() if i == j else square[i] * square[j])
        return total(found)

    eg = total([both(i, i + 4) for i in range(4)])
    gg = total([both(i, i) for i in range(4, 8)])
    D = [both(4, i) - both(0, i + 4) for i in (1, 2, 3)]
    X = [both(i, j + 4) - both(j, i + 4) for i, j in ((2, 3), (3, 1), (1, 2))]
    ww, xx, yy, zz = (both(i, i) for i in range(4))
    wx, wy, wz, xy, xz, yz = (both(i, j).times(2.0) for i, j in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)))
    ahead, behind = ww - zz, xx - yy
    nR = [
        [ahead + behind, xy - wz, xz + wy],
        [xy + wz, ahead - behind, yz - wx],
        [xz - wy, yz + wx, (ww + zz) - (xx + yy)],
    ]
    return Forms(eg, gg, (ww + zz) + (xx + yy), D, X, nR)


@dataclass(frozen=True, slots=True)
class Place:
    """Parameters at a point of the path, and how they change along it; da and db None where the points stay.

    Attributes:
        a, b: (5, 3) real points in base and platform.
        k: (5,) complex.
        m: Complex.
        dk, dm, da, db: Their rates.
    """

    a: Sequence[Reals]
    b: Sequence[Reals]
    k: Complexes
    m: Complex
    dk: Complexes
    dm: Complex
    da: Sequence[Reals] | None = None
    db: Sequence[Reals] | None = None

    def values(self, at: Forms) -> Complexes:
        """(7,) the equations."""
        legs = [at.leg(a, b, k) for a, b, k in zip(self.a, self.b, self.k, strict=True)]
        return [at.eg, at.gg - self.m * at.n, *legs]

    def change(self, orders: Sequence[Forms]) -> Complexes:
        """(7,) what the change of the parameters adds to the order that follows these."""
        last = orders[-1]
        found = [ZERO, -(self.dm * last.n)]
        for i in range(LEGS):
            value = self.dk[i] * last.n
            if self.da is not None and self.db is not None:
                a, b, da, db = self.a[i], self.b[i], self.da[i], self.db[i]
                value = value + last.leg(da, db, ZERO) + last.between(da, db)
                value = value - last.between(a, db) - last.between(da, b)
                value = value - orders[-2].between(da, db) if len(orders) > 1 else value
            found.append(value)
        return found

    def rows(self, x: Complexes) -> list[Complexes]:
        """(7, 8) derivatives by x."""
        e, g = x[:4], x[4:]
        rows = [[*g, *e], [*[-(self.m * v).times(2.0) for v in e], *[v.times(2.0) for v in g]]]
        for a, b, k in zip(self.a, self.b, self.k, strict=True):
            skew, even = skew_matrix(a, b), even_matrix(a, b)
            bent = [(value + k * v).times(2.0) for value, v in zip(times(even, e), e, strict=True)]
            rows.append([*[p + q for p, q in zip(times(skew, g), bent, strict=True)], *[-v for v in times(skew, e)]])
        return rows


def still(points: Any, k: Sequence[Any]) -> Place:
    """The place of points (30,) and parts (12,) of k_1 .. k_5 and m that stay."""
    (a, b), given = points.reshape(2, LEGS, 3), paired(k)
    return Place(a, b, given[:LEGS], given[LEGS], [ZERO] * LEGS, ZERO)


def skew_matrix(a: Reals, b: Reals) -> Matrix:
    """(4, 4) of e.(a g - g b) = e.S g, products of quaternions."""
    x, y, z = (p - q for p, q in zip(a, b, strict=True))
    u, v, w = (p + q for p, q in zip(a, b, strict=True))
    return [[0.0, -x, -y, -z], [x, 0.0, -w, v], [y, w, 0.0, -u], [z, -v, u, 0.0]]


def even_matrix(a: Reals, b: Reals) -> Matrix:
    """(4, 4) of e.(a e b) = e.E e, products of quaternions."""
    (x, y, z), (u, v, w) = a, b
    xu, yv, zw = x * u, y * v, z * w
    first = [y * w - z * v, z * u - x * w, x * v - y * u]
    xy, xz, yz = -(x * v + y * u), -(x * w + z * u), -(y * w + z * v)
    return [
        [-(xu + yv + zw), *first],
        [first[0], yv + zw - xu, xy, xz],
        [first[1], xy, xu + zw - yv, yz],
        [first[2], xz, yz, xu + yv - zw],
    ]


def times(matrix: Matrix, v: Complexes) -> Complexes:
    """A real matrix times a complex vector."""
    return [scaled_sum(row, v) for row in matrix]


def correction(at: Place, z: Complexes) -> tuple[Complexes, Factored, Complexes]:
    """Newton's step at z, the factors of the Jacobian, and x there."""
    x = chart(z)
    rows = at.rows(x)
    values = [product(row, x).times(0.5) for row in rows]
    factor = factored([[row[j + 1] - row[0] * _C[j] for j in range(UNKNOWNS)] for row in rows])
    return factor.solve([-value for value in values]), factor, x


def series(at: Place, factor: Factored, x: Complexes, order: int) -> list[Complexes]:
    """Taylor coefficients 1 to `order` of the unknowns along the path."""
    terms: list[Complexes] = []
    xs = [x]
    orders = [forms([], x)]
    for j in range(1, order + 1):
        pairs = [(xs[i], xs[j - i]) for i in range(1, (j + 1) // 2)]
        known = forms(pairs, xs[j // 2] if j % 2 == 0 else None, double=True) if j > 1 else None
        right = at.change(orders)
        if known is not None:
            right = [p + q for p, q in zip(right, at.values(known), strict=True)]
        z = factor.solve([-value for value in right])
        terms.append(z)
        xs.append(chart(z, ZERO))
        orders.append(_whole(known, x, xs[-1]))
    return terms


def _whole(known: Forms | None, x: Complexes, new: Complexes) -> Forms:
    """All parts at an order: what was known, and what its own unknowns add."""
    added = forms([(x, new)], double=True)
    if known is None:
        return added
    pairs = zip([*known.D, *known.X], [*added.D, *added.X], strict=True)
    both = [p + q for p, q in pairs]
    nR = [[p + q for p, q in zip(r, s, strict=True)] for r, s in zip(known.nR, added.nR, strict=True)]
    return Forms(known.eg + added.eg, known.gg + added.gg, known.n + added.n, both[:3], both[3:], nR)
