"""The nearest known name to a mistyped one."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def nearest(name: str, known: Sequence[str]) -> str | None:
    """The known name most like `name`, or None when nothing is alike."""
    folded = {entry.lower(): entry for entry in known}
    found = get_close_matches(name.lower(), list(folded), n=1, cutoff=0.5)
    return folded[found[0]] if found else None


def did_you_mean(name: str, known: Sequence[str], listed: bool = True) -> str:
    """A hint: the nearest known name, else all of them if `listed`."""
    near = nearest(name, known)
    if near is not None:
        return f"did you mean {near}?"
    return f"known: {', '.join(known)}" if listed else ""
