"""A table as a figure, and as a piece of HTML with the figure and the extremes."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gough.display import Display
from gough.errors import InputError
from gough.files import PICTURES, write_whole
from gough.graph import Array
from gough.table.formats import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gough.table.table import Block, Table

PANELS = 4
"""Quantities in a figure."""
CURVES = 12
"""Columns of a quantity in a figure; those after them are left out."""
STORED = Display(angle=(1.0, "rad"))
"""Units of the numbers themselves."""
LINES = 24
"""Rows of the extremes in HTML."""


def written(figure: Figure, path: str | Path | None) -> Figure:
    """The figure, written to a file first where there is one.

    Raises:
        InputError: A file that is no picture.
    """
    if path is not None:
        from gough.plots import picture

        ending = Path(path).suffix.lower()
        if ending not in PICTURES:
            raise InputError(f"plot: {path}: must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}")
        write_whole(Path(path), picture(figure, ending))
    return figure


def shown_blocks(table: Table) -> list[Block]:
    """Blocks of numbers to draw: those asked for, else the first."""
    numbers = [b for b in table.blocks if b.quantity != table.index and np.asarray(b.values).dtype.kind in "fiu"]
    asked = [b for name in table.shown for b in numbers if b.quantity == name]
    return (asked or numbers)[:PANELS]


def draw(table: Table, display: Display = STORED) -> Figure:
    """A panel per quantity: curves along an index of numbers, else bars."""
    from gough.plots import curves, figure

    blocks = shown_blocks(table)
    fig, axes = figure(max(len(blocks), 1), 1.9)
    index = table.block(table.index)
    along = None if index is None else np.asarray(index.array(table.rows))
    scale, unit = display.of(index.column_units[0]) if index is not None and index.column_units[0] else (1.0, "")
    for ax, block in zip(axes, blocks, strict=False):
        shown = [display.of(unit) if unit else (1.0, "") for unit in block.column_units]
        factors = np.array([factor for factor, _ in shown])
        values = (block.array(table.rows).reshape(table.rows, -1).astype(float) * factors)[:, :CURVES]
        labels = _labels(block)[:CURVES]
        if _goes_on(table, along):
            curves(ax, np.arange(table.rows) if along is None else along * scale, values, labels)
        else:
            _bars(ax, values, labels, None if along is None else [str(v) for v in along])
        units = ", ".join(dict.fromkeys(unit for _, unit in shown if unit))
        ax.set_ylabel(f"{block.quantity} [{units}]" if units else block.quantity)
        if len(labels) > 1 and ax.get_legend_handles_labels()[1]:
            ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
    if index is not None:
        axes[-1].set_xlabel(f"{table.index} [{unit}]" if unit else table.index)
    return fig


def _goes_on(table: Table, along: NDArray[Any] | None) -> bool:
    """Whether rows follow one another, as samples do, or are too many for bars."""
    follow = table.layout == "arrays" if along is None else along.dtype.kind == "f"
    return table.rows > 1 and (along is None or along.dtype.kind in "fiu") and (follow or table.rows > 2 * CURVES)


def _labels(block: Block) -> list[str]:
    """Of the columns, without the quantity."""
    found = [""]
    for names in block.axes.values():
        found = [f"{before} {name}".strip() for before in found for name in names]
    return found


def _bars(ax: Axes, values: Array, labels: list[str], rows: list[str] | None) -> None:
    """Bars by label for one row, by row otherwise, those of the labels side by side."""
    from gough.plots import COLORS

    if len(values) == 1:
        ax.bar(range(len(labels)), values[0], color=COLORS[0])
        ax.set_xticks(range(len(labels)), [label or (rows[0] if rows else "") for label in labels], fontsize=8)
        return
    width = 0.8 / values.shape[1]
    places = np.arange(len(values))
    for k, label in enumerate(labels):
        at = places + (k - (len(labels) - 1) / 2) * width
        ax.bar(at, values[:, k], width, color=COLORS[k % len(COLORS)], label=label or None)
    if len(values) <= 2 * CURVES:
        ax.set_xticks(places, rows or [str(k) for k in places], fontsize=8)


def extremes(table: Table) -> list[tuple[str, str, float, Any, float, Any]]:
    """Name, unit, least and where, largest and where, of each column shown that has numbers."""
    index = table.block(table.index)
    along = np.arange(table.rows) if index is None else np.asarray(index.array(table.rows))
    found = []
    for block in shown_blocks(table):
        columns = block.array(table.rows).reshape(table.rows, -1).astype(float)
        for name, unit, column in zip(block.names, block.column_units, columns.T, strict=True):
            if np.isfinite(column).any():
                low, high = int(np.nanargmin(column)), int(np.nanargmax(column))
                where = (along[low].item(), along[high].item())
                found.append((name, unit, float(column[low]), where[0], float(column[high]), where[1]))
    return found


def html(table: Table) -> str:
    """Facts, figure and extremes."""
    from gough.plots import picture

    pairs = [(k, v) for k, v in plain(table.facts).items() if isinstance(v, (str, int, float)) and v != ""]
    facts = "; ".join(f"<b>{escape(str(k))}</b> {escape(_text(v)[:300])}" for k, v in pairs)
    drawn = b64encode(picture(draw(table), ".svg")).decode() if shown_blocks(table) and table.rows else ""
    image = (
        f'<img src="data:image/svg+xml;base64,{drawn}" style="max-width:46em;width:100%" alt="plot">' if drawn else ""
    )
    at = escape(table.index or "row")
    found = extremes(table)
    lines = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(unit)}</td><td>{_text(low)}</td><td>{escape(_text(first))}</td>"
        f"<td>{_text(high)}</td><td>{escape(_text(last))}</td></tr>"
        for name, unit, low, first, high, last in found[:LINES]
    )
    more = f"<p>and {len(found) - LINES} more</p>" if len(found) > LINES else ""
    head = f"<tr><th></th><th>unit</th><th>least</th><th>at {at}</th><th>largest</th><th>at {at}</th></tr>"
    style = 'style="border-spacing:1em 0"'
    return f"<div><p>{facts}</p>{image}<table {style}>{head}{lines}</table>{more}</div>"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
