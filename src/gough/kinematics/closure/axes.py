"""Where points and axes of an unmoved leg must be for a closed form, to the digits that files give."""

from __future__ import annotations

from typing import Any

import numpy as np

_CLOSE = 1e-9
"""Relative slack of lengths and right angles: files give ten digits or so."""


def across(*axes: Any) -> bool:
    """Whether unit vectors are perpendicular to each other."""
    return all(abs(np.dot(a, b)) <= _CLOSE for k, a in enumerate(axes) for b in axes[k + 1 :])


def parallel(a: Any, b: Any) -> bool:
    """Whether vectors are parallel."""
    return bool(np.linalg.norm(np.cross(a, b)) <= _CLOSE * np.linalg.norm(a) * np.linalg.norm(b))


def same(p: Any, q: Any, scale: float) -> bool:
    """Whether points are one, at lengths of this scale [m]."""
    return bool(np.linalg.norm(np.subtract(p, q)) <= _CLOSE * scale)
