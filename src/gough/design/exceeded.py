"""Stated limits of the actuators beside what an envelope asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.finding import ROUND_OFF
from gough.analysis.limits import Bound, actuator_bounds
from gough.robot import Robot

LIMITED = ("stroke", "speed", "force", "power")


@dataclass(frozen=True, slots=True)
class Excess:
    """A stated limit that an envelope goes beyond.

    Attributes:
        kind: "stroke", "speed", "force" or "power".
        actuator: Index.
        value, limit: [m or rad, per s, N or N m, W]; both signed.
    """

    kind: str
    actuator: int
    value: float
    limit: float


def limited(robot: Robot) -> tuple[str, ...]:
    """Kinds of limits that the robot states for an actuator."""
    return tuple(kind for kind in LIMITED if any(bound for _, bound in actuator_bounds(robot, kind, {})))


def exceeded(robot: Robot, ranges: dict[str, Any]) -> tuple[Excess, ...]:
    """The limits that are exceeded, by kind and actuator.

    Args:
        robot: With limits of its own.
        ranges: (m, 2) smallest and largest value of each actuator by kind.
    """
    found = []
    for kind in LIMITED:
        for k, (_, bound) in enumerate(actuator_bounds(robot, kind, {})):
            if bound is not None:
                found += [Excess(kind, k, *end) for end in _beyond(bound, ranges[kind][k])]
    return tuple(found)


def _beyond(bound: Bound, ends: Any) -> list[tuple[float, float]]:
    """The worst value and its limit, if it is beyond."""
    low, high = float(ends[0]), float(ends[1])
    sides = [(bound.low - low, low, bound.low), (high - bound.high, high, bound.high)]
    excess, value, limit = max(side for side in sides if np.isfinite(side[2]))
    return [(value, limit)] if excess > ROUND_OFF * max(abs(value), abs(limit)) else []
