"""Lengths and angles of errors as people say them: micrometres and microradians, or a thousand of them."""

from __future__ import annotations

import math

from gough.display import Display


def small(turns: bool, display: Display) -> tuple[float, str]:
    """Factor and name of the unit of corrections: the one asked for, or else mm and mrad."""
    if display.asked(turns):
        return display.travel(turns)
    return (1e3, "mrad") if turns else (1e3, "mm")


def with_unit(value: float, turns: bool, display: Display, digits: int = 3) -> str:
    """A length or an angle in the unit asked for, or else in one that suits it: "10.4 um" or "1.2 mm"."""
    if not math.isfinite(value):
        return "-"
    if display.asked(turns):
        asked, unit = display.travel(turns)
        return f"{value * asked:.{digits}g} {unit}"
    base = "rad" if turns else "m"
    for factor, prefix in ((1.0, ""), (1e3, "m"), (1e6, "u")):
        if abs(value) * factor >= 1.0 or factor == 1e6:
            return f"{value * factor:.{digits}g} {prefix}{base}"
    raise AssertionError("the last unit takes all")
