"""Whether points of a projective space that are known to within radii are different ones."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

Element = TypeVar("Element", bound=np.generic)
NEARLY = 1e-4
"""1 minus the squared cosine, below which it says too little of the angle: round-off."""


def by_set(values: NDArray[Element], shape: tuple[int, int]) -> NDArray[Element]:
    """(N, n, ..) what stands one after the other (N n, ..), of N sets of n: `shape`."""
    return values.reshape(*shape, *values.shape[1:])


def apart(
    x: NDArray[np.inexact], others: NDArray[np.inexact], radius: Array | float, radii: Array | float
) -> NDArray[np.bool_]:
    """(N,) whether what is within `radius` of x is surely none of what is within `radii` (N,) of others (N, k).

    All have length one; radii are tangents of angles. x is (k,) or (N, k), its radius one or (N,).
    """
    along = (others * np.conj(x)).sum(axis=-1)
    across = np.linalg.norm(others - along[:, None] * x, axis=-1)
    return across > (radius + radii) * (1.0 + 1e-8) + 1e-14


def overlaps(x: NDArray[np.inexact], radius: Array, y: NDArray[np.inexact], radius_y: Array) -> NDArray[np.bool_]:
    """(N, n, m) whether points x (N, n, k) and y (N, m, k) may be the same ones.

    All have length one; radii (N, n) and (N, m) are tangents of angles.
    """
    cosine2 = np.abs(x @ np.conj(y).transpose(0, 2, 1)) ** 2
    wide = (radius[:, :, None] + radius_y[:, None, :]) > 0.5 * np.sqrt(NEARLY)
    at, i, j = np.nonzero((cosine2 > 1.0 - NEARLY) & ~wide)
    found = wide | ~np.isfinite(cosine2)
    found[at, i, j] = ~apart(x[at, i], y[at, j], radius[at, i], radius_y[at, j])
    return found
