"""How a leg between two points moves, by its direction alone.

With the end's velocity v and acceleration a relative to the first point, along the unit vector n at distance l:
ld = n.v, nd = (v - n ld) / l, ldd = n.a + l nd.nd, ndd = (a - n ldd - 2 ld nd) / l. A point at a fixed distance s from
either end along the leg then accelerates with that end plus s ndd. The angular velocity is n x nd, its rate n x ndd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, cross, dot
from gough.kinematics.leg import LegPose, Rod
from gough.robot import Body, Leg

_ROUND_OFF = 4e-16


def is_thin(leg: Leg, rod: Rod) -> bool:
    """Whether nothing tells how the leg spins: bodies thin along the rod, a point mass at the joint, or before the rod;
    no friction, spring or motor but that of the slide in the leg or of what carries it.
    """
    drive = rod.slide if rod.carrier < 0 else rod.carrier
    for k, joint in enumerate(leg.joints):
        body = joint.body
        if joint.actuated != (k == drive) or joint.is_passive_viscous:
            return False
        if joint.spring is not None and k != drive:
            return False
        if k <= rod.carrier:
            continue
        if not all(isinstance(value, float) for value in (body.mass, *body.com, *body.inertia)):
            return False
        if k in rod.u:
            if not all(isinstance(value, float) for value in rod.u[k]) or not _thin_along(body, rod.u[k]):
                return False
        elif any(body.com) or any(body.inertia):
            return False
    return True


def _thin_along(body: Body, u: np.ndarray) -> bool:
    """Whether a body is a thin rod along the unit vector u, to round-off."""
    transverse = np.trace(body.tensor) / 2.0
    off_axis = np.cross(body.com, u)
    uneven = body.tensor - transverse * (np.eye(3) - np.outer(u, u))
    return bool(
        np.abs(off_axis).max() <= _ROUND_OFF * np.linalg.norm(body.com)
        and np.abs(uneven).max() <= _ROUND_OFF * abs(transverse)
    )


@dataclass(frozen=True, slots=True)
class RodMotion:
    """Direction rates of a leg, the acceleration of its first point, and the motion of what drives it.

    Attributes:
        nd, ndd: (3,) rate and second rate of the direction n.
        a_first: (3,) acceleration of the first point.
        c: (3,) velocity of the first point per rate of the carrier, or None for a leg on the base.
        qd, qdd: Rate and acceleration of the driven joint: the slide in the leg, or the carrier.
    """

    nd: Any
    ndd: Any
    a_first: Any
    c: Any
    qd: Any
    qdd: Any


@dataclass(frozen=True, slots=True)
class RodVelocity:
    """The part of a `RodMotion` that velocities tell; `v_first` is the velocity of the first point, `along` is n.c."""

    nd: Any
    v_first: Any
    c: Any
    along: Any
    qd: Any


def rod_velocity(leg: LegPose, rod: Rod, v_end: Any) -> RodVelocity:
    """Velocities of a leg whose end moves with v_end (3,) in B: linear in v_end."""
    n = rod.n
    if rod.carrier < 0:
        ld = dot(n, v_end)
        return RodVelocity((v_end - n * ld) / rod.length, np.zeros(3), None, None, ld)
    link = leg.links[rod.carrier]
    c = cross(link.e, rod.first - link.p) if leg.leg.joints[rod.carrier].kind == "R" else link.e
    along = dot(n, c)
    qd = dot(n, v_end) / along
    v_first = c * qd
    return RodVelocity((v_end - v_first) / rod.length, v_first, c, along, qd)


def rod_motion(leg: LegPose, rod: Rod, v_end: Any, a_end: Any) -> RodMotion:
    """The motion of a leg whose end moves with v_end and a_end (3,) in B."""
    n, vel = rod.n, rod_velocity(leg, rod, v_end)
    nd, qd = vel.nd, vel.qd
    if rod.carrier < 0:
        ldd = dot(n, a_end) + rod.length * dot(nd, nd)
        ndd = (a_end - n * ldd - nd * (2.0 * qd)) / rod.length
        return RodMotion(nd, ndd, np.zeros(3), None, qd, ldd)
    turns = leg.leg.joints[rod.carrier].kind == "R"
    bias = cross(leg.links[rod.carrier].e, vel.c) * (qd * qd) if turns else np.zeros(3)
    qdd = (dot(n, a_end - bias) + rod.length * dot(nd, nd)) / vel.along
    a_first = vel.c * qdd + bias
    return RodMotion(nd, (a_end - a_first) / rod.length, a_first, vel.c, qd, qdd)


def distance(leg: LegPose, rod: Rod, k: int, r: Any) -> tuple[bool, Any]:
    """(from the end, distance along n) of the point r (3,) in the frame of body k on the rod [m]."""
    along = _dot(rod.u[k], r)
    if k == rod.slide:
        return True, along - _dot(rod.u[k], leg.leg.end.point)
    return False, along + rod.at[k]


def _dot(u: Any, r: Any) -> Any:
    return dot(array(u), array(r))
