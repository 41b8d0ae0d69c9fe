"""Limits of actuators that the numbers of one call exceed, for control loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from gough.graph import Array
from gough.robot import Joint, Robot


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A limit of an actuator that a sample exceeds.

    Attributes:
        quantity: "stroke", "speed", "force" or "power".
        actuator: Its name.
        value: What it would have to be [m or rad, per s, N or N m, W].
        low, high: What it may be.
        row: Row of the sample; 0 for a single one.
    """

    quantity: str
    actuator: str
    value: float
    low: float
    high: float
    row: int = 0

    def __str__(self) -> str:
        """One line: "actuator 3: stroke 0.912: must be from 0.5 to 0.85"."""
        return f"actuator {self.actuator}: {self.quantity} {self.value:.6g}: must be from {self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class ActuatorLimits:
    """What the actuators of a robot may do: (m,) lower and upper ends by quantity, infinite where none is stated."""

    names: tuple[str, ...]
    ranges: Mapping[str, tuple[str, Array, Array]]

    @classmethod
    def of(cls, robot: Robot) -> ActuatorLimits:
        """Those that its file states; quantities without any are left out."""
        ends = {
            "stroke": ("q", [_stroke(joint) for joint in robot.actuators]),
            "speed": ("qd", [_both_ways(joint.limits.speed) for joint in robot.actuators]),
            "force": ("force", [_both_ways(joint.limits.force) for joint in robot.actuators]),
            "power": ("power", [_both_ways(joint.limits.power) for joint in robot.actuators]),
        }
        found = {kind: (name, *np.array(pairs, dtype=float).T) for kind, (name, pairs) in ends.items()}
        kept = {kind: entry for kind, entry in found.items() if np.isfinite(entry[1:]).any()}
        return cls(robot.actuator_names, kept)

    def exceeded(self, arrays: Mapping[str, Array]) -> tuple[ExceededLimit, ...]:
        """The limits that arrays (m,) or (N, m) exceed, by the names q, qd, force and power; NaN exceeds none."""
        found = []
        for kind, (name, low, high) in self.ranges.items():
            values = arrays.get(name)
            if values is None or not (beyond := (values < low) | (values > high)).any():
                continue
            for place in zip(*np.nonzero(beyond), strict=True):
                k, row = int(place[-1]), int(place[0]) if values.ndim == 2 else 0
                found.append(
                    ExceededLimit(kind, self.names[k], float(values[place]), float(low[k]), float(high[k]), row)
                )
        return tuple(found)


def _stroke(joint: Joint) -> tuple[float, float]:
    return joint.limits.stroke or (-inf, inf)


def _both_ways(limit: float | None) -> tuple[float, float]:
    return (-inf, inf) if limit is None else (-limit, limit)
