"""What a motion is made of: curves, functions of time with exact first and second derivatives.

Laws go from 0 to 1, at rest at both ends, and back to 0 where asked:

| law | s on the way there, u = t/T | at the ends |
|---|---|---|
| minimum-jerk | 10 u^3 - 15 u^4 + 6 u^5 | rate and acceleration zero |
| trig3 | 1/2 - 9/16 cos(pi u) + 1/16 cos(3 pi u) | rate and acceleration zero |
| cos | (1 - cos(pi u))/2 | rate zero, acceleration pi^2/(2 T^2): it jumps where rest comes before or after |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

Jet = tuple[Array, Array, Array]


class Curve(Protocol):
    """A function of time into R^n, analytic between its breakpoints."""

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times at which one analytic piece ends and the next begins [s], increasing; empty for a single piece."""

    @property
    def analytic(self) -> bool:
        """Whether it is analytic between its breakpoints: false only for a user's function."""

    def __call__(self, t: Array) -> Jet:
        """Values, first and second derivatives at times t (N,), each (N, n)."""


Values = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Wave:
    """amplitude * sin(frequency t + phase), or cos.

    Attributes:
        amplitude: (n,) one per component of the curve.
        frequency: [rad/s].
        phase: [rad].
        kind: "sin" or "cos"; cos is not sin with another phase, because at its top its rate is exactly zero.
    """

    amplitude: Values
    frequency: float
    phase: float = 0.0
    kind: Literal["sin", "cos"] = "sin"

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,)."""
        angle = self.frequency * t + self.phase
        s, c = np.sin(angle)[:, None], np.cos(angle)[:, None]
        f, fd = (s, c) if self.kind == "sin" else (c, -s)
        a, w = np.array(self.amplitude), self.frequency
        return a * f, a * w * fd, -a * (w * w) * f


@dataclass(frozen=True, slots=True)
class Series:
    """sum of polynomial[k] t^k plus waves; one analytic piece.

    Attributes:
        polynomial: Coefficients (n,) of 1, t, t^2, ...; at least the first.
        waves: Any number.
        rests: Times at which it is known to be at rest: rates there are zero, without round-off [s].
    """

    polynomial: tuple[Values, ...]
    waves: tuple[Wave, ...] = ()
    rests: tuple[float, ...] = ()
    breakpoints: ClassVar[tuple[float, ...]] = ()
    analytic: ClassVar[bool] = True

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        x, xd, xdd = horner(np.array(self.polynomial)[:, None, :], t[:, None])
        for wave in self.waves:
            f, fd, fdd = wave(t)
            x, xd, xdd = x + f, xd + fd, xdd + fdd
        return x, (resting(xd, np.isin(t, self.rests)) if self.rests else xd), xdd


def resting(rates: Array, when: NDArray[np.bool_], which: bool | tuple[bool, ...] = True) -> Array:
    """Rates (N, n) of a curve that is known to rest at some of its times (N,): zero there, where round-off is left.

    Dry friction takes its sign from rates: what round-off leaves of one would switch on all of it.
    """
    return np.where(when[:, None] & np.array(which), 0.0, rates) if when.any() else rates


def constant(values: Sequence[float]) -> Series:
    """A curve that stays at `values`."""
    return Series((tuple(map(float, values)),))


def horner(coefficients: Sequence[Array] | Array, u: Array) -> Jet:
    """Polynomial, first and second derivative; coefficients of 1, u, u^2, ... and u broadcast against each other."""
    value = coefficients[-1] + 0.0 * u
    slope = bend = np.zeros_like(value)
    for k in range(len(coefficients) - 2, -1, -1):
        bend = bend * u + slope
        slope = slope * u + value
        value = value * u + coefficients[k]
    return value, slope, 2.0 * bend


@dataclass(frozen=True, slots=True, eq=False)
class Piecewise:
    """What curves made of pieces have in common; equal where all numbers are, bit by bit.

    At an inner knot the piece to the right counts; beyond the ends the outer pieces go on.

    Attributes:
        knots: (m + 1,) increasing [s].
        coefficients: (k, m, n) of the k functions that each piece is made of.
        still: Whether it, or each component, is known to be at rest at the last knot: rates there are zero, without
            round-off. At other knots the first coefficients of the piece to the right tell.
    """

    knots: Array
    coefficients: Array
    still: bool | tuple[bool, ...] = False
    analytic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Protects the arrays from being written to."""
        for array in (self.knots, self.coefficients):
            array.setflags(write=False)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """The knots."""
        return tuple(self.knots.tolist())

    def pieces_at(self, t: Array) -> NDArray[np.int64]:
        """(N,) number of the piece that counts at each time t (N,)."""
        return np.clip(np.searchsorted(self.knots, t, side="right") - 1, 0, len(self.knots) - 2)

    def __eq__(self, other: object) -> bool:
        """Same kind of pieces, same knots and coefficients."""
        return isinstance(other, Piecewise) and self._key() == other._key()

    def __hash__(self) -> int:
        """Of knots and coefficients."""
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return type(self), self.coefficients.shape, self.knots.tobytes(), self.coefficients.tobytes(), self.still

    def rates(self, xd: Array, t: Array) -> Array:
        """Rates xd (N, n) as computed at times t (N,), exactly zero where it is known to be at rest."""
        return resting(xd, t == self.knots[-1], self.still) if np.any(self.still) else xd


@dataclass(frozen=True, slots=True, eq=False)
class Pieces(Piecewise):
    """On [knots[k], knots[k+1]] the polynomial sum of coefficients[j, k] (t - knots[k])^j."""

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        piece = self.pieces_at(t)
        x, xd, xdd = horner([c[piece] for c in self.coefficients], (t - self.knots[piece])[:, None])
        return x, self.rates(xd, t), xdd


def linear(t: Array, values: Array) -> Pieces:
    """Straight lines through values (N, n) at times t (N,)."""
    slopes = np.diff(values, axis=0) / np.diff(t)[:, None]
    return Pieces(np.array(t), np.stack([values[:-1], slopes]))


def through_rows(t: Array, x: Array) -> Pieces:
    """The quintic spline through values x (N, n) at times t (N,), four times continuously differentiable.

    End conditions: not-a-knot, that is, the first three intervals share one polynomial and so do the last three; the
    ends need not be at rest. Fewer than 6 rows: the one polynomial of degree N - 1 through all of them.
    """
    inner = np.arange(3, len(t) - 3)
    return _spline(t, x, min(5, len(t) - 1), np.concatenate([[0], inner, [len(t) - 1]]), None)


def at_rest(t: Array, x: Array) -> Pieces:
    """The quintic spline through x (N, n), N >= 2, with rate and acceleration zero at the first and last row.

    Four times continuously differentiable; two rows give the minimum-jerk law.
    """
    rest = [(1, np.zeros(x.shape[1])), (2, np.zeros(x.shape[1]))]
    found = _spline(t, x, 5, np.arange(len(t)), (rest, rest))
    coefficients = found.coefficients.copy()
    coefficients[1:3, 0] = 0.0
    return Pieces(found.knots, coefficients, still=True)


def _spline(t: Array, x: Array, degree: int, knots: NDArray[np.int_], ends: object) -> Pieces:
    """Computed in time counted in mean row spacings from the first row, where the linear system is well scaled."""
    from scipy.interpolate import make_interp_spline

    spacing = (t[-1] - t[0]) / (len(t) - 1)
    u = (t - t[0]) / spacing
    found = make_interp_spline(u, x, k=degree, bc_type=ends)
    orders = range(degree + 1)
    coefficients = [found(u[knots[:-1]], nu=k) / (math.factorial(k) * spacing**k) for k in orders]
    return Pieces(np.array(t[knots]), np.stack(coefficients))


# Of c3 h^3, c4 h^4, c5 h^5 (rows): factors of E, V h, a0 h^2, a1 h^2.
_QUINTIC = np.array([[10, -4, -1.5, 0.5], [-15, 7, 1.5, -1], [6, -3, -0.5, 0.5]])
# Derivatives 3, 4, 5 from c3 h^3, c4 h^4, c5 h^5 at the left and at the right end, times h^3, h^4, h^5.
_LEFT = np.diag([6.0, 24.0, 120.0]) @ _QUINTIC
_RIGHT = np.array([[6, 24, 60], [0, 24, 120], [0, 0, 120]]) @ _QUINTIC


def hermite(t: Array, x: Array, xd: Array, xdd: Array) -> Pieces:
    """Between rows the quintic with the values, rates and accelerations (N, n) of both; C2."""
    h = np.diff(t)[:, None]
    high = _QUINTIC @ _terms(h, x, xd, xdd)
    powers = h ** np.arange(3.0, 6.0)[:, None, None]
    low = [x[:-1], xd[:-1], xdd[:-1] / 2]
    still = tuple((xd[-1] == 0.0).tolist())
    return Pieces(np.array(t), np.concatenate([np.stack(low), np.moveaxis(high, -2, 0) / powers]), still)


def accelerations(t: Array, x: Array, xd: Array) -> Array:
    """(N, n) accelerations that make the Hermite interpolation of values and rates C3 at every inner row.

    End conditions: C4 at the second and at the last but one row. Three rows: one quintic. Two rows: the cubic.
    """
    from scipy.linalg import solve_banded

    rows, mean = len(t), (t[-1] - t[0]) / (len(t) - 1)
    h = np.diff(t)[:, None] / mean
    known = _terms(h, x, xd * mean, np.zeros_like(x))
    if rows == 2:
        order, row = np.array([4, 5]), np.array([0, 0])
    elif rows == 3:
        order, row = np.array([4, 3, 5]), np.array([1, 1, 1])
    else:
        row = np.concatenate([[1], np.arange(1, rows - 1), [rows - 2]])
        order = np.where(np.isin(np.arange(rows), [0, rows - 1]), 4, 3)
    # Each condition: the jump of a derivative at a row is zero, right-hand interval less left-hand one; of two rows the
    # derivative itself.
    width, condition = min(2, rows - 1), np.arange(rows)
    bands, right = np.zeros((2 * width + 1, rows)), np.zeros_like(x)
    for interval, ends, sign in [(row, _LEFT, 1.0)] + ([(row - 1, _RIGHT, -1.0)] if rows > 2 else []):
        factors, span = ends[order - 3], h[interval, 0]
        scale = sign / span**order
        right -= scale[:, None] * np.einsum("ck,ckn->cn", factors, known[interval])
        for side in (0, 1):
            column = interval + side
            np.add.at(bands, (width + condition - column, column), scale * factors[:, 2 + side] * span**2)
    return np.asarray(solve_banded((width, width), bands, right)) / mean**2


def _terms(h: Array, x: Array, xd: Array, xdd: Array) -> Array:
    """(intervals, 4, n): E, V h, a0 h^2, a1 h^2."""
    E = np.diff(x, axis=0) - xd[:-1] * h
    return np.stack([E, np.diff(xd, axis=0) * h, xdd[:-1] * h**2, xdd[1:] * h**2], axis=1)


MINIMUM_JERK = (0.0, 0.0, 0.0, 10.0, -15.0, 6.0)
"""Coefficients of 1, u, u^2, ..."""


def minimum_jerk(duration: float, back: bool = False) -> Curve:
    """The quintic with rate and acceleration zero at both ends (Flash, Hogan 1985)."""
    reach = duration / 2 if back else duration
    there = np.array(MINIMUM_JERK) / reach ** np.arange(6.0)
    ways = [there, np.array([1.0, 0, 0, 0, 0, 0]) - there] if back else [there]
    return Pieces(np.linspace(0.0, duration, len(ways) + 1), np.array(ways).T[:, :, None], still=True)


def trig3(duration: float, back: bool = False) -> Curve:
    """The third-harmonic law of the Stewart platform's companion: rate and acceleration zero at both ends."""
    w = _frequency(duration, back)
    waves = (Wave((-9 / 16,), w, kind="cos"), Wave((1 / 16,), 3 * w, kind="cos"))
    return Series(((0.5,),), waves, _rests(duration, back))


def cosine(duration: float, back: bool = False) -> Curve:
    """Half a cosine: rate zero at both ends, acceleration not."""
    return Series(((0.5,),), (Wave((-0.5,), _frequency(duration, back), kind="cos"),), _rests(duration, back))


def _frequency(duration: float, back: bool) -> float:
    return (2 * math.pi if back else math.pi) / duration


def _rests(duration: float, back: bool) -> tuple[float, ...]:
    """Both ends, and where it turns back."""
    return (0.0, duration / 2, duration) if back else (0.0, duration)


LAWS: dict[str, Callable[[float, bool], Curve]] = {"minimum-jerk": minimum_jerk, "trig3": trig3, "cos": cosine}
