"""A leg between two points whose bodies move with its direction alone.

With the end's velocity v and acceleration a relative to the first point, along the unit vector n at distance l:
ld = n.v, nd = (v - n ld) / l, ldd = n.a + l nd.nd, ndd = (a - n ldd - 2 ld nd) / l. A point at a fixed distance s from
either end along the leg then accelerates with that end plus s ndd. The angular velocity is n x nd, its rate n x ndd.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from gough.graph import Scalar, Vector, array, cross, dot
from gough.kinematics.chain import Twist, TwistRate, chain_twist_rates, chain_twists
from gough.kinematics.leg import EndMotion, LegPose, Place, Rod, Velocities
from gough.kinematics.spatial import point_acceleration, point_velocity
from gough.robot import Body, Leg

_ROUND_OFF = 4e-16


def is_thin(leg: Leg, rod: Rod) -> bool:
    """Whether nothing depends on how the leg spins: bodies thin along the rod, a point mass at the joint, or before the
    rod; no friction, spring or motor but that of the slide in the leg or of what carries it.
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

    nd: Vector
    ndd: Vector
    a_first: Any
    c: Vector
    qd: Scalar
    qdd: Vector


@dataclass(frozen=True, slots=True)
class RodVelocity:
    """The part of a `RodMotion` that velocities give; `v_first` is the velocity of the first point, `along` is n.c."""

    nd: Vector
    v_first: Vector
    c: Vector
    along: Any
    qd: Scalar


@final
@dataclass(frozen=True, slots=True)
class ThinLeg(LegPose):
    """A leg that does not spin: free to, or of thin bodies for which it makes no difference.

    Attributes:
        rod: Where it lies.
    """

    rod: Rod

    @property
    def drive(self) -> int:
        """Index of the joint that sets the leg's length or carries it."""
        return self.rod.slide if self.rod.carrier < 0 else self.rod.carrier

    def twists(self, v: Vector, w: Vector) -> list[Twist]:
        """Twists of all links for the platform twist (v, w)."""
        rod, rates = self.rod, self.rates(v, w)
        twists = chain_twists(self.leg, self.links, rates)
        v_first = twists[rod.carrier + 1].v
        v_rel = point_velocity(v, w, self.r_end) - v_first
        w_rod = cross(rod.n, v_rel) / rod.length
        across = cross(w_rod, rod.n)
        for k, at in rod.at.items():
            slide = rod.n * rates[k] if k == rod.slide else 0.0
            twists[k] = Twist(v_first + across * at + slide, w_rod)
        return twists

    def twist_rates(self, v: Vector, w: Vector, a: Vector, wd: Vector) -> list[TwistRate]:
        """Twist rates of all links for the platform twist (v, w) and twist rate (a, wd)."""
        leg, links, rod, rates = self.leg, self.links, self.rod, self.rates(v, w)
        second = self.accelerations(v, w, a, wd)
        result = chain_twist_rates(leg, links, chain_twists(leg, links, rates), rates, second)
        a_first = result[rod.carrier + 1].a
        a_rel = point_acceleration(a, wd, w, self.r_end) - a_first
        ld = rates[rod.slide] if rod.slide >= 0 else 0.0
        w_rod = self.twists(v, w)[next(iter(rod.at))].w
        wd_rod = (cross(rod.n, a_rel) - w_rod * (2.0 * ld)) / rod.length
        across = point_acceleration(np.zeros(3), wd_rod, w_rod, rod.n)
        for k, at in rod.at.items():
            a_k = a_first + across * at
            if k == rod.slide:
                a_k = a_k + rod.n * second[k] + cross(w_rod, rod.n) * (2.0 * ld)
            result[k] = TwistRate(a_k, wd_rod)
        return result

    def position(self, k: int, r: Vector) -> Vector:
        """(3,) in B of the point r (3,) in the frame of body k; on the rod, of a body that lies along it."""
        if k in self.rod.at:
            return self.rod.first + self.rod.n * (self.rod.at[k] + _dot(self.rod.u[k], r))
        return self.links[k].p + self.links[k].R @ array(r)

    def place(self, k: int) -> Place:
        """Where body k is."""
        body, rod = self.leg.joints[k].body, self.rod
        if k not in rod.at:
            return Place(self.position(k, body.com), self.links[k].R)
        from_end, s = self.distance(k, body.com)
        start = rod.first + rod.n * rod.length if from_end else rod.first
        return Place(start + rod.n * s, None, body.inertia_across(rod.u[k]))

    def body_velocities(self, bodies: Sequence[int], v: Vector, w: Vector) -> Velocities:
        """Velocities of these bodies for the platform twist (v, w): linear in it."""
        v_end = point_velocity(v, w, self.r_end)
        moves = rod_velocity(self, v_end)
        found = []
        for k in bodies:
            if k not in self.rod.at:
                found.append(self._carried(k, moves.v_first, moves.qd))
                continue
            from_end, s = self.distance(k, self.leg.joints[k].body.com)
            found.append(((v_end if from_end else moves.v_first) + moves.nd * s, cross(self.rod.n, moves.nd)))
        return found

    def body_accelerations(self, bodies: Sequence[int], v: Vector, w: Vector, a: Vector, wd: Vector) -> Velocities:
        """Accelerations of these bodies for the platform twist (v, w) and twist rate (a, wd)."""
        a_end = point_acceleration(a, wd, w, self.r_end)
        moves = rod_motion(self, point_velocity(v, w, self.r_end), a_end)
        found = []
        for k in bodies:
            if k not in self.rod.at:
                found.append(self._carried_acceleration(k, moves))
                continue
            from_end, s = self.distance(k, self.leg.joints[k].body.com)
            found.append(((a_end if from_end else moves.a_first) + moves.ndd * s, cross(self.rod.n, moves.ndd)))
        return found

    def drive_motion(self, moved: EndMotion) -> list[tuple[Any, Any]]:
        """Rate and acceleration of each actuated joint."""
        driven = [k for k, joint in enumerate(self.leg.joints) if joint.actuated]
        if driven == [self.drive]:
            moves = rod_motion(self, moved.v_end, moved.a_end)
            return [(moves.qd, moves.qdd)]
        rates = self.joint_rates(moved.v_end, moved.w)
        second = self.joint_accelerations(rates, moved.v_end, moved.a_end, moved.wd)
        return [(rates[k], second[k]) for k in driven]

    def unspun_axis(self, k: int) -> Any | None:
        """(3,) along the leg for its rod, where it is free to spin; a thin leg that is not turns as its joints say."""
        return self.rod.n if self.leg.free_spin and k in self.rod.at else None

    def distance(self, k: int, r: Vector) -> tuple[bool, Any]:
        """(from the end, distance along n) of the point r (3,) in the frame of body k on the rod [m]."""
        along = _dot(self.rod.u[k], r)
        if k == self.rod.slide:
            return True, along - _dot(self.rod.u[k], self.leg.end.point)
        return False, along + self.rod.at[k]

    def _carried(self, k: int, v_first: Vector, qd: Scalar) -> tuple[Any, Any]:
        """Velocities of a slider or crank, or of a point mass where the rod hangs on it."""
        if k != self.rod.carrier:
            return v_first, np.zeros(3)
        link, joint = self.links[k], self.leg.joints[k]
        if joint.kind == "P":
            return link.e * qd, np.zeros(3)
        w = link.e * qd
        return cross(w, link.R @ array(joint.body.com)), w

    def _carried_acceleration(self, k: int, moves: RodMotion) -> tuple[Any, Any]:
        if k != self.rod.carrier:
            return moves.a_first, np.zeros(3)
        link, joint = self.links[k], self.leg.joints[k]
        if joint.kind == "P":
            return link.e * moves.qdd, np.zeros(3)
        wd = link.e * moves.qdd
        return point_acceleration(np.zeros(3), wd, link.e * moves.qd, link.R @ array(joint.body.com)), wd


def rod_velocity(leg: ThinLeg, v_end: Vector) -> RodVelocity:
    """Velocities of a leg whose end moves with v_end (3,) in B: linear in v_end."""
    rod, n = leg.rod, leg.rod.n
    if rod.carrier < 0:
        ld = dot(n, v_end)
        return RodVelocity((v_end - n * ld) / rod.length, np.zeros(3), None, None, ld)
    link = leg.links[rod.carrier]
    c = cross(link.e, rod.first - link.p) if leg.leg.joints[rod.carrier].kind == "R" else link.e
    along = dot(n, c)
    qd = dot(n, v_end) / along
    v_first = c * qd
    return RodVelocity((v_end - v_first) / rod.length, v_first, c, along, qd)


def rod_motion(leg: ThinLeg, v_end: Vector, a_end: Vector) -> RodMotion:
    """The motion of a leg whose end moves with v_end and a_end (3,) in B."""
    rod, n, vel = leg.rod, leg.rod.n, rod_velocity(leg, v_end)
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


def _dot(u: Vector, r: Vector) -> Scalar:
    return dot(array(u), array(r))
