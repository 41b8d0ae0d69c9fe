"""Legs with a rod of fixed length on a slider (P..) or crank (R..): ..US, ..SS, ..RS, ..RU, ..UU, ..RR, parallelograms.

The driven coordinate puts the rod's first point at the rod's length from its end (`gough.robot.legs.closures`). The
sign of the branch is that of n.e on a slider along e, and +1 where a crank is ahead of the rod's end. The rod's
direction gives the next one or two angles, the platform's orientation the rest. Branches +-2 are +-1 with the universal
joint, or what carries a parallelogram, turned over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import Scalar, Vector, absolute, array, cross, dot, is_zero, maximum, norm, sqrt
from gough.kinematics.chain import (
    Coordinate,
    Link,
    Slide,
    Turn,
    add_link,
    joint_axis,
    joint_rotation,
    mimicked,
    parent_frame,
)
from gough.kinematics.closure.angles import (
    OFF_PLANE,
    STRETCHED,
    across,
    leans,
    parallel,
    same,
    turn_of,
    turn_to,
    turns_of,
    universal_to,
)
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.shape import RodShape, rod_shape, unmoved
from gough.kinematics.leg import Closure, Rod
from gough.kinematics.spatial import exact_direction
from gough.robot import Leg
from gough.robot.legs.closures import TINY, crank, slider


@dataclass(frozen=True, slots=True)
class RodForm:
    """The closed form, with the roles of the joints.

    Attributes:
        turning: Joints that turn the rod. One that turns over leaves the rod where it is: another posture.
        distal: Independent joints behind the rod.
        leaning: At zero coordinates the rod leans towards the first axis of the universal joint that turns it.
        swing: Of a rod between two universal joints, whose middle axes are parallel: 1 if they point the same way, -1
            if not. The first distal joint undoes the rod's turn about them. 0 of any other rod.
    """

    turning: tuple[int, ...]
    distal: tuple[int, ...] = ()
    leaning: bool = False
    swing: int = 0
    name: ClassVar[str] = "rod"

    @property
    def postures(self) -> int:
        """A universal joint, or what carries a parallelogram, may be turned over."""
        return len(self.turning)

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers has a rod whose joints are where it needs them."""
        roles = _ROLES.get((kinds_of(leg)[1:], leg.end.kind, tuple(k for k, j in enumerate(leg.joints) if j.mimic)))
        if roles is None:
            return None
        if roles == UNIVERSALS:
            return cls(*roles, *universals) if (universals := _universals(leg)) else None
        if _fits(leg, *roles):
            return cls(*roles)
        return cls(*roles, leaning=True) if _fits_leaning(leg, *roles) else None

    def close(self, leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
        """See `close_rod`."""
        return close_rod(leg, self, p_end, R_end)


UNIVERSALS = ((1, 2), (3, 4))
"""Roles of the joints of a rod between two universal joints."""
_ROLES: dict[tuple[str, str, tuple[int, ...]], tuple[tuple[int, ...], tuple[int, ...]]] = {
    ("R", "spherical", ()): ((1,), ()),
    ("RR", "spherical", ()): ((1, 2), ()),
    ("RR", "rigid", ()): ((1,), (2,)),
    ("RRR", "rigid", ()): ((1,), (2, 3)),
    ("RRRR", "rigid", (3,)): ((1, 2), (4,)),
    ("RRRR", "rigid", ()): UNIVERSALS,
}
"""By the kinds of the joints behind the drive, the end and which joints mimic: turning and distal joints."""


def _fits(leg: Leg, turning: tuple[int, ...], distal: tuple[int, ...]) -> bool:
    links = unmoved(leg)
    rod = links.end - links.p[1]
    length = float(np.linalg.norm(rod))
    if length == 0.0 or (leg.joints[0].kind == "R" and _on_crank_axis(leg)):
        return False
    if len(leg.joints) == 2 and not _in_a_plane(leg):
        return False
    fits = across(*[links.axes[k] for k in turning], rod / length)
    if len(turning) == 2:
        fits = fits and (_parallelogram_fits(leg) if distal else same(links.p[2], links.p[1], length))
    for k in distal:
        fits = fits and same(links.p[k], links.end, length)
    if len(distal) == 2:
        fits = fits and across(*[links.axes[k] for k in distal])
    return fits and (not distal or parallel(links.axes[1], links.axes[distal[0]]))


def _fits_leaning(leg: Leg, turning: tuple[int, ...], distal: tuple[int, ...]) -> bool:
    """Whether a rod on a universal joint, with a spherical end, leans towards its first axis at zero coordinates."""
    links = unmoved(leg)
    rod = links.end - links.p[1]
    length = float(np.linalg.norm(rod))
    if len(turning) != 2 or distal or length == 0.0 or (leg.joints[0].kind == "R" and _on_crank_axis(leg)):
        return False
    first, second = (links.axes[k] for k in turning)
    return bool(leans(first, second, rod / length)) and same(links.p[2], links.p[1], length)


def _universals(leg: Leg) -> tuple[bool, int] | None:
    """Whether a rod between two universal joints leans, and `RodForm.swing`; None where it is none.

    The outer axes must be parallel at zero coordinates: where they stay so, only these two joints tell which way the
    rod's own frame turns. Between others the platform tells it too, also where the rod is along its first axis.
    """
    links = unmoved(leg)
    rod = links.end - links.p[1]
    length = float(np.linalg.norm(rod))
    if length == 0.0 or (leg.joints[0].kind == "R" and _on_crank_axis(leg)):
        return None
    _, a, b, c, d = links.axes
    leaning = leans(a, b, rod / length)
    meet = same(links.p[2], links.p[1], length) and all(same(links.p[k], links.end, length) for k in (3, 4))
    if leaning is None or not (meet and parallel(b, c) and parallel(a, d) and across(c, d)):
        return None
    return leaning, 1 if np.dot(b, c) > 0.0 else -1


def _in_a_plane(leg: Leg) -> bool:
    """Whether a leg P R or R R moves across the last one's axis, which is on the first one's plane."""
    first, last = unmoved(leg).axes
    return across(first, last) if leg.joints[0].kind == "P" else parallel(first, last)


def _on_crank_axis(leg: Leg) -> bool:
    offset = leg.joints[1].offset
    return not np.any(offset) or parallel(leg.joints[0].axis, offset)


def _parallelogram_fits(leg: Leg) -> bool:
    """The closing bar stays parallel to the bar that carries the swing, and hangs from it symmetrically."""
    mimic = leg.joints[3].mimic
    links = unmoved(leg)
    opposite = mimic is not None and (mimic.joint, mimic.offset) == (2, 0.0)
    back = mimic is not None and same(links.axes[3] * mimic.ratio, -links.axes[2], 1.0)
    spread = (links.p[2] - links.p[1]) + (links.p[4] - links.p[3])
    return opposite and back and same(spread, np.zeros(3), 1.0)


@dataclass(frozen=True, slots=True)
class _Drive:
    """The driven joint: its coordinate, velocity of the rod's first point per rate, turn per rate, shortfall, bent.

    Where a root is left, the rod's end is within its reach.
    """

    coordinate: Coordinate
    c: Vector
    a: Vector
    short: Any
    bent: Any


def close_rod(leg: Leg, form: RodForm, p_end: Vector, R_end: Vector) -> Closure:
    """Closure with the leg's end at p_end (3,) and, for a rigid end, the end frame at R_end, both in B."""
    shape = rod_shape(leg, form.turning, form.distal)
    length = shape.length
    second = form.turning[1] if len(form.turning) == 2 else None
    drive = (_slider if leg.joints[0].kind == "P" else _crank)(leg, length, p_end)
    coordinates: dict[int, Coordinate] = {0: drive.coordinate}
    links: list[Link] = []
    add_link(leg, 0, drive.coordinate, links)
    R, first_point = parent_frame(leg, 1, links)
    n = (p_end - first_point) / length
    m = joint_rotation(R, leg.joints[1]).T @ n
    if second is None:
        coordinates[1] = turn_to(shape.axes[0], shape.direction, m)
    else:
        side = 1 - 2 * sign_and_posture(leg)[1]
        a, b = shape.axes
        coordinates[1], coordinates[second] = universal_to(a, b, shape.direction, m, side, form.leaning)
    _distal(leg, form.distal, shape, coordinates, links, R_end)
    e = {k: links[k].e for k in coordinates}

    carried = drive.c + cross(drive.a, n) * length
    per_n = 1.0 / dot(n, drive.c)
    if second is None:
        rows = {1: cross(e[1], n) / length}
    else:
        rows = {1: e[second] / (length * dot(e[1], cross(n, e[second]))), second: cross(e[second], n) / length}

    def solve(v: Vector, w: Vector) -> dict[int, Any]:
        qd = dot(n, v) * per_n
        v_rel = v - carried * qd
        rates = {0: qd, **{k: dot(v_rel, row) for k, row in rows.items()}}
        w_rel = w - drive.a * qd - e[1] * rates[1]
        rates |= {k: dot(e[k], w_rel) for k in form.distal}
        if form.swing:
            rates[form.distal[0]] = rates[form.distal[0]] - rates[form.turning[1]] * form.swing
        return rates

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        m: Any = np.zeros(3)
        for k in form.distal:
            m = m + e[k] * efforts[k]
        f: Any = rows[1] * (efforts[1] - dot(e[1], m))
        if second is not None:
            f = f + rows[second] * (
                efforts[second] - efforts[form.distal[0]] * form.swing if form.swing else efforts[second]
            )
        return f + n * ((efforts[0] - dot(drive.a, m) - dot(carried, f)) * per_n), m

    last, short, in_plane = form.turning[-1], drive.short, len(leg.joints) == 2
    if in_plane:
        short = maximum(short, absolute(dot(e[1], p_end - first_point)) - OFF_PLANE)
    rod = Rod(0, first_point, n, length, u=shape.u, at={last: 0.0}) if leg.end.kind == "spherical" else None
    return Closure(
        coordinates,
        solve,
        short,
        rod=rod,
        transposed=transposed,
        bent=drive.bent,
        short_in_plane=drive.short,
        bent_reaches=not in_plane,
        points=_bar_points(leg, first_point, p_end, links) if second is not None and len(form.distal) == 1 else {},
    )


def _bar_points(leg: Leg, first_point: Vector, p_end: Vector, links: list[Link]) -> dict[int, Vector]:
    """Ends of the first bar of a parallelogram, beside the rod that both bars stand for."""
    offset = array(leg.joints[2].offset)
    aside = links[2].p - first_point
    if is_zero(cross(array(leg.joints[1].axis), offset)):
        aside = links[1].e * dot(array(leg.joints[1].axis), offset)
    return {2: first_point + aside, 3: p_end + aside}


def _slider(leg: Leg, length: Scalar, p_end: Vector) -> _Drive:
    R, origin = parent_frame(leg, 0, [])
    R = joint_rotation(R, leg.joints[0])
    e = joint_axis(R, leg.joints[0])
    d = p_end - origin - R @ array(leg.joints[1].offset)
    ed = dot(e, d)
    aside = d - e * ed
    height = dot(aside, aside)
    least = STRETCHED * (length * length)
    q, left = slider(ed, height, length, sign_and_posture(leg)[0], least)
    return _Drive(Slide(q), e, np.zeros(3), sqrt(height) - length, left > least)


def _crank(leg: Leg, length: Scalar, p_end: Vector) -> _Drive:
    R, origin = parent_frame(leg, 0, [])
    R = joint_rotation(R, leg.joints[0])
    axis = array(leg.joints[0].axis)
    arm = array(leg.joints[1].offset)
    lift = dot(axis, arm)
    flat = arm - axis * lift
    r = norm(flat)
    u, a = exact_direction(R @ (flat / r)), joint_axis(R, leg.joints[0])
    v = exact_direction(cross(a, u))
    d = p_end - origin - a * lift
    least = STRETCHED * (r * r)
    (c, s), left = crank(d, (u, v), r, length, sign_and_posture(leg)[0], least)
    x, y, z = dot(d, u), dot(d, v), dot(d, a)
    h = sqrt(maximum(x * x + y * y, TINY))
    near, far = sqrt((h - r) * (h - r) + z * z), sqrt((h + r) * (h + r) + z * z)
    tip = (v * c - u * s) * r
    return _Drive(Turn(c, s), tip, a, maximum(near - length, length - far), left > least)


def _distal(
    leg: Leg,
    distal: tuple[int, ...],
    shape: RodShape,
    coordinates: dict[int, Coordinate],
    links: list[Link],
    R_end: Vector,
) -> None:
    """Finds the coordinates behind the rod and completes the links."""
    for k in range(1, len(leg.joints)):
        joint = leg.joints[k]
        if k in distal and k not in coordinates:
            R = joint_rotation(parent_frame(leg, k, links)[0], joint)
            Q = R.T @ R_end @ shape.rest.T
            if len(distal) == 1:
                coordinates[k] = turn_of(array(joint.axis), shape.measure, Q)
            else:
                turns = turns_of(array(joint.axis), shape.measure, Q)
                coordinates |= dict(zip(distal, turns, strict=True))
        if joint.mimic is None:
            coordinate = coordinates[k]
        else:
            coordinate = mimicked(joint, coordinates[joint.mimic.joint], leg.joints[joint.mimic.joint].start)
        add_link(leg, k, coordinate, links)
