"""How far elementary functions are from the true value, in units in the last place of it.

+ - * / sqrt and everything made of comparisons are rounded correctly, with the same bits on all executors. Elementary
functions come from the C library (floats; llvm unless listed below), from NumPy (blocks), or are gough's own:
in llvm sin and cos up to 2^30, and atan2 of numbers between 2^-400 and 2^400, or zero; the C library beyond.
Largest errors found (Linux, glibc 2.36, NumPy 2.4, AVX-512):

| function | floats | blocks | llvm |
|---|---|---|---|
| sin, cos up to 2^30 | 0.56 | 0.56 | 0.76 |
| sin, cos up to 2^30 at the doubles closest to multiples of pi/2 | 1.98 | 1.98 | 0.50 |
| sin, cos at the double closest of all, near 5.3e255 | 7.95 | 7.95 | 7.95 |
| tan | 0.69 | 0.54 | 0.69 |
| tan at the doubles closest to multiples of pi/2 | 1.98 | 0.54 | 1.98 |
| asin, acos | 0.51 | 0.80 | 0.51 |
| atan | 0.51 | 0.71 | 0.51 |
| atan2 | 0.51 | 0.71 | 0.61 |
| exp, log | 0.51 | 0.64 | 0.51 |

The bounds below are what is promised on any platform: they leave room for other C libraries and for NumPy's own limit.
At signed zeros, infinities, NaN and outside the domain all give what IEEE 754 requires.
"""

from __future__ import annotations

_C_LIBRARY, _NUMPY, _OWN = 4.0, 4.0, 1.0

FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log")

ULPS: dict[str, dict[str, float]] = {
    "floats": dict.fromkeys(FUNCTIONS, _C_LIBRARY),
    "blocks": dict.fromkeys(FUNCTIONS, _NUMPY),
    "llvm": dict.fromkeys(FUNCTIONS, _C_LIBRARY) | {"sin": _OWN, "cos": _OWN, "atan2": _OWN},
}
"""By executor and function: the largest error, for angles up to 2^30."""

LARGE_ANGLES = 8.0
"""The largest error beyond 2^30, where the C library computes."""
