"""Limits of actuators that the numbers of one call exceed, for control loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from gough.graph import Array
from gough.robot import Joint, Mechanism
from gough.table.result import units_of


@dataclass(frozen=True, slots=True)
class ExceededLimit:
    """A limit of an actuator that a sample exceeds.

    Attributes:
        quantity: "stroke", "speed", "force" or "power".
        actuator: Its name.
        value: What it would have to be [m or rad, per s, N or N m, W].
        low, high: What it may be.
        row: Row of the sample; 0 for a single one.
        unit: Of the value.
    """

    quantity: str
    actuator: str
    value: float
    low: float
    high: float
    row: int = 0
    unit: str = ""

    def __str__(self) -> str:
        """One line: "actuator 3: stroke 0.912 m: must be from 0.5 to 0.85 m"."""
        after = f" {self.unit}" if self.unit else ""
        given = f"actuator {self.actuator}: {self.quantity} {self.value:.6g}{after}"
        return f"{given}: must be from {self.low:g} to {self.high:g}{after}"


@dataclass(frozen=True, slots=True)
class ActuatorLimits:
    """What the actuators of a robot may do: (m,) lower and upper ends by quantity, infinite where none is stated."""

    names: tuple[str, ...]
    ranges: Mapping[str, tuple[str, Array, Array]]
    units: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, robot: Mechanism) -> ActuatorLimits:
        """Those that its file states; quantities without any are left out."""
        ends = {
            "stroke": ("q", [_stroke(joint) for joint in robot.actuators]),
            "speed": ("qd", [_both_ways(joint.limits.speed) for joint in robot.actuators]),
            "force": ("force", [_both_ways(joint.limits.force) for joint in robot.actuators]),
            "power": ("power", [_both_ways(joint.limits.power) for joint in robot.actuators]),
        }
        found = {kind: (name, *np.array(pairs, dtype=float).T) for kind, (name, pairs) in ends.items()}
        kept = {kind: entry for kind, entry in found.items() if np.isfinite(entry[1:]).any()}
        q, force = (units_of(robot, "actuator", quantity) for quantity in ("displacement", "force"))
        units = {"stroke": q, "speed": [f"{unit}/s" for unit in q], "force": force, "power": ["W"] * len(q)}
        return cls(robot.actuator_names, kept, units)

    def exceeded(self, arrays: Mapping[str, Array]) -> tuple[ExceededLimit, ...]:
        """The limits that arrays (m,) or (N, m) exceed, by the names q, qd, force and power; NaN exceeds any."""
        found = []
        for kind, (name, low, high) in self.ranges.items():
            values = arrays.get(name)
            if values is None or (kept := ((values >= low) & (values <= high))).all():
                continue
            for place in zip(*np.nonzero(~kept), strict=True):
                k, row = int(place[-1]), int(place[0]) if values.ndim == 2 else 0
                found.append(
                    ExceededLimit(
                        kind,
                        self.names[k],
                        float(values[place]),
                        float(low[k]),
                        float(high[k]),
                        row,
                        self.units[kind][k],
                    )
                )
        return tuple(found)


def _stroke(joint: Joint) -> tuple[float, float]:
    return joint.limits.stroke or (-inf, inf)


def _both_ways(limit: float | None) -> tuple[float, float]:
    return (-inf, inf) if limit is None else (-limit, limit)
