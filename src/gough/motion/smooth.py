"""Smoothing of noisy rows: how much, and the spline.

How much is found for each column from how its residuals grow with the cut-off period T, from four rows upwards. What
noise leaves grows slowly: not at all if it is white, as T or T^3 where a filter of first or second order has made
neighbouring rows alike. What the motion leaves grows at least as T^5, if its accelerations are bounded. The period at
which the growth first exceeds T^4 separates them. Near it, the period that is chosen minimises the expected error,

    squares of the residuals + 2 * (noise per degree of freedom) * (degrees of freedom),

which is generalised cross-validation with the noise of the periods just below in place of that of all periods. For
white noise the two are the same. Where the noise is correlated, plain cross-validation takes it for motion.

Corners of a motion leave residuals that grow as T^3, and steps as T: no faster than those of noise. But noise is in all
rows, and corners are at few times, so that the median of fourth differences of rows is far below their mean square
where corners alone make them. Where that is so for rows up to a distance of the chosen period, the noise is taken for
white, with the deviation that this median gives for neighbouring rows, if rows at twice the distance give the same;
otherwise there is none. The period again minimises the expected error. The same holds where neighbouring rows have
white noise and only longer periods look like correlated noise: that is motion.

Noise from a filter steeper than third order is steeper than some motions: it is left in, and the period must be given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.motion.curves import Pieces

DEGREE, ORDER = 7, 6
"""Of the spline, and of the derivative that is penalised."""
WIDTH = DEGREE + 1
_STEP = 1e-2
"""Of the logarithm of the weight, for the derivative of log det; its error in the degrees of freedom is below 1e-4."""


@cache
def local() -> Array:
    """(WIDTH, WIDTH) coefficients of 1, u, u^2, ... (columns) of the B-splines that live on a cell, u in [0, 1]."""
    out = np.zeros((WIDTH, WIDTH))
    for a in range(WIDTH):
        for j in range(WIDTH - a):
            sign = (-1) ** j * math.comb(WIDTH, j)
            for power in range(WIDTH):
                out[a, power] += sign * math.comb(DEGREE, power) * (DEGREE - a - j) ** (DEGREE - power)
    return out / math.factorial(DEGREE)


@cache
def _bending() -> Array:
    """(WIDTH, WIDTH) integrals over a cell of length 1 of products of the penalised derivatives."""
    factors = [math.perm(j, ORDER) for j in range(ORDER, WIDTH)]
    derivative = local()[:, ORDER:] * factors
    powers = np.arange(derivative.shape[1])
    return np.asarray(derivative @ (1.0 / (powers[:, None] + powers + 1)) @ derivative.T)


@dataclass(frozen=True, slots=True)
class Basis:
    """B-splines on even cells, and rows of data seen through them.

    Attributes:
        start, cell: The first knot and the spacing of knots [s].
        at: (N,) cell of each row.
        values: (WIDTH, N) of the B-splines that live there.
        gram, roughness: (WIDTH, cells + DEGREE) lower bands of B'B and of the integrals of products [s^(1 - 2 ORDER)].
        right: (cells + DEGREE, n) B'y.
    """

    start: float
    cell: float
    at: NDArray[np.intp]
    values: Array
    gram: Array
    roughness: Array
    right: Array

    def fit(self, weight: float) -> tuple[Array, float]:
        """Coefficients (cells + DEGREE, n) for a weight of the roughness, and the degrees of freedom.

        These are the trace of the matrix that takes y to the spline's values: the number of coefficients less the
        derivative of log det (B'B + weight R) by log weight.

        Raises:
            numpy.linalg.LinAlgError: Rows too few or too uneven for this basis.
        """
        from scipy.linalg import cho_solve_banded, cholesky_banded

        def factor(scale: float) -> Array:
            return np.asarray(cholesky_banded(self.gram + weight * scale * self.roughness, lower=True))

        low, high = (2.0 * np.log(factor(math.exp(step))[0]).sum() for step in (-_STEP, _STEP))
        found = np.asarray(cho_solve_banded((factor(1.0), True), self.right))
        return found, self.gram.shape[1] - float(high - low) / (2.0 * _STEP)

    def at_rows(self, coefficients: Array) -> Array:
        """(N, n) values of the splines at the rows."""
        out = self.values[0][:, None] * coefficients[self.at]
        for a in range(1, WIDTH):
            out += self.values[a][:, None] * coefficients[self.at + a]
        return out

    def bending(self, coefficients: Array) -> Array:
        """(n,) integrals of the square of the penalised derivative."""
        total = np.einsum("k,kn->n", self.roughness[0], coefficients**2)
        for d in range(1, WIDTH):
            products = coefficients[:-d] * coefficients[d:]
            total += 2.0 * np.einsum("k,kn->n", self.roughness[d, :-d], products)
        return total

    def polynomials(self, coefficients: Array) -> Array:
        """(WIDTH, cells, n) coefficients of powers of the time since each cell's start."""
        cells = len(coefficients) - DEGREE
        stacked = np.stack([coefficients[a : a + cells] for a in range(WIDTH)])
        scales = self.cell ** -np.arange(float(WIDTH))
        return np.asarray(np.einsum("ap,acn->pcn", local(), stacked) * scales[:, None, None])


def basis(t: Array, y: Array, cells: int) -> Basis:
    """The basis of so many cells over the times t (N,), with data y (N, n)."""
    length = float(t[-1] - t[0]) / cells
    place = (t - t[0]) / length
    at = np.clip(place.astype(np.intp), 0, cells - 1)
    u = place - at
    values = np.empty((WIDTH, len(t)))
    for a, row in enumerate(local()):
        values[a] = row[-1]
        for coefficient in row[-2::-1]:
            values[a] = values[a] * u + coefficient
    count, bending = cells + DEGREE, _bending()
    gram, roughness, right = np.zeros((WIDTH, count)), np.zeros((WIDTH, count)), np.zeros((count, y.shape[1]))
    for a in range(WIDTH):
        for b in range(a, WIDTH):
            gram[b - a, a : a + cells] += np.bincount(at, values[a] * values[b], cells)
            roughness[b - a, a : a + cells] += bending[a, b]
        for k in range(y.shape[1]):
            right[a : a + cells, k] += np.bincount(at, values[a] * y[:, k], cells)
    return Basis(float(t[0]), length, at, values, gram, roughness * length ** (1 - 2 * ORDER), right)


def weight(period: float, spacing: float) -> float:
    """Of the roughness, for a cut-off period and a mean spacing of rows [s]."""
    return float((period / (2.0 * math.pi)) ** (2 * ORDER) / spacing)


PER_OCTAVE = 4
"""Periods tried per factor of two."""
CELLS_PER_PERIOD = 4
FEWEST = 20
"""Rows below which there is no telling noise from motion."""
LONGEST = 4.0
"""The longest cut-off period, in durations of the motion."""
STEEPEST = 4.0
"""Power of the period with which the variance of what noise leaves grows at most."""
SPAN = 2
"""Periods over which growth is measured: half an octave."""
FILTERED = 10
"""Periods from the shortest on that a filter may have emptied: up to 4 * 2^(10/4) = 23 rows."""
CONCENTRATED = 0.35
"""Variance by the median of differences, relative to that by their squares, below which they are those of corners."""
REACH = 1.5
"""Of differences that are looked at, in periods that were chosen."""
EVEN = 2.0
"""Factor by which deviations of white noise from rows at strides 1 and 2 differ at most where there are corners."""
ALIKE = 1.35
"""The same for strides 1, 2 and 4 without corners: what then grows at longer periods is motion, and no noise."""
ROUND_OFF = 1e-11
"""Noise below this, of the largest value of all columns, is nothing: round-off of whoever computed the rows."""
TOO_LONG = 0.5
"""Cut-off period, in durations of the motion, beyond which correlated noise cannot be distinguished from a motion."""
COUNTS = 50
"""Steps of one size within a column's range from which on it is taken for the reading of an encoder."""
CORRELATED = 2.0
"""Noise per degree of freedom near the cut-off, relative to the mean, from which on noise is called correlated."""


@dataclass(frozen=True, slots=True)
class Column:
    """How one column was smoothed.

    Attributes:
        period: Cut-off period [s].
        noise: Standard deviation of what was taken away [unit of the column].
        by: "white noise", "correlated noise", "no noise" or "period given".
    """

    period: float
    noise: float
    by: str


@dataclass(frozen=True, slots=True)
class _Fit:
    """Splines of all columns with one cut-off period: squares (n,) are the sums of squares of their residuals."""

    period: float
    used: Basis
    coefficients: Array
    squares: Array
    freedom: float


def smooth_auto(t: Array, y: Array) -> tuple[Pieces, list[Column]]:
    """The smoothing spline through values y (N, n) at times t (N,), N >= FEWEST, and how each column was smoothed.

    Columns without noise that differs from the motion get the shortest period, and are marked "no noise".
    """
    rows, middle = len(t), y.mean(axis=0)
    fits = list(_fits(t, y - middle))
    freedom = np.array([fit.freedom for fit in fits])
    squares = np.array([fit.squares for fit in fits])
    chosen, columns = [], []
    differences, nothing = _Differences(t), ROUND_OFF * float(np.abs(y).max())
    for k in range(y.shape[1]):
        best, by = _choice(squares[:, k], freedom, rows)
        noise = math.sqrt(float(squares[best, k]) / (rows - freedom[best]))
        if by != "no noise" and not _counted(y[:, k]):
            white = differences.white(y[:, k], fits[best].period, by == "correlated noise")
            if white is not None:
                noise = white
                best, by = _expected(squares[:, k], freedom, noise)
        long = fits[best].period > TOO_LONG * float(t[-1] - t[0])
        if noise <= nothing or (long and by == "correlated noise"):
            best, by = 0, "no noise"
        if by == "no noise":
            noise = math.sqrt(float(squares[best, k]) / (rows - freedom[best]))
        fit = fits[best]
        chosen.append((fit.used, fit.coefficients[:, k]))
        columns.append(Column(fit.period, noise, by))
    return _joined(t, chosen, middle), columns


class _Differences:
    """Fourth differences of rows at times t (N,), scaled so that white noise of deviation 1 has differences of 1.

    Of rows at a stride s they reach over 4 s + 1 rows, and vanish but near corners where the motion is straight.
    """

    def __init__(self, t: Array) -> None:
        self._t, steps = t, np.diff(t)
        self._even = bool(np.ptp(steps) <= 1e-6 * steps.mean())

    def of(self, y: Array, stride: int) -> Array:
        """(N - 4 stride,) differences of y (N,)."""
        count = len(y) - 4 * stride
        values = [y[k * stride : k * stride + count] for k in range(5)]
        if self._even:
            weights: list[Any] = [1.0, -4.0, 6.0, -4.0, 1.0]
        else:  # divided differences, so that cubics vanish whatever the spacing of rows
            t = [self._t[k * stride : k * stride + count] for k in range(5)]
            weights = [1.0 / math.prod(t[j] - t[k] for k in range(5) if k != j) for j in range(5)]
        total = sum(weight * value for weight, value in zip(weights, values, strict=True))
        return np.asarray(total / np.sqrt(sum(weight**2 for weight in weights)))

    def spread(self, y: Array, stride: int) -> tuple[float, float]:
        """Variances of noise by the median of differences, and by their mean square."""
        found = self.of(y, stride)
        return float((np.median(np.abs(found)) / _MEDIAN) ** 2), float((found**2).mean())

    def white(self, y: Array, period: float, correlated: bool) -> float | None:
        """Deviation of the noise of y (N,), if it is white, 0 if there is none; None if nothing contradicts a period.

        Args:
            y: (N,) values.
            period: Cut-off period that was chosen by the growth of residuals [s].
            correlated: Whether that was found to be one of correlated noise.
        """
        rows = period * (len(y) - 1) / float(self._t[-1] - self._t[0])
        farthest = min(REACH * rows, len(y) / 2) / 4
        spreads = [self.spread(y, 2**k) for k in range(max(math.floor(math.log2(farthest)), 2) + 1)]
        first, second, third = (math.sqrt(median) for median, _ in spreads[:3])
        within = (spread for k, spread in enumerate(spreads) if 2**k <= max(farthest, 1.0))
        if any(median < CONCENTRATED * mean for median, mean in within):
            return first if first <= EVEN * second and second <= EVEN * first else 0.0
        deviations = (first, second, third)
        return first if correlated and max(deviations) <= ALIKE * min(deviations) else None


_MEDIAN = 0.6744897501960817
"""Median of the size of normally distributed numbers of deviation 1."""


def _counted(y: Array) -> bool:
    """Whether y (N,) are readings of a slow encoder: many single steps of one size, with equal rows between them."""
    steps = np.abs(np.diff(y))
    moved = steps > 1e-9 * steps.max()
    if not moved.any() or np.ptp(y) < COUNTS * steps[moved].min():
        return False
    single = moved[1:-1] & ~(moved[:-2] & moved[2:])
    counts = steps[moved] / np.median(steps[1:-1][single]) if single.any() else np.full(1, 0.5)
    return bool(np.abs(counts - np.round(counts)).max() < 1e-3 and 4 * single.sum() > moved.sum())


def _expected(squares: Array, freedom: Array, noise: float) -> tuple[int, str]:
    """Which of the periods has the least expected error with white noise of this deviation, and by what."""
    best = int(np.argmin(squares + 2.0 * noise**2 * freedom))
    return best, "white noise" if best else "no noise"


def _fits(t: Array, y: Array) -> Iterator[_Fit]:
    """From the shortest period on, until that of every column is passed."""
    spacing, here = float(t[-1] - t[0]) / (len(t) - 1), None
    past, before = np.zeros(y.shape[1], int), list[Array]()
    for period in _periods(t):
        cells = _cells(t, period)
        if here is None or here.gram.shape[1] != cells + WIDTH - 1:
            here = basis(t, y, cells)
        found, freedom = here.fit(weight(period, spacing))
        squares = ((y - here.at_rows(found)) ** 2).sum(axis=0)
        yield _Fit(period, here, found, squares, freedom)
        before.append(squares / (len(t) - freedom))
        if len(before) > SPAN:
            past += _steep(before[-1 - SPAN], before[-1])
        if (past > PER_OCTAVE).all():
            return


def _steep(short: Array, long: Array) -> Array:
    """Where residuals grow faster than noise does, over SPAN periods."""
    return np.asarray(long > short * 2.0 ** (STEEPEST * SPAN / PER_OCTAVE))


def _choice(squares: Array, freedom: Array, rows: int) -> tuple[int, str]:
    """Which of the periods, and by what, from the sums of squares (m,) and degrees of freedom (m,) of each."""
    variance = squares / (rows - freedom)
    steep = np.append(_steep(variance[:-SPAN], variance[SPAN:]), [True] * SPAN)
    first = _above_filter(squares, freedom, rows, steep)
    knee = first + int(np.argmax(steep[first:]))
    if knee == 0:
        return 0, "no noise"
    knee = len(squares) - 1 if knee >= len(squares) - SPAN else knee
    top = max(knee - PER_OCTAVE + 1, 1)
    density = _density(squares, freedom, max(top - PER_OCTAVE, 0), top)
    near = np.arange(max(knee - 2 * PER_OCTAVE, first), min(knee + SPAN + 1, len(squares)))
    best = int(near[np.argmin(squares[near] + 2.0 * density * freedom[near])])
    return best, "correlated noise" if density > CORRELATED * variance[top] else "white noise"


def _above_filter(squares: Array, freedom: Array, rows: int, steep: NDArray[np.bool_]) -> int:
    """The first period that counts: beyond the edge of a filter that left no noise in the shortest ones, else 0.

    A motion of so few rows has such an edge too, but leaves little to find beyond it; noise goes on, no weaker, to
    longer periods.
    """
    start = int(np.argmax(steep))
    edge = start + int(np.argmin(steep[start:]))
    clear = edge + PER_OCTAVE - 1
    after = clear + PER_OCTAVE
    if start > SPAN or edge == start or edge > FILTERED or steep[edge:after].any():
        return 0
    return edge if _density(squares, freedom, clear, after) > squares[clear] / (rows - freedom[clear]) else 0


def _density(squares: Array, freedom: Array, short: int, long: int) -> float:
    """What is left per degree of freedom between two periods."""
    return float((squares[long] - squares[short]) / (freedom[short] - freedom[long]))


def smooth_by(t: Array, y: Array, period: float) -> tuple[Pieces, list[Column]]:
    """The smoothing spline of a cut-off period [s], at most LONGEST durations, through y (N, n) at times t (N,)."""
    middle = y.mean(axis=0)
    used = basis(t, y - middle, _cells(t, period))
    found, freedom = used.fit(weight(period, float(t[-1] - t[0]) / (len(t) - 1)))
    squares = ((y - middle - used.at_rows(found)) ** 2).sum(axis=0)
    noise = np.sqrt(squares / max(len(t) - freedom, 1.0)).tolist()
    fits = [(used, found[:, k]) for k in range(y.shape[1])]
    return _joined(t, fits, middle), [Column(period, sigma, "period given") for sigma in noise]


def _periods(t: Array) -> list[float]:
    """From four rows up to the motion's duration [s]."""
    duration = float(t[-1] - t[0])
    octaves = max(math.log2((len(t) - 1) / 4), 0.0)
    steps = np.arange(math.floor(octaves * PER_OCTAVE), -1, -1)
    return (duration * 2.0 ** (-steps / PER_OCTAVE)).tolist()


def _cells(t: Array, period: float) -> int:
    """A power of two, so that knots of one basis are knots of every finer one; not many more than rows."""
    cells = min(CELLS_PER_PERIOD * float(t[-1] - t[0]) / period, len(t) - 1)
    return int(2 ** max(math.ceil(math.log2(cells) - 1e-9), 0))


def _joined(t: Array, fits: list[tuple[Basis, Array]], middle: Array) -> Pieces:
    """Columns on the knots of the finest of their bases."""
    cells = max(len(coefficients) - WIDTH + 1 for _, coefficients in fits)
    out = np.empty((WIDTH, cells, len(fits)))
    knots = np.linspace(t[0], t[-1], cells + 1)
    for k, (used, coefficients) in enumerate(fits):
        own = used.polynomials(coefficients[:, None])[:, :, 0]
        times = cells // own.shape[1]
        offset = np.tile(np.arange(times) * (used.cell / times), own.shape[1])
        out[:, :, k] = _shifted(np.repeat(own, times, axis=1), offset)
    out[0] += middle
    return Pieces(knots, out)


def _shifted(polynomials: Array, offset: Array) -> Array:
    """Polynomials (degree + 1, m) in powers of time since `offset` (m,), from those since zero."""
    out = polynomials.copy()
    for low in range(len(out) - 1):
        for power in range(len(out) - 2, low - 1, -1):
            out[power] += offset * out[power + 1]
    return out
