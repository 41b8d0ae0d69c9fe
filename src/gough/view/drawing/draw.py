"""Draw a robot: a view from beside and above with frames, names and gravity, and views along axes with a scale."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import ArrayLike

from gough.display import SMALL, Display, display_units, number, stated_text
from gough.graph import Array
from gough.kinematics.dependent.values import dependent_coordinates
from gough.motion.conventions import OWN
from gough.robot import Mechanism
from gough.view import theme
from gough.view.drawing.camera import Camera, window_of
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import Scene, best_view, front_view, plan_view, scene
from gough.view.drawing.tensions import draw_scale, tensions_at_rest, with_tensions
from gough.view.theme import small_png

WIDTH, HEIGHT, DPI = 1200, 760, 100
"""Size of a drawing in pixels, and pixels per inch."""
_MAIN = (10, 40, 770, 640)
_FRONT, _PLAN = (860, 400, 320, 270), (860, 64, 320, 270)
_TALL = (860, 190, 320, 340)


def draw(robot: Mechanism, x: ArrayLike | None = None, display: Display | None = None) -> Figure:
    """A drawing of a robot of plain numbers at platform coordinates x (n,), at home unless given.

    Units are those of `display`, else metres, or millimetres for a small machine, and degrees. Cables have the colours
    of their tensions at rest.

    Raises:
        PoseError: A leg does not reach.
    """
    shown = scene(robot, x)
    units = display or display_units("", shown.sizes.extent < SMALL)
    camera = best_view(shown if x is None else scene(robot))
    if not robot.cables:
        figure = sheet(shown, camera, units)
    else:
        tensions = tensions_at_rest(robot, shown.x)
        figure = sheet(with_tensions(shown, tensions), camera, units)
        draw_scale(figure, robot, tensions, units)
    _title(figure, shown, units)
    return figure


def sheet(shown: Scene, camera: Camera, units: Display) -> Figure:
    """A drawing of a scene without its title."""
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=theme.PAPER)
    FigureCanvasAgg(figure)
    length = 0.13 * shown.sizes.extent
    frames = shown.frames()
    tips = [origin + step for origin, R in frames.values() for step in 1.3 * length * R.T]
    ax = _panel(figure, _MAIN, shown, camera, 0.08, np.array(tips))
    ax.set_axis_off()
    for name, (origin, R) in frames.items():
        draw_triad(ax, camera, name, origin, R, length)
    draw_leg_names(ax, camera, shown)
    draw_gravity(ax, camera, shown)
    draw_legend(figure, shown, (0.33, 0.008))
    if not shown.flat:
        _measured(figure, _FRONT, shown, front_view(shown), "front", units.length)
    _measured(figure, _TALL if shown.flat else _PLAN, shown, plan_view(shown), "from above", units.length)
    return figure


def png(robot: Mechanism, x: ArrayLike | None = None, display: Display | None = None) -> bytes:
    """The drawing as the content of a PNG file of 256 colours."""
    return small_png(draw(robot, x, display), DPI)


def _title(figure: Figure, shown: Scene, display: Display) -> None:
    robot = shown.robot
    about = robot.description
    at_home = np.allclose(shown.x, robot.platform.home, rtol=0, atol=1e-12)
    pose = stated_text(robot, list(shown.x), OWN, display, dependent_coordinates(robot, shown.x)[0])
    figure.text(0.02, 0.955, shorten(robot.name, 40), fontsize=16, weight="bold", color=theme.INK)
    figure.text(0.02, 0.916, shorten(about, 120, placeholder=" ..."), fontsize=10.5, color=theme.SOFT)
    figure.text(
        0.98, 0.955, f"at home, {pose}" if at_home else f"at {pose}", fontsize=10.5, color=theme.INK, ha="right"
    )


def _panel(
    figure: Figure,
    place: tuple[int, int, int, int],
    shown: Scene,
    camera: Camera,
    rim: float,
    points: Array | None = None,
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
    along = "xyz"[int(np.argmax(np.abs(np.cross(camera.view[0], camera.view[1]))))]
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
    ax.set_title(f"{title}, along {along}", fontsize=9.5, color=theme.SOFT, pad=4)


_HALO: list[AbstractPathEffect] = [withStroke(linewidth=2.6, foreground=theme.PAPER)]
_SEEN = 0.3


def draw_triad(ax: Axes, camera: Camera, name: str, origin: Array, R: Array, length: float) -> None:
    """Add the axes of a frame, columns of R, named where they are not seen end on."""
    start = camera.at(origin)
    steps = [camera.at(R[:, k] * length) for k in range(3)]
    for letter, step in zip("xyz", steps, strict=True):
        if np.linalg.norm(step) >= _SEEN * length:
            _arrow(ax, start, start + step, 1.3)
            _text(ax, start + step + step / np.linalg.norm(step) * 0.22 * length, letter, 9, style="italic")
    _text(ax, start + 0.28 * length * _free_side(steps), name, 10.5, weight="bold")


def _free_side(steps: list[Array]) -> Array:
    """(2,) unit vector farthest from the directions of all steps."""
    sides = [np.array([np.cos(a), np.sin(a)]) for a in np.linspace(0, 2 * np.pi, 16, endpoint=False)]
    ways = [step / np.linalg.norm(step) for step in steps if np.linalg.norm(step) > 0]
    return min(sides, key=lambda side: max(float(side @ way) for way in ways))


def draw_leg_names(ax: Axes, camera: Camera, scene: Scene) -> None:
    """Add each leg's name beside its base, outward, clear of what is written and of the machine if it can be."""
    places = {name: camera.at(point) for name, point in scene.names.items()}
    middle = np.mean(list(places.values()), axis=0)
    pixel = float(np.ptp(ax.get_xlim())) / ax.get_window_extent().width
    taken = [(np.array(text.get_position()), _half_size(text.get_text(), 11) * pixel) for text in ax.texts]
    for name, place in places.items():
        out = place - middle
        size = float(np.linalg.norm(out))
        step = out / size if size > 1e-9 else np.array([0.0, -1.0])
        half = _half_size(name, 11) * pixel
        tried = [place + far * scene.sizes.motor * _turned(step, angle) for far in _FAR for angle in _ASIDE]
        clear = [p for p in tried if all((np.abs(p - other) > half + own).any() for other, own in taken)]
        chosen = min(clear or tried, key=lambda p: _covered(ax, p, half))
        taken.append((chosen, half))
        _text(ax, chosen, name, 11, color=theme.INK)


_FAR, _ASIDE = (2.6, 3.8, 5.0, 6.2), (0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5)
"""How far from a leg's base, in motors, and how far aside [rad] its name may go; the first of the clearest is taken."""


def _covered(ax: Axes, place: Array, half: Array) -> float:
    """Tenths of a text's box, of half its size `half`, that are over the machine or out of the picture."""
    left, right, bottom, top = ax.images[0].get_extent()
    alpha = np.asarray(ax.images[0].get_array())[..., 3]
    rows, columns = alpha.shape
    x, y = (place + np.linspace(-1.0, 1.0, 9)[:, None] * half).T
    i = np.floor((top - y) / (top - bottom) * rows).astype(int)
    j = np.floor((x - left) / (right - left) * columns).astype(int)
    if i.min() < 0 or j.min() < 0 or i.max() >= rows or j.max() >= columns:
        return 11.0
    return float(np.ceil(10.0 * (alpha[np.ix_(i, j)] > 0).mean()))


def _half_size(text: str, size: float) -> Array:
    """(2,) half of the width and height of a text of `size` points, about, in pixels of 100 to the inch."""
    return np.array([0.31 * len(text) + 0.1, 0.6]) * size * 100 / 72


def _turned(step: Array, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])


def draw_gravity(ax: Axes, camera: Camera, scene: Scene) -> None:
    """Add an arrow along gravity in the picture's upper left corner."""
    g = camera.at(scene.robot.gravity)
    size = float(np.linalg.norm(g))
    if size < _SEEN * float(np.linalg.norm(scene.robot.gravity)) or size == 0.0:
        return
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    step = g / size * 0.07 * (top - bottom)
    corner = np.array([left + 0.02 * (right - left), top - 0.01 * (top - bottom)])
    start = corner - [min(step[0], 0.0), max(step[1], 0.0)]
    _arrow(ax, start, start + step, 2.0)
    _text(ax, start + step / 2 + [0.028 * (right - left), 0.0], "g", 11, style="italic")


def draw_legend(figure: Figure, scene: Scene, place: tuple[float, float]) -> None:
    """Add what the colours mean, those that are there, above the point `place` of the figure."""
    used = {solid.colour for solid in scene.solids}
    handles = [Patch(fc=c, ec=theme.INK, lw=0.7, label=name) for name, c in theme.LEGEND.items() if c in used]
    figure.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=place,
        ncols=len(handles),
        frameon=False,
        fontsize=9.5,
        handlelength=1.2,
        handleheight=0.9,
        columnspacing=1.6,
        borderaxespad=0.0,
    )


def _arrow(ax: Axes, start: Array, end: Array, width: float) -> None:
    patch = FancyArrowPatch(
        (float(start[0]), float(start[1])),
        (float(end[0]), float(end[1])),
        arrowstyle="-|>,head_length=4,head_width=2",
        lw=width,
        color=theme.INK,
        shrinkA=0,
        shrinkB=0,
        zorder=4,
    )
    patch.set_path_effects(_HALO)
    ax.add_patch(patch)


def _text(ax: Axes, place: Array, text: str, size: float, **style: Any) -> None:
    ax.text(
        float(place[0]),
        float(place[1]),
        text,
        fontsize=size,
        ha="center",
        va="center",
        path_effects=_HALO,
        zorder=5,
        **style,
    )
