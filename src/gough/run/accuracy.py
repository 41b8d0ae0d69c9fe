"""How far elementary functions are from the true value, in units in the last place of it.

+ - * / sqrt and everything made of comparisons are rounded correctly, with the same bits on all executors. So have the
elementary functions that are made of them (`gough.graph.elementary`): tan, asin, acos, atan, sin, cos, atan2, for
angles up to 2^30 and points whose coordinates are zero or between 2^-400 and 2^400. Beyond, the C library computes, for
all executors. exp and log come from the C library too, but from NumPy in blocks.

Largest errors found of 3 to 9 million numbers each, and next to where a formula changes (Linux, glibc 2.36, NumPy 2.4):

| function | error |
|---|---|
| sin, cos | 0.82 |
| sin, cos at the doubles closest to multiples of pi/2 | 0.50 |
| tan | 1.00 |
| asin, acos | 0.66 |
| atan, atan2 | 0.72 |
| sin, cos at the double closest of all to a multiple of pi/2, near 5.3e255 | 7.95 |
| exp, log: floats, llvm | 0.51 |
| exp, log: blocks | 0.64 |

The bounds below are what is promised on any platform: for exp and log they leave room for other C libraries and for
NumPy's own limit. At signed zeros, infinities, NaN and outside the domain all give what IEEE 754 requires.
"""

from __future__ import annotations

_C_LIBRARY, _OWN = 4.0, 1.0

EXECUTORS = ("floats", "blocks", "llvm")

ULPS: dict[str, float] = {
    **dict.fromkeys(("sin", "cos", "asin", "acos", "atan", "atan2"), _OWN),
    "tan": 1.25,
    "exp": _C_LIBRARY,
    "log": _C_LIBRARY,
}
"""By function: the largest error, for angles up to 2^30."""

LARGE_ANGLES = 8.0
"""The largest error beyond 2^30, where the C library computes."""
