"""A quantity over a slice of the workspace, in colours with level lines."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure, SubFigure
from matplotlib.ticker import MaxNLocator

from gough.display import Display, number
from gough.graph import Array
from gough.workspaces.slices import Slice

SI = Display()
_WIDE = 6.0
"""Ratio of the largest to the least value from which on colours are by their logarithm."""
_CUT = 0.98
"""Share of the values below the end of the scale: few cells beside a singularity do not take all colours."""
_LEVELS = 6


def draw_map(fig: Figure | SubFigure, ax: Axes, over: Slice, values: Array, title: str, display: Display = SI) -> None:
    """Colours and level lines of values (k,) at the poses of a slice, a scale beside them, a cross at its pose.

    Values of millions, or of millionths, are in units of a power of ten that the title names: "[1e6 N mm/deg]".
    """
    power = _power(float(np.nanmax(np.abs(values))))
    values = values / 10.0**power
    title = title.replace("[", f"[1e{power} ", 1) if power else title
    shown = over.filled(values)
    names = [over.robot.platform.coordinates[k] for k in over.places]
    factors = [display.travel(c.turns)[0] for c in names]
    u, v = over.u * factors[0], over.v * factors[1]
    low, high = float(np.nanmin(values)), float(np.nanquantile(values, _CUT))
    high = high if high > low * (1.0 + 1e-9) else low * (1.0 + 1e-6) + 1e-300
    by_ratio = low > 0.0 and high > _WIDE * low
    scale: Any = LogNorm(low, high) if by_ratio else Normalize(low, high)
    cut = np.clip(shown, low, high)
    mesh = ax.pcolormesh(u, v, cut, norm=scale, cmap="viridis", shading="nearest", rasterized=True)
    levels = _levels(low, high, by_ratio)
    if high > low * (1.0 + 1e-3):
        ax.contour(u, v, shown, levels=levels, colors="white", linewidths=0.7)
    ax.plot(over.x[over.places[0]] * factors[0], over.x[over.places[1]] * factors[1], "+", color="white", ms=9, mew=1.6)
    for set_label, c in ((ax.set_xlabel, names[0]), (ax.set_ylabel, names[1])):
        set_label(f"{c.name} [{display.travel(c.turns)[1]}]", fontsize=9)
    if names[0].turns == names[1].turns:
        ax.set_aspect("equal", adjustable="box")
    ax.set_title(title, loc="left", fontsize=9.5)
    ax.tick_params(labelsize=8)
    beside = ax.inset_axes((1.04, 0.0, 0.045, 1.0))
    bar = fig.colorbar(mesh, cax=beside, extend="max" if float(np.nanmax(values)) > high else "neither")
    bar.set_ticks(levels, labels=[f"{level:g}" for level in levels])
    bar.ax.minorticks_off()
    bar.ax.tick_params(labelsize=8)


def _power(largest: float) -> int:
    """Of ten, a multiple of three, by which numbers are divided to be read without exponents."""
    if largest <= 0.0 or 1e-3 <= largest < 1e6:
        return 0
    return 3 * int(np.floor(np.log10(largest) / 3.0))


def _levels(low: float, high: float, by_ratio: bool) -> list[float]:
    """Round numbers between two values, or the two themselves where there are none."""
    ends = (np.log10(low), np.log10(high)) if by_ratio else (low, high)
    found: Any = MaxNLocator(_LEVELS).tick_values(*ends)
    if by_ratio:
        found = np.array([float(f"{10.0**entry:.2g}") for entry in found])
    found = np.round(np.unique(found), 12)
    return [float(level) for level in found if low <= level <= high] or [low, high]


def held_text(over: Slice, display: Display = SI) -> str:
    """The coordinates that are held: "psi = 0 deg, theta = 5 deg"."""
    kept = [k for k in range(len(over.x)) if k not in over.places]
    told = []
    for k in kept:
        c = over.robot.platform.coordinates[k]
        factor, unit = display.travel(c.turns)
        told.append(f"{c.name} = {number(over.x[k] * factor, 4)} {unit}")
    return ", ".join(told)
