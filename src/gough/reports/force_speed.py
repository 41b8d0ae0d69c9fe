"""Force-speed diagrams: what a motion requires of each actuator, against what a motor can provide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from gough.design import Demand
from gough.display import Display, actuator_units
from gough.plots import COLORS
from gough.robot import Curve

PATH, PEAK, CONTINUOUS = COLORS[0], COLORS[1], COLORS[2]


def force_speed(demand: Demand, display: Display | None = None) -> Figure:
    """One panel per actuator with the same axes: the motion's loop, its rms point and the motor's curves."""
    n = len(demand.actuators)
    columns = min(n, 3)
    rows = math.ceil(n / columns)
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06)
    figure = Figure(figsize=(2.9 * columns + 0.5, 2.6 * rows + 0.9), dpi=120, layout=layout)
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    (push, force), (pace, speed) = actuator_units(demand.robot, display or Display())
    for k, ax in enumerate(axes.ravel()):
        if k >= n:
            ax.set_visible(False)
            continue
        _panel(ax, demand, k, push[k], pace[k])
    turns = all(joint.turns for joint in demand.robot.actuators)
    for ax in axes[:, 0]:
        ax.set_ylabel(f"{'torque' if turns else 'force'} [{force}]")
    for k in range(columns):
        axes[rows - 1 if (rows - 1) * columns + k < n else rows - 2, k].set_xlabel(f"speed [{speed}]")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=9)
    motor = demand.robot.motor
    named = f", motor {motor.name}" if motor is not None else ""
    figure.suptitle(f"{demand.robot.name}, motion {demand.motion.name}{named}", fontsize=11, x=0.02, ha="left")
    return figure


def _panel(ax: Axes, demand: Demand, k: int, push: float, pace: float) -> None:
    (_, v, force), motor = demand.curve, demand.robot.motor
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.axhline(0.0, color="#999999", linewidth=0.7)
    ax.axvline(0.0, color="#999999", linewidth=0.7)
    ratio = 1.0 if motor is None else motor.ratio
    if motor is not None:
        for curve, colour, name, style in (
            (motor.peak, PEAK, "peak", (0, (5, 1.5))),
            (motor.continuous, CONTINUOUS, "continuous", (0, (1.2, 1.2))),
        ):
            if curve is not None:
                x, y = outline(curve, ratio)
                ax.plot(x * pace, y * push, color=colour, linestyle=style, linewidth=1.4, label=f"motor, {name}")
    ax.plot(v[:, k] * pace, force[:, k] * push, color=PATH, linewidth=1.5, label="motion")
    lasting = demand.fits[k].rms_torque * ratio if motor is not None else demand.rms_force[k]
    rms = demand.rms_qd[k] * pace, lasting * push
    ax.plot([rms[0]], [rms[1]], "o", color="#000000", markersize=4.5, label="rms")
    verdict = ""
    if demand.fits:
        verdict = ": fits" if demand.fits[k].fits else ": does not fit"
    ax.set_title(f"{demand.actuators[k]}{verdict}", fontsize=10, loc="left")


def outline(curve: Curve, ratio: float) -> tuple[Any, Any]:
    """A motor's curve in all four quadrants, joint-side: speeds and forces, closed."""
    s, t = np.array(curve.speed) / ratio, np.array(curve.torque) * ratio
    s, t = np.append(s, s[-1]), np.append(t, 0.0)
    return np.concatenate([s, s[::-1], -s, -s[::-1]]), np.concatenate([t, -t[::-1], -t, t[::-1]])
