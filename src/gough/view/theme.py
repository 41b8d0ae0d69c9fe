"""Colours of drawings and forces, distinguishable by colour-blind readers and in grey print; small PNG files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = "#ffffff"
INK = "#1b1f24"
SOFT = "#5b6570"
BASE = "#c9ced4"
GUIDE = "#a3abb5"
DRIVEN = "#e69f00"
CABLE = "#b57d00"
PISTON = "#eceff2"
ROD = "#2f7fb8"
PLATFORM = "#8fd0c0"
JOINT = "#4a525c"
SPRING = "#7a3e9d"

LEGEND = {"driven": DRIVEN, "link": ROD, "platform": PLATFORM, "base": BASE}


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of a colour such as "#1b1f24", each 0 to 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


PULL, NOTHING, PUSH = "#2166ac", "#d9dde1", "#c0392b"
LOST = "#f2001e"
"""A leg at fault: it does not reach, or is beyond a limit."""


def force_colour(force: float, most: float) -> tuple[int, int, int]:
    """Red, green, blue (0 to 255) of a force on a scale from -most to most."""
    if not np.isfinite(force):
        return whole(LOST)
    share = float(np.clip(force / most, -1.0, 1.0)) if most > 0.0 else 0.0
    far, near = np.array(rgb(PUSH if share > 0 else PULL)), np.array(rgb(NOTHING))
    red, green, blue = np.rint(255 * (near + abs(share) * (far - near))).astype(int).tolist()
    return red, green, blue


def whole(colour: str) -> tuple[int, int, int]:
    """Red, green, blue (0 to 255) of a colour such as "#1b1f24"."""
    red, green, blue = (round(255 * c) for c in rgb(colour))
    return red, green, blue


def lighter(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Half way to white."""
    red, green, blue = ((255 + c) // 2 for c in colour)
    return red, green, blue


def small_png(figure: Figure, dpi: int) -> bytes:
    """The content of a PNG file of 256 colours; the same figure gives the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    image = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
    out = BytesIO()
    image.quantize(256, dither=Image.Dither.NONE).save(out, format="png", dpi=(dpi, dpi))
    return out.getvalue()
