"""One number of a robot that varies: within which bounds, how it is drawn, and what is tied to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gough.brief import brief
from gough.draws.counter import Array
from gough.draws.normal import normal

Kind = Literal["uniform", "normal", "levels"]


@dataclass(frozen=True, slots=True)
class Tie:
    """A number that follows another: its address, by what factor, and what is added to that."""

    address: str
    factor: float
    offset: float


@dataclass(frozen=True, slots=True)
class Varied:
    """A number that varies, SI units and radians.

    Attributes:
        name: As it was written: `leg.3.base.x`.
        address: Address of the number: `leg.3.position.0`.
        nominal: What the robot has.
        low, high: Its bounds; no draw is beyond them.
        kind: "uniform" between the bounds, "normal" about `middle`, truncated at the bounds, or one of the "levels".
        middle, deviation: Of the normal distribution before it is truncated.
        levels: The values of a list or a grid, each taken equally often.
        ties: What moves along.
        unit: SI unit, "" where there is none.
    """

    __repr__ = brief

    name: str
    address: str
    nominal: float
    low: float
    high: float
    kind: Kind = "uniform"
    middle: float = 0.0
    deviation: float = 0.0
    levels: tuple[float, ...] = ()
    ties: tuple[Tie, ...] = ()
    unit: str = ""

    def drawn(self, u: Array) -> Array:
        """(N,) values of uniform numbers u (N,) in (0, 1)."""
        if self.kind == "levels":
            levels = np.array(self.levels)
            return levels[np.minimum((u * len(levels)).astype(np.int64), len(levels) - 1)]
        if self.kind == "normal":
            low, high = (self.low - self.middle) / self.deviation, (self.high - self.middle) / self.deviation
            return np.clip(self.middle + self.deviation * normal(u, low, high), self.low, self.high)
        return np.clip(self.low + (self.high - self.low) * u, self.low, self.high)

    def changes(self, value: Any) -> dict[str, Any]:
        """Address to value of the number and of what is tied to it, for `Robot.replace`; plain or recorded."""
        tied = {tie.address: value * tie.factor + tie.offset for tie in self.ties}
        return {self.address: value} | tied
