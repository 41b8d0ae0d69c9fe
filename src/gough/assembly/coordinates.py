"""Platform coordinates of poses, for robots none of whose coordinates depends on others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.graph import Array, Scalar, Vector, array, atan2, record
from gough.kinematics.configuration import angles_of, relative, turning_sequence
from gough.kinematics.dependent.constraint import home_platform
from gough.robot import Mechanism, Platform, by_mechanism
from gough.run import Program


def whole(robot: Mechanism) -> Mechanism:
    """The mechanism as if no coordinate depended on others."""
    own = robot.mechanism
    return replace(own, platform=home_platform(own)) if own.platform.dependent else own


def coordinates_of(robot: Mechanism, p: Array, R: Array) -> Array:
    """(M, n) coordinates of poses p (M, 3), R (M, 3, 3) that they can describe."""
    found: Array = _program(robot)(p=np.ascontiguousarray(p), R=np.ascontiguousarray(R))["x"]
    return found


@by_mechanism(64)
def _program(robot: Mechanism) -> Program:
    return Program(record(lambda p, R: {"x": coordinates(robot.platform, p, R)}, p=3, R=(3, 3)))


def coordinates(platform: Platform, p: Vector, R: Vector) -> Vector:
    """(n,) coordinates of a pose p (3,), R (3, 3) that they can describe: recorded."""
    t = np.array(platform.rotation, dtype=float).T @ (p - np.array(platform.position, dtype=float))
    sequence, turned = turning_sequence(platform), relative(platform, R)
    if len(sequence) == 3:
        angles = iter(angles_of(sequence, turned))
    else:
        angles = iter(_angles(["xyz".index(letter) for letter in sequence], turned))
    return array([next(angles) if c.turns else t["xyz".index(c.motion)] for c in platform.coordinates])


def _angles(axes: list[int], R: Vector) -> list[Scalar]:
    """The angles of one or two turns about different axes: an axis is left where it is by its own turn."""
    if len(axes) == 1:
        i, j = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        return [atan2(R[j, i], R[i, i])]
    if not axes:
        return []
    first, second = axes
    other = 3 - first - second
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    return [
        atan2(sign * R[other, second], R[second, second]),
        atan2(sign * R[first, other], R[first, first]),
    ]
