"""Figures of pose errors and stiffness: how large, where, and from which sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from gough.accuracy import PoseErrors, elasticity, pose_errors
from gough.accuracy.pose_errors import sources_of
from gough.display import Display
from gough.errors import InputError
from gough.graph import Array
from gough.plots import COLORS
from gough.workspaces.slice_picture import draw_map, held_text
from gough.workspaces.slices import Slice

SHOWN = 12
SI = Display()


def _figure(heights: Sequence[float], title: str) -> tuple[Figure, list[SubFigure]]:
    """Bands of these heights [in] under a title, each with a layout of its own."""
    fig = Figure(figsize=(9.0, sum(heights) + 0.3), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08))
    FigureCanvasAgg(fig)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11)
    bands: Any = fig.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)
    return fig, list(bands[:, 0])


def _plain(ax: Axes) -> None:
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def errors_plot(found: PoseErrors, display: Display = SI) -> Figure:
    """Displacement and rotation over the poses, sorted, and the sources that make most of them."""
    fig, (top, bottom) = _figure((2.8, 3.6), f"{found.robot.name}: pose errors {found.where}, first order")
    for k, part in enumerate(("displacement", "rotation")):
        factor, unit = display.error(turns=k == 1)
        ax = top.add_subplot(1, 2, k + 1)
        for values, label, color in (
            (found.rms, "root mean square", COLORS[0]),
            (found.largest, "worst case", COLORS[1]),
        ):
            rows = np.sort(values[:, k]) * factor
            if len(rows) == 1:
                ax.bar([label], rows, color=color)
            else:
                ax.plot(np.linspace(0.0, 100.0, len(rows)), rows, color=color, label=label, linewidth=1.6)
        ax.set_title(f"{part} [{unit}]", loc="left", fontsize=10)
        ax.set_ylim(bottom=0.0)
        if len(found.x) > 1:
            ax.set_xlabel("share of the poses below [%]")
            ax.legend(frameon=False)
        _plain(ax)
    shares(bottom.subplots(), found)
    return fig


def shares(ax: Axes, found: PoseErrors) -> None:
    """The sources with the largest shares of the errors."""
    both = found.contributions.sum(axis=1)
    order = np.argsort(-both, kind="stable")[: min(SHOWN, int((both > 1e-9).sum()))]
    places = np.arange(len(order))
    for k, part in enumerate(("displacement", "rotation")):
        share = 100.0 * found.contributions[order, k]
        ax.barh(places + 0.2 * (2 * k - 1), share, 0.38, color=COLORS[2 + k], label=part)
    ax.set_yticks(places, [found.sources[k].name for k in order], fontsize=8)
    ax.invert_yaxis()
    ax.set_xlabel("share of the variance [%], mean over the poses")
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, borderaxespad=0.1)
    _plain(ax)


def accuracy_maps(
    over: Slice,
    wrench: Sequence[float] | None = None,
    display: Display = SI,
) -> Figure:
    """Maps over a slice of the workspace: pose errors, stiffness, deflection under a wrench, and the largest sources.

    Args:
        over: The slice, of a robot with its tolerances, heat and stiffness.
        wrench: (6,) at the robot's tool, base axes [N, N m], whose deflection is drawn; None for the stiffness against
            turning in its place.
        display: The units shown.

    Raises:
        InputError: Nothing is stated.
        NumericalError: The legs do not hold the platform.
    """
    robot = over.robot
    inexact = bool(sources_of(robot))
    elastic = bool(robot.errors.stiffness) or any(leg.cable and leg.cable.elasticity for leg in robot.legs)
    if not inexact and not elastic:
        raise InputError("--map: nothing to draw: no tolerance, encoder, backlash, heat or stiffness is stated")
    what = "pose errors and stiffness" if inexact and elastic else "pose errors" if inexact else "stiffness"
    held = held_text(over, display)
    title = f"{robot.name}: {what} within all limits" + (f", at {held}" if held else "")
    fig, bands = _figure([3.2] * (inexact + elastic) + [3.5] * inexact, title)
    if inexact:
        found = pose_errors(robot, over.poses)
        for k, part in enumerate(("displacement", "rotation")):
            if found.rms[:, k].max() > 0.0:
                factor, unit = display.error(turns=k == 1)
                ax = bands[0].add_subplot(1, 2, k + 1)
                draw_map(bands[0], ax, over, factor * found.rms[:, k], f"{part} error [{unit}], rms", display)
        shares(bands[-1].subplots(), found)
    if elastic:
        for k, (values, label) in enumerate(_stiffness(over, wrench, display)):
            band = bands[int(inexact)]
            draw_map(band, band.add_subplot(1, 2, k + 1), over, values, label, display)
    return fig


def _stiffness(over: Slice, wrench: Sequence[float] | None, display: Display) -> list[tuple[Array, str]]:
    """Values at the poses of a slice and what they are: of the softest direction, and of turning or of a wrench."""
    held = [elasticity(over.robot, x) for x in over.poses]
    C = np.array([each.compliance for each in held])
    factor, unit = display.stiffness(False) if display.asked(False) else (1e-6, "N/um")
    soft = factor / np.linalg.eigvalsh(C[:, :3, :3])[:, -1]
    first = (soft, f"stiffness in the softest direction [{unit}]")
    if wrench is not None:
        moved = np.linalg.norm([each.deflection(wrench)[:3] for each in held], axis=1)
        factor, unit = display.error(False)
        return [first, (factor * moved, f"displacement under the wrench [{unit}]")]
    turning = np.linalg.eigvalsh(C[:, 3:, 3:])[:, -1]
    if turning.max() <= 0.0:
        return [first]
    factor, unit = display.stiffness(True) if "angle" in display.stated else (1e-6, "N m/urad")
    return [first, (factor / turning, f"stiffness about the softest axis [{unit}]")]
