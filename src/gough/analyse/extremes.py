"""Extremes of smooth functions between samples: Chebyshev polynomials on pieces, halved until they fit.

On each piece every quantity is interpolated at Chebyshev points. A piece is halved until the last coefficients of all
quantities are below a tolerance; its extremes are then its ends and the real roots of the polynomials' derivatives. A
kink (where two legs change places as the nearest pair, say) stops the halving at a smallest length, where the value at
the kink is one of the ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

Array = NDArray[np.float64]
Quantities = Callable[[Array], Array]
"""(N,) times to (N, k) values."""

DEGREE = 16
TAIL = 1e-11
"""Size of the last coefficients, of the largest value of the quantity, at which a piece fits."""
SHORTEST = 1e-7
"""Length of a piece, of the whole, below which it is not halved any more."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A largest or smallest value and when it is taken."""

    value: float
    time: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Polynomials of all quantities on an interval.

    Attributes:
        begin, end: The interval [s].
        coefficients: (DEGREE + 1, k) Chebyshev coefficients.
    """

    begin: float
    end: float
    coefficients: Array

    def times(self, s: Array) -> Array:
        """Times at places s in [-1, 1]."""
        return 0.5 * (self.begin + self.end) + 0.5 * (self.end - self.begin) * s


def pieces_of(function: Quantities, edges: Sequence[float], degree: int = DEGREE) -> list[Piece]:
    """Polynomials that fit `function` over all of [edges[0], edges[-1]], with breaks at the edges."""
    whole = edges[-1] - edges[0]
    todo = [(a, b) for a, b in pairwise(edges) if b > a]
    scale: Any = None
    done: list[Piece] = []
    while todo:
        times = np.concatenate([0.5 * (a + b) + 0.5 * (b - a) * _points(degree) for a, b in todo])
        values = function(times).reshape(len(todo), degree + 1, -1)
        largest = np.nanmax(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=(0, 1))
        scale = largest if scale is None else np.maximum(scale, largest)
        again: list[tuple[float, float]] = []
        for (a, b), at in zip(todo, values, strict=True):
            coefficients = _transform(degree) @ at
            tail = np.abs(coefficients[-3:]).max(axis=0)
            fits = (tail <= TAIL * np.maximum(scale, np.finfo(float).tiny)) | ~np.isfinite(at).all(axis=0)
            if fits.all() or b - a <= SHORTEST * whole:
                done.append(Piece(a, b, coefficients))
            else:
                again += [(a, 0.5 * (a + b)), (0.5 * (a + b), b)]
        todo = again
    return sorted(done, key=lambda piece: piece.begin)


def extremes(function: Quantities, pieces: Sequence[Piece]) -> tuple[list[Extreme], list[Extreme]]:
    """Smallest and largest value of each quantity, taken from the function itself at the places the pieces tell."""
    times = candidate_times(pieces)
    values = function(times)
    low, high = [], []
    for column in values.T:
        good = np.isfinite(column)
        kept, when = column[good], times[good]
        if not len(kept):
            low.append(Extreme(np.nan, np.nan))
            high.append(Extreme(np.nan, np.nan))
            continue
        low.append(Extreme(float(kept.min()), float(when[kept.argmin()])))
        high.append(Extreme(float(kept.max()), float(when[kept.argmax()])))
    return low, high


def candidate_times(pieces: Sequence[Piece]) -> Array:
    """Times at which any quantity may be extreme: ends of pieces and roots of the derivatives."""
    times = [np.array([piece.begin for piece in pieces] + [pieces[-1].end])]
    for piece in pieces:
        for column in piece.coefficients.T:
            times.append(piece.times(_roots(chebyshev.chebder(column))))
    return np.unique(np.concatenate(times))


def sign_changes(piece: Piece, column: int) -> Array:
    """Times in a piece at which a quantity passes zero."""
    return piece.times(_roots(piece.coefficients[:, column]))


def _roots(coefficients: Array) -> Array:
    """Real roots in [-1, 1]; leading coefficients that are round-off are dropped first."""
    if not np.isfinite(coefficients).all():
        return np.empty(0)
    size = np.abs(coefficients).max(initial=0.0)
    significant = np.nonzero(np.abs(coefficients) > 1e-14 * size)[0]
    if len(significant) == 0 or significant[-1] == 0:
        return np.empty(0)
    roots = chebyshev.chebroots(coefficients[: significant[-1] + 1])
    real = roots[np.abs(roots.imag) <= 1e-7].real
    return np.clip(real[np.abs(real) <= 1.0 + 1e-9], -1.0, 1.0)


@lru_cache(maxsize=8)
def _points(degree: int) -> Array:
    return -np.cos(np.pi * np.arange(degree + 1) / degree)


@lru_cache(maxsize=8)
def _transform(degree: int) -> Array:
    """(degree + 1, degree + 1) from values at the points to coefficients."""
    return np.asarray(np.linalg.inv(chebyshev.chebvander(_points(degree), degree)), dtype=np.float64)
