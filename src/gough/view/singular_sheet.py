"""Singular poses of a robot side by side, each kind with the motion that becomes free or lost drawn along its axis."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from gough.display import Display, distance_unit, number
from gough.errors import InputError
from gough.graph import Array
from gough.singular import Nearest, Singularities
from gough.singular.charts import twist_axis
from gough.view import theme
from gough.view.drawing.camera import Camera, window_of
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import Scene, best_view, plan_view, scene, scene_of
from gough.view.drawing.solids import across

DPI = 100
_WIDTH, _HEIGHT, _HEAD, _LINE = 460, 430, 44, 44
_LOOSE = "#D5001C"


def draw_singularities(found: Singularities, display: Display) -> Figure:
    """A panel for each kind that was found, and the axis of its motion in red: free, or lost for type 1.

    Raises:
        InputError: None was found.
    """
    robot = found.robot
    if not found.found:
        raise InputError(f"picture of singularities: none was found for {robot.name} within the limits")
    home = scene(robot)
    camera = plan_view(home) if home.flat else best_view(home)
    scenes = [scene_of(found.pose_of(one), one.x) for one in found.found]
    width, height = len(scenes) * _WIDTH, _HEAD + _LINE + _HEIGHT
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=theme.PAPER)
    FigureCanvasAgg(figure)
    factor, unit = display.length
    for k, (one, shown) in enumerate(zip(found.found, scenes, strict=True)):
        ax = figure.add_axes((k * _WIDTH / width, 0.0, _WIDTH / width, _HEIGHT / height))
        ends = _axis_ends(one, shown)
        held = np.vstack([ends, ends.mean(axis=0) + _arc(one, shown.sizes.extent)])
        window = window_of(np.vstack([shown.reach(camera.view[:2]), camera.at(held)])).grown(0.06)
        window = window.shaped(_WIDTH / _HEIGHT)
        seen = look(shown.solids, camera, window, (_HEIGHT * FINER, _WIDTH * FINER))
        extent = (window.left, window.right, window.bottom, window.top)
        ax.imshow(picture(seen, shown.solids), extent=extent, interpolation="none", aspect="auto")
        ax.set_axis_off()
        _draw_motion(ax, camera, one, ends, shown.sizes.extent)
        verb = "lost" if one.kind == "type 1" else "free"
        axis = twist_axis(one.twist)
        motion = "slide" if axis["slides"] else f"turn, pitch {number(axis['pitch'] * factor, 3)} {unit}/rad"
        place = (k * _WIDTH + 10) / width
        turned, away = distance_unit(robot, display)
        head = f"{one.kind}, {number(one.distance * turned, 4)} {away} away"
        figure.text(place, 1.0 - _HEAD / height, head, fontsize=11, weight="bold", color=theme.INK, va="top")
        under = 1.0 - (_HEAD + 19) / height
        figure.text(place, under, f"{verb}: {motion} along the red axis", fontsize=9.5, color=_LOOSE, va="top")
    title = f"{robot.name}: nearest singularities"
    figure.text(10 / width, 1.0 - 10 / height, title, fontsize=14, weight="bold", color=theme.INK, va="top")
    return figure


def _axis_ends(one: Nearest, shown: Scene) -> Array:
    """(2, 3) ends of what is drawn of the axis, in B [m]: as long as half the machine, nearest to the platform."""
    axis, half = twist_axis(one.twist), 0.28 * shown.sizes.extent
    middle = one.p if axis["slides"] else one.p + axis["point"]
    return np.array([middle - half * axis["direction"], middle + half * axis["direction"]])


def _draw_motion(ax: Axes, camera: Camera, one: Nearest, ends: Array, extent: float) -> None:
    """The axis as a line, an arrow along it for a slide, an arc with an arrow about it for a turn."""
    start, end = camera.at(ends)
    axis = twist_axis(one.twist)
    if axis["slides"]:
        _arrow(ax, start, end)
        return
    seen = float(np.linalg.norm(end - start))
    if seen > 0.02 * extent:
        ax.plot(*np.array([start, end]).T, color=_LOOSE, lw=2.2, ls=(0, (6, 2, 1, 2)), zorder=4)
    middle = ends.mean(axis=0)
    arc = camera.at(middle + _arc(one, extent))
    ax.plot(*arc.T, color=_LOOSE, lw=2.0, zorder=4)
    _arrow(ax, arc[-4], arc[-1])
    ax.plot(*camera.at(middle), "o", color=_LOOSE, ms=3.5, zorder=5)


def _arc(one: Nearest, extent: float) -> Array:
    """(60, 3) about the axis of a turn."""
    u, v = across(twist_axis(one.twist)["direction"])
    angle = np.linspace(0.2, 1.7 * np.pi, 60)[:, None]
    return np.asarray(0.09 * extent * (np.cos(angle) * u + np.sin(angle) * v))


def _arrow(ax: Axes, start: Array, end: Array) -> None:
    a, b = ((float(p[0]), float(p[1])) for p in (start, end))
    style = "-|>,head_length=6,head_width=3"
    ax.add_patch(FancyArrowPatch(a, b, arrowstyle=style, lw=2.0, color=_LOOSE, shrinkA=0, shrinkB=0, zorder=5))
