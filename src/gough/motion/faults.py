"""What is wrong with a motion: one line, `place: what: value: what is allowed (likely cause, what to try)`."""

from __future__ import annotations

from typing import Any

from gough.errors import InputError
from gough.escape import one_line
from gough.robot.checks.fault import show

_SHOWN = 120


class MotionError(InputError):
    """A motion that cannot be accepted, or is asked for what it does not have.

    Attributes:
        place: Where: file and line, option, argument, name of the motion.
        what: The column, coordinate or quantity; empty where the place says it all.
        value: What was found; None where nothing was.
        allowed: What would be right.
        hint: Likely cause and what to try.
    """

    def __init__(self, place: str, what: str, value: Any, allowed: str, hint: str = "") -> None:
        """The line made from its parts; those that are empty (None) are left out."""
        self.place, self.what, self.value, self.allowed, self.hint = place, what, value, allowed, hint
        shown = "" if value is None else number(value) if isinstance(value, float) else show(value)
        parts = [part for part in (place, one_line(what, _SHOWN), shown, allowed) if part]
        super().__init__(one_line(": ".join(parts) + (f" ({hint})" if hint else "")))


def number(value: float) -> str:
    """A number for people: up to 12 digits, no trailing ".0"."""
    return f"{value:.12g}"
