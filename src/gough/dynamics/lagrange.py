"""Lagrange's equations from the kinetic and potential energy: the yardstick of Lopes2009.

M comes from the kinetic energy T = xd^T M xd / 2. Then M xdd + V xd + G with, for U_ij = sum_k xd_k dM_kj/dx_i, either
V = Md - U/2, as Lagrange's equations give it, or Koditschek's V = (Md + U^T - U)/2, which makes Md - 2 V skew. V xd is
the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gough.dynamics.distribution import Demand
from gough.dynamics.generalized_forces import base_velocities, loaded, resisted, slope
from gough.dynamics.matrices import Matrices, SolvedFor
from gough.dynamics.record_coordinates import differentiates_by_x
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Scalar, Vector, array, dot, gradient, jacobian, jvp
from gough.kinematics.bodies import BodyPose, body_poses, body_velocities, owned
from gough.kinematics.robot_pose import RobotPose


@dataclass(frozen=True, slots=True)
class Lagrange:
    """The Lagrange formulation; `koditschek` chooses the form of V."""

    koditschek: bool = False
    solved_for: ClassVar[SolvedFor] = SolvedFor.COORDINATES
    matrix_coordinates: ClassVar[str | None] = "platform"
    yardstick: ClassVar[bool] = True
    accounts_for: ClassVar[frozenset[str]] = frozenset({"base", "friction", "springs"})

    @property
    def name(self) -> str:
        """ "lagrange" or "koditschek"."""
        return "koditschek" if self.koditschek else "lagrange"

    @differentiates_by_x
    def demand(self, motion: RobotMotion, gravity: Vector, wrench: Vector, bodies: set[str] | None = None) -> Demand:
        """What the motion asks of the actuators: see `Formulation`."""
        m = self._matrices(motion, gravity, bodies)
        Q = m.M @ array(motion.rate_d) + m.C @ array(motion.rate) + m.G
        return loaded(motion, Q + base_force(motion, bodies), wrench, bodies)

    def mass_matrix(self, pose: RobotPose) -> Vector:
        """(n, n) from the kinetic energy, on the platform's rates."""
        counted = body_poses(pose)
        return mass_matrix(pose, counted)

    @differentiates_by_x
    def bias(self, motion: RobotMotion, gravity: Vector, wrench: Vector) -> Vector:
        """(n,) V xd + G, with the wrench and passive friction."""
        m = self._matrices(motion, gravity, None)
        return resisted(motion, m.C @ array(motion.rate) + m.G + base_force(motion, None), wrench)

    @differentiates_by_x
    def matrices(self, motion: RobotMotion, gravity: Vector) -> Matrices:
        """M, V and G in platform coordinates."""
        return self._matrices(motion, gravity, None)

    def _matrices(self, motion: RobotMotion, gravity: Vector, bodies: set[str] | None) -> Matrices:
        pose, n = motion.pose, len(motion.rate)
        counted = body_poses(pose, bodies)
        M = mass_matrix(pose, counted)
        Md = jvp(M, pose.x, motion.rate)
        slopes = jacobian(M, pose.x, "forward")
        U = array([[dot(array(motion.rate), slopes[:, j, i]) for j in range(n)] for i in range(n)])
        V = (Md + U.T - U) * 0.5 if self.koditschek else Md - U * 0.5
        return Matrices(M, V, slope(pose, counted, gravity, springs=bodies is None))


def base_force(motion: RobotMotion, bodies: set[str] | None) -> Vector:
    """(n,) what a base that turns adds, from the kinetic energy's parts that are linear in xd and free of it.

    With T = xd^T M xd / 2 + b(x, w).xd + T0(x, w): d/dt b - d(b.xd + T0)/dx, where b is linear in w.
    """
    pose, base = motion.pose, motion.base
    if base is None:
        return np.zeros(len(motion.rate))
    counted = body_poses(pose, bodies)
    columns = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
    turning, faster = base_velocities(counted, base.w), base_velocities(counted, base.wd)
    b = array([twice_energy(counted, column, turning) for column in columns])
    rate = jvp(b, pose.x, motion.rate) + array([twice_energy(counted, column, faster) for column in columns])
    still = twice_energy(counted, turning, turning) * 0.5
    return rate - gradient(dot(b, array(motion.rate)) + still, pose.x)


def mass_matrix(pose: RobotPose, counted: list[BodyPose]) -> Vector:
    """(n, n) M of the kinetic energy of these bodies, on the platform's rates."""
    n = pose.platform.dof
    columns = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
    M = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(i + 1):
            M[i, j] = M[j, i] = twice_energy(counted, columns[i], columns[j])
    return M


def twice_energy(counted: list[BodyPose], first: Vector, second: Vector) -> Scalar:
    """The kinetic energy's bilinear form: sum of m v1.v2 + w1.I w2."""
    return sum(
        (
            dot(v1, v2) * b.body.mass + dot(w1, b.spin_momentum(w2))
            for b, (v1, w1), (v2, w2) in zip(owned(counted), first, second, strict=True)
        ),
        0.0,
    )
