"""Pictures of simulations: path and error, forces, the energy audit, the spread of an ensemble, mode shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gough.display import Display, actuator_units
from gough.graph import Array
from gough.plots import COLORS, curves, figure, legend_beside
from gough.robot import Mechanism
from gough.simulation import Ensemble, Modes, Simulation

SI = Display()


def path_plot(run: Simulation, display: Display = SI) -> Figure:
    """Platform coordinates over time from where they start, and their errors if a motion was followed."""
    panels = _kinds(run.robot)
    rows = len(panels) * (1 if run.reference is None else 2)
    fig, axes = figure(rows, 2.0)
    t = run.t * display.time[0]
    for k, (which, turns) in enumerate(panels):
        factor, unit = display.travel(turns)
        names = [run.coordinates[i] for i in which]
        way = (run.x[:, which] - run.x[0, which]) * factor
        apart = np.eye(len(run.t), len(which))
        curves(axes[k], t, way, names, [apart])
        _told_apart(axes[k])
        _not_of_noise(axes[k], way, 1e-9)
        axes[k].set_ylabel(f"displacement [{unit}]")
        if run.error is not None:
            scale, small = _small(run.error[:, which], turns, display)
            ax = axes[len(panels) + k]
            curves(ax, t, run.error[:, which] * scale, names, [apart])
            _told_apart(ax)
            _not_of_noise(ax, run.error[:, which], 5e-13)
            ax.set_ylabel(f"error [{small}]")
        axes[k].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    _mark(axes, run, display)
    return _finished(fig, axes, run, display, "path and error" if run.error is not None else "path")


def force_plot(run: Simulation, display: Display = SI) -> Figure:
    """Actuator forces and displacement rates over time."""
    fig, axes = figure(2, 2.4)
    (push, force), (pace, speed) = actuator_units(run.robot, display)
    t = run.t * display.time[0]
    curves(axes[0], t, run.force * push, run.actuators, [run.force, run.qd])
    axes[0].set_ylabel(f"force [{force}]")
    curves(axes[1], t, run.qd * pace, run.actuators, [run.force, run.qd])
    axes[1].set_ylabel(f"rate [{speed}]")
    legend_beside(fig, axes[0])
    _mark(axes, run, display)
    return _finished(fig, axes, run, display, "forces")


def energy_plot(run: Simulation, display: Display = SI) -> Figure:
    """The energy audit: energies gained since the start, work and dissipation, and what their balance leaves."""
    fig, axes = figure(2, 2.4)
    t = run.t * display.time[0]
    energy = np.stack([run.kinetic, run.potential - run.potential[0], run.work, run.dissipated], axis=1)
    curves(axes[0], t, energy, ("kinetic", "potential", "work", "dissipated"))
    axes[0].set_ylabel("energy [J]")
    largest = max(float(np.nanmax(np.abs(run.balance), initial=0.0)), 1e-18)
    axes[1].semilogy(t, np.maximum(np.abs(run.balance), 1e-4 * largest), color=COLORS[5], linewidth=1.2)
    axes[1].margins(x=0)
    axes[1].set_ylabel("|balance| [J]")
    legend_beside(fig, axes[0])
    _mark(axes, run, display)
    return _finished(fig, axes, run, display, "energy audit")


def spread_plot(run: Ensemble, display: Display = SI) -> Figure:
    """Mean and spread of the coordinates of an ensemble from its reference, or from its start."""
    panels = _kinds(run.robot)
    pace, clock = display.time
    fig, axes = figure(len(panels), 2.6)
    base = run.mean[0] if run.reference is None else run.reference
    for ax, (which, turns) in zip(axes, panels, strict=True):
        scale, small = _small(np.stack([run.least - base, run.most - base])[..., which], turns, display)
        for number, k in enumerate(which):
            color = COLORS[number % len(COLORS)]
            apart = [(values[:, k] - (base[:, k] if base.ndim == 2 else base[k])) * scale for values in _bounds(run)]
            ax.fill_between(run.t * pace, apart[1], apart[2], color=color, alpha=0.18, linewidth=0)
            ax.plot(run.t * pace, apart[0], color=color, linewidth=1.6, label=run.coordinates[k])
        ax.margins(x=0)
        ax.set_ylabel(f"{'way' if run.reference is None else 'from reference'} [{small}]")
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    axes[-1].set_xlabel(f"time [{clock}]")
    fig.suptitle(f"{run.robot.name}, {run.input}: {len(run.numbers)} robots, mean and range", x=0.01, ha="left")
    return fig


def modes_plot(found: Modes, note: str = "") -> Figure:
    """A bar for each coordinate of each mode, beside its frequency; `note` says which stiffness it is of."""
    n = len(found.frequency)
    fig, axes = figure(1, 1.0 + 0.55 * n)
    ax = axes[0]
    width = 0.8 / n
    for k, name in enumerate(found.coordinates):
        places = np.arange(n) + (k - (n - 1) / 2) * width
        ax.barh(places, found.shapes[:, k], height=0.9 * width, color=COLORS[k % len(COLORS)], label=name)
    ax.set_yticks(range(n), [f"{f:.4g} Hz" if f > 0 else f"grows, {-f:.4g} Hz" for f in found.frequency])
    ax.grid(False, axis="y")
    for edge in range(n - 1):
        ax.axhline(edge + 0.5, color="#dddddd", linewidth=0.6, zorder=0)
    ax.set_ylim(n - 0.5, -0.5)
    ax.axvline(0.0, color="#000000", linewidth=0.8)
    ax.set_xlabel("share of the coordinate, the largest 1 (turns times the robot's length)")
    ax.set_title(note, loc="left", fontsize=9)
    legend_beside(fig, ax)
    fig.suptitle(f"{found.robot.name}: natural frequencies and mode shapes", x=0.01, ha="left")
    return fig


def _bounds(run: Ensemble) -> tuple[Any, Any, Any]:
    return run.mean, run.least, run.most


def _kinds(robot: Mechanism) -> list[tuple[list[int], bool]]:
    """Places of slides, then of turns, and whether they turn."""
    turns = [c.turns for c in robot.platform.coordinates]
    return [([k for k, t in enumerate(turns) if t == kind], kind) for kind in (False, True) if kind in turns]


def _small(values: Array, turns: bool, display: Display) -> tuple[float, str]:
    """Factor and unit of small numbers: the one asked for, or else one in which they are readable."""
    if ("angle" if turns else "length") in display.stated:
        return display.travel(turns)
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    base = "rad" if turns else "m"
    for factor, prefix in ((1.0, ""), (1e3, "m"), (1e6, "µ"), (1e9, "n"), (1e12, "p")):
        if largest * factor >= 0.5:
            return factor, prefix + base
    return 1e12, f"p{base}"


def _told_apart(ax: Axes) -> None:
    """Earlier lines wider than later ones, so that those that coincide are all seen."""
    for line, width in zip(ax.get_lines(), np.linspace(2.6, 1.3, len(ax.get_lines())), strict=True):
        line.set_linewidth(width)


def _not_of_noise(ax: Axes, values: Array, least: float) -> None:
    """An axis from -1 to 1 where there is less than that to be seen: round-off is a straight line."""
    if not np.nanmax(np.abs(values), initial=0.0) >= least:
        ax.set_ylim(-1.0, 1.0)


def _mark(axes: list[Any], run: Simulation, display: Display) -> None:
    """A line where something happened."""
    for event in run.events:
        for ax in axes:
            ax.axvline(event.t * display.time[0], color="#D55E00", linewidth=0.9, linestyle=(0, (4, 2)))


def _finished(fig: Figure, axes: list[Any], run: Simulation, display: Display, what: str) -> Figure:
    axes[-1].set_xlabel(f"time [{display.time[1]}]")
    state = "" if run.complete else " (ended early)"
    fig.suptitle(f"{run.robot.name}, {run.input}: {what}{state}", x=0.01, ha="left")
    return fig
