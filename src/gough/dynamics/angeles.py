"""The terms of the natural orthogonal complement by the names of the lecture: J_J, I_J, C_J, T, L_J, M, N, Lambda.

M(q) qdd + N(q, qd) qd = tau_W + tau_G + Lambda phi, with t = T qd for the platform and theta_d = L_J qd for leg J. The
lecture orders a twist [w; v]; rows of T are here [v; w], as everywhere in gough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.dynamics_matrices import check_exists
from gough.dynamics.force_programs import Model
from gough.dynamics.orthogonal_complement import OrthogonalComplement, leg_complement
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Vector, array, cross, dot, factor, record, solve
from gough.kinematics.body_motion import link_motions
from gough.kinematics.closure.closed_form import main_chain
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.closure.sru import SruForm
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.sampled_call import check_robot, judged
from gough.motion import State, StateLike
from gough.robot import Leg, Mechanism, Robot, by_mechanism
from gough.run import Program
from gough.table import Result, column

KNEE = 3
"""Place of the driven joint in the legs of the lecture's example."""


def leg_jacobian(leg: LegPose, p_BP: Vector) -> Vector:
    """J_J by the leg's joint rates, a column per joint.

    (6, joints) twist [v; w] of the platform at the origin of P; (3, joints) velocity of the leg's end for a leg that
    ends in a spherical joint, beyond which its joints say nothing of the platform.
    """
    carrying = main_chain(leg.leg)
    spherical = leg.leg.end.kind == "spherical"
    at = p_BP + leg.r_end if spherical else p_BP
    columns = []
    for k, joint in enumerate(leg.leg.joints):
        link = leg.links[k]
        v, w = (link.e, np.zeros(3)) if joint.kind == "P" else (cross(link.e, at - link.p), link.e)
        column = v if spherical else np.concatenate([v, w])
        columns.append(array(column) if k in carrying else np.zeros(len(column)))
    return np.stack(columns, axis=1)


def leg_inertia(motion: RobotMotion, number: int) -> tuple[Any, Any]:
    """I_J and C_J (joints, joints) = sum T^T M T, sum T^T (M Td + W M T) over the leg's bodies; Id - 2 C is skew."""
    leg = motion.pose.legs[number]
    joints = leg.leg.joints
    twists, _ = link_motions(leg, motion.twist, motion.twist_rate)
    ancestors = _ancestors(leg.leg)
    inertia: Any = np.zeros((len(joints), len(joints)))
    coriolis: Any = np.zeros((len(joints), len(joints)))
    for b, joint in enumerate(joints):
        if joint.body.is_massless:
            continue
        R, w = leg.links[b].R, twists[b].w
        arm = R @ array(joint.body.com)
        c, v_c = leg.links[b].p + arm, twists[b].v + cross(w, arm)
        V, W, Vd, Wd = (np.zeros((3, len(joints)), dtype=object) for _ in range(4))
        for k in ancestors[b]:
            # an axis is fixed in the link that carries it
            e, carrier = leg.links[k].e, joints[k].parent
            e_d = cross(twists[carrier].w, e) if carrier >= 0 else np.zeros(3)
            if joints[k].kind == "P":
                V[:, k], Vd[:, k] = e, e_d
            else:
                r, r_d = c - leg.links[k].p, v_c - twists[k].v
                V[:, k], Vd[:, k] = cross(e, r), cross(e_d, r) + cross(e, r_d)
                W[:, k], Wd[:, k] = e, e_d
        axis = leg.unspun_axis(b)
        if axis is not None:
            W, Wd = _without_spin(W, Wd, axis, w)
        J = R @ joint.body.tensor @ R.T
        turned = np.stack([cross(w, (J @ W)[:, k]) for k in range(len(joints))], axis=1)
        inertia = inertia + (V.T @ V) * joint.body.mass + W.T @ (J @ W)
        coriolis = coriolis + (V.T @ Vd) * joint.body.mass + W.T @ (J @ Wd + turned)
    return array(inertia), array(coriolis)


def _without_spin(W: Vector, Wd: Vector, n: Vector, w: Vector) -> tuple[Any, Any]:
    """Columns of angular velocities without their parts along n, and the rates of what is left; n turns with w."""
    n_d = cross(w, n)
    along, along_d = n @ W, n_d @ W + n @ Wd
    return W - np.outer(n, along), Wd - np.outer(n_d, along) - np.outer(n, along_d)


def _ancestors(leg: Leg) -> list[list[int]]:
    """For each link the joints that move it, its own first."""
    found: list[list[int]] = []
    for k, joint in enumerate(leg.joints):
        found.append([k] + (found[joint.parent] if joint.parent >= 0 else []))
    return found


def has_twist_relation(robot: Mechanism) -> bool:
    """Whether all legs are those of the lecture's example: three axes through a point, and the knee alone driven."""
    return all(
        closure_name(leg) == SruForm.name and [joint.actuated for joint in leg.joints] == [k == KNEE for k in range(6)]
        for leg in robot.legs
    )


def twist_relation(leg: LegPose, p_BP: Vector) -> tuple[Any, Any, Any]:
    """u_J (3,), zeta_J and y_J (6,) with zeta_J qd_J = y_J^T t_M, y_J by the twist [v; w].

    u = [e5 x (r5 - r1)] x [e6 x (r6 - r1)], zeta = u.(e4 x (r4 - r1)), y = [u; -r1 x u]; r_k from joint k to the origin
    of P.
    """
    e = [link.e for link in leg.links]
    r = [p_BP - link.p for link in leg.links]
    u = cross(cross(e[4], r[4] - r[0]), cross(e[5], r[5] - r[0]))
    zeta = dot(u, cross(e[KNEE], r[KNEE] - r[0]))
    return u, zeta, np.concatenate([u, -cross(r[0], u)])


class AngelesTerms(Result):
    """The lecture's terms for N samples, or for one without the leading axis; NaN where there is no solution.

    Attributes:
        T: (N, 6, actuators) platform twist [v; w] at the origin of P, base axes, per actuator rate.
        L: By leg, (N, joints, actuators) joint rates per actuator rate.
        M, N: (N, actuators, actuators); Md - 2 N is skew.
        tau_G: (N, actuators) efforts of gravity.
        Lambda: (N, actuators, actuators) columns L_J^T e_Jk: the identity.
        J: By leg, (N, 6, joints) platform twist [v; w] by the leg's joint rates: J_J theta_d = t_M. For a leg that ends
            in a spherical joint (N, 3, joints), the velocity of its end.
        I, C: By leg, (N, joints, joints) of the leg as a serial manipulator, without gravity: Id - 2 C is skew. The
            legs' part of M is the sum of L^T I L, of N the sum of L^T (I Ld + C L).
        u, zeta: (N, legs, 3), (N, legs) of the lecture's example; None for legs of another kind.
        Y, Z: (N, legs, 6), (N, legs, legs) with Z qd = Y t_M, Y by [v; w], Z = diag(zeta): T = Y^-1 Z. None likewise.
    """

    T: Array = column("counted counted")
    L: dict[str, Any] = column("counted counted")
    M: Array = column("counted counted")
    N: Array = column("counted counted")
    tau_G: Array = column("counted")
    Lambda: Array = column("counted counted")
    J: dict[str, Any] = column("counted counted")
    I: dict[str, Any] = column("counted counted")
    C: dict[str, Any] = column("counted counted")
    u: Array | None = column("counted counted", default=None)
    zeta: Array | None = column("counted", default=None)
    Y: Array | None = column("counted counted", default=None)
    Z: Array | None = column("counted counted", default=None)

    COLUMNS = ("T", "M", "N", "tau_G", "Lambda", "u", "zeta", "Y", "Z", "L", "J", "I", "C")
    LAYOUT = "arrays"


def angeles_terms(robot: Robot, state: StateLike) -> AngelesTerms:
    """All terms at a state, of which x and xd count.

    Raises:
        PoseError: A single pose has no solution.
        InputError: Wrong shapes, numbers that are not finite; more actuators than coordinates.
    """
    check_robot(robot)
    check_exists(robot, OrthogonalComplement(), "actuator")
    given = State.of(robot, state).without_base("angeles_terms").inputs(robot, "x", "xd")
    values, _ = judged(robot, angeles_program(robot), given)
    by_leg: dict[str, Any] = {
        name: {leg.name: values.pop(f"{name} {k}") for k, leg in enumerate(robot.legs)} for name in ("L", "J", "I", "C")
    }
    return AngelesTerms(**by_leg, **values)


def platform_complement(pose: RobotPose) -> Vector:
    """(6, actuators) T: twist [v; w] of the platform per actuator rate."""
    virtual = solve(factor(pose.jacobian()), np.eye(len(pose.x)))
    columns = [np.concatenate(pose.platform.twist(virtual[:, k])) for k in range(len(pose.x))]
    return np.stack(columns, axis=1)


def example_terms(pose: RobotPose) -> dict[str, Any]:
    """u, zeta, Y and Z of a robot on the legs of the lecture's example."""
    found = [twist_relation(leg, pose.platform.p_BP) for leg in pose.legs]
    u, zeta, y = (np.stack([array(row) for row in rows]) for rows in zip(*found, strict=True))
    return {"u": u, "zeta": zeta, "Y": y, "Z": np.diag(zeta)}


@by_mechanism(16)
def angeles_program(robot: Mechanism) -> Program:
    """The program of the lecture's terms from x and xd."""
    formulation = OrthogonalComplement()
    model = Model(robot, formulation)
    n = robot.dof

    def equations(x: Vector, xd: Vector) -> dict[str, Any]:
        motion = model.motion(x, xd, np.zeros(n))
        found = formulation.matrices(motion, array(robot.gravity))
        pose, p_BP = motion.pose, motion.pose.platform.p_BP
        L = [leg_complement(pose, k) for k in range(len(robot.legs))]
        inertias = [leg_inertia(motion, k) for k in range(len(robot.legs))]
        driven = [L[k][i] for k, leg in enumerate(robot.legs) for i, joint in enumerate(leg.joints) if joint.actuated]
        return {
            "T": platform_complement(pose),
            **{f"L {k}": value for k, value in enumerate(L)},
            **{f"J {k}": leg_jacobian(leg, p_BP) for k, leg in enumerate(pose.legs)},
            **{f"I {k}": I for k, (I, _) in enumerate(inertias)},
            **{f"C {k}": C for k, (_, C) in enumerate(inertias)},
            "M": found.M,
            "N": found.C,
            "tau_G": -found.G,
            "Lambda": np.stack(driven, axis=1),
            **(example_terms(pose) if has_twist_relation(robot) else {}),
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
        }

    return Program(record(equations, x=n, xd=n))
