"""Lengths and angles of errors as people say them: micrometres and microradians, or a thousand of them."""

from __future__ import annotations

import math


def small(turns: bool) -> tuple[float, str]:
    """Factor and name of the unit of corrections."""
    return (1e3, "mrad") if turns else (1e3, "mm")


def with_unit(value: float, turns: bool, digits: int = 3) -> str:
    """A length or an angle, "10.4 um" or "1.2 mm"."""
    if not math.isfinite(value):
        return "-"
    base = "rad" if turns else "m"
    for factor, prefix in ((1.0, ""), (1e3, "m"), (1e6, "u")):
        if abs(value) * factor >= 1.0 or factor == 1e6:
            return f"{value * factor:.{digits}g} {prefix}{base}"
    raise AssertionError("the last unit takes all")
