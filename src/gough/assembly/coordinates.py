"""Platform coordinates of poses, for robots none of whose coordinates depends on others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.graph import Array
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.dependent.constraint import home_platform
from gough.robot import Robot


def whole(robot: Robot) -> Robot:
    """The robot as if no coordinate depended on others."""
    return replace(robot, platform=home_platform(robot), document=None) if robot.platform.dependent else robot


def coordinates_of(robot: Robot, p: Array, R: Array) -> Array:
    """(M, n) coordinates of poses p (M, 3), R (M, 3, 3) that they can describe."""
    platform = robot.platform
    origin = np.array(platform.rotation, dtype=float)
    t = (p - np.array(platform.position, dtype=float)) @ origin
    turned = np.einsum("ji,njk->nik", origin, R)
    if Configuration(robot).turns:
        slides = [t[:, "xyz".index(c.motion)] for c in platform.coordinates if not c.turns]
        c = np.column_stack([*slides, _quaternions(R)])
        return charts(robot)[1](c=np.ascontiguousarray(c)).reshape(len(p), robot.dof)
    axes = ["xyz".index(c.motion[-1]) for c in platform.coordinates if c.turns]
    angles = iter(_angles(axes, turned))
    columns = [next(angles) if c.turns else t[:, "xyz".index(c.motion)] for c in platform.coordinates]
    return np.column_stack(columns)


def _angles(axes: list[int], R: Array) -> list[Array]:
    """The angles of one or two turns about different axes, each (M,): an axis is left where it is by its own turn."""
    if len(axes) == 1:
        i, j = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        return [np.arctan2(R[:, j, i], R[:, i, i])]
    if not axes:
        return []
    first, second = axes
    other = 3 - first - second
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    return [
        np.arctan2(sign * R[:, other, second], R[:, second, second]),
        np.arctan2(sign * R[:, first, other], R[:, first, first]),
    ]


def _quaternions(R: Array) -> Array:
    """(M, 4) unit quaternions of rotations, by the largest of their entries."""
    d = np.stack([R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]])
    squares = np.stack([1.0 + d.sum(axis=0), *(1.0 + 2.0 * d[k] - d.sum(axis=0) for k in range(3))])
    s, m = (R - R.transpose(0, 2, 1)), (R + R.transpose(0, 2, 1))
    w, x, y, z = squares
    a, b, c = s[:, 2, 1], s[:, 0, 2], s[:, 1, 0]
    xy, xz, yz = m[:, 0, 1], m[:, 0, 2], m[:, 1, 2]
    rows = np.array([[w, a, b, c], [a, x, xy, xz], [b, xy, y, yz], [c, xz, yz, z]])
    best = squares.argmax(axis=0)
    q = rows[best, :, np.arange(len(R))]
    return q / np.linalg.norm(q, axis=1)[:, None]
