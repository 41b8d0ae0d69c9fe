"""From where a drawing looks, and which part of the view a picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array
from gough.view.drawing.solids import unit


@dataclass(frozen=True, slots=True)
class Camera:
    """A parallel view. Rows of `view` (3, 3): right, up and towards the viewer, in B."""

    view: Array

    def at(self, p: ArrayLike) -> Array:
        """(..., 2) right and up of points (..., 3) in B [m]."""
        return np.asarray(p, dtype=float) @ self.view[:2].T


def looking(towards: ArrayLike, up: Array) -> Camera:
    """The view of someone who stands in the direction `towards` and sees `up` as upright."""
    t = unit(towards)
    right = unit(np.cross(up, t))
    return Camera(np.array([right, np.cross(t, right), t]))


def around(up: Array, front: Array, azimuth: float, elevation: float) -> Camera:
    """The view from `azimuth` beside the horizontal direction `front` and `elevation` above the horizon [deg]."""
    a, e = np.deg2rad([azimuth, elevation])
    side = np.cross(up, front)
    level = np.cos(a) * front + np.sin(a) * side
    return looking(np.cos(e) * level + np.sin(e) * up, up)


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a view: left, right, bottom, top [m]."""

    left: float
    right: float
    bottom: float
    top: float

    def grown(self, share: float) -> Window:
        """With a rim of `share` of its larger side all around."""
        rim = share * max(self.right - self.left, self.top - self.bottom)
        return Window(self.left - rim, self.right + rim, self.bottom - rim, self.top + rim)

    def shaped(self, aspect: float) -> Window:
        """Widened or heightened to width / height = `aspect`."""
        width, height = self.right - self.left, self.top - self.bottom
        more_x, more_y = max(0.0, height * aspect - width) / 2, max(0.0, width / aspect - height) / 2
        return Window(self.left - more_x, self.right + more_x, self.bottom - more_y, self.top + more_y)


def window_of(points: ArrayLike) -> Window:
    """The smallest window that holds points (n, 2)."""
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return Window(float(low[0]), float(high[0]), float(low[1]), float(high[1]))
