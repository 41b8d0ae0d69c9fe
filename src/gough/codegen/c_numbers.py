"""Numbers as C writes them, such that every compiler reads the same bits."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

_EXTENDED = 64
"""Bits of the long doubles that some compilers read numbers into before they round them once more."""


def literal(value: float, single: bool = False) -> str:
    """A constant: shortest decimals where all compilers read them alike, else hexadecimal.

    Args:
        value: Any.
        single: As a float instead of a double.
    """
    if single:
        value = as_single(value)
    if math.isnan(value):
        return "NAN" if single else "(double)NAN"
    if math.isinf(value):
        size = "INFINITY" if single else "(double)INFINITY"
        return size if value > 0.0 else f"(-{size})"
    text = _shortest(value, single)
    if value < 0.0 or (value == 0.0 and math.copysign(1.0, value) < 0.0):
        return f"({text})"
    return text


def as_single(value: float) -> float:
    """The nearest float32; infinite where it overflows."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _shortest(value: float, single: bool) -> str:
    if single:
        text = next(t for t in (f"{value:.{n}g}" for n in range(1, 18)) if as_single(float(t)) == value)
        return (text if any(mark in text for mark in ".e") else text + ".0") + "f"
    text = repr(value)
    return text if _rounded_twice(text) == value else value.hex()


def _rounded_twice(text: str) -> float:
    """What a compiler makes of a decimal number that rounds it to 64 bits first."""
    exact = Fraction(text)
    if exact == 0 or abs(exact) < Fraction(2) ** -1000:
        return float(text)
    exponent = math.frexp(float(exact))[1]
    unit = Fraction(2) ** (exponent - _EXTENDED)
    return float(round(exact / unit) * unit)
