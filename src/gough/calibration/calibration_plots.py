"""Figures of a calibration: residuals before and after, what the pose is known to, corrections."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogFormatter

from gough.calibration.result import Calibration
from gough.calibration.small_units import small
from gough.calibration.statistics import used_rows
from gough.calibration.uncertainty import pose_uncertainty
from gough.display import Display
from gough.plots import COLORS
from gough.workspaces.slice_picture import draw_map, held_text
from gough.workspaces.slices import slice_of

_BLUE, _RED, _GREEN = COLORS[0], COLORS[1], COLORS[2]
_BEFORE = "#999999"
SI = Display()


def _figure(rows: int, columns: int, width: float, height: float) -> tuple[Figure, Any]:
    fig = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08))
    FigureCanvasAgg(fig)
    axes = fig.subplots(rows, columns, squeeze=False)
    for ax in axes.flat:
        _plain(ax)
    return fig, axes


def _plain(ax: Axes) -> Axes:
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _map(fig: Figure, ax: Axes, found: Calibration, display: Display) -> None:
    """The map, or nothing for machines of one coordinate."""
    if found.robot.dof > 1:
        pose_map(fig, ax, found, display)
    else:
        ax.remove()


def overview(found: Calibration, display: Display = SI) -> Figure:
    """Residuals by pose, what the pose is known to, and the corrections, on one sheet."""
    fig, axes = _figure(3, 2, 10.0, 10.0)
    by_size(axes[0, 0], found, display)
    _map(fig, axes[0, 1], found, display)
    by_pose(axes[1, 0], found)
    histogram(axes[1, 1], found)
    grid = axes[2, 0].get_gridspec()
    axes[2, 0].remove()
    axes[2, 1].remove()
    corrections(_plain(fig.add_subplot(grid[2, :])), found, display)
    return fig


def residual_figure(found: Calibration) -> Figure:
    """Distance of each pose from the model before and after, and residuals against the noise stated."""
    fig, axes = _figure(1, 2, 10.0, 3.4)
    by_pose(axes[0, 0], found)
    histogram(axes[0, 1], found)
    return fig


def uncertainty_figure(found: Calibration, display: Display) -> Figure:
    """How well the pose is known over the workspace: shares of it, and a map."""
    fig, axes = _figure(1, 2, 10.0, 3.8)
    by_size(axes[0, 0], found, display)
    _map(fig, axes[0, 1], found, display)
    return fig


def correction_figure(found: Calibration, display: Display) -> Figure:
    """All corrections with two standard deviations."""
    fig, axes = _figure(1, 1, 10.0, 3.4)
    corrections(axes[0, 0], found, display)
    return fig


def by_pose(ax: Axes, found: Calibration) -> None:
    """Rms of a pose's residuals in units of their noise, by row of the file."""
    freedom = np.maximum(np.isfinite(found.data.sigma).sum(axis=1) - found.robot.dof, 1)
    rows, used = np.array(found.measurements.lines), used_rows(found.data)
    for solution, color, label in ((found.before, _BEFORE, "before"), (found.solution, _BLUE, "after")):
        ax.plot(rows, np.sqrt(solution.squares / freedom), ".", color=color, ms=5, label=label)
    if not used.all():
        value = np.sqrt(found.solution.squares / freedom)[~used]
        ax.plot(rows[~used], value, "o", mfc="none", mec=_RED, ms=9, label="left out")
    ax.axhline(1.0, color="#444444", lw=0.8)
    ax.set_yscale("log")
    ax.set_xlabel("line of the file", fontsize=9)
    ax.set_ylabel("residual / noise", fontsize=9)
    ax.legend(frameon=False, fontsize=8, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def histogram(ax: Axes, found: Calibration) -> None:
    """Residuals in units of what they should be, beside the normal distribution."""
    from gough.calibration.statistics import redundancies

    left = redundancies(found.model, found.solution, found.data)
    some = left > 0.05
    values = found.solution.r[some] / np.sqrt(left[some])
    edges = np.linspace(-5.0, 5.0, 41).tolist()
    ax.hist(np.clip(values, -5, 5), edges, density=True, color=_BLUE, alpha=0.6, label="residuals")
    t = np.linspace(-5.0, 5.0, 201)
    ax.plot(t, np.exp(-0.5 * t**2) / np.sqrt(2 * np.pi), color="#222222", lw=1.2, label="stated noise")
    ax.set_xlabel("residual / its own deviation", fontsize=9)
    ax.set_ylabel("share", fontsize=9)
    ax.legend(frameon=False, fontsize=8, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def by_size(ax: Axes, found: Calibration, display: Display) -> None:
    """Share of the poses about home at which the pose is known to a length, and to an angle."""
    u = found.uncertainty
    share = np.linspace(0.0, 100.0, len(u.position))
    (length, unit), (angle, turn) = display.error(False), display.error(True)
    ax.plot(np.sort(u.position) * length, share, color=_BLUE, lw=1.8, label=f"position [{unit}]")
    if u.rotation.max() > 0.0:
        ax.plot(np.sort(u.rotation) * angle, share, color=_RED, lw=1.8, ls=(0, (3.2, 1.3)), label=f"rotation [{turn}]")
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.xaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
    ax.tick_params(which="both", labelsize=8)
    ax.set_xlabel("pose known to (1 sigma)", fontsize=9)
    ax.set_ylabel("share of the poses about home [%]", fontsize=9)
    ax.legend(frameon=False, fontsize=8, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def pose_map(fig: Figure, ax: Axes, found: Calibration, display: Display) -> None:
    """What the position is known to over a slice of the workspace through home."""
    over = slice_of(found.robot)
    reached = found.model.pose_program(x=over.poses, g=found.solution.g[: len(found.parameters)])["sound"]
    known = np.full(len(reached), np.nan)
    u = pose_uncertainty(found.model, over.poses[reached], found.solution.g, found.covariance)
    factor, unit = display.error(False)
    known[reached] = u.position * factor
    title = f"position known to [{unit}], 1 sigma\n{held_text(over, display)}".rstrip()
    draw_map(fig, ax, over, known, title, display)


def corrections(ax: Axes, found: Calibration, display: Display) -> None:
    """Change of each parameter with two standard deviations, in mm and mrad unless other units are asked for."""
    k = np.arange(1, len(found.parameters) + 1)
    turns = np.array([p.turns for p in found.parameters])
    for mask, color, kind in ((~turns, _BLUE, "lengths"), (turns, _RED, "angles")):
        if mask.any():
            factor, unit = small(kind == "angles", display)
            ax.errorbar(
                k[mask],
                found.changes[mask] * factor,
                2.0 * found.deviation[mask] * factor,
                fmt=".",
                color=color,
                ms=5,
                lw=1.0,
                capsize=2,
                label=f"{kind} [{unit}]",
            )
    ax.axhline(0.0, color="#444444", lw=0.8)
    ax.set_xlabel("parameter, in the order of the table", fontsize=9)
    ax.set_ylabel("change, 2 sigma", fontsize=9)
    ax.legend(frameon=False, fontsize=8, ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
