"""The convex outline of points in a plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_STRAIGHT = 1e-12
"""A corner that turns by less, beside the size of all, is none."""


def outline(points: Any) -> list[int]:
    """Indices of the corners of the hull of points (n, 2), counter-clockwise: Andrew's two chains, left to right."""
    p = np.asarray(points, dtype=float)
    size = float(np.ptp(p, axis=0).max()) or 1.0
    q = (p - p.mean(0)) / size
    order = [int(k) for k in np.lexsort((q[:, 1], q[:, 0]))]
    return _chain(q, order)[:-1] + _chain(q, order[::-1])[:-1]


def _chain(q: NDArray[np.float64], order: list[int]) -> list[int]:
    """The corners on one side, from the first to the last of the order."""
    found: list[int] = []
    for k in order:
        while len(found) > 1 and _turn(q[found[-2]], q[found[-1]], q[k]) <= _STRAIGHT:
            found.pop()
        found.append(k)
    return found


def _turn(a: Any, b: Any, c: Any) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
