"""Statements of a C function and the variables they declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NAME = re.compile(r"\b[A-Za-z_]\w*")


@dataclass(frozen=True)
class Variable:
    """A variable of a function.

    Attributes:
        kind: Its type.
        name: Its name.
        entries: Of an array; 0 if it is none.
        bound: How many of these have a value, as C says it; all if it is empty.
    """

    kind: str
    name: str
    entries: int = 0
    bound: str = ""


@dataclass(frozen=True)
class Statement:
    """Lines that stay together, and the variables they declare for those that follow."""

    lines: tuple[str, ...]
    declared: tuple[Variable, ...] = ()


def names_in(lines: Iterable[str]) -> set[str]:
    """All names that some lines hold."""
    return {name for line in lines for name in _NAME.findall(line)}
