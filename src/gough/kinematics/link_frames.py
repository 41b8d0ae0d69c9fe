"""The motion of a leg's links in their own frames, where joint axes and lengths are constants.

A vector goes from one frame to the next by one turn, a third of the work of base axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, cross, dot
from gough.kinematics.chain import Coordinate, Turn, turns_back
from gough.kinematics.spatial import axis_number, is_identity
from gough.robot import Leg

_STILL = np.zeros(3)


@dataclass(frozen=True, slots=True)
class LinkMotions:
    """Motion of all links, a list over the joints each, in the links' frames.

    Attributes:
        w, wd: (3,) angular velocity and acceleration.
        a: (3,) acceleration of the link's origin.
    """

    w: list[Any]
    wd: list[Any]
    a: list[Any]


@dataclass(frozen=True, slots=True)
class LinkFrames:
    """The frames of a leg's links, each described by its place in the frame before it."""

    leg: Leg
    coordinates: list[Coordinate]

    def offset(self, k: int) -> Vector:
        """(3,) from the origin of the frame before to that of link k, in the frame before [m]."""
        joint, coordinate = self.leg.joints[k], self.coordinates[k]
        if isinstance(coordinate, Turn):
            return array(joint.offset)
        along = array(joint.axis) * coordinate.q
        return array(joint.offset) + (along if is_identity(joint.rotation) else array(joint.rotation) @ along)

    def inward(self, k: int, v: Vector) -> Vector:
        """A vector (3,) of the frame before link k, in that of link k."""
        joint, coordinate = self.leg.joints[k], self.coordinates[k]
        v = v if is_identity(joint.rotation) else array(joint.rotation).T @ v
        return turned(joint.axis, coordinate.c, -coordinate.s, v) if isinstance(coordinate, Turn) else v

    def outward(self, k: int, v: Vector) -> Vector:
        """A vector (3,) of the frame of link k, in that before it."""
        joint, coordinate = self.leg.joints[k], self.coordinates[k]
        v = turned(joint.axis, coordinate.c, coordinate.s, v) if isinstance(coordinate, Turn) else v
        return v if is_identity(joint.rotation) else array(joint.rotation) @ v

    def motions(
        self, rates: list[Any], second: list[Any], a0: Vector, w0: Vector = _STILL, wd0: Vector = _STILL
    ) -> LinkMotions:
        """Of all links for these joint rates and accelerations.

        Leg frame 0 accelerates with a0 (3,) and turns with w0 and wd0, in its own axes.
        """
        w: list[Any] = []
        wd: list[Any] = []
        a: list[Any] = []
        for k, joint in enumerate(self.leg.joints):
            p = joint.parent
            w_p, wd_p, a_p = (w[p], wd[p], a[p]) if p >= 0 else (w0, wd0, a0)
            moved = self.inward(k, a_p + gradient(w_p, wd_p) @ self.offset(k))
            if turns_back(self.leg, k):
                carrier = self.leg.joints[p]
                before = carrier.parent
                w_k, wd_k = (w[before], wd[before]) if before >= 0 else (w0, wd0)
                if not is_identity(carrier.rotation):
                    w_k, wd_k = array(carrier.rotation).T @ w_k, array(carrier.rotation).T @ wd_k
            else:
                w_k, wd_k = self.inward(k, w_p), self.inward(k, wd_p)
                axis = array(joint.axis)
                if joint.kind == "P":
                    moved = moved + axis * second[k] + cross(w_k, axis) * (2.0 * rates[k])
                else:
                    wd_k = wd_k + axis * second[k] + cross(w_k, axis) * rates[k]
                    w_k = w_k + axis * rates[k]
            w.append(w_k)
            wd.append(wd_k)
            a.append(moved)
        return LinkMotions(w, wd, a)


def gradient(w: Vector, wd: Vector) -> Vector:
    """(3, 3) U = wd~ + w~ w~: a point r of a body accelerates by U r more than its origin."""
    x, y, z = w
    xd, yd, zd = wd
    return array(
        [
            [-(y * y + z * z), x * y - zd, x * z + yd],
            [x * y + zd, -(x * x + z * z), y * z - xd],
            [x * z - yd, y * z + xd, -(x * x + y * y)],
        ]
    )


def turned(axis: Vector, c: Scalar, s: Scalar, v: Vector) -> Vector:
    """A vector (3,) turned about a unit axis by the angle with cosine c and sine s."""
    k = axis_number(axis)
    if k is None:
        e = array(axis)
        return v * c + e * (dot(e, v) * (1.0 - c)) + cross(e, v) * s
    i, j = (k + 1) % 3, (k + 2) % 3
    out: list[Any] = [None, None, None]
    out[k], out[i], out[j] = v[k], v[i] * c - v[j] * s, v[j] * c + v[i] * s
    return array(out)
