"""Figures of pose errors: how large, and what makes them."""

from __future__ import annotations

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from gough.accuracy import PoseErrors
from gough.plots import COLORS

SHOWN = 12


def errors_plot(found: PoseErrors) -> Figure:
    """Displacement and rotation over the poses, sorted, and the sources that make most of them."""
    fig = Figure(figsize=(9.0, 6.4), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08))
    FigureCanvasAgg(fig)
    (left, right), (shares, _) = fig.subplots(2, 2, gridspec_kw={"height_ratios": [1.0, 1.3]})
    _.remove()
    grid = shares.get_gridspec()
    shares.remove()
    shares = fig.add_subplot(grid[1, :])
    for ax, k, unit in ((left, 0, "um"), (right, 1, "urad")):
        part = ("displacement", "rotation")[k]
        for values, label, color in (
            (found.rms, "root mean square", COLORS[0]),
            (found.largest, "worst case", COLORS[1]),
        ):
            rows = np.sort(values[:, k]) * 1e6
            if len(rows) == 1:
                ax.bar([label], rows, color=color)
            else:
                ax.plot(np.linspace(0.0, 100.0, len(rows)), rows, color=color, label=label, linewidth=1.6)
        ax.set_title(f"{part} [{unit}]", loc="left", fontsize=10)
        ax.set_ylim(bottom=0.0)
        if len(found.x) > 1:
            ax.set_xlabel("share of the poses below [%]")
            ax.legend(frameon=False)
    order = np.argsort(-found.contributions.sum(axis=1), kind="stable")[:SHOWN]
    places = np.arange(len(order))
    for k, part in enumerate(("displacement", "rotation")):
        shares.barh(
            places + 0.2 * (2 * k - 1), 100.0 * found.contributions[order, k], 0.38, color=COLORS[2 + k], label=part
        )
    shares.set_yticks(places, [found.sources[k].name for k in order], fontsize=8)
    shares.invert_yaxis()
    shares.set_xlabel("share of the variance [%], mean over the poses")
    shares.legend(frameon=False, loc="lower right")
    for ax in (left, right, shares):
        ax.grid(True, color="#dddddd", linewidth=0.6)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    fig.suptitle(f"{found.robot.name}: pose errors over {len(found.x)} poses, first order", x=0.01, ha="left")
    return fig
