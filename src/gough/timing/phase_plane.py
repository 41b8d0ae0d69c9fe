"""The phase plane of a fastest motion: the speed along the path over the place on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough.plots import COLORS, figure
from gough.timing.limit_rows import typical_pace
from gough.timing.reachability import highest_rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gough.timing.fastest_result import Fastest

NAMED = 6
"""Limits with a colour of their own: those that hold the motion back longest."""
SEEN = 0.004
"""Share of the path from which on a line on it can be seen: about its own width."""


def phase_plane(found: Fastest) -> Figure:
    """Rate over place, coloured by the limit that holds it back; above it the highest rate that limits allow."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

    grid, z = found.profile.grid, found.profile.z
    share = (grid - grid[0]) / (grid[-1] - grid[0])
    length = float(grid[-1] - grid[0])
    rate = np.sqrt(z) / length
    rows = found.bounds.rows(found.profile.ends)
    highest = np.full(len(grid), np.inf)
    for cells in found.bounds.terms.stretches:
        own, places = [r.of(cells) for r in rows], grid[cells.start : cells.stop + 1]
        highest[cells.start : cells.stop + 1] = highest_rates(places, own, typical_pace(own, places))
    fig, (ax,) = figure(1, height=3.6)
    which, _ = found.holding
    names = [" ".join(name).strip() for name in found.used]
    time = np.bincount(which, weights=found.profile.durations, minlength=len(names))
    order = [int(k) for k in np.argsort(-time) if time[k] > 0.0]
    along = np.bincount(which, weights=np.diff(share), minlength=len(names))
    rises = np.bincount(which, weights=np.abs(np.diff(rate)) / float(rate.max()), minlength=len(names))
    seen = along + rises > SEEN
    color = {k: COLORS[j] if j < NAMED else "#999999" for j, k in enumerate(order)}
    points = np.stack([share, rate], axis=1)
    lines = np.stack([points[:-1], points[1:]], axis=1)
    ax.add_collection(LineCollection(list(lines), colors=[color[int(k)] for k in which], linewidths=2.4))
    top = 1.35 * float(rate.max())
    curve = np.sqrt(highest) / length
    ax.plot(share, np.where(curve < 50.0 * top, curve, np.nan), color="#777777", linestyle="--", linewidth=1.2)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, top)
    ax.set_xlabel("path coordinate s, 0 to 1")
    ax.set_ylabel("path speed ds/dt [1/s]")
    handles = [Line2D([], [], color=color[k], linewidth=2.4, label=names[k]) for k in order[:NAMED] if seen[k]]
    if seen[order[NAMED:]].any():
        handles.append(Line2D([], [], color="#999999", linewidth=2.4, label="others"))
    if (curve <= top).any():
        handles.append(Line2D([], [], color="#777777", linestyle="--", linewidth=1.2, label="largest path speed"))
    ax.legend(handles=handles, fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    ax.set_title(f"{found.robot.name}, {found.motion.name}: {found.duration:.4g} s", fontsize=10)
    return fig
