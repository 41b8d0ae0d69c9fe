"""SRU legs: a spherical joint on the base, a driven knee, a universal joint on the platform.

The knee's axis and the first axis of the universal joint are perpendicular to the plane of the leg, which contains the
platform-fixed last axis: e4 = e5 = (d x e6) / |d x e6|. The knee's angle follows from the law of cosines; its sign is
opposite to the branch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import absolute, array, cross, dot, factor, maximum, norm, solve, solve_transposed, sqrt
from gough.kinematics.chain import Coordinate, Turn, joint_rotation, parent_frame
from gough.kinematics.closure.angles import STRETCHED, TINY
from gough.kinematics.closure.pattern import Pattern
from gough.kinematics.closure.shape import SruShape, sru_shape
from gough.kinematics.leg import Closure, build_links
from gough.robot import Leg


def close_sru(leg: Leg, _pattern: Pattern, p_end: Any, R_end: Any) -> Closure:
    """Closure with the leg's end frame at p_end (3,), R_end in B."""
    R_0, center = parent_frame(leg, 0, [])
    R_0 = joint_rotation(R_0, leg.joints[0])
    shape = sru_shape(leg)
    lower, upper = shape.lower, shape.upper
    d = p_end - center
    d2 = maximum(dot(d, d), TINY)
    distance = sqrt(d2)
    R_6 = R_end @ shape.rest.T
    e6 = R_6 @ shape.last
    normal = cross(d, e6)
    e4 = normal / maximum(norm(normal), TINY)
    z = d / distance
    x = cross(e4, z)
    cos_low = (d2 + (lower * lower - upper * upper)) / (2.0 * lower * distance)
    cos_knee = (d2 - (lower * lower + upper * upper)) / (2.0 * lower * upper)
    left = 1.0 - cos_knee * cos_knee
    sin_knee = sqrt(maximum(left, STRETCHED)) * -leg.branch
    sin_low = -sin_knee * upper / distance
    z3 = z * cos_low + x * sin_low
    x3 = cross(e4, z3)
    z4 = z3 * cos_knee + x3 * sin_knee
    x4 = cross(e4, z4)
    coordinates: dict[int, Coordinate] = dict(enumerate(_spherical(shape, R_0, x3, e4, z3)))
    coordinates[3] = Turn(cos_knee, sin_knee)
    coordinates[4] = Turn(dot(e6, x4), -dot(e6, z4))
    y6 = R_6 @ shape.knee
    coordinates[5] = Turn(dot(e4, y6), dot(cross(e6, e4), y6))
    links, _ = build_links(leg, coordinates)
    columns = [np.concatenate([cross(link.e, p_end - link.p), link.e]) for link in links]
    J = factor(np.stack(columns, axis=1))

    def rates(v: Any, w: Any) -> dict[int, Any]:
        return dict(enumerate(solve(J, np.concatenate([v, w]))))

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        wrench = solve_transposed(J, array([efforts[k] for k in range(6)]))
        return wrench[:3], wrench[3:]

    short = maximum(distance - (lower + upper), absolute(lower - upper) - distance)
    return Closure(coordinates, rates, short, transposed=transposed, bent=left > STRETCHED)


def _spherical(shape: SruShape, R_0: Any, x3: Any, y3: Any, z3: Any) -> tuple[Turn, Turn, Turn]:
    """Turns about the perpendicular axes a, b, c that bring them to x3, y3, z3."""
    a, b, c = (R_0 @ axis for axis in shape.axes)
    s2 = dot(a, z3)
    c2 = sqrt(maximum(1.0 - s2 * s2, TINY))
    first = Turn(dot(c, z3) / c2, -(dot(b, z3) / c2))
    return first, Turn(c2, s2), Turn(dot(a, x3) / c2, -(dot(a, y3) / c2))
