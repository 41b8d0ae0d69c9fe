"""A motion's law as recorded equations, so that it can be enclosed over stretches of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Scalar, Vector, array, cos, sin
from gough.motion import Motion
from gough.motion.curves import Affine, Curve, Pieces, Series


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
    found = _of(motion.law)
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


def _of(curve: Curve) -> RecordedLaw | None:
    """Of a curve; times are counted from where its pieces start."""
    if isinstance(curve, Series):
        return RecordedLaw(lambda t, _: _series(curve, t), np.array([-np.inf]), np.array([np.inf]), np.zeros((1, 0)))
    if isinstance(curve, Pieces):
        k, m, width = curve.coefficients.shape
        starts, ends = np.array(curve.knots[:-1]), np.array(curve.knots[1:])
        ends[-1] = np.inf
        numbers = np.moveaxis(curve.coefficients, 0, 1).reshape(m, k * width)
        return RecordedLaw(lambda t, given: _polynomial(given.reshape(k, width), t), starts, ends, numbers)
    if isinstance(curve, Affine):
        inner = _of(curve.curve)
        if inner is None:
            return None
        x, gain, to, at = inner.equations, np.array(curve.gain), array(np.array(curve.to)), array(np.array(curve.at))
        return RecordedLaw(
            lambda t, given: to + array(gain) @ (x(t, given) - at), inner.starts, inner.ends, inner.numbers
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
