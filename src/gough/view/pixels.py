"""Figures as small PNG files."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def small_png(figure: Figure, dpi: int) -> bytes:
    """The content of a PNG file of 256 colours; the same figure gives the same bytes."""
    from PIL import Image

    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    image = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
    out = BytesIO()
    image.quantize(256, dither=Image.Dither.NONE).save(out, format="png", dpi=(dpi, dpi))
    return out.getvalue()
