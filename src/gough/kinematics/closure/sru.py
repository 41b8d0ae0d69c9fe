"""SRU legs: a spherical joint on the base, a driven knee, a universal joint on the platform.

`gough.robot.legs.closures` has the angles. The sign of the knee's is opposite to the branch. On branches +-2 and +-4
the spherical joint takes its other set of angles, on +-3 and +-4 the knee's axis points the other way.

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

from gough.graph import Vector, absolute, dot, maximum
from gough.kinematics.chain import Coordinate, Turn, joint_rotation, parent_frame
from gough.kinematics.closure.angles import STRETCHED, across, same
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.shape import sru_shape, unmoved
from gough.kinematics.leg import Closure
from gough.robot import Leg
from gough.robot.legs.closures import knee_leg


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

    def close(self, leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
        """See `close_sru`."""
        return close_sru(leg, self, p_end, R_end)


def close_sru(leg: Leg, form: SruForm, p_end: Vector, R_end: Vector) -> Closure:
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


def _close(leg: Leg, form: SruForm, p_end: Vector, R_end: Vector) -> Closure:
    """The same with all axes pointing as in `SruShape`."""
    R_0, center = parent_frame(leg, 0, [])
    R_0 = joint_rotation(R_0, leg.joints[0])
    shape = sru_shape(leg, form.signs)
    lower, upper = shape.lower, shape.upper
    R_6 = R_end @ shape.rest.T
    a, b, c = (R_0 @ axis for axis in shape.axes)
    e6 = R_6 @ shape.last
    sign, posture = sign_and_posture(leg)
    found = knee_leg(p_end - center, (a, b, c), (e6, R_6 @ shape.knee), (lower, upper), sign, posture, STRETCHED)
    x, e4, z, distance = found.x, found.y, found.z, found.distance
    cos_low, sin_low = found.low
    coordinates: dict[int, Coordinate] = {k: Turn(*turn) for k, turn in enumerate(found.turns)}
    lever = lower * sin_low
    along = distance - lower * cos_low
    ux, uz = dot(e6, x), dot(e6, z)
    (c2, s2), (c3, s3) = found.turns[1:3]

    def rates(v: Vector, w: Vector) -> dict[int, Any]:
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
    knee = center + (z * cos_low + x * sin_low) * lower
    bent, points = found.left > STRETCHED, {3: knee}
    return Closure(coordinates, rates, short, transposed=transposed, bent=bent, bent_reaches=True, points=points)
