"""Vectors over many samples, component first, (3, legs, n) or (3, n): every operation runs along the samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def dot(a: Array, b: Array) -> Array:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Array, b: Array) -> Array:
    out = np.empty((3, *np.broadcast_shapes(a.shape[1:], b.shape[1:])))
    np.subtract(a[1] * b[2], a[2] * b[1], out=out[0])
    np.subtract(a[2] * b[0], a[0] * b[2], out=out[1])
    np.subtract(a[0] * b[1], a[1] * b[0], out=out[2])
    return out


def turned(R: Array, a: Array) -> Array:
    """R a, for R (3, 3, ...) that broadcasts against a."""
    out = np.empty((3, *np.broadcast_shapes(R.shape[2:], a.shape[1:])))
    for i in range(3):
        np.add(R[i, 0] * a[0] + R[i, 1] * a[1], R[i, 2] * a[2], out=out[i])
    return out


def turned_back(R: Array, a: Array) -> Array:
    """R^T a."""
    return turned(R.swapaxes(0, 1), a)
