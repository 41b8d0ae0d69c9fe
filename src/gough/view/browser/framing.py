"""Cameras that keep the platform in their frame: they step back where it would leave it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array

ROOM = 0.9
"""Share of the frame, from its middle, within which the platform is kept."""


def step_back(points: Array, eye: ArrayLike, look_at: ArrayLike, up: ArrayLike, fov: float, aspect: float) -> float:
    """How far a camera must go back so that points (N, 3) are in its frame; zero where they are [m].

    Args:
        points: In the same frame as the camera.
        eye, look_at, up: (3,) of the camera.
        fov: Vertical angle of its frame [rad].
        aspect: Width of the frame over its height.
    """
    place = np.asarray(eye, dtype=float)
    forward = _unit(np.asarray(look_at, dtype=float) - place)
    right = _unit(np.cross(forward, np.asarray(up, dtype=float)))
    high = np.cross(right, forward)
    to = points - place
    depth, tall = to @ forward, ROOM * np.tan(fov / 2.0)
    needed = np.maximum(np.abs(to @ high) / tall, np.abs(to @ right) / (tall * aspect))
    return float(max((needed - depth).max(), 0.0))


def keep_in_view(server: Any, points: Array) -> None:
    """Move every client's camera back as far as it takes to see points (N, 3)."""
    for client in server.get_clients().values():
        camera = client.camera
        if not camera.image_height or not camera.fov:
            continue
        eye, look_at = np.array(camera.position), np.array(camera.look_at)
        aspect = camera.image_width / camera.image_height
        back = step_back(points, eye, look_at, camera.up_direction, camera.fov, aspect)
        if back > 0.0:
            with client.atomic():
                camera.position = eye - back * _unit(look_at - eye)
                camera.look_at = look_at


def _unit(v: Array) -> Array:
    return v / (float(np.linalg.norm(v)) or 1.0)
