"""A free path as a picture: coordinates beside those of the straight line, and forces within their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.limits import actuator_bounds
from gough.display import Display
from gough.dynamics.drives import winches
from gough.dynamics.sharing.shares import force_limits
from gough.plots import COLORS, curves, figure
from gough.timing.facets import shares_within_limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from gough.graph import Array
    from gough.timing.free_result import FreePath

DRAWN = 801
SI = Display()


def free_picture(found: FreePath, display: Display = SI) -> Figure:
    """Panels over time: what slides, what turns, and the actuators' forces; the straight line is dashed."""
    turning = np.array([c.turns for c in found.robot.platform.coordinates])
    kinds = [kind for kind in (False, True) if (turning == kind).any()]
    fig, axes = figure(len(kinds) + 1, height=1.9, width=7.2)
    pace, clock = display.time
    t = np.linspace(found.motion.start, found.motion.end, DRAWN)
    for ax, turns in zip(axes, kinds, strict=False):
        own = np.flatnonzero(turning == turns)
        factor, unit = display.travel(turns)
        _coordinates(ax, found, t, own, factor, pace)
        ax.set_ylabel(f"{'turn' if turns else 'way'} from the start [{unit}]", fontsize=8)
    push, unit = display.effort(found.robot.actuators[0].turns)
    force = Path(found.robot, found.motion).drive(t, t)["force"]
    curves(axes[-1], t * pace, force * push, found.robot.actuator_names)
    for end in _force_ends(found):
        if np.abs(force).max() > 0.5 * abs(end):
            axes[-1].axhline(end * push, color="#777777", linestyle="--", linewidth=1.0)
    axes[-1].set_ylabel(f"force [{unit}]", fontsize=8)
    axes[-1].set_xlabel(f"time [{clock}]")
    for ax in axes:
        ax.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    factor, unit = display.of(found.unit)
    title = f"{found.robot.name}, {found.motion.name}: least {found.least} {found.value * factor:.4g} {unit}"
    if found.straight is not None:
        title += f" (straight {found.before * factor:.4g})"
    axes[0].set_title(title, fontsize=10)
    return fig


def _force_ends(found: FreePath) -> set[float]:
    """Least and largest forces; of cables by their tensions, but for winches, whose forces are not their tensions."""
    if shares_within_limits(found.robot):
        drawn = [ends for k, ends in enumerate(force_limits(found.robot)) if k not in winches(found.robot)]
        return {end for ends in drawn for end in ends if end is not None}
    bounds = [bound for _, bound in actuator_bounds(found.robot, "force", found.limits) if bound is not None]
    return {end for bound in bounds for end in (bound.low, bound.high)}


def _coordinates(ax: Axes, found: FreePath, t: Array, own: NDArray[np.intp], factor: float, pace: float) -> None:
    """Ways of some coordinates from the first pose, those along the straight line dashed."""
    first = found.motion(found.motion.start).x
    for number, k in enumerate(own.tolist()):
        color = COLORS[number % len(COLORS)]
        name = found.motion.coordinates[k]
        ax.plot(t * pace, (found.motion.law(t)[0][:, k] - first[k]) * factor, color=color, linewidth=1.6, label=name)
        if found.straight is not None:
            times = np.linspace(found.straight.start, found.straight.end, DRAWN)
            way = (found.straight.law(times)[0][:, k] - first[k]) * factor
            ax.plot(times * pace, way, color=color, linewidth=1.0, linestyle="--")
