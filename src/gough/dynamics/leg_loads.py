"""Newton and Euler for one leg: between two points in closed form, or joint by joint in the frames of its links.

A leg between two points. A body at the distance s along the leg accelerates with a = a_ref + s ndd, where a_ref is the
acceleration of the point it is fixed to: the first point, or the end. What rides with the end is a mass of the
platform, at the leg's joint: that part is lumped there, once and for all. A rod of fixed length L is two such masses, m
(1 - s/L) at its first point and m s/L at its end, with the moment of inertia I - m s (L - s) left between them.

With the forces F_k left over at the distances s_k from the first point, moments about it read n x (sum s_k F_k + I ndd)
= l n x f, with the force f at the end. Only the part of f across n matters: whatever lies along n the actuator's share
makes good. So f = V / l with V = sum s_k F_k + I ndd less anything along n, and with ndd = a / l - 2 (n.v) v / l^2 +
(along n), no angular velocity, no frame and no moment is ever formed.

A leg joint by joint. A point r of a link accelerates with a + U r, where U = wd~ + w~ w~ and a is the acceleration of
the link's origin, less gravity. A link of mass m, first moment h and second moments E takes the force m a + U h and,
about its origin, the moment h x a + the axial vector of U E - E U^T.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.dynamics.loads import link_load
from gough.dynamics.lumped_masses import LinkMass
from gough.dynamics.moving_base import BaseRates
from gough.graph import Scalar, Vector, array, cross, dot
from gough.kinematics.chain import Twist, TwistRate
from gough.kinematics.leg import LegPose
from gough.kinematics.link_frames import LinkFrames, gradient
from gough.kinematics.thin_leg import RodMotion, ThinLeg


@dataclass(frozen=True, slots=True)
class RodLoads:
    """Forces on a leg between two points, without what is lumped on the platform.

    Attributes:
        push: (3,) force that the end needs from the platform; its part along the leg is whatever came out cheapest [N].
        first_mass: Mass lumped at the first point [kg].
        lead: Effort of a slide in the leg, what `push` has too much along the leg taken off [N].
    """

    push: Any
    first_mass: Any
    lead: Any


def end_mass(leg: ThinLeg, bodies: list[int]) -> Scalar:
    """Mass of those bodies of a leg that count, as far as it rides with the leg's end [kg]."""
    rod = leg.rod
    total: Any = 0.0
    for k in bodies:
        if k in rod.at:
            body = leg.leg.joints[k].body
            from_end, s = leg.distance(k, body.com)
            if from_end:
                total = total + body.mass
            elif rod.slide < 0:
                total = total + body.mass * (s / rod.length)
    return total


def sliding_loads(leg: ThinLeg, v: Vector, a: Vector, gravity: Vector, bodies: list[int]) -> RodLoads:
    """Forces on a leg with a slide, whose end moves with v and a (3,), from those of its bodies that count."""
    rod = leg.rod
    inertia: Any = 0.0
    with_end: Any = 0.0
    hanging: Any = 0.0
    for k in bodies:
        body = leg.leg.joints[k].body
        if k not in rod.at:
            continue
        from_end, s = leg.distance(k, body.com)
        inertia = inertia + body.inertia_across(rod.u[k]) + body.mass * s * s
        if from_end:
            with_end = with_end + body.mass * s
        else:
            hanging = hanging + body.mass * s
    n, g, per_l = rod.n, array(gravity), 1.0 / rod.length
    ld = dot(n, v)
    turning = inertia * per_l + with_end
    by_a = (turning + with_end) * per_l
    by_v = ld * turning * (2.0 * per_l * per_l)
    by_g = (with_end + hanging) * per_l
    push = a * by_a - v * by_v - g * by_g
    along = dot(n, a) * by_a - ld * by_v - dot(n, g) * by_g
    nd2 = (dot(v, v) - ld * ld) * (per_l * per_l)
    return RodLoads(push, 0.0, -(nd2 * with_end) - along)


def rod_loads(leg: ThinLeg, moves: RodMotion, bodies: list[int]) -> RodLoads:
    """Forces on a leg of fixed length from those of its bodies that count."""
    rod = leg.rod
    inertia: Any = 0.0
    first_mass: Any = 0.0
    for k in bodies:
        if k in rod.at:
            body = leg.leg.joints[k].body
            _, s = leg.distance(k, body.com)
            inertia = inertia + body.inertia_across(rod.u[k]) - body.mass * s * (rod.length - s)
            first_mass = first_mass + body.mass * (1.0 - s / rod.length)
    return RodLoads(moves.ndd * (inertia / rod.length), first_mass, 0.0)


def carried_rod(base: BaseRates, leg: ThinLeg, moves: RodMotion) -> RodMotion:
    """The motion of a rod on a slider or crank with what a moving base adds to its accelerations."""
    a_first = base.acceleration(leg.rod.first, moves.c * moves.qd, moves.a_first)
    ndd = base.direction_acceleration(leg.rod.n, moves.nd, moves.ndd)
    return replace(moves, a_first=a_first, ndd=ndd)


def carrier_lead(
    leg: ThinLeg, moves: RodMotion, loads: RodLoads, gravity: Vector, bodies: list[int], base: BaseRates | None = None
) -> Scalar:
    """Effort that a slider or crank spends on itself, on what rides on it, and on the leg's load."""
    rod, riding = leg.rod, loads.first_mass
    own = None
    for k in bodies:
        body = leg.leg.joints[k].body
        if k == rod.carrier:
            own = body
        elif k not in rod.at:
            riding = riding + body.mass
    link = leg.links[rod.carrier]
    if base is not None:
        lead = dot(moves.c, (moves.a_first - gravity) * riding - loads.push)
        return lead if own is None else lead + _carried_lead(leg, rod.carrier, moves, gravity, base)
    if leg.leg.joints[rod.carrier].kind == "P":
        riding = riding if own is None else riding + own.mass
        return (moves.qdd - dot(moves.c, array(gravity))) * riding - dot(moves.c, loads.push)
    lead = dot(moves.c, (moves.a_first - gravity) * riding - loads.push)
    if own is None:
        return lead
    axis, axis_own = link.e, array(leg.leg.joints[rod.carrier].axis)
    arm = link.R @ array(own.com)
    lever = cross(axis, arm)
    about = axis_own @ own.tensor @ axis_own
    return lead + (about + own.mass * dot(lever, lever)) * moves.qdd - dot(lever, gravity) * own.mass


def _carried_lead(leg: ThinLeg, k: int, moves: RodMotion, gravity: Vector, base: BaseRates) -> Scalar:
    """Effort that a slider or crank on a moving base spends on itself."""
    link, none = leg.links[k], np.zeros(3)
    if leg.leg.joints[k].kind == "P":
        motion = Twist(link.e * moves.qd, none), TwistRate(link.e * moves.qdd, none)
        return dot(link.e, link_load(leg, k, *base.carried(link.p, *motion), gravity).f)
    motion = Twist(none, link.e * moves.qd), TwistRate(none, link.e * moves.qdd)
    load = link_load(leg, k, *base.carried(link.p, *motion), gravity)
    return dot(link.e, load.m + cross(load.point - link.p, load.f))


def bare_efforts(
    leg: LegPose,
    masses: list[LinkMass],
    rates: list[Any],
    second: list[Any],
    gravity: Vector,
    base: BaseRates | None = None,
) -> list[Any]:
    """Efforts in all joints of the leg cut from the platform, for its joints' rates and accelerations."""
    frames, joints = LinkFrames(leg.leg, leg.coordinates), leg.leg.joints
    if base is None:
        moves = frames.motions(rates, second, -(array(leg.leg.rotation).T @ array(gravity)))
    else:
        into, none = array(leg.leg.rotation).T, np.zeros(3)
        a0 = base.acceleration(array(leg.leg.position), none, none) - gravity
        moves = frames.motions(rates, second, into @ a0, into @ base.w, into @ base.wd)
    force: list[Any] = [np.zeros(3) for _ in joints]
    moment: list[Any] = [np.zeros(3) for _ in joints]
    efforts: list[Any] = []
    for k in reversed(range(len(joints))):
        f, m = _load(masses[k], moves.w[k], moves.wd[k], moves.a[k])
        force[k], moment[k] = force[k] + f, moment[k] + m
        joint = joints[k]
        efforts.append(dot(array(joint.axis), force[k] if joint.kind == "P" else moment[k]))
        if joint.parent >= 0:
            f = frames.outward(k, force[k])
            force[joint.parent] = force[joint.parent] + f
            m = frames.outward(k, moment[k]) + cross(frames.offset(k), f)
            moment[joint.parent] = moment[joint.parent] + m
    return efforts[::-1]


def _load(link: LinkMass, w: Vector, wd: Vector, a: Vector) -> tuple[Any, Any]:
    """Force and moment about the origin that a link takes, in its frame."""
    U = gradient(w, wd)
    UE = U @ link.E
    turning = array([UE[2, 1] - UE[1, 2], UE[0, 2] - UE[2, 0], UE[1, 0] - UE[0, 1]])
    return a * link.m + U @ link.h, cross(link.h, a) + turning
