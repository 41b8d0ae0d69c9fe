"""Moves laid over one another: each adds its way by the minimum-jerk law, so overlaps cut corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np

from gough.motion.laws import MINIMUM_JERK
from gough.motion.pieces import Pieces
from gough.motion.series import Values


@dataclass(frozen=True, slots=True)
class Move:
    """A way `by` (n,) begun at time `at` and done after `duration` [s]."""

    at: float
    duration: float
    by: Values


def overlaid(start: Values, moves: Sequence[Move], end: float) -> Pieces:
    """start + sum of by s((t - at)/duration), from 0 to `end`; twice continuously differentiable."""
    times = {0.0, end, *(m.at for m in moves), *(m.at + m.duration for m in moves)}
    knots = np.array(sorted(t for t in times if 0.0 <= t <= end))
    coefficients = np.zeros((6, len(knots) - 1, len(start)))
    coefficients[0] = start
    for k, (left, right) in enumerate(pairwise(knots)):
        middle = (left + right) / 2
        for move in moves:
            if middle > move.at + move.duration:
                coefficients[0, k] += move.by
            elif middle > move.at:
                shifted = _shifted((left - move.at) / move.duration) / move.duration ** np.arange(6.0)
                coefficients[:, k] += shifted[:, None] * np.array(move.by)
    return Pieces(knots, coefficients)


def _shifted(u: float) -> np.ndarray:
    """Coefficients of s(u + v) in powers of v."""
    return np.array(
        [sum(comb(j, k) * c * u ** (j - k) for j, c in enumerate(MINIMUM_JERK) if j >= k) for k in range(6)]
    )
