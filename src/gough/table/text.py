"""A table as text for people: columns under their names and units, and the same for LaTeX."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.display import columns_in_units

if TYPE_CHECKING:
    from gough.table.table import Table

ROWS, WIDTH, DIGITS = 20, 118, 6
"""Rows of a text, the first and last of them where there are more; characters of a line; digits of a number."""
_SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\^{}"}


def text_of(table: Table, units: str | None = None, rows: int = ROWS) -> str:
    """Columns under their names; where a line would be too long, the other columns follow below."""
    columns = _columns(table, units, rows)
    if not columns:
        return f"{table.rows} rows, no columns"
    blocks: list[list[list[str]]] = [[]]
    for cells in columns:
        used = sum(max(map(len, own)) + 2 for own in blocks[-1])
        if blocks[-1] and used + max(map(len, cells)) > WIDTH:
            blocks.append([])
        blocks[-1].append(cells)
    text = "\n\n".join(_aligned(block) for block in blocks)
    return f"{text}\n({table.rows} rows)" if table.rows > rows else text


def latex_of(table: Table, units: str | None = None, rows: int | None = None) -> str:
    """A `tabular` of all columns with the lines of the package booktabs; all rows unless a number is given."""
    columns = _columns(table, units, table.rows if rows is None else rows)
    right = "".join("r" if all(_is_number(cell) for cell in cells[1:]) else "l" for cells in columns)
    lines = [" & ".join(_escaped(cell) for cell in row) + r" \\" for row in zip(*columns, strict=True)]
    begin = [rf"\begin{{tabular}}{{{right}}}", r"\toprule", *lines[:1], r"\midrule"]
    return "\n".join([*begin, *lines[1:], r"\bottomrule", r"\end{tabular}"]) + "\n"


def _columns(table: Table, units: str | None, rows: int) -> list[list[str]]:
    """Header and cells of each column; the middle rows are left out, and told by dots, where there are too many."""
    columns, names = table.columns(), table.si_units()
    if units is not None:
        columns, names = columns_in_units(columns, names, units), {}
    found = []
    for name, values in columns.items():
        head = f"{name} [{names[name]}]" if name in names else name
        cells = [_cell(value) for value in _ends(np.asarray(values), rows).tolist()]
        if table.rows > rows:
            cells.insert((rows + 1) // 2, "...")
        found.append([head, *cells])
    return found


def _ends(values: Any, rows: int) -> Any:
    if len(values) <= rows:
        return values
    last = rows // 2
    return np.concatenate([values[: rows - last], values[len(values) - last :]])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value + 0.0:.{DIGITS}g}" if math.isfinite(value) else "-"
    return " ".join(str(value).split())


def _aligned(columns: list[list[str]]) -> str:
    widths = [max(map(len, cells)) for cells in columns]
    right = [all(_is_number(cell) for cell in cells[1:]) for cells in columns]
    lines = [
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell in ("-", "...")
    return True


def _escaped(cell: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in cell)
