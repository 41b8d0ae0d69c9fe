"""A polynomial of time plus waves: the form of the papers' laws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from gough.graph import Array
from gough.motion.curve import Jet

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
    """

    polynomial: tuple[Values, ...]
    waves: tuple[Wave, ...] = ()
    breakpoints: ClassVar[tuple[float, ...]] = ()
    analytic: ClassVar[bool] = True

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        x, xd, xdd = horner(np.array(self.polynomial)[:, None, :], t[:, None])
        for wave in self.waves:
            f, fd, fdd = wave(t)
            x, xd, xdd = x + f, xd + fd, xdd + fdd
        return x, xd, xdd


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
