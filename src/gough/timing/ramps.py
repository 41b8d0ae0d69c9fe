"""The shape of an S-curve with the shortest time: how long it ramps, and how much of a ramp is jerk.

Speed limits want short ramps, limits of force and jerk long ones. With one part given the time falls and then rises
over the other, so each is searched by golden section; ramps on a logarithmic scale.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

RAMPS = (1e-4, 0.5)
"""Shares of the time of one ramp: from next to none to all of it, up and down."""
ROUNDED = (1.0, 0.6, 0.3)
"""Shares of a ramp in which the acceleration changes: these first, then halfway to the neighbours of the best."""
_STEPS = 14
_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True, slots=True)
class Shape:
    """Of an S-curve.

    Attributes:
        ramp: Share of the time of speeding up, and of slowing down; up to 1/2.
        rounded: Share of a ramp in which the acceleration changes, up to 1.
    """

    ramp: float
    rounded: float

    @property
    def jerk(self) -> float:
        """Share of the time of each of the four stretches in which the acceleration changes."""
        return 0.5 * self.ramp * self.rounded

    @property
    def steady(self) -> float:
        """Share of the time at constant speed."""
        return max(1.0 - 2.0 * self.ramp, 0.0)


def best_shape(time: Callable[[Shape], float]) -> Shape:
    """The shape of the shortest time found; `time` tells that of any [s]."""
    tried: dict[float, tuple[float, Shape]] = {}
    for rounded in ROUNDED:
        tried[rounded] = _best_ramp(time, rounded)
    best = min(tried, key=lambda rounded: tried[rounded][0])
    order = sorted(tried)
    k = order.index(best)
    for other in order[max(k - 1, 0) : k] + order[k + 1 : k + 2]:
        middle = 0.5 * (best + other)
        tried[middle] = _best_ramp(time, middle)
    return min(tried.values(), key=lambda found: found[0])[1]


def _best_ramp(time: Callable[[Shape], float], rounded: float) -> tuple[float, Shape]:
    """The shortest time with a ramp so rounded, and its shape."""
    low, high = np.log(RAMPS)
    tried: list[tuple[float, Shape]] = []

    def at(place: float) -> float:
        shape = Shape(min(float(np.exp(place)), 0.5), rounded)
        tried.append((time(shape), shape))
        return tried[-1][0]

    at(high)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    there, beyond = at(left), at(right)
    for _ in range(_STEPS):
        if there < beyond:
            high, right, beyond = right, left, there
            left = high - _GOLDEN * (high - low)
            there = at(left)
        else:
            low, left, there = left, right, beyond
            right = low + _GOLDEN * (high - low)
            beyond = at(right)
    return min(tried, key=lambda found: found[0])
