"""Natural orthogonal complement (Angeles' lecture): twists of all bodies as T qd, in actuator coordinates.

With t = T qd the stacked twists, the constraint wrenches do no work and drop out of T^T (M td + W M t) = T^T w. What is
left is M(q) qdd + N(q, qd) qd = tau_W + tau_G + phi.

| lecture | here | meaning |
|---|---|---|
| t_i = [w; cd] | (v, w) of `body_velocities` | twist of a body at its centre of mass; we write v first |
| T | columns of `complement` | twists per unit actuator rate; `demand` takes them per unit rate of the platform |
| M_i = diag(I, m 1), W_i = diag(w~, 0) | `momentum_rate` | M td + W M t of a body |
| L_J | `leg_complement` | joint rates of leg J per unit actuator rate |
| Lambda | identity | L_J^T e_Jk: row k of L_J is the unit row of its own actuator |
| tau_W, tau_G | `wrench_effort`, weight | external wrench and gravity, which the lecture leaves out |

Misprints: the sign of C_J theta_d after (***), the missing transposes in N and Lambda.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gough.dynamics.distribution import Demand
from gough.dynamics.matrices import Matrices, SolvedFor
from gough.dynamics.moving_base import on_moving_base
from gough.dynamics.record_coordinates import differentiates_by_x
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import spring_force
from gough.graph import Vector, array, cross, dot, factor, jvp, label, solve, solve_transposed
from gough.kinematics.bodies import BodyPose, body_accelerations, body_poses, body_velocities, owned, power
from gough.kinematics.robot_pose import RobotPose


@dataclass(frozen=True, slots=True)
class OrthogonalComplement:
    """The formulation by the natural orthogonal complement (Angeles)."""

    name: ClassVar[str] = "orthogonal_complement"
    solved_for: ClassVar[SolvedFor] = SolvedFor.ACTUATORS
    matrix_coordinates: ClassVar[str | None] = "actuator"
    yardstick: ClassVar[bool] = False
    accounts_for: ClassVar[frozenset[str]] = frozenset({"base", "friction", "springs"})

    def demand(self, motion: RobotMotion, gravity: Vector, wrench: Vector, bodies: set[str] | None = None) -> Demand:
        """What the motion asks of the actuators: see `Formulation`. The complement is taken on the platform's rates."""
        pose = motion.pose
        counted = body_poses(pose, bodies)
        t, r = motion.twist, motion.twist_rate
        twists = body_velocities(pose, counted, t.v, t.w)
        rates = body_accelerations(pose, counted, (t.v, t.w), (r.a, r.wd))
        if motion.base is not None:
            twists, rates = on_moving_base(motion.base, counted, twists, rates)
        moving = zip(owned(counted), twists, rates, strict=True)
        needed = [momentum_rate(b, w, a - gravity, wd) for b, (_, w), (a, wd) in moving]
        T = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
        Q = array([power(counted, column, needed) for column in T])
        if wrench is not None:
            Q = Q - wrench_force(pose, wrench)
        if bodies is None:
            Q = Q + friction_force(motion) - spring_force(pose)
        K = pose.jacobian()
        return Demand(K, Q, np.zeros(len(K)))

    def actuator_mass_matrix(self, pose: RobotPose, factor_K: Vector) -> Vector:
        """(actuators, actuators) M = sum T^T M T, given the factorised Jacobian of the pose's rates."""
        counted = body_poses(pose)
        T = complement(pose, counted, factor_K)
        MT = [masses_times(counted, column) for column in T]
        return array([[power(counted, row, column) for column in MT] for row in T])

    def mass_matrix(self, pose: RobotPose) -> Vector:
        """(n, n) M = sum T^T M T on the platform's rates, for robots with more actuators than coordinates."""
        counted = body_poses(pose)
        T = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
        MT = [masses_times(counted, column) for column in T]
        return array([[power(counted, row, column) for column in MT] for row in T])

    def bias(self, motion: RobotMotion, gravity: Vector, wrench: Vector) -> Vector:
        """(n,) force on the platform's rates that rates, weight, wrench and passive friction take."""
        return self.demand(motion.without_acceleration(), gravity, wrench).Q

    @differentiates_by_x
    def matrices(self, motion: RobotMotion, gravity: Vector) -> Matrices:
        """M, N and G in actuator coordinates: N = T^T (M Td + W M T), which makes Md - 2 N skew."""
        pose = motion.pose
        counted = body_poses(pose)
        f = factor(pose.jacobian())
        T = complement(pose, counted, f)
        Td = [[(jvp(v, pose.x, motion.rate), jvp(w, pose.x, motion.rate)) for v, w in column] for column in T]
        now = [w for _, w in body_velocities(pose, counted, motion.twist.v, motion.twist.w)]
        MT = [masses_times(counted, column) for column in T]
        MTd = [masses_times(counted, column) for column in Td]
        turned = [
            [(p, h + cross(w, H)) for _, (p, h), (_, H), w in zip(owned(counted), a, b, now, strict=True)]
            for a, b in zip(MTd, MT, strict=True)
        ]
        weights = [(array(gravity) * -b.body.mass, np.zeros(3)) for b in counted]
        M = array([[power(counted, row, column) for column in MT] for row in T])
        N = array([[power(counted, row, column) for column in turned] for row in T])
        G = array([power(counted, row, weights) for row in T])
        if pose.robot.has_springs:
            G = G - solve_transposed(f, spring_force(pose))
        return Matrices(M, N, G)


def momentum_rate(b: BodyPose, w: Vector, a: Vector, wd: Vector) -> tuple[Any, Any]:
    """M td + W M t of a body: mass times acceleration, and I wd + w x I w."""
    gyroscopic = np.zeros(3) if b.transverse is not None else cross(w, b.spin_momentum(w))
    return a * b.body.mass, b.spin_momentum(wd) + gyroscopic


def masses_times(counted: list[BodyPose], twists: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """M t of each body: mass times velocity, and I w."""
    return [(v * b.body.mass, b.spin_momentum(w)) for b, (v, w) in zip(owned(counted), twists, strict=True)]


def complement(pose: RobotPose, counted: list[BodyPose], f: Vector) -> list[list[tuple[Any, Any]]]:
    """T: for each actuator the twists (v, w) of all bodies when it moves with unit rate and the others stand."""
    virtual = solve(f, np.eye(pose.platform.dof))
    return [body_velocities(pose, counted, *pose.platform.twist(virtual[:, k])) for k in range(pose.platform.dof)]


def wrench_force(pose: RobotPose, wrench: tuple[Any, Any]) -> Vector:
    """(n,) T^T w of a force and moment on the platform at the origin of P."""
    force, moment = (array(part) for part in wrench)
    with label("platform"):
        return array([dot(v, force) + dot(w, moment) for v, w in pose.platform.columns])


def friction_force(motion: RobotMotion) -> Vector:
    """(n,) against viscous friction in the passive joints: L_J^T (c theta_d), summed over the legs."""
    pose = motion.pose
    total: Any = np.zeros(pose.platform.dof)
    for number, leg in enumerate(pose.legs):
        resisted = [
            (k, joint.viscous * motion.leg_rates[number][k])
            for k, joint in enumerate(leg.leg.joints)
            if joint.is_passive_viscous
        ]
        if resisted:
            with label(leg.owner):
                L = [leg.rates(v, w) for v, w in pose.platform.columns]
                total = total + array([sum(rates[k] * effort for k, effort in resisted) for rates in L])
    return total


def leg_complement(pose: RobotPose, leg: int) -> Vector:
    """(joints, actuators) L_J: joint rates of a leg per unit actuator rate."""
    n = pose.platform.dof
    virtual = solve(factor(pose.jacobian()), np.eye(n))
    columns = [pose.legs[leg].rates(*pose.platform.twist(virtual[:, k])) for k in range(n)]
    return array(columns).T
