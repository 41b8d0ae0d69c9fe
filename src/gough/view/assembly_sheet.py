"""All assembly modes of a robot side by side, at one scale and seen from one side."""

from __future__ import annotations

from math import ceil, sqrt
from textwrap import wrap

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gough.assembly import AssemblyModes
from gough.display import number
from gough.errors import InputError
from gough.view import theme
from gough.view.drawing.camera import window_of
from gough.view.drawing.mode_pose import mode_pose
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import best_view, scene, scene_of

DPI = 100
_WIDTH, _HEIGHT = 260, 230
_HEAD, _LINE = 56, 34
_CLAIM, _LETTER = 15, 6.6
"""Height of a line of the claim, and width of a letter of it."""


def draw_modes(found: AssemblyModes) -> Figure:
    """A panel for each mode of one set of displacements; what the limits do not allow has a grey title.

    Raises:
        InputError: There is no mode, there are several sets, or it is not known how a leg closes.
    """
    robot = found.robot
    if np.ndim(found.q) != 1:
        raise InputError("picture of assembly modes: several sets of displacements given; give one")
    if not len(found.sample):
        raise InputError(f"picture of assembly modes: {robot.name} has none at these displacements")
    scenes = [scene_of(mode_pose(found, k), found.x[k]) for k in range(len(found.sample))]
    camera = best_view(scene(robot))
    columns = min(len(scenes), ceil(sqrt(1.4 * len(scenes))))
    rows = ceil(len(scenes) / columns)
    width = max(columns * _WIDTH, 560)
    claim = wrap(str(found.claim), int((width - 16) / _LETTER))
    head = _HEAD + _CLAIM * (len(claim) - 1)
    height = rows * (_HEIGHT + _LINE) + head
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=theme.PAPER)
    FigureCanvasAgg(figure)
    held = np.vstack([shown.reach(camera.view[:2]) for shown in scenes])
    window = window_of(held).grown(0.04).shaped(_WIDTH / _HEIGHT)
    extent = (window.left, window.right, window.bottom, window.top)
    for k, shown in enumerate(scenes):
        left, top = (k % columns) * _WIDTH, head + (k // columns) * (_HEIGHT + _LINE)
        bottom = height - top - _LINE - _HEIGHT
        ax = figure.add_axes((left / width, bottom / height, _WIDTH / width, _HEIGHT / height))
        seen = look(shown.solids, camera, window, (_HEIGHT * FINER, _WIDTH * FINER))
        ax.imshow(picture(seen, shown.solids), extent=extent, interpolation="none", aspect="auto")
        ax.set_axis_off()
        first, second = _captions(found, k)
        ink = theme.INK if found.within_limits[k] else theme.GUIDE
        x, y = (left + 8) / width, 1.0 - (top + 4) / height
        figure.text(x, y, first, fontsize=9, weight="bold", color=ink, va="top")
        figure.text(x, y - 14 / height, second, fontsize=8, color=ink, va="top")
    count = found.count_text
    figure.text(
        8 / width, 1.0 - 8 / height, f"{robot.name}: {count}", fontsize=13, weight="bold", color=theme.INK, va="top"
    )
    figure.text(8 / width, 1.0 - 30 / height, "\n".join(claim), fontsize=9, color=theme.SOFT, va="top")
    return figure


def _captions(found: AssemblyModes, k: int) -> tuple[str, str]:
    """Number and working mode, and what limits and singularities say."""
    branch = "".join("+" if b > 0 else "-" if b < 0 else "." for b in found.branch[k])
    legs = f"legs {branch}" if found.branch[k].any() else "branches not known"
    limits = "within limits" if found.within_limits[k] else "beyond limits"
    side = f", side {'+' if found.side[k] > 0 else '-'}" if found.side[k] else ""
    return f"{k + 1}   {legs}", f"{limits}, singular value {number(found.singular_value[k], 3)}{side}"
