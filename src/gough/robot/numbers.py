"""Elementary functions of a number that is a float or a recorded scalar of `gough.graph`.

On floats nothing is raised: outside its domain a function gives NaN, which the checks find and explain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any


def is_plain(value: object) -> bool:
    """Whether `value` is an ordinary number rather than a recorded scalar."""
    return isinstance(value, (int, float))


def _generic(name: str, plain: Callable[..., float], *args: Any) -> Any:
    if all(is_plain(a) for a in args):
        try:
            return plain(*args)
        except (ValueError, ZeroDivisionError, OverflowError):
            return math.nan
    return getattr(import_module("gough.graph"), name)(*args)


def sqrt(x: Any) -> Any:
    """Square root; NaN below zero."""
    return _generic("sqrt", math.sqrt, x)


def sin(x: Any) -> Any:
    """Sine of an angle [rad]; of one that is a round number of degrees as `cos`."""
    return _generic("sin", _sin, x)


def cos(x: Any) -> Any:
    """Cosine of an angle [rad]; of one that is a round number of degrees but for round-off, of those degrees.

    Then quarter turns have zeros, and what is symmetric in a file is symmetric to the last bit in the robot, which
    saves its programs operations.
    """
    return _generic("cos", _cos, x)


def _cos(angle: float) -> float:
    degrees = _round_degrees(angle)
    return math.cos(angle) if degrees is None else _cos_degrees(degrees)


def _sin(angle: float) -> float:
    degrees = _round_degrees(angle)
    if degrees is None:
        return math.sin(angle)
    if degrees == 0.0:
        return angle
    return _cos_degrees(degrees - 90.0) if degrees > 0.0 else -_cos_degrees(degrees + 90.0)


def _round_degrees(angle: float) -> float | None:
    """The degrees of an angle if they have at most six decimals, but for a few units in the last place."""
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


def acos(x: Any) -> Any:
    """Inverse cosine in [0, pi]; NaN outside [-1, 1]."""
    return _generic("acos", math.acos, x)


def asin(x: Any) -> Any:
    """Inverse sine in [-pi/2, pi/2]; NaN outside [-1, 1]."""
    return _generic("asin", math.asin, x)


def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y) in [-pi, pi]."""
    return _generic("atan2", math.atan2, y, x)


def divide(a: Any, b: Any) -> Any:
    """a / b; NaN where b is zero."""
    if is_plain(b) and b == 0:
        return math.nan
    return a / b
