"""UPS and SPS legs: a universal joint on the base, a slide along the leg, a spherical end.

Lopes2009 (30), (31): l = c + R p - b, n = l / |l|. On branch -1 the universal joint is turned over, and with it the leg
spun by half a turn; on branches +-2 the slide points away from the platform: n = -l / |l|.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import Vector, array, cross, dot, norm
from gough.kinematics.chain import Slide, joint_rotation, parent_frame
from gough.kinematics.closure.angles import leans, same, universal_to
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.shape import unmoved, ups_shape
from gough.kinematics.leg import Closure, Rod
from gough.kinematics.spatial import rotate_about
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class UpsForm:
    """The closed form: a slide on a universal joint, its line through the crossing axes to the spherical end.

    Attributes:
        leaning: At zero coordinates the slide leans towards the first axis.
    """

    leaning: bool = False
    name: ClassVar[str] = "ups"
    postures: ClassVar[int] = 2

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers is of this shape."""
        if kinds_of(leg) != "RRP" or leg.end.kind != "spherical" or any(joint.mimic for joint in leg.joints):
            return None
        links = unmoved(leg)
        scale = 1.0 + float(np.linalg.norm(links.end - links.p[0]))
        off_line = np.cross(links.axes[2], links.end - links.p[0])
        meet = same(links.p[1], links.p[0], scale) and same(off_line, np.zeros(3), scale)
        leaning = leans(*links.axes)
        return cls(leaning) if meet and leaning is not None else None

    def close(self, leg: Leg, p_end: Vector, _R_end: Vector) -> Closure:
        """See `close_ups`."""
        return close_ups(leg, p_end, self.leaning)


def close_ups(leg: Leg, p_end: Vector, leaning: bool = False) -> Closure:
    """Closure with the leg's end at p_end (3,) in B. It always reaches; its length is a matter of stroke."""
    shape = ups_shape(leg)
    first, second = leg.joints[:2]
    R_0, center = parent_frame(leg, 0, [])
    l_B = p_end - center
    side, posture = sign_and_posture(leg)
    length = norm(l_B) * (1 - 2 * posture)
    n = l_B / length
    R_1 = joint_rotation(R_0, first)
    turn1, turn2 = universal_to(shape.axes[0], shape.axes[1], shape.direction, R_1.T @ n, side, leaning)
    e1 = R_1 @ array(first.axis)
    e2 = joint_rotation(rotate_about(R_1, first.axis, turn1.c, turn1.s), second) @ array(second.axis)

    swing = cross(e2, n) / length
    tilt = -length * dot(e1, cross(e2, n))

    def solve(v: Vector, _w: Vector) -> dict[int, Any]:
        return {0: dot(v, e2) / tilt, 1: dot(v, swing), 2: dot(n, v)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return e2 * (efforts[0] / tilt) + swing * efforts[1] + n * efforts[2], np.zeros(3)

    slide = length - shape.length
    tip = dot(shape.u[2], array(leg.end.point))
    rod = Rod(-1, center, n, length, u=shape.u, at={1: 0.0, 2: length - tip}, slide=2)
    return Closure({0: turn1, 1: turn2, 2: Slide(slide)}, solve, 0.0, rod=rod, transposed=transposed)
