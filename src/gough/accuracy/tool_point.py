"""Twists and wrenches of the platform at another point of it than its origin.

With r from the origin to the point, in base axes: v = v_P + w x r, and a wrench at the origin has, at the point, the
moment m - r x f.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.graph import Array
from gough.robot import Mechanism
from gough.robot.extent import check_point

Point = tuple[float, float, float]
ORIGIN: Point = (0.0, 0.0, 0.0)


def point_of(robot: Mechanism, tool: ArrayLike) -> Point:
    """A point (3,) of the platform [m].

    Raises:
        InputError: It is no point, or one so far from the robot that a unit is missing.
    """
    found = np.asarray(tool, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise InputError("tool: must be three numbers, a point of the platform")
    point = (float(found[0]), float(found[1]), float(found[2]))
    check_point(robot, point, "tool")
    return point


def twists_at(twists: Array, r: Array) -> Array:
    """Twists (..., 6, k) of the origin as those of points r (..., 3) from it."""
    moved = twists.copy()
    moved[..., :3, :] += np.cross(twists[..., 3:, :], r[..., :, None], axis=-2)
    return moved


def wrench_at(wrench: Array, r: Array) -> Array:
    """A wrench (6,) at the origin as the one at a point r (3,) from it that does the same."""
    return np.concatenate([wrench[:3], wrench[3:] - np.cross(r, wrench[:3])])
