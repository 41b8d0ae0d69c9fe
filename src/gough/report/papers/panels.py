"""The figure that all papers share: quantities over time, one panel each, a line per actuator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.report.plots import curves, figure, legend_beside, png


def over_time(
    title: str,
    t: Any,
    panels: Sequence[tuple[str, Any]],
    names: Sequence[str],
    legend: bool = True,
    height: float = 2.4,
) -> bytes:
    """PNG of the panels (label of the axis with its unit, values (N, k)) over the time t."""
    fig, axes = figure(len(panels), height=height if len(panels) > 1 else 3.2)
    together = [values for _, values in panels]
    for ax, (label, values) in zip(axes, panels, strict=True):
        curves(ax, t, values, names, together)
        ax.set_ylabel(label)
    axes[-1].set_xlabel("time $t$ [s]")
    axes[0].set_title(title, loc="left", fontsize=10)
    if legend:
        legend_beside(fig, axes[0])
    return png(fig)
