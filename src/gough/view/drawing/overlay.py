"""What is written over a picture: frames, names of legs, gravity, what the colours mean."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.patheffects import AbstractPathEffect, withStroke

from gough.view import theme
from gough.view.drawing.camera import Camera
from gough.view.drawing.scene import Scene
from gough.view.drawing.solids import Array

_HALO: list[AbstractPathEffect] = [withStroke(linewidth=2.6, foreground=theme.PAPER)]
_SEEN = 0.3


def triad(ax: Axes, camera: Camera, name: str, origin: Array, R: Array, length: float) -> None:
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


def leg_names(ax: Axes, camera: Camera, scene: Scene) -> None:
    """Add each leg's name beside its base, outward."""
    places = {name: camera.at(point) for name, point in scene.names.items()}
    middle = np.mean(list(places.values()), axis=0)
    for name, place in places.items():
        out = place - middle
        size = float(np.linalg.norm(out))
        step = out / size if size > 1e-9 else np.array([0.0, -1.0])
        _text(ax, place + step * 2.6 * scene.sizes.motor, name, 11, color=theme.INK)


def gravity(ax: Axes, camera: Camera, scene: Scene) -> None:
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


def legend(figure: Figure, scene: Scene, place: tuple[float, float]) -> None:
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
