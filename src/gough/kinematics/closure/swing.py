"""Legs that swing about a hinge on the base and slide along themselves, with a spherical end: R P S.

With the end at d from the hinge, in the plane across its axis e: l = |d|, n = d / l, and the angle is that of n. On
branch -1 the slide points away from the platform: n = -d / l.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import Vector, absolute, array, cross, dot, norm
from gough.kinematics.chain import Coordinate, Slide, joint_rotation, parent_frame
from gough.kinematics.closure.angles import OFF_PLANE, across, same, turn_to
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.shape import swing_shape, unmoved
from gough.kinematics.leg import Closure, Rod
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class SwingForm:
    """The closed form: a slide across the hinge and in line with the leg, its end in their plane."""

    name: ClassVar[str] = "swing"
    postures: ClassVar[int] = 1

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers is of this shape."""
        if kinds_of(leg) != "RP" or leg.end.kind != "spherical" or any(joint.mimic for joint in leg.joints):
            return None
        links = unmoved(leg)
        along = links.end - links.p[0]
        scale = 1.0 + float(np.linalg.norm(along))
        e, d = links.axes
        return cls() if across(e, d) and same(along, np.dot(d, along) * d, scale) else None

    def close(self, leg: Leg, p_end: Vector, _R_end: Vector) -> Closure:
        """See `close_swing`."""
        return close_swing(leg, p_end)


def close_swing(leg: Leg, p_end: Vector) -> Closure:
    """Closure with the leg's end at p_end (3,) in B. It falls short where that is off its plane."""
    shape = swing_shape(leg)
    R_0, center = parent_frame(leg, 0, [])
    R_0 = joint_rotation(R_0, leg.joints[0])
    e = R_0 @ array(leg.joints[0].axis)
    d = p_end - center
    off = dot(e, d)
    d = d - e * off
    length = norm(d) * sign_and_posture(leg)[0]
    n = d / length
    turn = turn_to(shape.axes[0], shape.direction, R_0.T @ n)
    swing = cross(e, n) / length

    def solve(v: Vector, _w: Vector) -> dict[int, Any]:
        return {0: dot(swing, v), 1: dot(n, v)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return swing * efforts[0] + n * efforts[1], np.zeros(3)

    tip = dot(shape.u[1], array(leg.end.point))
    rod = Rod(-1, center, n, length, u=shape.u, at={0: 0.0, 1: length - tip}, slide=1)
    coordinates: dict[int, Coordinate] = {0: turn, 1: Slide(length - shape.length)}
    short = absolute(off) - OFF_PLANE
    return Closure(coordinates, solve, short, rod=rod, transposed=transposed, short_in_plane=0.0)
