"""Sliders on one rail: the rail is drawn once, as long as both need it, so that equal faces do not flicker."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gough.graph import Array
from gough.view import theme
from gough.view.drawing.solids import Block, Solid, hull


def with_shared_rails(solids: Iterable[Solid]) -> list[Solid]:
    """The solids, rails in one line joined to the first of them."""
    found: list[Solid] = []
    for solid in solids:
        other = next((k for k, kept in enumerate(found) if _in_line(kept, solid)), None)
        if other is None:
            found.append(solid)
        else:
            kept, more = found[other].shape, solid.shape
            assert isinstance(kept, Block)
            assert isinstance(more, Block)
            joined = hull(np.vstack([kept.corners, more.corners]))
            found[other] = Solid(joined, theme.GUIDE, found[other].owner)
    return found


def _in_line(one: Solid, other: Solid) -> bool:
    """Whether two rails have four faces in common and overlap along them."""
    if one.colour != theme.GUIDE or other.colour != theme.GUIDE:
        return False
    if not isinstance(one.shape, Block) or not isinstance(other.shape, Block):
        return False
    size = float(np.ptp(one.shape.corners, axis=0).max())
    shared = [face for face in one.shape.faces if _has(other.shape.faces, face, size)]
    if len(shared) < 4:
        return False
    along = np.cross(shared[0][:3], next(face for face in shared if abs(face[:3] @ shared[0][:3]) < 0.5)[:3])
    ends = [np.sort(block.corners @ along)[[0, -1]] for block in (one.shape, other.shape)]
    return bool(max(ends[0][0], ends[1][0]) <= min(ends[0][1], ends[1][1]))


def _has(faces: Array, face: Array, size: float) -> bool:
    apart = np.abs(faces - face)
    return bool(((apart[:, :3].max(axis=1) < 1e-6) & (apart[:, 3] < 1e-6 * size)).any())
