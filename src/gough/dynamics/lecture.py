"""The terms of the natural orthogonal complement by the names of the lecture: T, L_J, M, N, Lambda.

M(q) qdd + N(q, qd) qd = tau_W + tau_G + Lambda phi, with t = T qd for the platform and theta_d = L_J qd for leg J. The
lecture orders a twist [w; v]; rows of T are here [v; w], as everywhere in gough.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.model import Model
from gough.dynamics.orthogonal_complement import OrthogonalComplement, leg_complement
from gough.graph import array, factor, record, solve
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Robot
from gough.run import Program


@dataclass(frozen=True)
class LectureTerms:
    """The lecture's terms for N samples, or for one without the leading axis; NaN where there is no solution.

    Attributes:
        T: (N, 6, actuators) platform twist [v; w] at the origin of P, base axes, per actuator rate.
        L: By leg, (N, joints, actuators) joint rates per actuator rate.
        M, N: (N, actuators, actuators); Md - 2 N is skew.
        tau_G: (N, actuators) efforts of gravity.
        Lambda: (N, actuators, actuators) columns L_J^T e_Jk: the identity.
    """

    T: Any
    L: dict[str, Any]
    M: Any
    N: Any
    tau_G: Any
    Lambda: Any


def lecture_terms(robot: Robot, x: Any, xd: Any) -> LectureTerms:
    """T, L_J, M, N, tau_G and Lambda at platform coordinates x (n,) or (N, n) and their rates xd."""
    raw = lecture_program(robot)(x=x, xd=xd)
    L = {leg.name: raw.pop(f"L {k}") for k, leg in enumerate(robot.legs)}
    return LectureTerms(L=L, **raw)


def platform_complement(pose: RobotPose) -> Any:
    """(6, actuators) T: twist [v; w] of the platform per actuator rate."""
    virtual = solve(factor(pose.jacobian()), np.eye(len(pose.x)))
    columns = [np.concatenate(pose.platform.twist(virtual[:, k])) for k in range(len(pose.x))]
    return np.stack(columns, axis=1)


@lru_cache(maxsize=16)
def lecture_program(robot: Robot) -> Program:
    """The program of the lecture's terms from x and xd."""
    formulation = OrthogonalComplement()
    model = Model(robot, formulation)
    n = len(robot.platform.coordinates)

    def equations(x: Any, xd: Any) -> dict[str, Any]:
        motion = model.motion(x, xd, np.zeros(n))
        found = formulation.matrices(motion, array(robot.gravity))
        L = [leg_complement(motion.pose, k) for k in range(len(robot.legs))]
        driven = [L[k][i] for k, leg in enumerate(robot.legs) for i, joint in enumerate(leg.joints) if joint.actuated]
        return {
            "T": platform_complement(motion.pose),
            **{f"L {k}": value for k, value in enumerate(L)},
            "M": found.M,
            "N": found.C,
            "tau_G": -found.G,
            "Lambda": np.stack(driven, axis=1),
        }

    return Program(record(equations, x=n, xd=n))
