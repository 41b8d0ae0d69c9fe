"""The worst value of a quantity beside its limit."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from gough.analysis.extremes import Extreme
from gough.analysis.quantities import Column
from gough.renamed import OldAttributes

ROUND_OFF = 1e-12
"""A limit passed by no more than this share of it, or of the value, is not passed."""


@dataclass(frozen=True, slots=True)
class Finding(OldAttributes):
    """The worst value of one quantity.

    Attributes:
        kind: Of the limit.
        owner: Actuator, leg and joint, or pair of legs; empty for the whole machine.
        t: When [s].
        value, limit: [m or rad, per s, N or N m, W, or plain].
        margin: What is left to the limit, negative if it is passed.
        relative: The margin, of the limit or of the range.
        turns: Whether the quantity belongs to something that turns.
        upper: Whether the limit is the largest value allowed.
    """

    kind: str
    owner: str
    t: float
    value: float
    limit: float
    margin: float
    relative: float
    turns: bool
    upper: bool

    @property
    def fits(self) -> bool:
        """Whether the limit is kept."""
        return self.margin >= -ROUND_OFF * max(abs(self.limit), abs(self.value))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"fits": self.fits}


def finding(column: Column, low: Extreme, high: Extreme) -> Finding:
    """The worse of the two ends of a quantity's range."""
    if column.kind == "angle":
        low, high = high, low  # the largest angle has the smallest cosine
    bound, sides = column.bound, []
    for limit, extreme, upper in ((bound.low, low, False), (bound.high, high, True)):
        if math.isfinite(limit):
            value = column.shown(extreme.value)
            margin = limit - value if upper else value - limit
            relative = margin / column.width if math.isfinite(margin) else -math.inf
            sides.append((relative, margin, limit, value, extreme.t, upper))
    relative, margin, limit, value, time, upper = min(sides)
    return Finding(column.kind, column.owner, time, value, limit, margin, relative, column.turns, upper)
