"""Normal numbers of uniform ones by the inverse of their distribution: one of each, none rejected."""

from __future__ import annotations

import numpy as np

from gough.draws.counter import Array


def normal(u: Array, low: float = -np.inf, high: float = np.inf) -> Array:
    """Standard normal numbers of uniform ones, kept within [low, high]: those beyond are not drawn, not clipped.

    The half with the smaller tail is taken, so that far tails keep their digits.
    """
    from scipy.special import ndtr, ndtri

    if low > 0.0:
        return -normal(u, -high, -low)
    first, last = float(ndtr(low)), float(ndtr(high))
    return np.asarray(np.clip(ndtri(first + u * (last - first)), low, high))


def share(z: Array) -> Array:
    """The share of a standard normal distribution below z."""
    from scipy.special import ndtr

    found: Array = ndtr(z)
    return found
