"""Piecewise polynomials: splines and sequences of moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gough.motion.curve import Array, Jet
from gough.motion.series import horner


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """On [knots[k], knots[k+1]] the polynomial sum of coefficients[j, k] (t - knots[k])^j.

    At an inner knot the piece to the right counts; beyond the ends the outer pieces go on.

    Attributes:
        knots: (m + 1,) increasing [s].
        coefficients: (degree + 1, m, n).
    """

    knots: Array
    coefficients: Array
    analytic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Protects the arrays from being written to."""
        for array in (self.knots, self.coefficients):
            array.setflags(write=False)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """The knots."""
        return tuple(self.knots.tolist())

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        piece = np.clip(np.searchsorted(self.knots, t, side="right") - 1, 0, len(self.knots) - 2)
        return horner([c[piece] for c in self.coefficients], (t - self.knots[piece])[:, None])

    def __eq__(self, other: object) -> bool:
        """Same knots and coefficients, bit by bit."""
        return isinstance(other, Pieces) and self._key() == other._key()

    def __hash__(self) -> int:
        """Of knots and coefficients."""
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.coefficients.shape, self.knots.tobytes(), self.coefficients.tobytes()


def linear(t: Array, values: Array) -> Pieces:
    """Straight lines through values (N, n) at times t (N,)."""
    slopes = np.diff(values, axis=0) / np.diff(t)[:, None]
    return Pieces(np.array(t), np.stack([values[:-1], slopes]))
