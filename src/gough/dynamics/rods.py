"""Newton and Euler for a leg between two points, in the closed form that its direction's rates allow.

The bodies on the leg need the forces F_k = m_k (a_k - g) at their distances s_k from the first point, and together the
moment I n x ndd. Moments about the first point: n x (sum s_k F_k + I ndd) = l n x (force at the end). So the end must
give the part across n of V / l, with V = sum s_k F_k + I ndd: no angular velocity, no frame, no moment is ever formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.dynamics.loads import inertia_matrix
from gough.graph import array, cross, dot
from gough.kinematics.leg import LegPose, Rod
from gough.kinematics.rod_motion import RodMotion, distance
from gough.robot import Body


@dataclass(frozen=True, slots=True)
class RodLoads:
    """Forces on a leg between two points.

    Attributes:
        across: (3,) force across the leg that its end needs from the platform [N].
        total: (3,) force that all bodies on the leg need [N].
        slide: (3,) force that the body behind the slide needs [N].
    """

    across: Any
    total: Any
    slide: Any


def transverse_inertia(body: Body, u: Any) -> Any:
    """Moment of inertia about an axis across u, of a body that is even about u [kg m^2]."""
    xx, yy, zz, *_ = body.inertia
    return (xx + yy + zz - array(u) @ inertia_matrix(body) @ array(u)) * 0.5


def rod_loads(leg: LegPose, rod: Rod, moves: RodMotion, a_end: Any, gravity: Any, bodies: list[int]) -> RodLoads:
    """Forces on the leg from those of its bodies that count."""
    V: Any = np.zeros(3)
    total: Any = np.zeros(3)
    slide: Any = np.zeros(3)
    inertia: Any = 0.0
    for k in bodies:
        if k not in rod.at:
            continue
        body = leg.leg.joints[k].body
        from_end, s = distance(leg, rod, k, body.com)
        a = (a_end if from_end else moves.a_first) + moves.ndd * s
        force = (a - gravity) * body.mass
        V = V + force * (rod.length + s if from_end else s)
        total = total + force
        inertia = inertia + transverse_inertia(body, rod.u[k])
        if from_end:
            slide = slide + force
    V = V + moves.ndd * inertia
    return RodLoads((V - rod.n * dot(rod.n, V)) / rod.length, total, slide)


def carrier_lead(leg: LegPose, rod: Rod, moves: RodMotion, loads: RodLoads, gravity: Any, bodies: list[int]) -> Any:
    """Effort that a slider or crank spends on itself, on what rides on it, and on the leg's load."""
    at_first = loads.total - loads.across
    own = None
    for k in bodies:
        body = leg.leg.joints[k].body
        if k == rod.carrier:
            own = body
        elif k not in rod.at:
            at_first = at_first + (moves.a_first - gravity) * body.mass
    link = leg.links[rod.carrier]
    if leg.leg.joints[rod.carrier].kind == "P":
        if own is not None:
            at_first = at_first + (moves.c * moves.qdd - gravity) * own.mass
        return dot(moves.c, at_first)
    lead = dot(moves.c, at_first)
    if own is None:
        return lead
    axis, axis_own = link.e, array(leg.leg.joints[rod.carrier].axis)
    arm = link.R @ array(own.com)
    lever = cross(axis, arm)
    about = axis_own @ inertia_matrix(own) @ axis_own
    return lead + (about + own.mass * dot(lever, lever)) * moves.qdd - dot(lever, gravity) * own.mass
