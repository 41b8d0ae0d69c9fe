"""Chebyshev series: from values to coefficients, their derivatives and their roots, many at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

Array = NDArray[np.float64]


@lru_cache(maxsize=8)
def points(degree: int) -> Array:
    """(degree + 1,) Chebyshev points in [-1, 1], from the left."""
    return -np.cos(np.pi * np.arange(degree + 1) / degree)


@lru_cache(maxsize=8)
def from_values(degree: int) -> Array:
    """(degree + 1, degree + 1) from values at the points to coefficients."""
    return np.asarray(np.linalg.inv(chebyshev.chebvander(points(degree), degree)), dtype=np.float64)


@lru_cache(maxsize=8)
def derivative(degree: int) -> Array:
    """(degree, degree + 1) from the coefficients of a series to those of its derivative."""
    return np.asarray(chebyshev.chebder(np.eye(degree + 1)), dtype=np.float64)


def roots(coefficients: Array) -> tuple[Any, Array]:
    """Real roots in [-1, 1] of Chebyshev series (M, n), all together, and for each the series it is of.

    Leading coefficients that are round-off are dropped first. Roots are the eigenvalues of the colleague matrix: with
    x T_k = (T_k-1 + T_k+1) / 2 and x T_0 = T_1, in which T_n is what the series says it is at a root.
    """
    size = np.abs(coefficients).max(axis=1, initial=0.0)
    kept = (np.abs(coefficients) > 1e-15 * size[:, None]) & np.isfinite(size)[:, None]
    degree = np.where(kept.any(axis=1), coefficients.shape[1] - 1 - kept[:, ::-1].argmax(axis=1), 0)
    which, found = [np.empty(0, dtype=int)], [np.empty(0)]
    for n in np.unique(degree[degree > 0]).tolist():
        rows = np.flatnonzero(degree == n)
        at = np.linalg.eigvals(_colleague(coefficients[rows, : n + 1]))
        row, k = np.nonzero((np.abs(at.imag) <= 1e-6) & (np.abs(at.real) <= 1.0 + 1e-9))
        which.append(rows[row])
        found.append(np.clip(at.real[row, k], -1.0, 1.0))
    return np.concatenate(which), np.concatenate(found)


def _colleague(c: Array) -> Array:
    """(M, n, n) matrices whose eigenvalues are the roots of series c (M, n + 1), scaled to be symmetric but for c."""
    n = c.shape[1] - 1
    scale = np.concatenate([[1.0], np.full(n - 1, 0.5**0.5)])
    shift = np.full(n - 1, 0.5)
    shift[:1] = 0.5**0.5
    matrices = np.tile(np.diag(shift, 1) + np.diag(shift, -1), (len(c), 1, 1))
    matrices[:, :, -1] -= (c[:, :-1] / c[:, -1:]) * (scale / scale[-1]) * (0.5 if n > 1 else 1.0)
    return matrices
