"""Legs with a rod of fixed length on a slider (P..) or crank (R..): ..US, ..SS, ..RS, ..RU, ..RR, parallelograms.

The driven coordinate puts the rod's first point at the rod's length from its end. Slider along e, from the point where
q = 0 to the end d: q = e.d - branch sqrt(L^2 - |d x e|^2), branch = sign(n.e). Crank of radius r about a, in the axes
u, v = a x u across it: x cos q + y sin q = (d.d + r^2 - L^2) / (2 r) with x = d.u, y = d.v, and branch +1 where the
crank is ahead of the end. The rod's direction gives the next one or two angles, the platform's orientation the rest.
Branches +-2 are +-1 with the universal joint, or what carries a parallelogram, turned over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import absolute, array, cross, dot, maximum, norm, sqrt
from gough.kinematics.chain import Coordinate, Link, Slide, Turn, add_link, joint_rotation, mimicked, parent_frame
from gough.kinematics.closure.angles import OFF_PLANE, STRETCHED, TINY, turn_of, turn_to, turns_of, universal_to
from gough.kinematics.closure.pattern import Pattern, sign_and_posture
from gough.kinematics.closure.shape import RodShape, rod_shape
from gough.kinematics.leg import Closure, Rod
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class _Drive:
    """The driven joint: its coordinate, velocity of the rod's first point per rate, turn per rate, shortfall, bent."""

    coordinate: Coordinate
    c: Any
    a: Any
    short: Any
    bent: Any


def close_rod(leg: Leg, pattern: Pattern, p_end: Any, R_end: Any) -> Closure:
    """Closure with the leg's end at p_end (3,) and, for a rigid end, the end frame at R_end, both in B."""
    shape = rod_shape(leg, pattern.turning, pattern.distal)
    length = shape.length
    second = pattern.turning[1] if len(pattern.turning) == 2 else None
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
        coordinates[1], coordinates[second] = universal_to(shape.axes[0], shape.axes[1], shape.direction, m, side)
    _distal(leg, pattern.distal, shape, coordinates, links, R_end)
    e = {k: links[k].e for k in coordinates}

    carried = drive.c + cross(drive.a, n) * length
    per_n = 1.0 / dot(n, drive.c)
    if second is None:
        rows = {1: cross(e[1], n) / length}
    else:
        rows = {1: e[second] / (length * dot(e[1], cross(n, e[second]))), second: cross(e[second], n) / length}

    def solve(v: Any, w: Any) -> dict[int, Any]:
        qd = dot(n, v) * per_n
        v_rel = v - carried * qd
        rates = {0: qd, **{k: dot(v_rel, row) for k, row in rows.items()}}
        w_rel = w - drive.a * qd - e[1] * rates[1]
        return rates | {k: dot(e[k], w_rel) for k in pattern.distal}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        m: Any = np.zeros(3)
        for k in pattern.distal:
            m = m + e[k] * efforts[k]
        f: Any = rows[1] * (efforts[1] - dot(e[1], m))
        if second is not None:
            f = f + rows[second] * efforts[second]
        return f + n * ((efforts[0] - dot(drive.a, m) - dot(carried, f)) * per_n), m

    last, short = pattern.turning[-1], drive.short
    if len(leg.joints) == 2:
        short = maximum(short, absolute(dot(e[1], p_end - first_point)) - OFF_PLANE)
    rod = Rod(0, first_point, n, length, u=shape.u, at={last: 0.0}) if leg.end.kind == "spherical" else None
    return Closure(coordinates, solve, short, rod=rod, transposed=transposed, bent=drive.bent)


def _slider(leg: Leg, length: Any, p_end: Any) -> _Drive:
    R, origin = parent_frame(leg, 0, [])
    R = joint_rotation(R, leg.joints[0])
    e = R @ array(leg.joints[0].axis)
    d = p_end - origin - R @ array(leg.joints[1].offset)
    ed = dot(e, d)
    across = d - e * ed
    height = dot(across, across)
    left, least = length * length - height, STRETCHED * (length * length)
    root = sqrt(maximum(left, least))
    return _Drive(Slide(ed - sign_and_posture(leg)[0] * root), e, np.zeros(3), sqrt(height) - length, left > least)


def _crank(leg: Leg, length: Any, p_end: Any) -> _Drive:
    R, origin = parent_frame(leg, 0, [])
    R = joint_rotation(R, leg.joints[0])
    axis = array(leg.joints[0].axis)
    arm = array(leg.joints[1].offset)
    lift = dot(axis, arm)
    flat = arm - axis * lift
    r = norm(flat)
    u, a = R @ (flat / r), R @ axis
    v = cross(a, u)
    d = p_end - origin - a * lift
    x, y, z = dot(d, u), dot(d, v), dot(d, a)
    h2 = maximum(x * x + y * y, TINY)
    k = (dot(d, d) + (r * r - length * length)) / (2.0 * r)
    left, least = h2 - k * k, STRETCHED * (r * r)
    root = sqrt(maximum(left, least)) * sign_and_posture(leg)[0]
    turn = Turn((k * x - root * y) / h2, (k * y + root * x) / h2)
    h = sqrt(h2)
    near, far = sqrt((h - r) * (h - r) + z * z), sqrt((h + r) * (h + r) + z * z)
    tip = (v * turn.c - u * turn.s) * r
    return _Drive(turn, tip, a, maximum(near - length, length - far), left > least)


def _distal(
    leg: Leg,
    distal: tuple[int, ...],
    shape: RodShape,
    coordinates: dict[int, Coordinate],
    links: list[Link],
    R_end: Any,
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
