"""Virtual work by recursion over the links (Sinatra, Xi, Staicu; Staicu, Li, Liu, Wang, Wang).

Going from the tip of each chain to the base, in the frames of the links, F_k and M_k gather the inertia forces and
weights of a link and of all it carries. For each actuator one virtual motion is taken: that actuator moves with unit
speed and the others stand. The work of F_k, M_k on the virtual rates of all joints, mimics included, and that of the
platform's own F and M on its virtual velocity, is the actuator's effort.

| papers | here | meaning |
|---|---|---|
| a_k,k-1 | transpose of `Q` | rotation from link k-1 to link k |
| omega_k0, eps_k0, gamma_k0 | w, e, a | angular rates, and acceleration of the joint less gravity, link frame |
| F_k0, M_k0 (hexapod (19), (20), (23); spatial (18)) | `F0`, `M0` | reversed inertia force and moment about the joint |
| F_k, M_k (hexapod (22); spatial (18)) | `F`, `M` | the same with all the link carries |
| omega^v, v^v | `rates` | virtual joint rates |

The hexapod's (20) prints the mass outside the brace: the inertia tensor is read as it stands, about the joint.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.rods import transverse_inertia
from gough.dynamics.state import RobotMotion
from gough.graph import array, cross, dot, factor, label, solve
from gough.kinematics.bodies import inertia_tensor, is_massless
from gough.kinematics.leg import LegPose
from gough.kinematics.rod_motion import distance, rod_motion, rod_velocity
from gough.kinematics.spatial import point_velocity
from gough.robot import Body


class VirtualWork:
    """The formulation."""

    name = "virtual_work"

    def effort(self, motion: RobotMotion, gravity: Any, wrench: Any, bodies: set[str] | None = None) -> Any:
        """(actuators,) mechanical efforts; see `Formulation`."""
        pose = motion.pose
        n = len(motion.xd)
        f, m = self._platform(motion, gravity, bodies)
        if wrench is not None:
            f, m = f - array(wrench[0]), m - array(wrench[1])
        legs = [self._leg(motion, k, gravity, bodies) for k in range(len(pose.legs))]
        virtual = solve(factor(pose.jacobian()), np.eye(n))
        efforts = []
        for k in range(n):
            v, w = pose.platform.twist(virtual[:, k])
            with label("platform"):
                work = dot(f, v) + dot(m, w)
            for number, leg in enumerate(legs):
                with label(pose.legs[number].owner):
                    work = work + leg(v, w)
            efforts.append(work)
        return array(efforts)

    def _platform(self, motion: RobotMotion, gravity: Any, bodies: set[str] | None) -> tuple[Any, Any]:
        """Force and moment about the origin of P, from the platform's own frame."""
        body, R = motion.pose.robot.platform.body, motion.pose.platform.R_BP
        if is_massless(body) or not (bodies is None or body.name in bodies):
            return np.zeros(3), np.zeros(3)
        with label("platform"):
            w, e = R.T @ motion.twist.w, R.T @ motion.twist_rate.wd
            F0, M0 = link_forces(body, w, e, R.T @ (motion.twist_rate.a - gravity))
            return R @ F0, R @ M0

    def _leg(self, motion: RobotMotion, k: int, gravity: Any, bodies: set[str] | None) -> Any:
        """Work of a leg's forces as a function of the platform's virtual twist."""
        leg = motion.pose.legs[k]
        with label(leg.owner):
            counted = [
                i
                for i, j in enumerate(leg.leg.joints)
                if not is_massless(j.body) and (bodies is None or j.body.name in bodies)
            ]
            if leg.spinless and leg.closure.rod is not None:
                return _rod_work(motion, k, gravity, counted)
            needed = chain_efforts(motion, k, gravity, counted)
            if bodies is None:
                for i, joint in enumerate(leg.leg.joints):
                    if not joint.actuated and not (isinstance(joint.viscous, float) and joint.viscous == 0.0):
                        needed[i] = needed[i] + motion.leg_rates[k][i] * joint.viscous

        def work(v: Any, w: Any) -> Any:
            return sum((rate * effort for rate, effort in zip(leg.rates(v, w), needed, strict=True)), 0.0)

        return work


def link_forces(body: Body, w: Any, e: Any, a: Any) -> tuple[Any, Any]:
    """(F0, M0) about a link's joint, in its frame: m (a + (e~ + w~ w~) r), m r~ a + J e + w~ J w, J about the joint.

    Sinatra, Xi, Staicu (19), (20) read as the power balance demands, reversed in sign.
    """
    r = array(body.com)
    F0 = (a + cross(e, r) + cross(w, cross(w, r))) * body.mass
    J = inertia_tensor(body) + (np.eye(3) * dot(r, r) - np.outer(r, r)) * body.mass
    return F0, cross(r, a) * body.mass + J @ e + cross(w, J @ w)


def chain_efforts(motion: RobotMotion, k: int, gravity: Any, counted: list[int]) -> list[Any]:
    """Component of M_k (of F_k for a slide) along each joint's axis, by recursion in the link frames."""
    leg = motion.pose.legs[k]
    joints, rates, second = leg.leg.joints, motion.leg_rates[k], motion.leg_accelerations[k]
    Q: list[Any] = []
    r: list[Any] = []
    axis: list[Any] = []
    w: list[Any] = []
    e: list[Any] = []
    a: list[Any] = []
    for i, joint in enumerate(joints):
        R_parent = leg.links[joint.parent].R if joint.parent >= 0 else array(leg.leg.rotation)
        p_parent = leg.links[joint.parent].p if joint.parent >= 0 else array(leg.leg.position)
        Q.append(R_parent.T @ leg.links[i].R)
        r.append(R_parent.T @ (leg.links[i].p - p_parent))
        axis.append(array(joint.axis))
        w0, e0 = (w[joint.parent], e[joint.parent]) if joint.parent >= 0 else (np.zeros(3), np.zeros(3))
        a0 = a[joint.parent] if joint.parent >= 0 else array(leg.leg.rotation).T @ -array(gravity)
        turned, spun = Q[i].T @ w0, Q[i].T @ e0
        base = Q[i].T @ (a0 + cross(e0, r[i]) + cross(w0, cross(w0, r[i])))
        if joint.kind == "P":
            w.append(turned)
            e.append(spun)
            a.append(base + axis[i] * second[i] + cross(turned, axis[i]) * (2.0 * rates[i]))
        else:
            w.append(turned + axis[i] * rates[i])
            e.append(spun + axis[i] * second[i] + cross(turned, axis[i]) * rates[i])
            a.append(base)
    return _gathered(leg, Q, r, axis, {i: link_forces(joints[i].body, w[i], e[i], a[i]) for i in counted})


def _gathered(leg: LegPose, Q: Any, r: Any, axis: Any, own: dict[int, tuple[Any, Any]]) -> list[Any]:
    """F_k = F_k0 + sum Q F, M_k = M_k0 + sum (Q M + r~ Q F) over what link k carries; then along the axes."""
    joints = leg.leg.joints
    F: list[Any] = [np.zeros(3) for _ in joints]
    M: list[Any] = [np.zeros(3) for _ in joints]
    efforts: list[Any] = [0.0] * len(joints)
    for i in reversed(range(len(joints))):
        if i in own:
            F[i], M[i] = F[i] + own[i][0], M[i] + own[i][1]
        efforts[i] = dot(axis[i], F[i] if joints[i].kind == "P" else M[i])
        parent = joints[i].parent
        if parent >= 0:
            turned = Q[i] @ F[i]
            F[parent] = F[parent] + turned
            M[parent] = M[parent] + Q[i] @ M[i] + cross(r[i], turned)
    return efforts


def _rod_work(motion: RobotMotion, k: int, gravity: Any, counted: list[int]) -> Any:
    """Work of a leg that does not spin, on the virtual rates of its direction and of what drives it."""
    leg = motion.pose.legs[k]
    rod = leg.closure.rod
    assert rod is not None
    a_end = motion.end_acceleration(k)
    moves = rod_motion(leg, rod, motion.end_velocity(k), a_end)
    at_end: Any = np.zeros(3)
    at_first: Any = np.zeros(3)
    turning: Any = np.zeros(3)
    own: Any = 0.0
    for i in counted:
        body = leg.leg.joints[i].body
        if i == rod.carrier:
            own = _carrier_effort(leg, i, gravity, moves.qd, moves.qdd)
        elif i not in rod.at:
            at_first = at_first + (moves.a_first - gravity) * body.mass
        else:
            from_end, s = distance(leg, rod, i, body.com)
            force = ((a_end if from_end else moves.a_first) + moves.ndd * s - gravity) * body.mass
            turning = turning + force * s + moves.ndd * transverse_inertia(body, rod.u[i])
            at_end, at_first = (at_end + force, at_first) if from_end else (at_end, at_first + force)

    def work(v: Any, w: Any) -> Any:
        v_end = point_velocity(v, w, leg.r_end)
        virtual = rod_velocity(leg, rod, v_end)
        total = dot(turning, virtual.nd) + dot(at_end, v_end) + dot(at_first, virtual.v_first)
        return total if rod.carrier < 0 else total + own * virtual.qd

    return work


def _carrier_effort(leg: LegPose, i: int, gravity: Any, qd: Any, qdd: Any) -> Any:
    """Effort of a slider or crank on its own, from its link's frame."""
    joint, R = leg.leg.joints[i], leg.links[i].R
    axis = array(joint.axis)
    still = -(R.T @ array(gravity))
    if joint.kind == "P":
        F0, _ = link_forces(joint.body, np.zeros(3), np.zeros(3), still + axis * qdd)
        return dot(axis, F0)
    _, M0 = link_forces(joint.body, axis * qd, axis * qdd, still)
    return dot(axis, M0)
