"""Small rotations and frames, on floats or recorded scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, cross, is_plain, is_value
from gough.graph.triples import rotation_about

UNIT = np.eye(3)


def rotate_about(R: Vector, axis: Vector, c: Scalar, s: Scalar) -> Vector:
    """R times the rotation about a unit axis; a third of the work where the axis is a coordinate axis."""
    k = axis_number(axis)
    if k is None:
        return R @ array(rotation_about(axis, c, s))
    i, j = (k + 1) % 3, (k + 2) % 3
    columns: list[Any] = [None, None, None]
    columns[k] = R[:, k]
    columns[i] = R[:, i] * c + R[:, j] * s
    columns[j] = R[:, j] * c - R[:, i] * s
    return np.stack(columns, axis=1)


def axis_number(axis: Vector) -> int | None:
    """Which coordinate axis, from 0, a unit vector is; None if it is none."""
    for k in range(3):
        if is_value(axis[k], 1.0) and is_value(axis[k - 1], 0.0) and is_value(axis[k - 2], 0.0):
            return k
    return None


_ROUND_OFF = 8 * np.finfo(float).eps


def exact_direction(e: Vector) -> Vector:
    """A unit vector (3,) with plain elements that are round-off made zero: what is left alone is 1 or -1.

    A direction of a file that has gone through rotations and back is as it was, and saves its programs operations.
    """
    left = [k for k, v in enumerate(e) if not (is_plain(v) and abs(v) <= _ROUND_OFF)]
    if len(left) == 1 and is_plain(e[left[0]]):
        return np.array([float(np.sign(v)) if k in left else 0.0 for k, v in enumerate(e)])
    return array([v if k in left else 0.0 for k, v in enumerate(e)])


def is_identity(R: Vector) -> bool:
    """Whether a matrix is of plain numbers and exactly the identity."""
    return all([is_value(v, float(i == j)) for i, row in enumerate(R) for j, v in enumerate(row)])


def point_velocity(v: Vector, w: Vector, r: Vector) -> Vector:
    """(3,) velocity of the point r away from one that moves with v, on a body turning with w."""
    return v + cross(w, r)


def point_acceleration(a: Vector, wd: Vector, w: Vector, r: Vector) -> Vector:
    """(3,) acceleration of the point r away from one that accelerates with a."""
    return a + cross(wd, r) + cross(w, cross(w, r))
