"""Straight lines in coordinates, travelled by a scalar law s(t)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.motion.curve import Array, Curve, Jet
from gough.motion.series import Values


@dataclass(frozen=True, slots=True)
class Line:
    """start + s(t) (end - start); exactly `start` where s is 0.

    Attributes:
        start, end: (n,).
        s: A curve into R.
    """

    start: Values
    end: Values
    s: Curve

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of s."""
        return self.s.breakpoints

    @property
    def analytic(self) -> bool:
        """As s is."""
        return self.s.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        s, sd, sdd = self.s(t)
        way = np.array(self.end) - np.array(self.start)
        return np.array(self.start) + s * way, sd * way, sdd * way
