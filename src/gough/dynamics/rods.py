"""Newton and Euler for a leg between two points, in the closed form that its direction's rates allow.

A body at the distance s along the leg accelerates with a = a_ref + s ndd, where a_ref is the acceleration of the point
it is fixed to: the first point, or the end. What rides with the end is a mass of the platform, at the leg's joint: that
part is lumped there, once and for all. A rod of fixed length L is two such masses, m (1 - s/L) at its first point and
m s/L at its end, with the moment of inertia I - m s (L - s) left between them.

With the forces F_k left over at the distances s_k from the first point, moments about it read
n x (sum s_k F_k + I ndd) = l n x (force at the end). So the end must give the part across n of V / l, with
V = sum s_k F_k + I ndd: no angular velocity, no frame, no moment is ever formed. And n.ndd is just -nd.nd.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gough.dynamics.loads import inertia_matrix
from gough.graph import array, cross, dot
from gough.kinematics.leg import LegPose, Rod
from gough.kinematics.rod_motion import RodMotion, distance
from gough.robot import Body


@dataclass(frozen=True, slots=True)
class RodLoads:
    """Forces on a leg between two points, without what is lumped on the platform.

    Attributes:
        across: (3,) force across the leg that its end needs from the platform [N].
        first_mass: Mass lumped at the first point [kg].
        slide: Force along the leg that the body behind the slide needs [N].
    """

    across: Any
    first_mass: Any
    slide: Any


def transverse_inertia(body: Body, u: Any) -> Any:
    """Moment of inertia about an axis across u, of a body that is even about u [kg m^2]."""
    xx, yy, zz, *_ = body.inertia
    return (xx + yy + zz - array(u) @ inertia_matrix(body) @ array(u)) * 0.5


def end_mass(leg: LegPose, rod: Rod, bodies: list[int]) -> Any:
    """Mass of those bodies of a leg that count, as far as it rides with the leg's end [kg]."""
    total: Any = 0.0
    for k in bodies:
        if k in rod.at:
            body = leg.leg.joints[k].body
            from_end, s = distance(leg, rod, k, body.com)
            if from_end:
                total = total + body.mass
            elif rod.slide < 0:
                total = total + body.mass * (s / rod.length)
    return total


def rod_loads(leg: LegPose, rod: Rod, moves: RodMotion, a_end: Any, gravity: Any, bodies: list[int]) -> RodLoads:
    """Forces on the leg from those of its bodies that count."""
    turning: Any = 0.0
    with_end: Any = 0.0
    hanging: Any = 0.0
    first_mass: Any = 0.0
    slide: Any = 0.0
    for k in bodies:
        if k not in rod.at:
            continue
        body = leg.leg.joints[k].body
        from_end, s = distance(leg, rod, k, body.com)
        turning = turning + transverse_inertia(body, rod.u[k])
        if from_end:
            turning = turning + (rod.length + s) * (body.mass * s)
            with_end = with_end + body.mass * s
            slide = slide - body.mass * s
        elif rod.slide < 0:
            turning = turning - body.mass * s * (rod.length - s)
            first_mass = first_mass + body.mass * (1.0 - s / rod.length)
        else:
            turning = turning + body.mass * s * s
            hanging = hanging + body.mass * s
    nd2 = dot(moves.nd, moves.nd)
    V = moves.ndd * turning + a_end * with_end - array(gravity) * (with_end + hanging)
    along = dot(rod.n, a_end) * with_end - nd2 * turning - dot(rod.n, array(gravity)) * (with_end + hanging)
    return RodLoads((V - rod.n * along) / rod.length, first_mass, nd2 * slide)


def carrier_lead(leg: LegPose, rod: Rod, moves: RodMotion, loads: RodLoads, gravity: Any, bodies: list[int]) -> Any:
    """Effort that a slider or crank spends on itself, on what rides on it, and on the leg's load."""
    riding = loads.first_mass
    own = None
    for k in bodies:
        body = leg.leg.joints[k].body
        if k == rod.carrier:
            own = body
        elif k not in rod.at:
            riding = riding + body.mass
    link = leg.links[rod.carrier]
    if leg.leg.joints[rod.carrier].kind == "P":
        riding = riding if own is None else riding + own.mass
        return (moves.qdd - dot(moves.c, array(gravity))) * riding - dot(moves.c, loads.across)
    lead = dot(moves.c, (moves.a_first - gravity) * riding - loads.across)
    if own is None:
        return lead
    axis, axis_own = link.e, array(leg.leg.joints[rod.carrier].axis)
    arm = link.R @ array(own.com)
    lever = cross(axis, arm)
    about = axis_own @ inertia_matrix(own) @ axis_own
    return lead + (about + own.mass * dot(lever, lever)) * moves.qdd - dot(lever, gravity) * own.mass
