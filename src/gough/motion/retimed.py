"""A curve run through by another law of time: x(s(t)), with its own breakpoints."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gough.graph import Array
from gough.motion.curves import Curve, Jet, Pieces


@dataclass(frozen=True, slots=True)
class Retimed:
    """path(s(t)).

    Attributes:
        path: A curve of a place s, analytic between the places at which pieces of s begin.
        s: The place over time, into R; each of its pieces stays between two such places.
        places: (m + 1,) the place at each knot of s: at a stop the path may turn, and the piece before it ends there.
    """

    path: Curve
    s: Pieces
    places: tuple[float, ...]

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of s."""
        return self.s.breakpoints

    @property
    def analytic(self) -> bool:
        """As the path is."""
        return self.path.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        s, sd, sdd = self.s(t)
        x, slope, bend = self.path(self.within(t, s[:, 0]))
        return x, slope * sd, bend * (sd * sd) + slope * sdd

    def within(self, t: Array, s: Array) -> Array:
        """Places s (N,) at times t, kept inside the piece that each time belongs to."""
        piece, edges = self.s.pieces_at(t), np.array(self.places)
        low, high = np.minimum(edges[piece], edges[piece + 1]), np.maximum(edges[piece], edges[piece + 1])
        return np.clip(s, low, np.nextafter(high, low))

    def stretched(self, factor: float) -> Retimed:
        """The same in `factor` times the time."""
        return replace(self, s=stretched(self.s, factor))


def stretched(s: Pieces, factor: float) -> Pieces:
    """Polynomials in `factor` times the time, from the same start on."""
    powers = factor ** -np.arange(len(s.coefficients), dtype=float)
    return Pieces(s.knots[0] + (s.knots - s.knots[0]) * factor, s.coefficients * powers[:, None, None], s.still)


@dataclass(frozen=True, slots=True)
class AlongPlace:
    """A load that depends on the place on a path: load(s(t)); only its values count.

    Attributes:
        load: A curve of the place.
        law: Whose place.
    """

    load: Curve
    law: Retimed

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of the law."""
        return self.law.breakpoints

    @property
    def analytic(self) -> bool:
        """As the load is."""
        return self.load.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        s, sd, sdd = self.law.s(t)
        value, slope, bend = self.load(self.law.within(t, s[:, 0]))
        return value, slope * sd, bend * (sd * sd) + slope * sdd
