"""Operations by formulation as bars."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from gough.reports.counts import OperationCounts
from gough.reports.plots import COLORS, figure


def count_chart(robot: str, counts: Sequence[OperationCounts]) -> Figure:
    """Bars on a logarithmic axis: the formulations differ by orders of magnitude."""
    fig, (ax,) = figure(1, height=0.42 * len(counts) + 0.7)
    names = [c.formulation for c in counts]
    flops = [c.total.flops for c in counts]
    ax.barh(names, flops, color=COLORS[0], height=0.62)
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    for k, value in enumerate(flops):
        text = f"{value:,}".replace(",", " ")
        ax.annotate(text, (value, k), xytext=(4, 0), textcoords="offset points", va="center", bbox=behind)
    ax.set_xscale("log")
    ax.set_xlim(min(flops) / 3, max(flops) * 4)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("flops per sample (+, -, *, /, square root)")
    ax.set_title(f"Inverse dynamics of {robot} by formulation", loc="left", fontsize=10)
    return fig
