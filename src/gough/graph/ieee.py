"""Scalar float arithmetic as IEEE 754 has it: Python's own raises where the standard gives inf or NaN.

These functions define the value of every operation. Constant folding and the float executor call them; the other
executors must give the same bits, but for the C library's exp and log and where `elementary` leaves angles to it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from gough.graph import elementary, ops

INF = math.inf
NAN = math.nan


_DOUBLE = struct.Struct("<d")
_WORD = struct.Struct("<q")


def bits(x: float) -> int:
    """The 64 bits of `x` as an integer."""
    return int(_WORD.unpack(_DOUBLE.pack(x))[0])


def from_bits(b: int) -> float:
    """The float with these 64 bits."""
    return float(_DOUBLE.unpack(_WORD.pack(b))[0])


def div(a: float, b: float) -> float:
    """a / b, with a zero divisor giving a signed infinity or NaN."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0.0 or a != a:
            return NAN
        return math.copysign(INF, a) * math.copysign(1.0, b)


def recip(x: float) -> float:
    """1 / x; a signed infinity at a signed zero."""
    return 1.0 / x if x else math.copysign(INF, x)


def sqrt(x: float) -> float:
    """Square root, NaN below zero."""
    return math.sqrt(x) if x >= 0.0 else NAN


def sign(x: float) -> float:
    """1, -1, or x itself at a signed zero and at NaN."""
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else x


def floor(x: float) -> float:
    """Largest integer not above x; a signed zero, inf and NaN stay."""
    if x == 0.0 or not math.isfinite(x):
        return x
    return float(math.floor(x))


def minimum(a: float, b: float) -> float:
    """The smaller; NaN if either is; the first of equals."""
    return b if b < a or b != b else a


def maximum(a: float, b: float) -> float:
    """The larger; NaN if either is; the first of equals."""
    return b if b > a or b != b else a


def _nan_outside(function: Callable[[float], float]) -> Callable[[float], float]:
    def guarded(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return NAN

    return guarded


def exp(x: float) -> float:
    """e^x, infinite where it overflows."""
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def log(x: float) -> float:
    """Natural logarithm, -inf at zero, NaN below."""
    return math.log(x) if x > 0.0 else -INF if x == 0.0 else NAN


LIBRARY: dict[int, Callable[..., float]] = {
    ops.SIN: _nan_outside(math.sin),
    ops.COS: _nan_outside(math.cos),
    ops.TAN: _nan_outside(math.tan),
    ops.ATAN2: math.atan2,
    ops.EXP: exp,
    ops.LOG: log,
}
"""Elementary functions by the C library: of all numbers, or of those for which there are no equations of our own."""


FUNCTIONS: dict[int, Callable[..., float | bool]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.DIV: div,
    ops.NEG: lambda a: -a,
    ops.RECIP: recip,
    ops.SQRT: sqrt,
    ops.ABS: abs,
    ops.SIGN: sign,
    ops.FLOOR: floor,
    ops.MIN: minimum,
    ops.MAX: maximum,
    ops.LT: lambda a, b: a < b,
    ops.LE: lambda a, b: a <= b,
    ops.EQ: lambda a, b: a == b,
    ops.NE: lambda a, b: a != b,
    ops.AND: lambda a, b: a and b,
    ops.OR: lambda a, b: a or b,
    ops.NOT: lambda a: not a,
    ops.ISFINITE: math.isfinite,
    ops.SELECT: lambda c, a, b: a if c else b,
    ops.EXP: exp,
    ops.LOG: log,
}
FUNCTIONS |= {op: elementary.on_floats(op, LIBRARY.get(op)) for op in elementary.BY_OPERATION}
"""Value of each scalar operation on floats and bools."""
