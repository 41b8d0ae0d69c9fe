"""Tables of numbers as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def number_table(title: str, header: Sequence[str], rows: Any, digits: int = 9) -> str:
    """A title, a line of names and rows of numbers under them."""
    width = digits + 6
    lines = [title, "", "".join(f"{name:>{width}}" for name in header)]
    for row in rows:
        lines.append("".join(f"{_clean(value):{width}.{digits}g}" for value in row))
    return "\n".join(lines) + "\n"


def _clean(value: float) -> float:
    return 0.0 if abs(value) < 1e-12 else float(value)
