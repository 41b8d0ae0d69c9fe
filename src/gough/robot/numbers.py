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
    """Sine of an angle [rad]."""
    return _generic("sin", math.sin, x)


def cos(x: Any) -> Any:
    """Cosine of an angle [rad]."""
    return _generic("cos", math.cos, x)


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
