"""The inverse of a matrix by elimination in an order that is chosen beforehand, with a check that it was good enough.

Half of what an elimination costs that chooses its pivots on the way are the choices. Where a matrix is never far from
one that is known, its order serves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.graph import Array, Scalar, Vector, array, dot, less_equal

LARGEST = 128.0
"""Root of squares of a good elimination's multipliers.

Entries of six rows grow by less than 129^5 then, and with them round-off, to 1e-5 at most.
"""


def pivot_order(A: Array) -> tuple[list[int], list[int]]:
    """Rows and columns of an (n, n) matrix in the order of the largest pivots."""
    rest, n = np.array(A, dtype=float), len(A)
    rows, columns = list(range(n)), list(range(n))
    for k in range(n):
        largest = int(np.argmax(np.abs(rest[k:, k:])))
        i, j = k + largest // (n - k), k + largest % (n - k)
        rest[[k, i]], rest[:, [k, j]] = rest[[i, k]], rest[:, [j, k]]
        rows[k], rows[i], columns[k], columns[j] = rows[i], rows[k], columns[j], columns[k]
        if rest[k, k] != 0.0:
            rest[k + 1 :, k + 1 :] -= np.outer(rest[k + 1 :, k] / rest[k, k], rest[k, k + 1 :])
    return rows, columns


def inverse_in_order(A: Vector, rows: Sequence[int], columns: Sequence[int]) -> tuple[Any, Scalar]:
    """(n, n) inverse of a matrix of floats or recorded, and whether the order was good."""
    n = len(rows)
    U = [[A[i][j] for j in columns] for i in rows]
    recips: list[Any] = []
    lower: dict[tuple[int, int], Any] = {}
    for k in range(n):
        recips.append(1.0 / U[k][k])
        for i in range(k + 1, n):
            lower[i, k] = U[i][k] * recips[k]
            for j in range(k + 1, n):
                U[i][j] = U[i][j] - lower[i, k] * U[k][j]
    multipliers = array(list(lower.values()))
    good = less_equal(dot(multipliers, multipliers), LARGEST**2)
    inverse = np.empty((n, n), dtype=object)
    for column in range(n):
        x: list[Any] = [0.0] * column + [1.0] + [0.0] * (n - column - 1)
        for i in range(column + 1, n):
            x[i] = -lower[i, column]
            for k in range(column + 1, i):
                x[i] = x[i] - lower[i, k] * x[k]
        for i in reversed(range(n)):
            for j in range(i + 1, n):
                x[i] = x[i] - U[i][j] * x[j]
            x[i] = x[i] * recips[i]
        for i in range(n):
            inverse[columns[i], rows[column]] = x[i]
    return array(inverse), good
