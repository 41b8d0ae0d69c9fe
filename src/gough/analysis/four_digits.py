"""Numbers of four digits."""

from __future__ import annotations

import math

DIGITS = 4


def near(value: float) -> float:
    """The nearest number of four digits."""
    return float(f"{value:.{DIGITS - 1}e}")


def up(value: float) -> float:
    """The smallest number of four digits that is not below a positive value, but for round-off."""
    found = near(value)
    return found if found >= value * (1.0 - 1e-12) else near(value + 0.5 * _step(value))


def _step(value: float) -> float:
    return 10.0 ** (math.floor(math.log10(value)) + 1 - DIGITS)
