"""Forces, powers and displacements of the actuators over time, as a picture."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gough.display import Display, actuator_units, number
from gough.dynamics import InverseDynamics
from gough.graph import Array
from gough.view import theme
from gough.view.theme import small_png

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#1b1f24", "#8a6d00")
"""Okabe and Ito's, distinguishable by colour-blind readers; dashes separate curves that coincide."""
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (3, 1.5)), (0, (8, 2, 1.5, 2)), (0, (1.5, 1.5)), (0, (5, 1, 1, 1)))
DPI = 120


def draw_forces(
    result: InverseDynamics, display: Display | None = None, split: dict[str, Array] | None = None
) -> Figure:
    """A figure of three panels over time: force, power and displacement of each actuator, with near ends of strokes.

    Args:
        result: Result of many samples, with times.
        display: Units, where they are chosen; else SI units with prefixes, and degrees.
        split: Parts of the force (N, actuators) by name; each that is not zero has a panel of its own under the force.
    """
    units = display or Display()
    second, clock = units.time
    result = replace(result, t=result.t * second)
    turns = [joint.turns for joint in result.robot.actuators]
    (push, force), travel = actuator_units(result.robot, units)[0], [units.travel(turning) for turning in turns]
    effort = "torque" if all(turns) else "force"
    whole = (force, result.force * push) if display else _prefixed(force, result.force)
    shares = {name: values for name, values in (split or {}).items() if np.nan_to_num(values).any()}
    factor = push if display else _factor(force, whole[0])
    panels = (
        (effort, *whole),
        *((name, whole[0], values * factor) for name, values in shares.items()),
        ("power", *_prefixed("W", result.power)),
        ("displacement", _joined([unit for _, unit in travel]), result.q * [factor for factor, _ in travel]),
    )
    height = 7.5 + 2.0 * len(shares)
    inch = 7.5 / height
    figure = Figure(figsize=(8, height), dpi=DPI, facecolor=theme.PAPER)
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(panels), 1, sharex=True, gridspec_kw={"height_ratios": (1.35, *[1] * (len(panels) - 1))})
    figure.subplots_adjust(left=0.105, right=0.865, bottom=0.07 * inch, top=1 - 0.095 * inch, hspace=0.1)
    for ax, (name, unit, values) in zip(axes, panels, strict=True):
        _curves(ax, result, values)
        ax.set_ylabel(f"{name} [{unit}]", fontsize=10, color=theme.INK)
        _styled(ax)
    _stroke_ends(axes[-1], result, panels[-1][2], [factor for factor, _ in travel])
    _verdicts(axes[0], result)
    figure.align_ylabels(axes)
    axes[-1].set_xlabel(f"time [{clock}]", fontsize=10, color=theme.INK)
    axes[-1].set_xlim(*_limits(result.t))
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, title="actuator", loc="upper left", bbox_to_anchor=(0.872, 1 - 0.088 * inch), frameon=False,
        fontsize=9.5, title_fontsize=9.5, handlelength=2.6, labelcolor=theme.INK, borderaxespad=0.0,
    )  # fmt: skip
    motion = f"motion {result.motion}, " if result.motion else ""
    span = number(float(result.t[-1] - result.t[0]))
    figure.text(0.105, 1 - 0.045 * inch, result.robot.name, fontsize=14, weight="bold", color=theme.INK)
    figure.text(
        0.105, 1 - 0.078 * inch, f"{motion}{span} {clock}, by {result.formulation}", fontsize=10, color=theme.SOFT
    )
    return figure


def plot_forces(
    result: InverseDynamics,
    suffix: str = ".png",
    display: Display | None = None,
    split: dict[str, Array] | None = None,
) -> bytes:
    """The figure as the content of a .png (256 colours), .svg or .pdf file; the same result gives the same bytes."""
    if suffix == ".png":
        return small_png(draw_forces(result, display, split), DPI)
    out = BytesIO()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    with rc_context({"svg.hashsalt": "gough"}):
        draw_forces(result, display, split).savefig(out, format=suffix.removeprefix("."), dpi=DPI, metadata=metadata)
    return out.getvalue()


def _curves(ax: Axes, result: InverseDynamics, values: Array) -> None:
    """One curve per actuator; samples without a solution are shaded."""
    few = "o" if len(result.t) <= 12 else None
    style = zip(result.actuators, cycle(COLOURS), cycle(DASHES), values.T, strict=False)
    for name, colour, dashes, column in style:
        ax.plot(result.t, column, color=colour, ls=dashes, lw=1.8, marker=few, ms=4, label=name)
    for begin, end in _runs(~np.all(np.isfinite(result.force), axis=1)):
        ax.axvspan(*_span(result.t, begin, end), color="#f6e4df", lw=0, zorder=0)
    if _straddles(values):
        ax.axhline(0.0, color="#b8bfc7", lw=0.8, zorder=1)


def _stroke_ends(ax: Axes, result: InverseDynamics, values: Array, factors: list[float]) -> None:
    """Dashed lines at the ends of the strokes that are no farther from the curves (N, actuators) than these reach."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return
    low, high = float(finite.min()), float(finite.max())
    reach = max(high - low, 1e-9 * max(abs(low), abs(high)))
    strokes = [joint.limits.stroke for joint in result.robot.actuators]
    ends = {factor * end for factor, stroke in zip(factors, strokes, strict=True) for end in stroke or ()}
    for end in sorted(end for end in ends if low - reach <= end <= high + reach):
        ax.axhline(end, color="#b3392b", lw=0.9, ls=(0, (4, 3)), zorder=1)
        ax.text(
            1.0, end, "end of stroke", transform=ax.get_yaxis_transform(), fontsize=8, color="#b3392b", ha="right",
            va="bottom" if end < low else "top",
        )  # fmt: skip


def _verdicts(ax: Axes, result: InverseDynamics) -> None:
    """Cause of failure of the shaded samples, where there is room for it."""
    whole = float(result.t[-1] - result.t[0])
    for begin, end in _runs(~np.all(np.isfinite(result.force), axis=1)):
        left, right = _span(result.t, begin, end)
        if right - left > 0.05 * whole:
            ax.text(
                (left + right) / 2, 0.5, result.status_text[begin], transform=ax.get_xaxis_transform(), rotation=90,
                fontsize=9.5, color="#9a4a38", ha="center", va="center",
            )  # fmt: skip


def _styled(ax: Axes) -> None:
    ax.grid(color="#e6e9ed", lw=0.7)
    ax.set_axisbelow(True)
    ax.margins(y=0.08)
    ax.tick_params(labelsize=9, color=theme.SOFT, labelcolor=theme.SOFT)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#b8bfc7")


def _prefixed(unit: str, values: Array) -> tuple[str, Array]:
    """Unit and values with a prefix that keeps the numbers on the axis short."""
    most = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    if 0.0 < most < 0.1:
        return (f"m{unit}", 1e3 * values) if "," not in unit else (unit, values)
    return (f"k{unit}", 1e-3 * values) if most >= 1e4 and "," not in unit else (unit, values)


def _factor(unit: str, shown: str) -> float:
    """What numbers of a unit are multiplied by where it is shown with a prefix."""
    return {f"m{unit}": 1e3, f"k{unit}": 1e-3}.get(shown, 1.0)


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of each run of marked samples."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]


def _span(time: Array, begin: int, end: int) -> tuple[float, float]:
    """From the middle between the sample before and `begin` to the middle after `end`."""
    before, after = time[max(begin - 1, 0)], time[min(end + 1, len(time) - 1)]
    return float(time[begin] + before) / 2, float(time[end] + after) / 2


def _limits(time: Array) -> tuple[float, float]:
    low, high = float(time[0]), float(time[-1])
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _straddles(values: Array) -> bool:
    finite = values[np.isfinite(values)]
    return bool(finite.size and finite.min() < 0.0 < finite.max())


def _joined(units: list[str]) -> str:
    return ", ".join(dict.fromkeys(units))
