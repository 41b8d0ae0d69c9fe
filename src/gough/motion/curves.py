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
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.motion.faults import MotionError, number

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
class Pieces:
    """On [knots[k], knots[k+1]] the polynomial sum of coefficients[j, k] (t - knots[k])^j.

    At an inner knot the piece to the right counts; beyond the ends the outer pieces go on. Equal where all numbers are,
    bit by bit.

    Attributes:
        knots: (m + 1,) increasing [s].
        coefficients: (degree + 1, m, n).
        still: Whether it, or each component, is known to be at rest at the last knot: rates there are zero, without
            round-off. At other knots the first coefficients of the piece to the right decide.
    """

    knots: Array
    coefficients: Array
    still: bool | tuple[bool, ...] = False
    analytic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Protect the arrays from being written to."""
        for array in (self.knots, self.coefficients):
            array.setflags(write=False)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """The knots."""
        return tuple(self.knots.tolist())

    def pieces_at(self, t: Array) -> NDArray[np.int64]:
        """(N,) number of the piece that counts at each time t (N,)."""
        return np.clip(np.searchsorted(self.knots, t, side="right") - 1, 0, len(self.knots) - 2)

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        piece = self.pieces_at(t)
        x, xd, xdd = horner([c[piece] for c in self.coefficients], (t - self.knots[piece])[:, None])
        return x, resting(xd, t == self.knots[-1], self.still) if np.any(self.still) else xd, xdd

    def __eq__(self, other: object) -> bool:
        """Same knots and coefficients."""
        return isinstance(other, Pieces) and self._key() == other._key()

    def __hash__(self) -> int:
        """Of knots and coefficients."""
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.coefficients.shape, self.knots.tobytes(), self.coefficients.tobytes(), self.still


def linear(t: Array, values: Array) -> Pieces:
    """Straight lines through values (N, n) at times t (N,)."""
    slopes = np.diff(values, axis=0) / np.diff(t)[:, None]
    return Pieces(np.array(t), np.stack([values[:-1], slopes]))


@dataclass(frozen=True, slots=True)
class Affine:
    """to + gain (curve(t) - at): a straight line, a scaled curve, or a choice of a curve's components.

    Attributes:
        curve: Into R^m.
        gain: (n, m) by rows.
        to: (n,) value where the curve is `at`, exactly.
        at: (m,).
    """

    curve: Curve
    gain: tuple[Values, ...]
    to: Values
    at: Values

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of the curve."""
        return self.curve.breakpoints

    @property
    def analytic(self) -> bool:
        """Whether the curve is."""
        return self.curve.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        x, xd, xdd = self.curve(t)
        gain = np.array(self.gain).T
        return np.array(self.to) + (x - np.array(self.at)) @ gain, xd @ gain, xdd @ gain


def line(start: Sequence[float], end: Sequence[float], s: Curve) -> Affine:
    """start + s(t) (end - start), for s into R."""
    start, end = tuple(map(float, start)), tuple(map(float, end))
    return Affine(s, tuple((b - a,) for a, b in zip(start, end, strict=True)), start, (0.0,))


def scaled(curve: Curve, first: Sequence[float], factor: float) -> Affine:
    """first + factor (curve(t) - first): the curve `factor` times as large about a point (n,)."""
    gain = tuple(tuple(factor if i == j else 0.0 for j in range(len(first))) for i in range(len(first)))
    return Affine(curve, gain, tuple(first), tuple(first))


def components(curve: Curve, places: Sequence[int], n: int, held: Sequence[float]) -> Affine:
    """Components of a curve into R^n by their places, -1 for one that stays at its value of `held`."""
    gain = tuple(tuple(float(j == place) for j in range(n)) for place in places)
    to = tuple(0.0 if place >= 0 else float(value) for place, value in zip(places, held, strict=True))
    return Affine(curve, gain, to, (0.0,) * n)


@dataclass(frozen=True, slots=True)
class Sum:
    """one(t) + other(t)."""

    one: Curve
    other: Curve

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of both, once each where they differ by round-off."""
        points = np.unique([*self.one.breakpoints, *self.other.breakpoints])
        differ = np.diff(points) > 1e-9 * (points[-1] - points[0])
        return tuple(points[np.concatenate([[True], differ])].tolist())

    @property
    def analytic(self) -> bool:
        """Whether both are."""
        return self.one.analytic and self.other.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        x, xd, xdd = (a + b for a, b in zip(self.one(t), self.other(t), strict=True))
        return x, xd, xdd


@dataclass(frozen=True, slots=True)
class Retimed:
    """path(s(t)): a curve of a place, passed by a law of time.

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
        """Whether the path is."""
        return self.path.analytic

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        s, sd, sdd = self.s(t)
        piece, edges = self.s.pieces_at(t), np.array(self.places)
        low, high = np.minimum(edges[piece], edges[piece + 1]), np.maximum(edges[piece], edges[piece + 1])
        x, slope, bend = self.path(np.clip(s[:, 0], low, np.nextafter(high, low)))
        return x, slope * sd, bend * (sd * sd) + slope * sdd

    def stretched(self, factor: float) -> Retimed:
        """The same in `factor` times the time."""
        return replace(self, s=stretched(self.s, factor))


def stretched(s: Pieces, factor: float) -> Pieces:
    """Polynomials in `factor` times the time, from the same start on."""
    powers = factor ** -np.arange(len(s.coefficients), dtype=float)
    return Pieces(s.knots[0] + (s.knots - s.knots[0]) * factor, s.coefficients * powers[:, None, None], s.still)


@dataclass(frozen=True, slots=True)
class Function:
    """A user's function, called once per sample with a time.

    Attributes:
        call: Returns `orders` arrays of `size` numbers.
        what: Of what it is the function, for messages.
        size, orders: See `call`; what is not returned counts as zero.
        breakpoints: Where the user says that pieces meet [s].
    """

    call: Callable[[float], Any]
    what: str
    size: int
    orders: int
    breakpoints: tuple[float, ...] = ()
    analytic: ClassVar[bool] = False

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        out = np.zeros((3, len(t), self.size))
        for row, time in enumerate(t.tolist()):
            out[: self.orders, row] = self._at(time)
        return out[0], out[1], out[2]

    def _at(self, time: float) -> Array:
        returned = self.call(time)
        try:
            values = np.array(returned if self.orders > 1 else [returned], float)
        except (ValueError, TypeError):
            values = np.zeros(0)
        place = f"{self.what}({number(time)})"
        if values.shape != (self.orders, self.size):
            names = "x, xd, xdd, each" if self.orders == 3 else "an array"
            hint = (
                "rates and accelerations are not made up; without them use Motion.from_samples"
                if self.orders == 3
                else ""
            )
            raise MotionError(place, "", None, f"must return {names} of {self.size} numbers", hint)
        if not np.isfinite(values).all():
            order, k = map(int, np.argwhere(~np.isfinite(values))[0])
            key = ("x", "xd", "xdd")[order] if self.orders == 3 else "wrench"
            raise MotionError(place, f"{key}[{k}]", float(values[order, k]), "must be a finite number")
        return values


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
