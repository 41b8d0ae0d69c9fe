"""Why a leg does not reach the platform at home, in words."""

from __future__ import annotations

from gough.robot.legs.short_form import Reason

_HINT = "check platform.home, and mm for m"


def between(distance: float, low: float, high: float, key: str) -> Reason | None:
    """The fault of a leg that spans `low` to `high` [m] over a distance; `key` states its length."""
    if distance > high:
        return too_short(key, distance - high)
    return too_long(key, low - distance) if distance < low else None


def too_short(key: str, by: float) -> Reason:
    """A leg whose `key` is too short by `by` [m]."""
    return key, f"is {by:.4g} m too short to reach the platform at home", _HINT


def too_long(key: str, by: float) -> Reason:
    """A leg whose `key` is too long by `by` [m]."""
    return key, f"is {by:.4g} m too long to reach the platform at home", _HINT
