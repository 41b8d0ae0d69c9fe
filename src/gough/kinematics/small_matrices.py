"""Small matrices as recorded equations: determinant, least pivot, eigenvalues, singular values."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

from gough.graph import (
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    dot,
    greater,
    isfinite,
    iterate,
    logical_or,
    maximum,
    minimum,
    sqrt,
    where,
)

SWEEPS = 7
"""Of Jacobi's method: a symmetric matrix of six rows is diagonal to round-off after five or six."""
MOST_SWEEPS = 30
_RIGHT = 2.0**-48
"""Cosine of the angle between two columns that are left as they are."""


def determinant(A: Vector) -> Scalar:
    """Of a square matrix, by minors of its first rows: 315 operations for six rows, and no division."""
    n = len(A)
    minors: dict[tuple[int, ...], Any] = {(k,): A[0, k] for k in range(n)}
    for row in range(1, n):
        larger = {}
        for columns in combinations(range(n), row + 1):
            value: Any = 0.0
            for place, k in enumerate(columns):
                rest = columns[:place] + columns[place + 1 :]
                term = A[row, k] * minors[rest]
                value = value + term if (row + place) % 2 == 0 else value - term
            larger[columns] = value
        minors = larger
    return minors[tuple(range(n))]


def least_pivot(gram: Vector, least: Scalar) -> Scalar:
    """The least pivot of the symmetric gram (n, n) less `least` times the unit matrix.

    By the law of inertia it is positive where the least eigenvalue of gram is above `least`, and only there.
    """
    n = len(gram)
    rest = array([[gram[i, k] - (least if i == k else 0.0) for k in range(n)] for i in range(n)])
    pivots = []
    for k in range(n):
        pivots.append(rest[k, k])
        for i in range(k + 1, n):
            share = rest[i, k] / rest[k, k]
            for j in range(k + 1, i + 1):
                rest[i, j] = rest[i, j] - share * rest[j, k]
    return reduce(minimum, pivots)


def eigenvalue_range(A: Vector) -> tuple[Scalar, Scalar]:
    """Least and largest eigenvalue of a symmetric matrix (n, n), by sweeps of Jacobi's rotations."""
    n = len(A)
    A = array([[A[i, k] for k in range(n)] for i in range(n)])
    for _ in range(SWEEPS):
        for p, q in combinations(range(n), 2):
            _rotate(A, p, q)
    values = [A[k, k] for k in range(n)]
    return reduce(minimum, values), reduce(maximum, values)


def _rotate(A: Vector, p: int, q: int) -> None:
    """Make A[p, q] zero."""
    off = A[p, q]
    zero = absolute(off) <= 1e-300
    theta = (A[q, q] - A[p, p]) / (2.0 * where(zero, 1.0, off))
    t = where(theta < 0.0, -1.0, 1.0) / (absolute(theta) + sqrt(theta * theta + 1.0))
    t = where(zero, 0.0, t)
    c = 1.0 / sqrt(t * t + 1.0)
    s = t * c
    A[p, p], A[q, q] = A[p, p] - t * off, A[q, q] + t * off
    A[p, q] = A[q, p] = 0.0
    for k in range(len(A)):
        if k not in (p, q):
            A[p, k], A[q, k] = c * A[p, k] - s * A[q, k], s * A[p, k] + c * A[q, k]
            A[k, p], A[k, q] = A[p, k], A[q, k]


def least_singular_value(A: Vector) -> Scalar:
    """Of a matrix (m, n), m >= n. It has no derivative; NaN where a number is not finite."""
    numbers = [number for row in A for number in row]
    least = reduce(minimum, squared_singular_values(A))
    return where(isfinite(dot(numbers, numbers)), sqrt(least), np.nan)


def squared_singular_values(matrix: Vector, wanted: Scalar = True) -> list[Scalar]:
    """(n,) squares of the singular values of a finite matrix (m, n), m >= n, by Jacobi's rotations of its columns.

    Columns are rotated in pairs until all are orthogonal; their lengths are the singular values (Hestenes 1958). Small
    ones come out as exact as the columns allow, without the square of the condition in between.

    Args:
        matrix: Floats or recorded.
        wanted: Where it is false no sweep is made, and the result means nothing.
    """
    m, n = np.shape(matrix)
    if n == 1:
        return [dot([row[0] for row in matrix], [row[0] for row in matrix])]

    def sweep(state: Vector) -> Step:
        columns = [state[m * k : m * k + m] for k in range(n)]
        turned: Any = False
        for i in range(n):
            for k in range(i + 1, n):
                columns[i], columns[k], oblique = _orthogonal(columns[i], columns[k])
                turned = logical_or(turned, oblique)
        return Step(np.concatenate(columns), turned, ~turned)

    start = array([matrix[row][k] for k in range(n) for row in range(m)])
    last = iterate(sweep, start, MOST_SWEEPS, wanted=wanted).state
    return [dot(last[m * k : m * k + m], last[m * k : m * k + m]) for k in range(n)]


def _orthogonal(a: Vector, b: Vector) -> tuple[Vector, Vector, Scalar]:
    """Two columns rotated until they are orthogonal, and whether they were not."""
    aa, bb, ab = dot(a, a), dot(b, b), dot(a, b)
    oblique = greater(absolute(ab), sqrt(aa * bb) * _RIGHT)
    half = (bb - aa) / where(oblique, ab + ab, 1.0)
    t = where(half < 0.0, -1.0, 1.0) / (absolute(half) + sqrt(half * half + 1.0))
    c = 1.0 / sqrt(t * t + 1.0)
    s = c * t
    return (
        array([where(oblique, c * x - s * y, x) for x, y in zip(a, b, strict=True)]),
        array([where(oblique, s * x + c * y, y) for x, y in zip(a, b, strict=True)]),
        oblique,
    )
