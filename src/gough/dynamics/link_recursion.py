"""The recursion of virtual work over the links of a leg (Sinatra, Xi, Staicu; Staicu, Li, Liu, Wang, Wang).

From the base to the tip the motion of each link follows from that of the link before it, all in the links' own frames:
hexapod (11), (18). From the tip to the base F_k and M_k gather the inertia forces and weights of a link and of all it
carries: hexapod (22), spatial (18).

| papers | here | meaning |
|---|---|---|
| a_k,k-1 | transpose of `Q` | rotation from link k-1 to link k |
| omega_k0, eps_k0 | `w`, `e` | angular velocity and acceleration, link frame |
| gamma_k0 | `a` | acceleration of the link's joint less gravity, link frame |
| F_k0, M_k0 (hexapod (19), (20), (23); spatial (18)) | `F0`, `M0` | reversed inertia force and moment about the joint |
| F_k, M_k (hexapod (22); spatial (18)) | `F`, `M` | the same with all the link carries |

The hexapod's (20) prints the mass outside the brace: the inertia tensor is read as it stands, about the joint.

A leg on two spherical joints does not spin about itself. Its rod then turns with the rod's own angular velocity, which
has no part along the rod, and not about the axis of the second of the two joints that place it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, array, cross, dot
from gough.kinematics.leg import LegPose
from gough.robot import Body
from gough.robot.inertia import steiner
from gough.robot.leg_values import tensor_of


@dataclass(frozen=True, slots=True)
class LinkRecursion:
    """Motion and forces of all links of a leg, a list over its joints each, in the links' frames.

    Attributes:
        Q: (3, 3) from link to parent.
        r: (3,) from the parent's origin to the link's, parent frame [m].
        w, e: (3,) angular velocity and acceleration.
        a: (3,) acceleration of the link's origin less gravity.
        F0, M0: (3,) force on the link itself and moment about its origin.
        F, M: (3,) the same with all that the link carries.
    """

    Q: list[Any]
    r: list[Any]
    w: list[Any]
    e: list[Any]
    a: list[Any]
    F0: list[Any]
    M0: list[Any]
    F: list[Any]
    M: list[Any]


def link_forces(body: Body, w: Vector, e: Vector, a: Vector) -> tuple[Any, Any]:
    """(F0, M0) about a link's joint, in its frame: m (a + (e~ + w~ w~) r), m r~ a + J e + w~ J w, J about the joint.

    Sinatra, Xi, Staicu (19), (20) read as the power balance demands, reversed in sign.
    """
    r = array(body.com)
    F0 = (a + cross(e, r) + cross(w, cross(w, r))) * body.mass
    J = body.tensor + tensor_of(steiner(body.mass, body.com))
    return F0, cross(r, a) * body.mass + J @ e + cross(w, J @ w)


def link_recursion(motion: RobotMotion, k: int, gravity: Vector, counted: list[int]) -> LinkRecursion:
    """The recursion on leg k, with the weight and inertia of the links that are counted."""
    leg = motion.pose.legs[k]
    Q, r = _relative_places(leg)
    w, e, a = _link_motions(motion, k, gravity, Q, r)
    own = {i: link_forces(leg.leg.joints[i].body, w[i], e[i], a[i]) for i in counted}
    F0: list[Any] = [own[i][0] if i in own else np.zeros(3) for i in range(len(Q))]
    M0: list[Any] = [own[i][1] if i in own else np.zeros(3) for i in range(len(Q))]
    F, M = gathered([joint.parent for joint in leg.leg.joints], Q, r, F0, M0)
    return LinkRecursion(Q, r, w, e, a, F0, M0, F, M)


def _relative_places(leg: LegPose) -> tuple[list[Any], list[Any]]:
    Q, r = [], []
    for i, joint in enumerate(leg.leg.joints):
        R_parent = leg.links[joint.parent].R if joint.parent >= 0 else array(leg.leg.rotation)
        p_parent = leg.links[joint.parent].p if joint.parent >= 0 else array(leg.leg.position)
        Q.append(R_parent.T @ leg.links[i].R)
        r.append(R_parent.T @ (leg.links[i].p - p_parent))
    return Q, r


def _link_motions(
    motion: RobotMotion, k: int, gravity: Vector, Q: list[Any], r: list[Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """w, e, a of all links from base to tip: hexapod (11), (18)."""
    leg = motion.pose.legs[k]
    rates, second = motion.leg_rates[k], motion.leg_accelerations[k]
    free = leg.unspun_link()
    w: list[Any] = []
    e: list[Any] = []
    a: list[Any] = []
    ground = _ground(motion, k, gravity)
    for i, joint in enumerate(leg.leg.joints):
        axis = array(joint.axis)
        w0, e0, a0 = (w[joint.parent], e[joint.parent], a[joint.parent]) if joint.parent >= 0 else ground
        turned, spun = Q[i].T @ w0, Q[i].T @ e0
        base = Q[i].T @ (a0 + cross(e0, r[i]) + cross(w0, cross(w0, r[i])))
        if i == free:
            w_rod, wd_rod = motion.leg_twists[k][i].w, motion.leg_twist_rates[k][i].wd
            if motion.base is not None:
                w_rod, wd_rod = _rod_spin(motion.base, leg, w_rod, wd_rod)
            w.append(leg.links[i].R.T @ w_rod)
            e.append(leg.links[i].R.T @ wd_rod)
            a.append(base)
        elif joint.kind == "P":
            w.append(turned)
            e.append(spun)
            a.append(base + axis * second[i] + cross(turned, axis) * (2.0 * rates[i]))
        else:
            w.append(turned + axis * rates[i])
            e.append(spun + axis * second[i] + cross(turned, axis) * rates[i])
            a.append(base)
    return w, e, a


def _ground(motion: RobotMotion, k: int, gravity: Vector) -> tuple[Any, Any, Any]:
    """w, e, a of leg frame 0, in its own axes."""
    leg, base = motion.pose.legs[k].leg, motion.base
    R = array(leg.rotation)
    if base is None:
        return np.zeros(3), np.zeros(3), R.T @ -array(gravity)
    a = base.acceleration(array(leg.position), np.zeros(3), np.zeros(3)) - gravity
    return R.T @ base.w, R.T @ base.wd, R.T @ a


def _rod_spin(base: BaseRates, leg: LegPose, w: Vector, wd: Vector) -> tuple[Any, Any]:
    """Angular velocity and acceleration of a rod on a moving base, about which it does not spin either."""
    rod = leg.closure.rod
    assert rod is not None
    n, whole, rate = rod.n, w + base.w, base.spin_rate(w, wd)
    return whole - n * dot(n, whole), rate - n * dot(n, rate) + cross(n, whole) * dot(n, whole)


def gathered(
    parents: list[int], Q: list[Any], r: list[Any], F0: list[Any], M0: list[Any]
) -> tuple[list[Any], list[Any]]:
    """F_k = F_k0 + sum Q F, M_k = M_k0 + sum (Q M + r~ Q F) over what link k carries: hexapod (22), spatial (18)."""
    F: list[Any] = [np.zeros(3) for _ in parents]
    M: list[Any] = [np.zeros(3) for _ in parents]
    for i in reversed(range(len(parents))):
        F[i], M[i] = F[i] + F0[i], M[i] + M0[i]
        parent = parents[i]
        if parent >= 0:
            turned = Q[i] @ F[i]
            F[parent] = F[parent] + turned
            M[parent] = M[parent] + Q[i] @ M[i] + cross(r[i], turned)
    return F, M


def joint_efforts(leg: LegPose, found: LinkRecursion) -> list[Any]:
    """Component of M_k (of F_k for a slide) along each joint's axis; all of M_k where the rod does not spin."""
    free = leg.unspun_link()
    efforts: list[Any] = []
    for i, joint in enumerate(leg.leg.joints):
        if i == free:
            efforts.append(found.M[i])
        else:
            efforts.append(dot(array(joint.axis), found.F[i] if joint.kind == "P" else found.M[i]))
    return efforts


def virtual_rates(leg: LegPose, v: Vector, w: Vector) -> list[Any]:
    """Relative velocities of all joints for a virtual platform twist (v, w), in the places of `joint_efforts`."""
    rates = leg.rates(v, w)
    free = leg.unspun_link()
    if free < 0:
        return rates
    twists = leg.twists(v, w)
    parent = leg.leg.joints[free].parent
    w_parent = twists[parent].w if parent >= 0 else np.zeros(3)
    return [leg.links[i].R.T @ (twists[i].w - w_parent) if i == free else rate for i, rate in enumerate(rates)]
