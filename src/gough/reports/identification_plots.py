"""Figures of an identification: forces, and what the model leaves of them."""

from __future__ import annotations

from matplotlib.figure import Figure

from gough.display import Display, actuator_units
from gough.identification import Identification
from gough.plots import curves, figure, legend_beside


def forces_plot(result: Identification, display: Display) -> Figure:
    """Measured forces over time, what base parameters leave of them, and what the file left before."""
    robot = result.model.robot
    pace, clock = display.time
    t = result.recording.t[result.equations.rows] * pace
    (push, unit), _ = actuator_units(robot, display)
    measured, left = (values * push for values in result.left)
    before = result.equations.left(result.of_file)[1] * push
    fig, axes = figure(3)
    top = max(abs(left).max(), 1e-12)
    panels = ((measured, "measured"), (before, "left by the file"), (left, "left by the\nidentified parameters"))
    for ax, (values, label) in zip(axes, panels, strict=True):
        curves(ax, t, values, robot.actuator_names, [measured])
        ax.set_ylabel(f"{label} [{unit}]")
    axes[2].set_ylim(-1.3 * top, 1.3 * top)
    axes[2].set_xlabel(f"t [{clock}]")
    legend_beside(fig, axes[0])
    axes[0].set_title(
        f"{robot.name}, {result.recording.source.rpartition('/')[2]}: {100 * result.residual:.2g} % left", fontsize=10
    )
    return fig
