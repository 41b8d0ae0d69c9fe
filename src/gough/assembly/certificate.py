"""Proof that near a computed solution there is one, and only one: Kantorovich's theorem on Study's quadric.

The equations of six distance legs are quadrics F (see `study_quadrics`), with points and lengths in the floating-point
numbers that they were given. Beside x of length one the factor is fixed by conj(x).(x + d) = conj(x).x. Then F(x + d) =
F(x) + J d + Q(d, d) with no further term. Let G be about the inverse of J, from floating point. If

    b >= |G F(x)|        c >= |I - G J|        L >= |G (J(y) - J(x))| / |y - x|

and 2 L b <= (1 - c)^2, then y -> y - G F(y) contracts a ball: there is a solution within 2 b / (1 - c) of x, and no
other one within (1 - c) / L. All numbers of a real x are real, and so is the solution.

A real solution with e other than zero is a pose. Complex ones with e.e = 0 are none, but count below: for almost all
robots the equations have 40 solutions with e other than zero, all regular, and a regular solution stays one, apart from
all others, when the robot is changed a little. So no robot has more than 40 regular ones.

What b and c must hold of round-off: a value or derivative is a sum of products in which no term passes more than 18
operations, so that it is off by less than sqrt(2) gamma_18 times the sum of the sizes of its terms (Higham 2002,
lemmas 3.1 and 3.5), below 32 u of it; entries of G J pass fewer than 20. The sizes use |a|^2 + |b|^2 + l_i^2 + l_0^2 in
place of 2 k_i, of which k_i is the rest after cancellation, so that the round-off of k_i is in them. The scalar
arithmetic of the test is off by less than 1e-8 of itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.complex_numbers import (
    ONE,
    ZERO,
    Complex,
    Complexes,
    as_parts,
    chosen,
    conjugate,
    factored,
    paired,
    parts,
    product,
    size2,
    total,
)
from gough.assembly.study_quadrics import LEGS, UNKNOWNS, Place, chart, still
from gough.graph import Array, Scalar, Vector, absolute, logical_and, maximum, record, sqrt, where
from gough.run import Program

UNIT = 2.0**-53
ROUND = 32.0 * UNIT
"""Round-off of values and derivatives, in sizes of their terms."""
_SCALARS = 1e-8
"""More than the round-off of the test's own arithmetic, in itself."""


@dataclass(frozen=True, slots=True)
class Certified:
    """N solutions, each with what is proved of it.

    Attributes:
        x: (N, 8) complex points of length one on Study's quadric.
        proved: (N,) whether there is a pose near it, and one only.
        radius: (N,) it is no farther away than this.
        alone: (N,) no other one is nearer than this.
    """

    x: NDArray[np.inexact]
    proved: NDArray[np.bool_]
    radius: Array
    alone: Array


def certify(x: NDArray[np.inexact], k: NDArray[np.inexact], points: Array, sizes: Array) -> Certified:
    """What is proved near points x (N, 8) of length one, after they were improved by Newton's method.

    Args:
        x: Real where a real solution is looked for.
        k: (N, 6) complex k_1 .. k_5 and m.
        points: (30,) or (N, 30) coordinates of a_1 .. a_5 and b_1 .. b_5.
        sizes: (N, 6) (|a_i|^2 + |b_i|^2 + l_i^2 + l_0^2) / 2 and l_0^2, or sizes of complex numbers in their place.
    """
    found = _program()(
        x=as_parts(x),
        k=as_parts(k),
        points=np.ascontiguousarray(points, dtype=float),
        sizes=np.ascontiguousarray(sizes, dtype=float),
    )
    return Certified(np.ascontiguousarray(found["x"]).view(complex), found["proved"], found["radius"], found["alone"])


def study_point(z: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(N, 8) points of length one on Study's quadric, of solutions z (N, 7) in the chart of `study_quadrics`."""
    found = _study_program()(z=as_parts(z))
    return np.ascontiguousarray(found["x"]).view(complex)


@cache
def _study_program() -> Program:
    return Program(record(lambda z: {"x": parts(on_quadric(paired(z)))}, z=2 * UNKNOWNS))


def on_quadric(z: Complexes) -> Complexes:
    """(8,) x of length one of the unknowns z, its largest entry real and above zero: recorded."""
    x = chart(z)
    largest, size = x[0], x[0].size2()
    for value in x[1:]:
        larger = value.size2() > size
        largest, size = chosen(larger, [value], [largest])[0], where(larger, value.size2(), size)
    back = Complex(largest.re, -largest.im).times(1.0 / sqrt(size))
    x = [value * back for value in x]
    return unit(x)


def unit(x: Complexes) -> Complexes:
    """x with length one."""
    scale = 1.0 / sqrt(size2(x))
    return [value.times(scale) for value in x]


@cache
def _program() -> Program:
    return Program(record(_equations, x=16, k=12, points=2 * LEGS * 3, sizes=LEGS + 1))


def _equations(x: Vector, k: Vector, points: Vector, sizes: Vector) -> dict[str, Any]:
    found = certificate(paired(x), still(points, k), sizes)
    return found | {"x": parts(found["x"])}


def certificate(at: Complexes, quadrics: Place, sizes: Vector) -> dict[str, Any]:
    """x, proved, radius and alone of `Certified` near a point of length one: recorded."""
    a, b = quadrics.a, quadrics.b
    fixed = conjugate(at)
    factor = factored([*quadrics.rows(at), fixed])
    columns = [factor.solve([ONE if i == j else ZERO for i in range(8)]) for j in range(8)]
    for _ in range(2):
        step = _combined(columns, [*_values(quadrics, at), ZERO])
        at = [v - d for v, d in zip(at, step, strict=True)]
    fixed = conjugate(at)
    J = [*quadrics.rows(at), fixed]
    F = _values(quadrics, at)
    lengths_a, lengths_b = [sqrt(_square(p)) for p in a], [sqrt(_square(p)) for p in b]
    terms = [2.0, 2.0 * (1.0 + sizes[LEGS])]
    bends = [0.5, maximum(1.0, sizes[LEGS])]
    for p, q, size in zip(lengths_a, lengths_b, sizes[:LEGS], strict=True):
        terms.append(2.0 * (p + q) + size + 3.0 * (p * q))
        bends.append(0.5 * (p + q) + size + p * q)
    heights = [sqrt(size2(column)) for column in columns]
    slips = [*[t * ROUND for t in terms], 4.0 * ROUND]
    step = _combined(columns, [*F, ZERO])
    beta = sqrt(size2(step))
    for height, slip, value in zip(heights, slips, [*F, ZERO], strict=True):
        beta = beta + height * (slip + absolute(value.re) * ROUND + absolute(value.im) * ROUND)
    off: Any = 0.0
    for r in range(8):
        for c in range(8):
            entry = total([columns[i][r] * J[i][c] for i in range(8)])
            off = off + (entry - ONE if r == c else entry).size2()
    drift = sqrt(off)
    curve: Any = 0.0
    for height, slip, row in zip(heights, slips, J, strict=True):
        drift = drift + height * (2.0 * slip + ROUND * sqrt(size2(row)))
    for height, bend in zip(heights, bends, strict=False):
        curve = curve + height * (2.0 * bend)
    room = 1.0 - drift
    radius = 2.0 * beta / room * (1.0 + _SCALARS)
    good = logical_and(room > 0.0, 2.0 * curve * beta * (1.0 + _SCALARS) <= room * room)
    turns = sqrt(size2(at[:4])) > radius
    return {
        "x": at,
        "proved": logical_and(good, turns),
        "radius": radius,
        "alone": room / curve * (1.0 - _SCALARS),
    }


def _values(quadrics: Place, x: Complexes) -> Complexes:
    return [product(row, x).times(0.5) for row in quadrics.rows(x)]


def _combined(columns: list[Complexes], values: Complexes) -> Complexes:
    return [total([column[r] * value for column, value in zip(columns, values, strict=True)]) for r in range(8)]


def _square(p: Vector) -> Scalar:
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
