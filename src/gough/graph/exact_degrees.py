"""Sines and cosines that are exact where an angle means an exact number of degrees.

Then quarter turns have zeros, and what is symmetric in a robot's file is symmetric to the last bit in the robot, which
saves its programs operations.
"""

from __future__ import annotations

import math

from gough.graph.functions import cos, is_plain, sin
from gough.graph.scalars import Scalar


def exact_cos(angle: Scalar) -> Scalar:
    """Cosine of an angle [rad]; of one that is a round number of degrees but for round-off, of those degrees."""
    degrees = _round_degrees(angle)
    return cos(angle) if degrees is None else _cos_degrees(degrees)


def exact_sin(angle: Scalar) -> Scalar:
    """Sine of an angle [rad]; of one that is a round number of degrees as `exact_cos`."""
    degrees = _round_degrees(angle)
    if degrees is None:
        return sin(angle)
    if degrees == 0.0:
        return angle
    return _cos_degrees(degrees - 90.0) if degrees > 0.0 else -_cos_degrees(degrees + 90.0)


def _round_degrees(angle: Scalar) -> float | None:
    """The degrees of a plain angle if they have at most six decimals, but for a few units in the last place."""
    if not is_plain(angle):
        return None
    degrees = math.degrees(angle)
    near = round(degrees, 6) if math.isfinite(degrees) else math.nan
    return near if abs(degrees - near) <= 4 * math.ulp(max(abs(degrees), 45.0)) else None


def _cos_degrees(degrees: float) -> float:
    """By way of an angle of at most an eighth of a turn, the same for all that are its mirror images."""
    part = abs(degrees) % 360.0
    part = min(part, 360.0 - part)
    if part > 90.0:
        return -_cos_degrees(180.0 - part)
    if part == 60.0:
        return 0.5
    return math.sin(math.radians(90.0 - part)) if part > 45.0 else math.cos(math.radians(part))
