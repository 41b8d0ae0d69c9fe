"""From where a machine is best seen, and its views along axes."""

from __future__ import annotations

import numpy as np

from gough.view.drawing.camera import Camera, Window, around, looking
from gough.view.drawing.raster import look
from gough.view.drawing.scene import Scene
from gough.view.drawing.solids import Array

_AZIMUTH = 20.0
_COARSE = 120


def front_of(scene: Scene) -> Array:
    """(3,) horizontal axis of B towards a viewer in front, so that the platform moves sideways for him."""
    moves = {c.motion for c in scene.robot.platform.coordinates}
    aside = 1 if "y" in moves and "x" not in moves else 0
    right = np.eye(3)[aside]
    if abs(right @ scene.up) > 0.5:
        right = np.eye(3)[(aside + 1) % 3]
    return np.asarray(np.cross(right, scene.up))


def front_view(scene: Scene) -> Camera:
    """The view from the front."""
    return looking(front_of(scene), scene.up)


def plan_view(scene: Scene) -> Camera:
    """The view from above, what is in front at the bottom."""
    return looking(scene.up, -front_of(scene))


def best_view(scene: Scene) -> Camera:
    """The view from above and beside the front, from the side that shows more of every leg."""
    elevation = 55.0 if scene.flat else 20.0
    sides = [around(scene.up, front_of(scene), side * _AZIMUTH, elevation) for side in (-1, 1)]
    return max(sides, key=lambda camera: _shown(scene, camera))


def _shown(scene: Scene, camera: Camera) -> float:
    """Mean logarithm of the samples each leg has in a coarse picture."""
    (x, y), half = scene.reach(camera.view[:2]).mean(0), scene.sizes.extent
    window = Window(x - half, x + half, y - half, y + half)
    seen = look(scene.solids, camera, window, (_COARSE, _COARSE))
    owners = np.array([solid.owner for solid in scene.solids] + [""])[seen.which]
    return float(np.mean([np.log1p(np.sum(owners == leg.name)) for leg in scene.robot.legs]))
