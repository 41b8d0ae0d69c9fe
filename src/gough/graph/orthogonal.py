"""Orthogonal factors of tall matrices by Householder's reflections: A = Q R without branches.

The reflections are kept, not Q: applying them is stable to round-off however A is conditioned. All of it is made of
recorded operations, and differentiated through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph.functions import absolute, array, dot, sqrt, where
from gough.graph.linear import factor, solve


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """A = Q [R; 0] of an (m, n) matrix, m >= n.

    Attributes:
        mirrors: For each column k the normal (m - k,) of its reflection, and 2 over its square.
        R: (n, n) rows of the upper triangle.
    """

    mirrors: tuple[tuple[Any, Any], ...]
    R: Any

    def turned(self, b: Any) -> Any:
        """(m,) Q b."""
        b = array(b).copy()
        for k in reversed(range(len(self.mirrors))):
            b = self._mirrored(k, b)
        return b

    def turned_back(self, b: Any) -> Any:
        """(m,) Q^T b."""
        b = array(b).copy()
        for k in range(len(self.mirrors)):
            b = self._mirrored(k, b)
        return b

    def _mirrored(self, k: int, b: Any) -> Any:
        v, twice = self.mirrors[k]
        share = dot(v, b[k:]) * twice
        return np.concatenate([b[:k], b[k:] - v * share])

    def upper_solved(self, b: Any) -> Any:
        """(n,) x with R x = b."""
        x: list[Any] = list(b)
        for k in reversed(range(len(x))):
            for j in range(k + 1, len(x)):
                x[k] = x[k] - self.R[k][j] * x[j]
            x[k] = x[k] / self.R[k][k]
        return array(x)

    def lower_solved(self, b: Any) -> Any:
        """(n,) y with R^T y = b."""
        y: list[Any] = list(b)
        for k in range(len(y)):
            for j in range(k):
                y[k] = y[k] - self.R[j][k] * y[j]
            y[k] = y[k] / self.R[k][k]
        return array(y)

    def least_squares(self, b: Any) -> Any:
        """(n,) x for which |A x - b| is least, b (m,)."""
        return self.upper_solved(self.turned_back(b)[: len(self.mirrors)])

    def least_norm(self, b: Any, size: int) -> Any:
        """(m,) the smallest x with A^T x = b, b (n,); `size` is m."""
        y = self.lower_solved(b)
        return self.turned(np.concatenate([y, np.zeros(size - len(y))]))

    def null_space(self, size: int) -> Any:
        """(m, m - n) orthonormal columns: a basis of all x with A^T x = 0; `size` is m."""
        n = len(self.mirrors)
        return np.stack([self.turned(np.eye(size)[k]) for k in range(n, size)], axis=1)


def orthogonal(A: Any) -> Orthogonal:
    """The orthogonal factors of an (m, n) matrix, m >= n, of floats or recorded; NaN where a column vanishes."""
    A = array(A).copy()
    m, n = A.shape
    if m < n:
        raise ValueError(f"orthogonal needs at least as many rows as columns, not shape {A.shape}")
    mirrors = []
    R = np.zeros((n, n), dtype=A.dtype)
    for k in range(n):
        x = A[k:, k]
        size = sqrt(dot(x, x))
        side = where(x[0] < 0.0, -1.0, 1.0)
        v = x.copy()
        v[0] = x[0] + side * size
        twice = 1.0 / (size * (size + absolute(x[0])))
        R[k, k] = -side * size
        for j in range(k + 1, n):
            share = dot(v, A[k:, j]) * twice
            A[k:, j] = A[k:, j] - v * share
            R[k, j] = A[k, j]
        mirrors.append((v, twice))
    return Orthogonal(tuple(mirrors), R)


def least_squares(A: Any, b: Any) -> Any:
    """(n,) x with A x = b where A is square, for which |A x - b| is least where it has more rows than columns."""
    m, n = np.shape(A)
    return solve(factor(A), b) if m == n else orthogonal(A).least_squares(b)
