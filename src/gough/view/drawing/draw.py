"""Draw a robot: a view from beside and above, and views along axes with a scale."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from gough.display import SMALL, Display, display_units, number, stated_text
from gough.kinematics.dependent.values import dependent_coordinates
from gough.motion.conventions import OWN
from gough.robot import Robot
from gough.view import theme
from gough.view.drawing import overlay
from gough.view.drawing.best_view import best_view, front_view, plan_view
from gough.view.drawing.camera import Camera, window_of
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import Scene, scene
from gough.view.theme import small_png

WIDTH, HEIGHT, DPI = 1200, 760, 100
"""Size of a drawing in pixels, and pixels per inch."""
_MAIN = (10, 40, 770, 640)
_FRONT, _PLAN = (860, 400, 320, 270), (860, 64, 320, 270)
_TALL = (860, 190, 320, 340)


def draw(robot: Robot, x: Any = None, display: Display | None = None) -> Figure:
    """A drawing of a robot of plain numbers at platform coordinates x (n,), at home unless given.

    Units are those of `display`, else metres, or millimetres for a small machine, and degrees.

    Raises:
        PoseError: A leg does not reach.
    """
    shown = scene(robot, x)
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=theme.PAPER)
    FigureCanvasAgg(figure)
    units = display or display_units("", shown.sizes.extent < SMALL)
    _title(figure, shown, units)
    camera = best_view(shown if x is None else scene(robot))
    length = 0.13 * shown.sizes.extent
    frames = shown.frames()
    tips = [origin + step for origin, R in frames.values() for step in 1.3 * length * R.T]
    ax = _panel(figure, _MAIN, shown, camera, 0.08, np.array(tips))
    ax.set_axis_off()
    for name, (origin, R) in frames.items():
        overlay.triad(ax, camera, name, origin, R, length)
    overlay.leg_names(ax, camera, shown)
    overlay.gravity(ax, camera, shown)
    overlay.legend(figure, shown, (0.33, 0.008))
    if not shown.flat:
        _measured(figure, _FRONT, shown, front_view(shown), "front", units.length)
    _measured(figure, _TALL if shown.flat else _PLAN, shown, plan_view(shown), "from above", units.length)
    return figure


def png(robot: Robot, x: Any = None, display: Display | None = None) -> bytes:
    """The drawing as the content of a PNG file of 256 colours."""
    return small_png(draw(robot, x, display), DPI)


def _title(figure: Figure, shown: Scene, display: Display) -> None:
    robot = shown.robot
    about = str((robot.document or {}).get("description", ""))
    at_home = np.allclose(shown.x, robot.platform.home, rtol=0, atol=1e-12)
    pose = stated_text(robot, list(shown.x), OWN, display, dependent_coordinates(robot, shown.x)[0])
    figure.text(0.02, 0.955, shorten(robot.name, 40), fontsize=16, weight="bold", color=theme.INK)
    figure.text(0.02, 0.916, shorten(about, 120, placeholder=" ..."), fontsize=10.5, color=theme.SOFT)
    figure.text(
        0.98, 0.955, f"at home, {pose}" if at_home else f"at {pose}", fontsize=10.5, color=theme.INK, ha="right"
    )


def _panel(
    figure: Figure, place: tuple[int, int, int, int], shown: Scene, camera: Camera, rim: float, points: Any = None
) -> Axes:
    """Axes over pixels `place` (left, bottom, width, height) with the machine and `points` (n, 3) in them [m]."""
    left, bottom, width, height = place
    ax = figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))
    held = shown.reach(camera.view[:2])
    held = held if points is None else np.vstack([held, camera.at(points)])
    window = window_of(held).grown(rim).shaped(width / height)
    seen = look(shown.solids, camera, window, (height * FINER, width * FINER))
    extent = (window.left, window.right, window.bottom, window.top)
    ax.imshow(picture(seen, shown.solids), extent=extent, interpolation="none", aspect="auto", zorder=2)
    return ax


def _measured(
    figure: Figure,
    place: tuple[int, int, int, int],
    shown: Scene,
    camera: Camera,
    title: str,
    length: tuple[float, str],
) -> None:
    """A view along an axis, with the coordinates of B along its sides in the unit of `length`."""
    ax = _panel(figure, place, shown, camera, 0.05)
    factor, unit = length
    for axis, direction in ((ax.xaxis, camera.view[0]), (ax.yaxis, camera.view[1])):
        k = int(np.argmax(np.abs(direction)))
        sign = float(np.sign(direction[k]))
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(FuncFormatter(lambda v, _, s=sign: number(s * v * factor)))
        axis.set_label_text(f"{'xyz'[k]} [{unit}]", fontsize=9, color=theme.SOFT)
    ax.tick_params(labelsize=8.5, color=theme.SOFT, labelcolor=theme.SOFT)
    ax.grid(color="#e6e9ed", lw=0.7)
    ax.set_axisbelow(True)
    for spine in ax.spines.values():
        spine.set_color("#b8bfc7")
    ax.set_title(title, fontsize=9.5, color=theme.SOFT, pad=4)
