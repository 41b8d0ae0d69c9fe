"""Solids as pixels: hidden parts hidden exactly, shaded by a light from the upper left, edges drawn in ink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.view.drawing.camera import Camera, Window
from gough.view.drawing.solids import MISS, Rod, Solid, unit
from gough.view.theme import INK, rgb

FINER = 2
"""Samples per pixel and direction."""
_LIGHT = unit([-0.35, 0.65, 0.7])
_SHADE = 0.5
_CREASE = 0.8
_SMOOTH = 0.97
"""Cosine of the bend up to which two solids of one part are one surface."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What each sample (rows from the top) shows.

    Attributes:
        depth: Towards the viewer [m]; -inf where nothing is.
        normal: Outward, in view coordinates.
        which: Index of the solid, -1 where nothing is.
    """

    depth: NDArray[np.float64]
    normal: NDArray[np.float32]
    which: NDArray[np.int32]


def look(solids: Sequence[Solid], camera: Camera, window: Window, shape: tuple[int, int]) -> Seen:
    """What a grid of `shape` (rows, columns) samples over the window shows."""
    rows, columns = shape
    xs = window.left + (np.arange(columns) + 0.5) * (window.right - window.left) / columns
    ys = window.top - (np.arange(rows) + 0.5) * (window.top - window.bottom) / rows
    seen = Seen(np.full(shape, MISS), np.zeros((*shape, 3), np.float32), np.full(shape, -1, np.int32))
    for k, solid in enumerate(solids):
        (x0, y0), (x1, y1) = solid.shape.reach(camera.view[:2])
        j = slice(*np.searchsorted(xs, [x0, x1], side="left"))
        i = slice(*np.searchsorted(-ys, [-y1, -y0], side="left"))
        if isinstance(solid.shape, Rod):  # most of the box about a slanting bar is far from it
            down, along = np.nonzero(solid.shape.near(camera.view, xs[j], ys[i]))
            down, along = down + i.start, along + j.start
            depth, normal = solid.shape.seen(camera.view, xs[along], ys[down])
            nearer = depth > seen.depth[down, along]
            places: Any = down[nearer], along[nearer]
        else:
            depth, normal = solid.shape.seen(camera.view, xs[None, j], ys[i, None])
            nearer = depth > seen.depth[i, j]
            down, along = np.nonzero(nearer)
            places = down + i.start, along + j.start
        seen.depth[places] = depth[nearer]
        seen.normal[places] = normal[nearer]
        seen.which[places] = k
    return seen


def picture(seen: Seen, solids: Sequence[Solid]) -> NDArray[np.uint8]:
    """(rows, columns, 4) pixels of what was seen, background transparent."""
    colours = np.array([rgb(solid.colour) for solid in solids], dtype=np.float32)
    samples = np.zeros((*seen.which.shape, 4), np.float32)  # colour times what it covers, and that
    some = seen.which >= 0
    lit = np.clip(seen.normal[some] @ _LIGHT.astype(np.float32), 0.0, 1.0)
    colour = colours[seen.which[some]] * (_SHADE + (1.06 - _SHADE) * lit)[:, None]
    samples[some] = np.column_stack([np.clip(colour, 0.0, 1.0), np.ones(len(colour), np.float32)])
    plain = np.array([*[not solid.outlined for solid in solids], False])
    samples[_edges(seen, _parts(solids), plain)] = (*rgb(INK), 1.0)
    pixels = _shrunk(samples)
    pixels[..., :3] /= np.maximum(pixels[..., 3:], 1e-6)
    return np.rint(255 * pixels).astype(np.uint8)


def _shrunk(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Means of the samples of each pixel."""
    parts = [samples[i::FINER, j::FINER] for i in range(FINER) for j in range(FINER)]
    total: NDArray[np.float32] = sum(parts[1:], parts[0]) / np.float32(len(parts))
    return total


def _parts(solids: Sequence[Solid]) -> NDArray[np.int64]:
    """(solids + 1,) a number for each owner and colour; the last, for what is not there, -1."""
    known = {key: k for k, key in enumerate({(solid.owner, solid.colour): None for solid in solids})}
    return np.array([*[known[solid.owner, solid.colour] for solid in solids], -1])


def _edges(seen: Seen, parts: NDArray[np.int64], plain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Samples of lines: outlines of solids and creases between their faces.

    Where pieces of one part go over into each other, as along a bent bar, there is none; nor about what is `plain`.
    """
    part, bare = parts[seen.which], plain[seen.which]
    ink = np.zeros(seen.which.shape, bool)
    for axis in (0, 1):
        here, there = (_cut(axis, 0, -1), _cut(axis, 1, None))
        line = part[here] != part[there]
        within = ~line & (part[here] >= 0)
        bend = np.einsum("ik,ik->i", seen.normal[here][within], seen.normal[there][within])
        line[within] = bend < np.where(seen.which[here][within] == seen.which[there][within], _CREASE, _SMOOTH)
        line &= ~(bare[here] | bare[there])
        ink[here] |= line
        ink[there] |= line
    return ink


def _cut(axis: int, start: int, stop: int | None) -> Any:
    return (slice(start, stop), slice(None)) if axis == 0 else (slice(None), slice(start, stop))
