"""Ways from one coordinate of an actuated joint to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gough.graph import Scalar, Vector, absolute, array, atan2, greater, less_equal, logical_and
from gough.kinematics.chain import Coordinate, Slide, Turn


def ways(here: Sequence[Coordinate], there: Sequence[Coordinate]) -> Vector:
    """(n,) from coordinates to coordinates; turns by the shorter way."""
    return array([_way(a, b) for a, b in zip(here, there, strict=True)])


def _way(here: Coordinate, there: Coordinate) -> Scalar:
    if isinstance(here, Slide) or isinstance(there, Slide):
        return there.q - here.q  # type: ignore[union-attr]
    return atan2(*_sine_and_cosine(here, there))


def _sine_and_cosine(here: Turn, there: Turn) -> tuple[Any, Any]:
    """Of the angle from one turn to another."""
    return there.s * here.c - there.c * here.s, there.c * here.c + there.s * here.s


class NearWay(NamedTuple):
    """From one coordinate to another one near it.

    Attributes:
        left: The way.
        half: The coordinate half-way.
        short: Whether it is so short that both are right: the series of turns end where they leave 1e-9.
    """

    left: Any
    half: Coordinate
    short: Any


def near_way(here: Coordinate, there: Coordinate) -> NearWay:
    """The way from one coordinate to another one near it; without an arctangent and a root where it turns."""
    if isinstance(here, Slide) or isinstance(there, Slide):
        left = there.q - here.q  # type: ignore[union-attr]
        return NearWay(left, Slide(there.q - left * 0.5), True)  # type: ignore[union-attr]
    s, c = _sine_and_cosine(here, there)
    left, scale = s * _series(s * s, _ARCSINE), _series((1.0 - c) * 0.5, _ROOT) * 0.5
    half = Turn((here.c + there.c) * scale, (here.s + there.s) * scale)
    return NearWay(left, half, logical_and(less_equal(absolute(s), _SHORT), greater(c, 0.0)))


_SHORT = 0.35
"""Largest sine of a short turn."""
_ARCSINE = (1.0, 1 / 6, 3 / 40, 15 / 336, 105 / 3456, 945 / 42240, 10395 / 599040, 135135 / 9676800)
"""arcsin(s) / s in powers of s^2; what is left out is below 1e-9 up to `_SHORT`."""
_ROOT = (1.0, 1 / 2, 3 / 8, 5 / 16, 35 / 128, 63 / 256, 231 / 1024)
"""(1 - e)^(-1/2) in powers of e."""


def _series(x: Scalar, terms: Sequence[float]) -> Scalar:
    total: Any = terms[-1]
    for term in reversed(terms[:-1]):
        total = total * x + term
    return total
