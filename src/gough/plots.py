"""The one style of all figures: colours that colour-blind readers can distinguish, lines that differ in print."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import ArrayLike, NDArray

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000")
"""Okabe and Ito's, without the yellows, which print too light."""
DASHES: tuple[Any, ...] = (
    "-",
    (0, (3.2, 1.3)),
    (0, (1.2, 1.2)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (11, 3)),
    (0, (3, 1, 1, 1, 1, 1)),
)
"""Distinguishable without colours: short and long dashes differ by more than three times."""


def figure(panels: int = 1, height: float = 2.4, width: float = 6.4) -> tuple[Figure, list[Any]]:
    """A figure of panels under each other with one time axis, on white."""
    fig = Figure(figsize=(width, height * panels + 0.6), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06))
    FigureCanvasAgg(fig)
    axes = fig.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
    for ax in axes:
        ax.grid(True, color="#dddddd", linewidth=0.6)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    return fig, list(axes)


def curves(
    ax: Axes, t: ArrayLike, values: NDArray[np.float64], names: Sequence[str], together: Sequence[Any] = ()
) -> None:
    """One line per column of values (N, k).

    Columns that coincide are drawn once, under their joint name: those that do in all of `together`, the arrays of all
    panels that share the legend.
    """
    groups: dict[int, list[int]] = {}
    for k in range(values.shape[1]):
        same = next((first for first in groups if _coincide(first, k, together or [values])), k)
        groups.setdefault(same, []).append(k)
    for number, (first, members) in enumerate(groups.items()):
        label = _joint_name([names[k] for k in members], of=values.shape[1])
        turn, place = divmod(number, len(COLORS))
        style = {"color": COLORS[place], "linestyle": DASHES[(place + turn) % len(DASHES)]}
        ax.plot(t, values[:, first], label=label, linewidth=1.6, **style)
    ax.margins(x=0)


def _joint_name(names: Sequence[str], of: int) -> str:
    """Of curves that coincide: "legs A, C", or "all legs" where those are all there are."""
    what, _, _ = names[0].rpartition(" ")
    if len(names) == 1 or not what:
        return ", ".join(names)
    return f"all {what}s" if len(names) == of > 3 else f"{what}s {', '.join(name.split()[-1] for name in names)}"


def legend_beside(fig: Figure, ax: Axes, title: str = "") -> None:
    """The legend of `ax` to the right of all panels, where it covers no curve."""
    handles, labels = ax.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside right center", title=title or None, frameon=False, handlelength=3.6)


def png(fig: Figure, dpi: int = 200) -> bytes:
    """The picture as a .png file."""
    return picture(fig, ".png", dpi)


def picture(fig: Figure, ending: str, dpi: int = 200) -> bytes:
    """The picture as a .png, .svg or .pdf file; the same figure gives the same bytes."""
    fig.align_ylabels()
    out = io.BytesIO()
    kind = ending.removeprefix(".")
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with rc_context({"svg.hashsalt": "gough"}):
        fig.savefig(out, format=kind, dpi=dpi, facecolor="white", metadata=metadata)
    return out.getvalue()


def _coincide(a: int, b: int, arrays: Sequence[Any]) -> bool:
    return all(np.abs(v[:, a] - v[:, b]).max() <= 1e-9 * max(float(np.abs(v).max()), 1e-300) for v in arrays)
