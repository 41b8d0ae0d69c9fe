"""Names: what one may be, and the nearest known one to a mistyped one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

LONGEST = 100
NAME = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}")

_SAME = {
    "weight": "mass",
    "velocity": "speed",
    "torque": "force",
    "cog": "com",
    "damping": "viscous",
    "height": "z",
    "center": "com",
    "moi": "inertia",
}


def nearest(name: str, known: Sequence[str]) -> str | None:
    """The known name most like `name`, a word of the same letters before others, or None when nothing is alike."""
    folded = {entry.lower(): entry for entry in known}
    low = name.lower()
    if _SAME.get(low) in folded:
        return folded[_SAME[low]]
    swapped = [entry for entry in folded if sorted(entry) == sorted(low)]
    if swapped and low.isalpha():
        return folded[swapped[0]]
    longer = [entry for entry in folded if entry.startswith(low) or low.startswith(entry)]
    found = get_close_matches(low, list(folded), n=1, cutoff=0.65) or (longer if len(low) > 2 else [])
    return folded[found[0]] if found else None


def try_name(text: str) -> str:
    """A hint: the text as a name; empty if nothing of it can be one."""
    name = "-".join(re.findall(r"[A-Za-z0-9_]+", text))
    return f"try {name}" if NAME.fullmatch(name) else ""


def alternatives(words: Sequence[str]) -> str:
    """Words for a message: "a, b or c"."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words)


def counted(number: int, what: str) -> str:
    """A number of things for a message: "no legs", "1 leg", "2 legs"."""
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def did_you_mean(name: str, known: Sequence[str], listed: bool = True) -> str:
    """A hint: the nearest known name, else all of them if `listed`."""
    near = nearest(name, known)
    if near is not None:
        return f"did you mean {near}?"
    return f"known: {', '.join(known)}" if listed else ""
