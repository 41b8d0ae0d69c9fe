"""docs/papers: every numbered equation is there, and every function and test named there exists."""

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"stewart": 84, "hexapod": 24, "spatial3": 18, "sru": 0}
"""How many equations each paper numbers; the lecture's are named."""


def rows(page):
    lines = (ROOT / "docs" / "papers" / f"{page}.md").read_text().splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    return cells[1:]


ROWS = [(page, *row[:3]) for page in PAGES for row in rows(page)]


def found(name):
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


@pytest.mark.parametrize(("page", "equation", "function", "test"), ROWS, ids=lambda value: str(value)[:40])
def test_named_functions_and_tests_exist(page, equation, function, test):
    assert equation
    assert found(function.strip("`")) is not None
    path, _, name = test.strip("`").partition("::")
    text = (ROOT / path).read_text()
    assert not name or re.search(rf"^def {name}\(", text, re.MULTILINE)


@pytest.mark.parametrize("page", [page for page, last in PAGES.items() if last])
def test_every_numbered_equation_is_listed(page):
    listed = set()
    for equation, *_ in rows(page):
        for first, last in re.findall(r"\((\d+)\)(?:-\((\d+)\))?", equation):
            listed |= set(range(int(first), int(last or first) + 1))
    assert listed == set(range(1, PAGES[page] + 1))
