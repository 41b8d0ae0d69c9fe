"""Rows of the tables in docs/papers: an equation, the function that computes it, the test that would notice."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = ("stewart", "hexapod", "spatial3", "sru")


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `function` is a dotted name, `test` the identity of a test."""

    page: str
    equation: str
    function: str
    test: str

    def __str__(self) -> str:
        return f"{self.page} {self.equation}"


def cells(page: str) -> list[list[str]]:
    """The cells of the rows of a page, without the header."""
    lines = (ROOT / "docs" / "papers" / f"{page}.md").read_text().splitlines()
    found = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    return found[1:]


def rows() -> list[Row]:
    """All rows of all pages."""
    return [Row(page, c[0], c[1].strip("`"), c[2].strip("`")) for page in PAGES for c in cells(page)]


def found(name: str) -> Any:
    """The value of a dotted name."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        try:
            value = import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        for part in parts[size:]:
            value = getattr(value, part)
        return value
    raise ModuleNotFoundError(name)


def function_of(name: str) -> FunctionType:
    """The Python function behind a dotted name: not a property, a cached function or a class method around it."""
    value = found(name)
    for attribute in ("fget", "func", "__wrapped__", "__func__"):
        value = getattr(value, attribute, value)
    if isinstance(value, ModuleType) or not isinstance(value, FunctionType):
        raise TypeError(f"{name}: a {type(value).__name__}, not a function")
    return value
