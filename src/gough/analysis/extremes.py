"""Extremes of smooth functions between samples: Chebyshev polynomials on pieces, halved until they fit.

On each piece every quantity is interpolated at Chebyshev points. A piece is halved until the last coefficients of all
quantities are below a tolerance; its extremes are then its ends and the real roots of the polynomials' derivatives. A
kink inside a piece, or a time at which a quantity is not a number, stops the halving at a smallest length. Round-off,
which near a singularity is far above that of a number, stops it where halving makes small last coefficients no smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from gough.graph import Array


@lru_cache(maxsize=8)
def points(degree: int) -> Array:
    """(degree + 1,) Chebyshev points in [-1, 1], from the left."""
    return -np.cos(np.pi * np.arange(degree + 1) / degree)


@lru_cache(maxsize=8)
def from_values(degree: int) -> Array:
    """(degree + 1, degree + 1) from values at the points to coefficients."""
    return np.asarray(np.linalg.inv(chebyshev.chebvander(points(degree), degree)), dtype=np.float64)


@lru_cache(maxsize=8)
def derivative(degree: int) -> Array:
    """(degree, degree + 1) from the coefficients of a series to those of its derivative."""
    return np.asarray(chebyshev.chebder(np.eye(degree + 1)), dtype=np.float64)


def roots(coefficients: Array) -> tuple[Array, Array]:
    """Real roots in [-1, 1] of Chebyshev series (M, n), all together, and for each the series it is of.

    Leading coefficients that are round-off are dropped first. Roots are the eigenvalues of the colleague matrix: with
    x T_k = (T_k-1 + T_k+1) / 2 and x T_0 = T_1, in which T_n is what the series says it is at a root.
    """
    size = np.abs(coefficients).max(axis=1, initial=0.0)
    kept = (np.abs(coefficients) > 1e-15 * size[:, None]) & np.isfinite(size)[:, None]
    degree = np.where(kept.any(axis=1), coefficients.shape[1] - 1 - kept[:, ::-1].argmax(axis=1), 0)
    which, found = [np.empty(0, dtype=int)], [np.empty(0)]
    for n in np.unique(degree[degree > 0]).tolist():
        rows = np.flatnonzero(degree == n)
        at = np.linalg.eigvals(_colleague(coefficients[rows, : n + 1]))
        row, k = np.nonzero((np.abs(at.imag) <= 1e-6) & (np.abs(at.real) <= 1.0 + 1e-9))
        which.append(rows[row])
        found.append(np.clip(at.real[row, k], -1.0, 1.0))
    return np.concatenate(which), np.concatenate(found)


def _colleague(c: Array) -> Array:
    """(M, n, n) matrices whose eigenvalues are the roots of series c (M, n + 1), scaled to be symmetric but for c."""
    n = c.shape[1] - 1
    scale = np.concatenate([[1.0], np.full(n - 1, 0.5**0.5)])
    shift = np.full(n - 1, 0.5)
    shift[:1] = 0.5**0.5
    matrices = np.tile(np.diag(shift, 1) + np.diag(shift, -1), (len(c), 1, 1))
    matrices[:, :, -1] -= (c[:, :-1] / c[:, -1:]) * (scale / scale[-1]) * (0.5 if n > 1 else 1.0)
    return matrices


Quantities = Callable[[Array, Array], Array]
"""(N,) times and, for each, a time inside its piece, to (N, k) values. Signs that jump at ends are those inside."""

DEGREE = 16
TAIL = 1e-11
"""Size of the last coefficients, of the largest value of the quantity, at which a piece fits."""
SHORTEST = 1e-7
"""Length of a piece, of the whole, below which it is not halved any more."""
ROUGH = 1e-6
"""Last coefficients below this, of the largest value, that two halvings do not bring down to half are round-off."""
FIRST = 4
"""Number of pieces each stretch between edges is cut into: a peak between the points of one is not missed."""
ALIKE = 1e-4
"""Share of the largest of quantities of one kind by which smaller ones are fitted: the rate of an actuator that stands
still while others move is round-off."""
NOISE = 1e-13
"""Differences below this share of a quantity's size are round-off."""
EQUAL = 1e-12
"""Extremes that differ by at most this share of the largest are one value taken several times, told when first."""


@dataclass(frozen=True, slots=True)
class Extreme:
    """A largest or smallest value and when it is taken."""

    value: float
    t: float


@dataclass(frozen=True, slots=True)
class Pieces:
    """Polynomials of k quantities on m intervals that follow one another.

    Attributes:
        begin, end: (m,) the intervals [s].
        coefficients: (m, degree + 1, k) of Chebyshev polynomials.
        scale: (k,) largest absolute value met of each quantity.
    """

    begin: Array
    end: Array
    coefficients: Array
    scale: Array

    @property
    def middle(self) -> Array:
        """(m,) times inside the pieces."""
        return 0.5 * (self.begin + self.end)

    def times(self, piece: Array, s: Array) -> Array:
        """Times at places s in [-1, 1] of a piece, or of several."""
        return self.middle[piece] + 0.5 * (self.end[piece] - self.begin[piece]) * s

    def integral(self) -> Array:
        """(k,) over all pieces."""
        even = np.arange(0, self.coefficients.shape[1], 2)
        weights = 2.0 / (1.0 - even**2.0)
        half = 0.5 * (self.end - self.begin)
        return np.einsum("m,mjk,j->k", half, self.coefficients[:, even], weights)


def pieces_of(
    function: Quantities,
    edges: Sequence[float],
    degree: int = DEGREE,
    floor: float = 0.0,
    kinds: Sequence[Hashable] | None = None,
) -> Pieces:
    """Polynomials that fit `function` over all of [edges[0], edges[-1]], with breaks at the edges.

    Args:
        function: Of times.
        edges: [s].
        degree: Of the polynomials.
        floor: A size that quantities are fitted by where they stay smaller: one that is all round-off is not resolved.
        kinds: (k,) the kind of each quantity, where some are alike: each is fitted by `ALIKE` of the largest at least.
    """
    whole = edges[-1] - edges[0]
    begin, end = _first_pieces(edges)
    scale: Any = floor
    parent: Any = np.inf
    grandparent: Any = np.inf
    done: list[tuple[Array, Array, Array]] = []
    while len(begin):
        values = _at_points(function, begin, end, degree)
        finite = np.isfinite(values)
        scale = np.maximum(scale, np.abs(np.where(finite, values, 0.0)).max(axis=(0, 1)))
        for kind in set(kinds or ()):
            alike = np.array([other == kind for other in kinds or ()])
            scale[alike] = np.maximum(scale[alike], ALIKE * scale[alike].max())
        coefficients = np.einsum("ij,mjk->mik", from_values(degree), np.where(finite, values, np.nan))
        tail = np.abs(coefficients[:, -3:]).max(axis=1)
        rough = (tail <= ROUGH * scale) & (tail > 0.5 * grandparent)
        fits = ((tail <= TAIL * scale) | rough | ~finite.any(axis=1)).all(axis=1) | (end - begin <= SHORTEST * whole)
        done.append((begin[fits], end[fits], coefficients[fits]))
        a, b = begin[~fits], end[~fits]
        begin, end = np.concatenate([a, 0.5 * (a + b)]), np.concatenate([0.5 * (a + b), b])
        halved = np.broadcast_to(parent, tail.shape)[~fits]
        grandparent, parent = np.concatenate([halved, halved]), np.concatenate([tail[~fits], tail[~fits]])
    joined = [np.concatenate(parts) for parts in zip(*done, strict=True)]
    order = np.argsort(joined[0])
    return Pieces(joined[0][order], joined[1][order], joined[2][order], scale)


def extremes(function: Quantities, pieces: Pieces) -> tuple[list[Extreme], list[Extreme]]:
    """Smallest and largest value of each quantity, taken from the function itself at the places the pieces tell."""
    times, inside = candidates(pieces)
    values = function(times, inside)
    return extremes_at(times, values)


def first_largest(sizes: Array, times: Array) -> int:
    """Place of the largest of sizes (N,): of those equal to it but for round-off, that with the earliest of times (N,).

    Sizes and times that are not numbers are left out, unless there are no others.
    """
    known = np.where(np.isfinite(sizes), sizes, -np.inf)
    most = known.max()
    if not np.isfinite(most):
        return 0
    equal = np.flatnonzero(known >= most - EQUAL * abs(most))
    return int(equal[np.argmin(np.where(np.isfinite(times[equal]), times[equal], np.inf))])


def peaks(values: Array) -> Array:
    """(k,) of each column (N, k), the finite entry farthest from zero, the first of equal ones; NaN without any."""
    sizes = np.where(np.isfinite(values), np.abs(values), -1.0)
    first = (sizes >= (1.0 - EQUAL) * sizes.max(axis=0)).argmax(axis=0)
    found = np.take_along_axis(values, first[None], axis=0)[0]
    return np.where(np.isfinite(found), found, np.nan)


def farther(low: Extreme, high: Extreme) -> Extreme:
    """The one farther from zero; of two that are equally far the earlier."""
    both = (high, low)
    return both[first_largest(np.abs([e.value for e in both]), np.array([e.t for e in both]))]


def extremes_at(times: Array, values: Array) -> tuple[list[Extreme], list[Extreme]]:
    """Smallest and largest of values (N, k) at times (N,), when first taken.

    A quantity that is somewhere not a number has neither: NaN, and the first such time.
    """
    unknown = np.asarray(np.isnan(values))
    missing = np.asarray(unknown.any(axis=0))
    since = np.where(unknown, times[:, None], np.inf).min(axis=0)
    low, high = _least(times, values), _least(times, -values)
    lost = [Extreme(np.nan, float(t)) for t in since]
    return (
        [lost[k] if missing[k] else Extreme(value, t) for k, (value, t) in enumerate(low)],
        [lost[k] if missing[k] else Extreme(-value, t) for k, (value, t) in enumerate(high)],
    )


def _least(times: Array, values: Array) -> list[tuple[float, float]]:
    """The least of each column of values (N, k), and the earliest time at which it is taken but for round-off."""
    least = values.min(axis=0)
    size = np.abs(values).max(axis=0)
    slack = np.where(np.isfinite(size), EQUAL * size, 0.0)
    first = np.where(values <= least + slack, times[:, None], np.inf).min(axis=0)
    return list(zip(least.tolist(), first.tolist(), strict=True))


def candidates(pieces: Pieces) -> tuple[Array, Array]:
    """Times at which a quantity may take its smallest or largest value, and for each a time inside its piece.

    Ends of pieces, and roots of derivatives in those pieces whose polynomials may go beyond all ends.
    """
    c = pieces.coefficients
    signs = np.where(np.arange(c.shape[1]) % 2, -1.0, 1.0)
    left, right = np.einsum("mjk,j->mk", c, signs), c.sum(axis=1)
    spread = np.abs(c[:, 1:]).sum(axis=1)
    slack = NOISE * pieces.scale
    highest = np.fmax.reduce(np.fmax(left, right), axis=0)  # of pieces with numbers
    lowest = np.fmin.reduce(np.fmin(left, right), axis=0)
    beyond = (c[:, 0] + spread > highest + slack) | (c[:, 0] - spread < lowest - slack)
    beyond &= spread > slack
    piece, column = np.nonzero(beyond)
    which, at = roots(c[piece, :, column] @ derivative(c.shape[1] - 1).T)
    times = [pieces.begin, pieces.end, pieces.times(piece[which], at)]
    return np.concatenate(times), np.concatenate([pieces.middle, pieces.middle, pieces.middle[piece[which]]])


def sign_changes(pieces: Pieces, column: int, noise: float = 0.0) -> Array:
    """Times at which a quantity passes or touches zero; pieces where it stays within `noise` of it have none."""
    c = pieces.coefficients[:, :, column]
    spread = np.abs(c[:, 1:]).sum(axis=1)
    near = np.flatnonzero((np.abs(c[:, 0]) <= spread + noise) & (np.abs(c[:, 0]) + spread > noise))
    which, at = roots(c[near])
    return np.unique(pieces.times(near[which], at))


def _first_pieces(edges: Sequence[float]) -> tuple[Array, Array]:
    begin, end = [], []
    for a, b in pairwise(edges):
        if b > a:
            cuts = np.linspace(a, b, FIRST + 1)
            begin.append(cuts[:-1])
            end.append(cuts[1:])
    return np.concatenate(begin), np.concatenate(end)


def _at_points(function: Quantities, begin: Array, end: Array, degree: int) -> Array:
    """(m, degree + 1, k) values; the last point of a piece is moved into it, for there the next one may begin."""
    middle = 0.5 * (begin + end)
    times = middle[:, None] + 0.5 * (end - begin)[:, None] * points(degree)
    times[:, 0], times[:, -1] = begin, np.nextafter(end, begin)
    inside = np.broadcast_to(middle[:, None], times.shape)
    return function(times.ravel(), inside.ravel()).reshape(*times.shape, -1)
