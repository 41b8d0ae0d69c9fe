"""SRU legs: a spherical joint on the base, a driven knee, a universal joint on the platform.

The knee's axis and the first axis of the universal joint are perpendicular to the plane of the leg, which contains the
platform-fixed last axis: e4 = e5 = (d x e6) / |d x e6|. The knee's angle follows from the law of cosines; its sign is
opposite to the branch. On branches +-2 and +-4 the spherical joint takes its other set of angles, on +-3 and +-4 the
knee's axis points the other way.

Rates, in the axes z = d / |d|, y = e4 and x = y x z of the leg's plane, with v the velocity of the leg's end, w and w1
the angular velocities of the platform and of the lower link, low the angle from z to the lower link:
    v.z = lower sin(low) q4                      the distance changes by the knee alone
    v.x = |d| w1.y + (|d| - lower cos(low)) q4   the rest of v turns the whole leg
    v.y = -|d| w1.x
    w = w1 + (q4 + q5) y + q6 e6                 whose x, y, z parts give q6, q5 and w1.z
and w1 is what the three turns of the spherical joint make.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import absolute, cross, dot, maximum, norm, sqrt
from gough.kinematics.chain import Coordinate, Turn, joint_rotation, parent_frame
from gough.kinematics.closure.angles import STRETCHED, TINY, across, same
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.shape import SruShape, sru_shape, unmoved
from gough.kinematics.leg import Closure
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class SruForm:
    """The closed form, whichever way the leg's axes point.

    With a the first axis and c along the leg, the others are +-(c x a), +-c, twice +-(c x a), and +-a.

    Attributes:
        signs: For each joint whether its axis points as `shape.SruShape` has it, 1, or against it, -1.
    """

    signs: tuple[int, ...]
    name: ClassVar[str] = "sru"
    postures: ClassVar[int] = 4

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers is of this shape."""
        if kinds_of(leg) != "RRRRRR" or leg.end.kind != "rigid" or any(joint.mimic for joint in leg.joints):
            return None
        links = unmoved(leg)
        p, scale = links.p, 1.0 + float(np.linalg.norm(links.end - links.p[0]))
        lower = float(np.linalg.norm(p[3] - p[0]))
        if lower == 0.0:
            return None
        a, c = links.axes[0], (p[3] - p[0]) / lower
        b = np.cross(c, a)
        upper = float(c @ (p[4] - p[3]))
        meet = all(same(p[k], p[0], scale) for k in (1, 2)) and all(same(q, p[4], scale) for q in (p[5], links.end))
        straight = upper > 0.0 and same(p[4] - p[3], upper * c, scale)
        wanted = (a, b, c, b, b, a)
        signs = tuple(1 if axis @ want > 0.0 else -1 for axis, want in zip(links.axes, wanted, strict=True))
        pairs = zip(links.axes, wanted, signs, strict=True)
        along = across(a, c) and all(same(axis, want * sign, 1.0) for axis, want, sign in pairs)
        return cls(signs) if meet and straight and along else None

    def close(self, leg: Leg, p_end: Any, R_end: Any) -> Closure:
        """See `close_sru`."""
        return close_sru(leg, self, p_end, R_end)


def close_sru(leg: Leg, form: SruForm, p_end: Any, R_end: Any) -> Closure:
    """Closure with the leg's end frame at p_end (3,), R_end in B."""
    found = _close(leg, form, p_end, R_end)
    against = {k for k, sign in enumerate(form.signs) if sign < 0}
    if not against:
        return found

    def turned(values: dict[int, Any]) -> dict[int, Any]:
        return {k: -value if k in against else value for k, value in values.items()}

    coordinates: dict[int, Coordinate] = {
        k: Turn(turn.c, -turn.s) if k in against else turn
        for k, turn in found.coordinates.items()
        if isinstance(turn, Turn)
    }
    return replace(
        found,
        coordinates=coordinates,
        solve=lambda v, w: turned(found.solve(v, w)),
        transposed=lambda efforts: found.spread(turned(efforts)),
    )


def _close(leg: Leg, form: SruForm, p_end: Any, R_end: Any) -> Closure:
    """The same with all axes pointing as in `SruShape`."""
    R_0, center = parent_frame(leg, 0, [])
    R_0 = joint_rotation(R_0, leg.joints[0])
    shape = sru_shape(leg, form.signs)
    lower, upper = shape.lower, shape.upper
    d = p_end - center
    d2 = maximum(dot(d, d), TINY)
    distance = sqrt(d2)
    R_6 = R_end @ shape.rest.T
    e6 = R_6 @ shape.last
    normal = cross(d, e6)
    sign, posture = sign_and_posture(leg)
    e4 = normal / maximum(norm(normal), TINY) * (1 - 2 * (posture // 2))
    z = d / distance
    x = cross(e4, z)
    cos_low = (d2 + (lower * lower - upper * upper)) / (2.0 * lower * distance)
    cos_knee = (d2 - (lower * lower + upper * upper)) / (2.0 * lower * upper)
    left = 1.0 - cos_knee * cos_knee
    sin_knee = sqrt(maximum(left, STRETCHED)) * -sign
    sin_low = -sin_knee * upper / distance
    z3 = z * cos_low + x * sin_low
    x3 = cross(e4, z3)
    z4 = z3 * cos_knee + x3 * sin_knee
    x4 = cross(e4, z4)
    spherical = _spherical(shape, R_0, x3, e4, z3, 1 - 2 * (posture % 2))
    coordinates: dict[int, Coordinate] = dict(enumerate(spherical))
    coordinates[3] = Turn(cos_knee, sin_knee)
    coordinates[4] = Turn(dot(e6, x4), -dot(e6, z4))
    y6 = R_6 @ shape.knee
    coordinates[5] = Turn(dot(e4, y6), dot(cross(e6, e4), y6))
    lever = lower * sin_low
    along = distance - lower * cos_low
    ux, uz = dot(e6, x), dot(e6, z)
    (c2, s2), (c3, s3) = ((turn.c, turn.s) for turn in spherical[1:])

    def rates(v: Any, w: Any) -> dict[int, Any]:
        knee = dot(v, z) / lever
        w_x, w_y = -(dot(v, e4) / distance), (dot(v, x) - along * knee) / distance
        last = (dot(w, x) - w_x) / ux
        w_z = dot(w, z) - uz * last
        w_x3, w_z3 = cos_low * w_x - sin_low * w_z, cos_low * w_z + sin_low * w_x
        first = (c3 * w_x3 - s3 * w_y) / c2
        return {0: first, 1: s3 * w_x3 + c3 * w_y, 2: w_z3 - s2 * first, 3: knee, 4: dot(w, e4) - w_y - knee, 5: last}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        first = (efforts[0] - s2 * efforts[2]) / c2
        m_x3 = s3 * efforts[1] + c3 * first
        m_z = cos_low * efforts[2] - sin_low * m_x3
        last = (efforts[5] - uz * m_z) / ux
        m_x = cos_low * m_x3 + sin_low * efforts[2] - last
        f_x = (c3 * efforts[1] - s3 * first - efforts[4]) / distance
        f_z = (efforts[3] - efforts[4] - along * f_x) / lever
        return x * f_x - e4 * (m_x / distance) + z * f_z, x * last + e4 * efforts[4] + z * m_z

    short = maximum(distance - (lower + upper), absolute(lower - upper) - distance)
    return Closure(coordinates, rates, short, transposed=transposed, bent=left > STRETCHED)


def _spherical(shape: SruShape, R_0: Any, x3: Any, y3: Any, z3: Any, side: int) -> tuple[Turn, Turn, Turn]:
    """Turns about the perpendicular axes a, b, c that bring them to x3, y3, z3.

    The cosine of the second has the sign of `side`. The last is measured on b after the first turn, which stays in the
    plane of x3 and y3 where a and z3 nearly meet.
    """
    a, b, c = (R_0 @ axis for axis in shape.axes)
    bz, cz = dot(b, z3), dot(c, z3)
    c2 = sqrt(maximum(bz * bz + cz * cz, TINY)) * side
    first = Turn(cz / c2, -(bz / c2))
    b1 = b * first.c + c * first.s
    return first, Turn(c2, dot(a, z3)), Turn(dot(b1, y3), dot(b1, x3))
