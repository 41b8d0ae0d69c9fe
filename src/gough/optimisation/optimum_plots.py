"""Pictures of an optimisation: its front with drawings of some designs, or where its starts came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough.display import plain_number
from gough.optimisation.rows import sign_of
from gough.plots import COLORS, figure

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from gough.optimisation.result import Optimised

DRAWN = 3
"""Designs of a front that are drawn: its ends and one between."""
FAR = 3.0
"""Spans of the front, or of the better half of the starts, beyond which a value is only told."""


def picture_of(found: Optimised) -> Figure:
    """The front, or the objective from each start."""
    return _front(found) if found.front else _starts(found)


def _starts(found: Optimised) -> Figure:
    fig, (ax,) = figure(1, height=3.0)
    values = np.array([one.value if one.feasible else np.nan for one in found.found])
    values = values[np.argsort(sign_of(found.judged.objective) * values)]
    rank, known = np.arange(1, len(values) + 1), values[np.isfinite(values)]
    half = np.abs(known[: len(known) // 2 + 1] - found.value)
    span = max(
        half.max(initial=0.0), np.nan_to_num(abs(found.before - found.value), posinf=0.0), 1e-3 * abs(found.value)
    )
    far = np.abs(values - found.value) > FAR * span
    near = np.where(far, np.nan, values)
    ax.plot(rank, near, "o-", color=COLORS[0], markersize=4, label="found from a start")
    if far.any():
        up = bool(values[far][0] > found.value)
        told = ", ".join(plain_number(v, 4) for v in np.unique(values[far])[:4])
        style = {"color": COLORS[1], "clip_on": False, "transform": ax.get_xaxis_transform(), "linestyle": ""}
        ax.plot(rank[far], np.full(far.sum(), float(up)), marker="^" if up else "v", label=f"beyond: {told}", **style)
    if np.isfinite(found.before):
        ax.axhline(found.before, color="#777777", linestyle="--", linewidth=1.2, label="before")
    ax.xaxis.get_major_locator().set_params(integer=True)
    plain_ticks(ax.yaxis)
    ax.set_xlabel("start, the best first")
    ax.set_ylabel(_named(found, found.judged.objective))
    ax.legend(frameon=False, fontsize=8)
    ax.set_title(f"{found.wanted.robot.name}: {found.agreeing} of {len(found.found)} starts agree", fontsize=10)
    return fig


def _front(found: Optimised) -> Figure:
    first, second = found.wanted.objectives
    a, b = np.array([one.value for one in found.front]), np.array(found.second)
    fig, (ax,) = figure(1, height=3.6, width=8.6)
    ax.plot(a, b, "o-", color=COLORS[0], markersize=4, label="front")
    own = np.array([v.nominal for v in found.wanted.variables.all])
    values = np.array([found.judged.value(found.wanted.states, own, name) for name in (first, second)])
    label = f"before: {plain_number(values[0], 4)}, {plain_number(values[1], 4)}"
    span = [max(float(np.ptp(v)), 1e-3 * float(np.abs(v).max())) for v in (a, b)]
    if all(
        v.min() - FAR * w <= own_value <= v.max() + FAR * w
        for v, w, own_value in zip((a, b), span, values, strict=True)
    ):
        ax.plot(*values, "s", color="#777777", markersize=5, label=label)
    else:
        ax.plot([], [], " ", label=f"{label} (not shown)")
    for axis in (ax.xaxis, ax.yaxis):
        plain_ticks(axis)
    ax.set_xlabel(_named(found, first))
    ax.set_ylabel(_named(found, second))
    ax.set_title(f"{found.wanted.robot.name}: {len(a)} designs between two objectives", fontsize=10)
    ax.legend(frameon=False, fontsize=8, loc="best")
    chosen = np.unique(np.linspace(0, len(a) - 1, DRAWN).round().astype(int))
    for place, k in enumerate(chosen.tolist()):
        inset = ax.inset_axes((1.05, 0.69 - 0.36 * place, 0.3, 0.29))
        _drawn(inset, found, k)
        inset.set_title(
            f"{chr(97 + place)}: {plain_number(a[k], 4)}, {plain_number(b[k], 4)}", fontsize=8, loc="left", pad=2
        )
        ax.annotate(chr(97 + place), (a[k], b[k]), xytext=(4, 4), textcoords="offset points", fontsize=9)
    return fig


def plain_ticks(axis: Axis) -> None:
    """Write whole numbers at the ticks of an axis: no power of ten, no offset beside it."""
    axis.set_major_formatter(lambda value, _: plain_number(value, 10))


def _named(found: Optimised, name: str) -> str:
    """An objective with its unit."""
    unit = found.unit_of(name)
    return f"{name} [{unit}]" if unit else name


def _drawn(ax, found: Optimised, k: int) -> None:  # type: ignore[no-untyped-def]
    """Base and platform joints and legs of a design, seen from above."""
    robot = found.design(found.front[k])
    base = np.array([[float(v) for v in leg.position] for leg in robot.legs])[:, :2]
    top = np.array([[float(v) for v in leg.end.platform_point] for leg in robot.legs])[:, :2]
    home = dict(zip(robot.coordinate_names, robot.platform.home, strict=True))
    top = top + [home.get("x", 0.0), home.get("y", 0.0)]
    for points, color in ((base, "#777777"), (top, COLORS[1])):
        closed = np.concatenate([points, points[:1]])
        ax.plot(closed[:, 0], closed[:, 1], color=color, linewidth=1.2)
    for one, other in zip(base, top, strict=True):
        ax.plot([one[0], other[0]], [one[1], other[1]], color=COLORS[0], linewidth=0.9)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
