"""Platform coordinates of poses, for robots none of whose coordinates depends on others."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.kinematics.configuration import Configuration, charts
from gough.robot import Robot


def coordinates_of(robot: Robot, p: Any, R: Any) -> Any:
    """(M, n) coordinates of poses p (M, 3), R (M, 3, 3) that they can describe; three of them turn, one or none."""
    platform = robot.platform
    origin = np.array(platform.rotation, dtype=float)
    t = (p - np.array(platform.position, dtype=float)) @ origin
    turned = np.einsum("ji,njk->nik", origin, R)
    if Configuration(robot).turns:
        slides = [t[:, "xyz".index(c.motion)] for c in platform.coordinates if not c.turns]
        c = np.column_stack([*slides, _quaternions(R)])
        return charts(robot)[1](c=np.ascontiguousarray(c)).reshape(len(p), robot.dof)
    columns = []
    for coordinate in platform.coordinates:
        axis = "xyz".index(coordinate.motion[-1])
        if coordinate.turns:
            i, j = (axis + 1) % 3, (axis + 2) % 3
            columns.append(np.arctan2(turned[:, j, i], turned[:, i, i]))
        else:
            columns.append(t[:, axis])
    return np.column_stack(columns)


def _quaternions(R: Any) -> Any:
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
