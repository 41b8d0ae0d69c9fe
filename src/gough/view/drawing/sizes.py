"""How thick the parts of a drawing are: by the machine's size, since files say little about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.robot import Leg
from gough.view.drawing.solids import Array


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of parts for a machine of largest dimension `extent` [m]."""

    extent: float

    def bar(self, leg: Leg) -> float:
        """Radius of a leg's bars: the leg's own where it can be seen and leaves room."""
        return float(np.clip(leg.radius or 0.010 * self.extent, 0.008 * self.extent, 0.013 * self.extent))

    @property
    def ball(self) -> float:
        """Radius of a spherical joint."""
        return 0.021 * self.extent

    @property
    def pin(self) -> float:
        """Radius of a pin; half its length is `ball`."""
        return 0.009 * self.extent

    @property
    def motor(self) -> float:
        """Radius of a motor."""
        return 0.030 * self.extent

    @property
    def plate(self) -> float:
        """Thickness of a plate."""
        return 0.024 * self.extent


def sizes_for(points: Array) -> Sizes:
    """Sizes for a machine whose joints are at points (n, 3)."""
    return Sizes(float(np.ptp(points, axis=0).max()) or 1.0)
