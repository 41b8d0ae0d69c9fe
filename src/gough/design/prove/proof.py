"""What branch and bound has proved of an envelope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Proof:
    """Bounds that hold at every reachable pose of an envelope.

    Attributes:
        force_high, force_low: (m,) what the force of each actuator is never above and never below (both signed).
        speed: (m,) what its speed is never above.
        power: (m,) what its power, either way, is never above; no more than force times speed.
        gap: Largest distance of a bound of forces and speeds from what was found, of the actuator's largest force or
            speed; infinite if there is no bound.
        power_gap: The same of the powers.
        boxes: How many were looked at.
        unreachable: Share of the pose box that is proved to be out of reach.
        undecided: Share in boxes that may hold poses out of reach; the bounds hold there for those within.
    """

    force_high: Any
    force_low: Any
    speed: Any
    power: Any
    gap: float
    power_gap: float
    boxes: int
    unreachable: float
    undecided: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None where there is no bound."""
        plain = {name: _finite(getattr(self, name)) for name in ("force_high", "force_low", "speed", "power")}
        shares = {"boxes": self.boxes, "unreachable": self.unreachable, "undecided": self.undecided}
        gap, power_gap = _finite([self.gap, self.power_gap])
        return plain | {"gap": gap, "power_gap": power_gap} | shares


def _finite(values: Any) -> list[float | None]:
    return [float(v) if np.isfinite(v) else None for v in values]
