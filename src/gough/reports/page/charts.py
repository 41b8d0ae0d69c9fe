"""Charts over time as SVG text for a page: panels side by side, the same colours and dashes everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from gough.graph import Array
from gough.plots import COLORS, DASHES
from gough.view import theme

LABEL_SIZE = 7.5
"""Points: of the numbers along the axes."""
_WIDTHS = {".": 0.32, "\N{MINUS SIGN}": 0.84, "-": 0.36}
_DIGIT = 0.64
"""Widths of characters in sizes of the font."""
_ROOM = 0.12
"""Inches beside the numbers of an axis."""
_NUMBERS = 0.22
_NAME = 0.18


def arrange(figure: Figure, axes: NDArray[np.object_], top: float, below: float = 0.05, right: float = _ROOM) -> None:
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


def _label_width(ax: Axes) -> float:
    """Inches that the numbers of the upright axis take."""
    if not ax.axison:
        return 0.0
    low, high = sorted(ax.get_ylim())
    places = [at for at in ax.yaxis.get_major_locator().tick_values(low, high) if low <= at <= high]
    texts = ax.yaxis.get_major_formatter().format_ticks(places)
    return max((sum(_WIDTHS.get(c, _DIGIT) for c in text) for text in texts), default=0.0) * LABEL_SIZE / 72


TOTAL = "sum"
"""A curve of this name stands out."""
WIDTH = 7.4
"""Inches: the width of a printed page less its margins."""
_GRID, _EDGE, _LOST = "#e6e9ed", "#b8bfc7", "#f6e4df"


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: title with its unit, curves (N, k) and their names, levels that must not be passed, and whether
    curves that coincide are drawn as one.
    """

    title: str
    values: Any
    names: Sequence[str]
    levels: Sequence[float] = ()
    merged: bool = True


def panels(
    time: Array, unit: str, charts: Sequence[Panel], shared: bool = False, height: float = 2.05, columns: int = 2
) -> str:
    """SVG of charts in columns over one time axis.

    Args:
        time: (N,) as it is shown.
        unit: Unit of time.
        charts: In reading order.
        shared: All have the same names, shown once above; otherwise each shows its own.
        height: Height of one chart [inch].
        columns: Charts side by side.
    """
    columns = min(columns, len(charts))
    rows = -(-len(charts) // columns)
    figure = Figure(figsize=(WIDTH, rows * height + (0.35 if shared else 0.1)))
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True)
    for ax, chart in zip(axes.flat, charts, strict=False):
        _draw(ax, time, chart)
    for ax in list(axes.flat)[len(charts) :]:
        ax.set_axis_off()
        axes[-2, -1].tick_params(labelbottom=True)
    for ax in list(axes.flat)[max(0, len(charts) - columns) : len(charts)]:
        ax.set_xlabel(f"time [{unit}]", fontsize=8, color=theme.SOFT)
    if shared:
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="upper center", bbox_to_anchor=(0.5, 1.0), ncols=min(8, len(labels)), frameon=False,
            fontsize=8, handlelength=2.4, borderaxespad=0.2,
        )  # fmt: skip
    arrange(figure, axes, top=0.5 if shared else 0.25, below=0.12)
    if not shared:
        for ax in list(axes.flat)[: len(charts)]:
            _name_above(ax)
    return svg(figure)


def _name_above(ax: Axes) -> None:
    """The legend beside the title, in a smaller font where it would reach into it."""
    renderer = ax.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    title = ax._left_title.get_window_extent(renderer).x1  # type: ignore[attr-defined]
    for size in np.arange(7.5, 3.0, -0.5):
        legend = ax.legend(
            loc="lower right", bbox_to_anchor=(1.01, 0.97), ncols=len(ax.lines), frameon=False, fontsize=size,
            handlelength=1.8, columnspacing=1.0, handletextpad=0.5,
        )  # fmt: skip
        if legend.get_window_extent(renderer).x0 > title:
            return


def _draw(ax: Axes, time: Array, chart: Panel) -> None:
    few = "o" if len(time) <= 12 else None
    for k, (label, values) in enumerate(_curves(chart)):
        style = {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[k % len(DASHES)], "lw": 1.4}
        if label == TOTAL:
            style = {"color": theme.INK, "linestyle": "-", "lw": 2.0}
        ax.plot(time, values, marker=few, ms=3, label=label, **style)
    for level in chart.levels:
        ax.axhline(level, color="#b3392b", lw=1.0, ls=(0, (2, 2)))
    lost = ~np.isfinite(chart.values).all(axis=1)
    if lost.any():
        ax.fill_between(time, 0, 1, where=lost, transform=ax.get_xaxis_transform(), color=_LOST, lw=0, step="mid")
    _style(ax, chart.title)
    low, high = float(time[0]), float(time[-1])
    ax.set_xlim(low, high if high > low else low + 1.0)


def _curves(chart: Panel) -> list[tuple[str, Any]]:
    """Names and curves; where all of a chart's names are its own, curves that coincide are one."""
    found: list[tuple[str, Any]] = []
    scale = np.nanmax(np.abs(chart.values), initial=1e-300)
    for k, name in enumerate(chart.names):
        values = chart.values[:, k]
        same = [
            j for j, (_, other) in enumerate(found) if np.nanmax(np.abs(other - values), initial=0.0) < 1e-6 * scale
        ]
        if same and chart.merged:
            found[same[0]] = (f"{found[same[0]][0]}, {name}", found[same[0]][1])
        else:
            found.append((name, values))
    return found


def _style(ax: Axes, title: str) -> None:
    ax.set_title(title, fontsize=8.5, loc="left", color=theme.INK, pad=5)
    ax.grid(color=_GRID, lw=0.6)
    ax.set_axisbelow(True)
    ax.yaxis.set_major_locator(MaxNLocator(5))
    ax.ticklabel_format(axis="y", useOffset=False)
    ax.margins(y=0.09)
    low, high = ax.get_ylim()
    middle = max(abs(low), abs(high))
    if high - low < 1e-6 * middle or middle == 0.0:
        ax.set_ylim(low - max(0.05 * middle, 1e-3), high + max(0.05 * middle, 1e-3))
    ax.tick_params(labelsize=LABEL_SIZE, color=theme.SOFT, labelcolor=theme.SOFT, length=2.5)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_EDGE)


def loops(across: Array, up: Array, names: Sequence[str], across_title: str, up_title: str) -> str:
    """SVG of curves (N, k) of one quantity against another."""
    figure = Figure(figsize=(WIDTH, 3.2))
    FigureCanvasAgg(figure)
    axes = figure.subplots(squeeze=False)
    ax = axes[0, 0]
    for k, name in enumerate(names):
        style = {"color": COLORS[k % len(COLORS)], "linestyle": DASHES[k % len(DASHES)]}
        ax.plot(across[:, k], up[:, k], lw=1.4, label=name, **style)
    _style(ax, up_title)
    ax.axhline(0.0, color=_EDGE, lw=0.8)
    ax.axvline(0.0, color=_EDGE, lw=0.8)
    ax.set_xlabel(across_title, fontsize=8, color=theme.SOFT)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8, handlelength=2.4)
    arrange(figure, axes, top=0.25, right=max(0.75, 0.5 + 0.07 * max(map(len, names))))
    return svg(figure)


def svg(figure: Figure) -> str:
    """The figure as an SVG element that scales with the page; its ids are its own and the same every time."""
    out = StringIO()
    with rc_context({"svg.hashsalt": "gough", "svg.fonttype": "path"}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", text, count=1)
    mark = "c" + sha256(text.encode()).hexdigest()[:8]
    text = re.sub(r'\bid="', f'id="{mark}-', text)
    text = re.sub(r'href="#', f'href="#{mark}-', text)
    return text.replace("url(#", f"url(#{mark}-")
