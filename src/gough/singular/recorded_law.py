"""A motion's law as recorded equations, so that it can be enclosed over stretches of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Scalar, Vector, array, cos, sin
from gough.motion import Motion
from gough.motion.curves import Curve, Pieces, Series
from gough.motion.point_to_point import Line
from gough.motion.scaled import Scaled


@dataclass(frozen=True)
class RecordedLaw:
    """Platform coordinates as equations of a time and of what tells one piece from another.

    Attributes:
        equations: (time from the start of the piece, numbers of the piece) -> x (n,).
        starts, ends: (m,) times at which pieces begin and end [s].
        numbers: (m, k) of each piece.
    """

    equations: Callable[[Scalar, Vector], Vector]
    starts: Array
    ends: Array
    numbers: Array


def recorded_law(motion: Motion) -> RecordedLaw:
    """The law of a motion.

    Raises:
        InputError: A user's function, or a law that has no such equations.
    """
    found = _of(motion.law, len(motion.coordinates))
    if found is None:
        raise InputError(f"motion {motion.name}: no proof: its law is no polynomial and no sum of waves")
    # Outer pieces go on beyond the knots; inner ones are cut to the motion's interval.
    starts, ends = np.maximum(found.starts, motion.start), np.minimum(found.ends, motion.end)
    kept = np.flatnonzero(starts < ends)
    numbers = found.numbers[kept]
    law = found.equations
    origin = np.where(np.isfinite(found.starts[kept]), found.starts[kept], 0.0)

    def shifted(t: Scalar, given: Vector) -> Vector:
        return law(t - given[0], given[1:])

    return RecordedLaw(shifted, starts[kept], ends[kept], np.column_stack([origin, numbers]))


def _of(curve: Curve, n: int) -> RecordedLaw | None:
    """Of a curve into R^n; times are counted from where its pieces start."""
    if isinstance(curve, Series):
        return RecordedLaw(lambda t, _: _series(curve, t), np.array([-np.inf]), np.array([np.inf]), np.zeros((1, 0)))
    if isinstance(curve, Pieces):
        k, m, width = curve.coefficients.shape
        starts, ends = np.array(curve.knots[:-1]), np.array(curve.knots[1:])
        ends[-1] = np.inf
        numbers = np.moveaxis(curve.coefficients, 0, 1).reshape(m, k * width)
        return RecordedLaw(lambda t, given: _polynomial(given.reshape(k, width), t), starts, ends, numbers)
    if isinstance(curve, Line):
        inner = _of(curve.s, 1)
        if inner is None:
            return None
        start, way = np.array(curve.start), np.array(curve.end) - np.array(curve.start)
        s = inner.equations
        return RecordedLaw(
            lambda t, given: array(start) + array(way) * s(t, given)[0], inner.starts, inner.ends, inner.numbers
        )
    if isinstance(curve, Scaled):
        inner = _of(curve.curve, n)
        if inner is None:
            return None
        x, first = inner.equations, np.array(curve.first)
        return RecordedLaw(
            lambda t, given: array(first) + curve.factor * (x(t, given) - array(first)),
            inner.starts,
            inner.ends,
            inner.numbers,
        )
    return None


def _polynomial(coefficients: Vector, t: Scalar) -> Vector:
    value = coefficients[-1]
    for row in coefficients[-2::-1]:
        value = value * t + row
    return array(value)


def _series(curve: Series, t: Scalar) -> Vector:
    value = _polynomial(np.array(curve.polynomial), t)
    for wave in curve.waves:
        angle = wave.frequency * t + wave.phase
        value = value + array(np.array(wave.amplitude)) * (sin(angle) if wave.kind == "sin" else cos(angle))
    return array(value)
