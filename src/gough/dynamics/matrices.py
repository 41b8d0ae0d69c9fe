"""The model in matrices: M xdd + C xd + G = generalised force, in platform or in actuator coordinates.

With q' = K x': M_q = K^-T M K^-1, C_q = K^-T (C - M K^-1 Kd) K^-1, G_q = K^-T G, undefined where K is singular; and
back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from gough.graph import Vector, factor, jvp, solve, solve_transposed
from gough.kinematics.robot_pose import RobotPose


class SolvedFor(Enum):
    """The unknowns of M times acceleration = force - bias."""

    FREE_RATES = "free rates"
    """Accelerations of the platform; the equations hold on any of its rates, also the free ones."""

    COORDINATES = "coordinates"
    """Accelerations of the platform; the bias differentiates by x and needs the rates of the coordinates."""

    ACTUATORS = "actuators"
    """Accelerations of the actuators."""

    NOTHING = "nothing"
    """No forward dynamics."""


@dataclass(frozen=True, slots=True)
class Matrices:
    """M (n, n), C (n, n) and G (n,). C is not unique; C xd is."""

    M: Vector
    C: Vector
    G: Vector


def in_actuator_coordinates(pose: RobotPose, matrices: Matrices, xd: Vector) -> Matrices:
    """From platform to actuator coordinates."""
    K = pose.jacobian()
    f = factor(K)
    K_inverse = solve(f, np.eye(len(xd)))
    Kd = jvp(K, pose.x, xd)
    M = solve_transposed(f, matrices.M @ K_inverse)
    C = solve_transposed(f, (matrices.C - matrices.M @ K_inverse @ Kd) @ K_inverse)
    return Matrices(M, C, solve_transposed(f, matrices.G))


def in_platform_coordinates(pose: RobotPose, matrices: Matrices, xd: Vector) -> Matrices:
    """From actuator to platform coordinates."""
    K = pose.jacobian()
    Kd = jvp(K, pose.x, xd)
    return Matrices(
        K.T @ matrices.M @ K, K.T @ (matrices.C @ K + matrices.M @ Kd), K.T @ np.asarray(matrices.G, dtype=object)
    )
