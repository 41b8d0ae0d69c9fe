"""Motions from rest to rest as cubic B-splines of time: continuous accelerations, a few control points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.graph import Array
from gough.motion.curves import Pieces

DEGREE = 3


@dataclass(frozen=True)
class SplineSpace:
    """Cubic splines over u from 0 to 1 that start and end at rest at two poses.

    Attributes:
        start, end: (n,) the poses.
        spans: Stretches of equal length between knots.
    """

    start: Array
    end: Array
    spans: int

    @property
    def free(self) -> int:
        """Control points that are free; the first and last two stay at the ends."""
        return self.spans + DEGREE - 4

    @cached_property
    def knots(self) -> Array:
        """(spans + 7,) with those at the ends four times."""
        inner = np.linspace(0.0, 1.0, self.spans + 1)
        return np.concatenate([np.zeros(DEGREE), inner, np.ones(DEGREE)])

    def full(self, points: Array) -> Array:
        """(free + 4, n) all control points, from the free ones (free, n)."""
        return np.concatenate([[self.start] * 2, points, [self.end] * 2])

    def basis(self, u: Array) -> Array:
        """(3, N, free + 4) of all control points: values, first and second derivatives by u (N,)."""
        from scipy.interpolate import BSpline

        whole = BSpline(self.knots, np.eye(self.free + 4), DEGREE)
        return np.stack([whole(u, nu=k) for k in range(3)])

    @cached_property
    def straight(self) -> Array:
        """(free, n) control points of the straight line by the law 3 u^2 - 2 u^3, exactly."""
        u = np.linspace(0.0, 1.0, 8 * self.spans + 1)
        s = (3.0 * u**2 - 2.0 * u**3)[:, None]
        return self.fitted(u, self.start + s * (self.end - self.start))

    def fitted(self, u: Array, x: Array) -> Array:
        """(free, n) control points whose spline is nearest to x (N, n) at u (N,)."""
        basis = self.basis(u)[0]
        rest = x - basis[:, :2].sum(axis=1)[:, None] * self.start - basis[:, -2:].sum(axis=1)[:, None] * self.end
        return np.asarray(np.linalg.lstsq(basis[:, 2:-2], rest, rcond=None)[0])

    def pieces(self, points: Array, duration: float = 1.0) -> Pieces:
        """The spline of free control points (free, n), in a time [s], as polynomials; exactly the poses at its ends."""
        from scipy.interpolate import BSpline

        spline = BSpline(self.knots, self.full(points), DEGREE)
        left = self.knots[DEGREE : -DEGREE - 1]
        orders = (spline(left, nu=k) / (1.0, 1.0, 2.0, 6.0)[k] / duration**k for k in range(DEGREE + 1))
        coefficients = np.stack(list(orders))
        coefficients[0, 0], coefficients[1, 0] = self.start, 0.0
        return Pieces(np.linspace(0.0, duration, self.spans + 1), coefficients, still=True)
