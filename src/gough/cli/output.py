"""Plain text tables, JSON and CSV, the same on a terminal and in a pipe; progress on a terminal alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from gough.display import number
from gough.escape import one_line
from gough.table import Table
from gough.table.formats import plain
from gough.table.result import record_blocks

FORMATS = ("table", "json", "csv")
MOST = 100
"""Characters of a cell; names from files may have any."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Columns under their headers, empty ones left out; those of numbers but the first go to the right."""
    safe = [[one_line(cell, MOST) for cell in row] for row in (header, *rows)]
    columns = [column for column in zip(*safe, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    right = [k > 0 and all(_is_number(cell) for cell in column[1:]) for k, column in enumerate(columns)]
    lines = []
    for cells in zip(*columns, strict=True):
        padded = [
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        ]
        lines.append((indent + "  ".join(padded)).rstrip())
    return "\n".join(lines)


def facts(pairs: Mapping[str, str]) -> str:
    """One line per name and value, values under each other."""
    width = max(map(len, pairs))
    return "\n".join(f"{name:{width}}  {one_line(value, 10 * MOST)}".rstrip() for name, value in pairs.items())


def vector(values: Sequence[float], digits: int = 5) -> str:
    """Numbers in brackets."""
    return f"[{', '.join(number(value, digits) for value in values)}]"


def to_json(value: object) -> str:
    """JSON text of nested dicts, lists, arrays and numbers; what is not finite becomes null."""
    return json.dumps(plain(value), indent=2, allow_nan=False)


def to_csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """CSV text of a table with full precision, nothing where a number is not finite."""
    return Table(len(rows), tuple(record_blocks([dict(zip(header, row, strict=True)) for row in rows]))).to_csv()


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell in ("", "-")
    return True


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """A function that shows the current step; nothing is shown where standard error is not a terminal."""
    terminal = getattr(sys.stderr, "raw", sys.stderr)
    if not terminal.isatty():
        yield lambda step: None
        return

    def show(step: str) -> None:
        terminal.write(f"\r\x1b[K{one_line(step, 70)} ...")
        terminal.flush()

    try:
        yield show
    finally:
        terminal.write("\r\x1b[K")
        terminal.flush()
