"""Charts in their places on a figure: as far apart as their numbers need, told from the texts and not by drawing them.

Matplotlib's own layout draws every figure twice to measure it, which takes as long as all the rest of a report.
"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

LABEL_SIZE = 7.5
"""Points: of the numbers along the axes."""
_WIDTHS = {".": 0.32, "\N{MINUS SIGN}": 0.84, "-": 0.36}
_DIGIT = 0.64
"""Widths of characters in sizes of the font."""
_ROOM = 0.12
"""Inches beside the numbers of an axis."""
_NUMBERS = 0.22
_NAME = 0.18


def arrange(figure: Figure, axes: Any, top: float, below: float = 0.05, right: float = _ROOM) -> None:
    """Set the places of axes (rows, columns) that share their time axes; sizes in inches.

    Args:
        figure: Theirs.
        axes: In a grid.
        top: Above the first row, for its titles.
        below: Between the numbers of a row and the titles of the next.
        right: Beside the last column.
    """
    width, height = figure.get_size_inches()
    rows, columns = axes.shape
    lefts = [max(_label_width(ax) for ax in axes[:, j]) + _ROOM for j in range(columns)]
    wide = (width - sum(lefts) - right - _ROOM * (columns - 1)) / columns
    bottom = _NUMBERS + _NAME
    gap = below + _NUMBERS
    high = (height - top - bottom - gap * (rows - 1)) / rows
    x = 0.0
    for j in range(columns):
        x += lefts[j]
        for i in range(rows):
            y = height - top - (i + 1) * high - i * gap
            axes[i, j].set_position((x / width, y / height, wide / width, high / height))
        x += wide + _ROOM


def _label_width(ax: Any) -> float:
    """Inches that the numbers of the upright axis take."""
    if not ax.axison:
        return 0.0
    low, high = sorted(ax.get_ylim())
    places = [at for at in ax.yaxis.get_major_locator().tick_values(low, high) if low <= at <= high]
    texts = ax.yaxis.get_major_formatter().format_ticks(places)
    return max((sum(_WIDTHS.get(c, _DIGIT) for c in text) for text in texts), default=0.0) * LABEL_SIZE / 72
