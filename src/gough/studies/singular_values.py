"""Singular values of small matrices, recorded: one-sided Jacobi, a fixed number of sweeps.

Columns are rotated in pairs until all are orthogonal; their lengths are the singular values. For up to eight columns
the sweeps reach round-off. Why it is accurate: J. Demmel, K. Veselic, "Jacobi's method is more accurate than QR", 1992.
"""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Any

from gough.graph import Scalar, Vector, absolute, array, dot, maximum, minimum, sqrt, where

SWEEPS = 7


def singular_values(matrix: Vector) -> list[Scalar]:
    """(min(m, n),) singular values of a recorded matrix (m, n), in no order."""
    tall = matrix if len(matrix) >= len(matrix[0]) else array(matrix).T
    columns: list[Any] = [array([row[k] for row in tall]) for k in range(len(tall[0]))]
    for _ in range(SWEEPS):
        for i, k in combinations(range(len(columns)), 2):
            columns[i], columns[k] = _orthogonal(columns[i], columns[k])
    return [sqrt(dot(column, column)) for column in columns]


def _orthogonal(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Two columns rotated so that they are orthogonal."""
    alpha, beta, gamma = dot(a, a), dot(b, b), dot(a, b)
    done = absolute(gamma) <= 1e-300
    zeta = (beta - alpha) / where(done, 1.0, gamma * 2.0)
    t = where(zeta >= 0.0, 1.0, -1.0) / (absolute(zeta) + sqrt(zeta * zeta + 1.0))
    t = where(done, 0.0, t)
    c = 1.0 / sqrt(t * t + 1.0)
    s = c * t
    return c * a - s * b, s * a + c * b


def extreme_values(matrix: Vector) -> tuple[Scalar, Scalar]:
    """Least and largest singular value of a recorded matrix."""
    values = singular_values(matrix)
    return reduce(minimum, values), reduce(maximum, values)
