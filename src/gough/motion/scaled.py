"""A curve larger or smaller about a point: first + factor (x(t) - first)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.graph import Array
from gough.motion.curves import Curve, Jet, Values


@dataclass(frozen=True, slots=True)
class Scaled:
    """first + factor (curve(t) - first).

    Attributes:
        curve: Into R^n.
        first: (n,) the point that stays.
        factor: Of the way from there, and of all rates.
    """

    curve: Curve
    first: Values
    factor: float

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of the curve."""
        return self.curve.breakpoints

    @property
    def analytic(self) -> bool:
        """As the curve is."""
        return self.curve.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        x, xd, xdd = self.curve(t)
        first = np.array(self.first)
        return first + self.factor * (x - first), self.factor * xd, self.factor * xdd
