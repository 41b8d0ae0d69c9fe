"""Legs that swing about a hinge on the base and slide along themselves, with a spherical end: R P S.

With the end at d from the hinge, in the plane across its axis e: l = |d|, n = d / l, and the angle is that of n. On
branch -1 the slide points away from the platform: n = -d / l.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import absolute, array, cross, dot, norm
from gough.kinematics.chain import Slide, joint_rotation, parent_frame
from gough.kinematics.closure.angles import OFF_PLANE, turn_to
from gough.kinematics.closure.pattern import Pattern, sign_and_posture
from gough.kinematics.closure.shape import swing_shape
from gough.kinematics.leg import Closure, Rod
from gough.robot import Leg


def close_swing(leg: Leg, _pattern: Pattern, p_end: Any, _R_end: Any) -> Closure:
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
    across = cross(e, n) / length

    def solve(v: Any, _w: Any) -> dict[int, Any]:
        return {0: dot(across, v), 1: dot(n, v)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return across * efforts[0] + n * efforts[1], np.zeros(3)

    tip = dot(shape.u[1], array(leg.end.point))
    rod = Rod(-1, center, n, length, u=shape.u, at={0: 0.0, 1: length - tip}, slide=1)
    return Closure(
        {0: turn, 1: Slide(length - shape.length)}, solve, absolute(off) - OFF_PLANE, rod=rod, transposed=transposed
    )
