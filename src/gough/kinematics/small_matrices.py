"""Small matrices as recorded equations: determinant, least pivot, eigenvalues, least singular value."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

from gough.graph import Scalar, Step, Vector, absolute, array, isfinite, iterate, maximum, minimum, sqrt, where

SWEEPS = 7
"""Of Jacobi's method: a symmetric matrix of six rows is diagonal to round-off after five or six."""
_MOST_SWEEPS = 16
_SQUARE = 1e-15
"""Cosine of the angle between columns that are as good as at right angles."""


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
    """Of a matrix (m, n), m >= n, by Jacobi's rotations of its columns: small ones too are good to round-off.

    Hestenes 1958. It has no derivative; NaN where a number is not finite.
    """
    m, n = np.shape(A)

    def sweep(state: Vector) -> Step:
        columns = [[state[k * m + i] for i in range(m)] for k in range(n)]
        worst: Any = 0.0
        for p, q in combinations(range(n), 2):
            worst = maximum(worst, _rotate_columns(columns, p, q))
        return Step([value for column in columns for value in column], worst > _SQUARE, worst <= _SQUARE)

    columns = [A[i, k] for k in range(n) for i in range(m)]
    state = iterate(sweep, array(columns), _MOST_SWEEPS).state
    squares = [_dot(state[k * m : (k + 1) * m], state[k * m : (k + 1) * m]) for k in range(n)]
    return where(isfinite(_dot(columns, columns)), sqrt(reduce(minimum, squares)), np.nan)


def _rotate_columns(columns: list[Any], p: int, q: int) -> Scalar:
    """Turns two columns to be at right angles; the cosine of the angle they had."""
    a, b, off = _dot(columns[p], columns[p]), _dot(columns[q], columns[q]), _dot(columns[p], columns[q])
    zero = absolute(off) <= 1e-300
    theta = (b - a) / (2.0 * where(zero, 1.0, off))
    t = where(theta < 0.0, -1.0, 1.0) / (absolute(theta) + sqrt(theta * theta + 1.0))
    t = where(zero, 0.0, t)
    c = 1.0 / sqrt(t * t + 1.0)
    s = t * c
    pairs = list(zip(columns[p], columns[q], strict=True))
    columns[p], columns[q] = [c * u - s * v for u, v in pairs], [s * u + c * v for u, v in pairs]
    return where(zero, 0.0, absolute(off) / sqrt(a * b))


def _dot(a: Vector, b: Vector) -> Scalar:
    return reduce(lambda total, term: total + term, [u * v for u, v in zip(a, b, strict=True)])
