"""Pictures of a study: histograms, Pareto fronts, Sobol indices, means of replicates."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.display import Display
from gough.studies.reductions import Histogram, Pareto, Quantiles, Replicates, SobolIndices
from gough.table.table_plots import STORED
from gough.table.table_plots import draw as draw_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gough.studies.result import StudyResult

MOST_BARS = 20
WIDE = 30.0
"""Largest to least value from which an axis is logarithmic."""


def draw(result: StudyResult, display: Display = STORED) -> Figure:
    """One panel for each histogram, front, set of indices and set of replicates."""
    from matplotlib.figure import Figure

    kinds = (Histogram, Pareto, SobolIndices, Replicates)
    drawn = [r for r in result.study.reductions if isinstance(r, kinds)]
    if not drawn:
        return draw_table(result.table, display)
    figure = Figure(figsize=(5.5 * len(drawn), 4.4), layout="constrained")
    figure.suptitle(result.summary)
    for axes, reduction in zip(figure.subplots(1, len(drawn), squeeze=False)[0], drawn, strict=True):
        own = result.reductions[reduction.name]
        if isinstance(reduction, Histogram):
            _histogram(axes, result, reduction, own, display)
        elif isinstance(reduction, Pareto):
            _front(axes, result, reduction, own, display)
        elif isinstance(reduction, SobolIndices):
            _indices(axes, reduction, own)
        else:
            _replicates(axes, result, reduction, own, display)
    return figure


def _shown(result: StudyResult, name: str, display: Display) -> tuple[float, str]:
    """Factor and label of a measure in the units shown."""
    si, text = result.study.units().get(name, ""), name.replace("_", " ")
    if not si:
        return 1.0, text
    factor, unit = display.of(si)
    return factor, f"{text} [{unit}]"


def _histogram(axes: Axes, result: StudyResult, reduction: Histogram, own: dict[str, Any], display: Display) -> None:
    factor, label = _shown(result, reduction.of, display)
    edges, counts = np.array(own["edges"]) * factor, np.array(own["counts"])
    axes.stairs(counts / max(counts.sum(), 1), edges, fill=True, color="#4878a8", alpha=0.85)
    if counts.any():
        seen = np.flatnonzero(counts)
        axes.set_xlim(edges[max(seen[0] - 1, 0)], edges[min(seen[-1] + 2, len(edges) - 1)])
    for other in result.study.reductions:
        if isinstance(other, Quantiles) and other.of == reduction.of:
            found = result.reductions[other.name]["quantiles"].items()
            told = [(float(share), value * factor) for share, value in found if value is not None]
            told = [(share, value) for share, value in told if edges[0] <= value <= edges[-1]]
            for (share, value), style in zip(told, cycle(("-", "--", "-.", ":"))):
                line = f"{100 * share:g} %: {value:.3g}"
                axes.axvline(value, color="#b03030", linewidth=1.2, linestyle=style, label=line)
            if told:
                axes.legend(fontsize=8, title="at most", title_fontsize=8, loc="upper right", framealpha=0.95)
    axes.set(xlabel=label, ylabel="share of machines")


def _front(axes: Axes, result: StudyResult, reduction: Pareto, own: dict[str, Any], display: Display) -> None:
    shown = [_shown(result, name, display) for name in reduction.of[:2]]
    x, y = (np.array(own["front"][name]) * f for name, (f, _) in zip(reduction.of, shown, strict=False))
    axes.plot(x, y, "o-", color="#4878a8", markersize=4)
    for k in sorted({0, len(x) // 2, len(x) - 1}) if len(x) else ():
        axes.annotate(
            f"machine {own['machines'][k]}",
            (x[k], y[k]),
            (5, 5),
            textcoords="offset points",
            fontsize=8,
            ha="right" if k and k == len(x) - 1 else "left",
        )
    for along, values in (("x", x), ("y", y)):
        if len(values) and values.min() > 0.0 and values.max() > WIDE * values.min():
            getattr(axes, f"set_{along}scale")("log")
    axes.margins(0.2)
    axes.set(xlabel=shown[0][1], ylabel=shown[1][1])


def _indices(axes: Axes, reduction: SobolIndices, own: dict[str, Any]) -> None:
    if own["total"] is None:
        axes.text(0.5, 0.5, "nothing varies", ha="center")
        return
    total = np.array(own["total"])
    order = np.argsort(-total)[:MOST_BARS][::-1]
    places = np.arange(len(order))
    for key, shift, color in (("total", 0.2, "#4878a8"), ("first", -0.2, "#d89050")):
        values = np.array(own[key])[order]
        low, high = np.array(own[f"{key}_interval"])[order].T
        label = "total" if key == "total" else "first order"
        axes.barh(places + shift, values, 0.38, color=color, label=label)
        reach = [np.maximum(values - low, 0), np.maximum(high - values, 0)]
        axes.errorbar(values, places + shift, xerr=reach, fmt="none", ecolor="#303030", linewidth=1)
    axes.set_yticks(places, [reduction.names[k] for k in order], fontsize=8)
    axes.set(xlabel=f"share of the variance of {reduction.of.replace('_', ' ')}")
    axes.legend(loc="lower right", fontsize=8)


def _replicates(axes: Axes, result: StudyResult, reduction: Replicates, own: dict[str, Any], display: Display) -> None:
    factor, label = _shown(result, reduction.of, display)
    means = np.array(own["replicates"]) * factor
    axes.plot(np.arange(1, len(means) + 1), means, "o", color="#4878a8", markersize=4)
    if own["mean"] is not None:
        mean, low, high = own["mean"] * factor, *(end * factor for end in own["interval"])
        axes.axhline(mean, color="#b03030", linewidth=1)
        axes.axhspan(low, high, color="#b03030", alpha=0.2)
        axes.set_title(f"{mean:.6g}, {reduction.confidence:.0%} interval ± {high - mean:.2g}")
    axes.set(xlabel="replicate", ylabel=f"mean of {label}")
