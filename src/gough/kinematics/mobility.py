"""How many motions legs leave the platform.

Mobility is the nullity of the closure Jacobian J_leg thetad - A twist = 0 over all legs, for a platform that is free in
space.
"""

from __future__ import annotations

import numpy as np

from gough.graph import Array
from gough.kinematics.closure.newton import leg_jacobian
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism

_RANK = 1e-7


def closure_jacobian(pose: RobotPose, length: float) -> Array:
    """(equations, 6 + joints) rows J_leg thetad - A twist = 0, lengths in units of `length`."""
    blocks = [_leg_rows(pose.platform, leg, length) for leg in pose.legs]
    equations = sum(J.shape[0] for J, _ in blocks)
    joints = sum(J.shape[1] for J, _ in blocks)
    full = np.zeros((equations, 6 + joints))
    row, column = 0, 6
    for J, A in blocks:
        full[row : row + J.shape[0], :6] = -A
        full[row : row + J.shape[0], column : column + J.shape[1]] = J
        row, column = row + J.shape[0], column + J.shape[1]
    return full


def _leg_rows(platform: PlatformPose, leg_pose: LegPose, length: float) -> tuple[Array, Array]:
    leg = leg_pose.leg
    if leg.cable is not None:
        along = np.array(leg_pose.links[0].e, dtype=float)
        arm = np.array(leg_pose.r_end, dtype=float) / length
        return np.ones((1, 1)), np.concatenate([along, np.cross(arm, along)])[None]
    independent = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    J = np.array(leg_jacobian(leg, independent, leg_pose.links, platform.p_BP + leg_pose.r_end), dtype=float)
    x, y, z = leg_pose.r_end / length
    A = np.zeros((J.shape[0], 6))
    A[:3, :3] = np.eye(3)
    A[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    if J.shape[0] == 6:
        A[3:, 3:] = np.eye(3)
    slides = np.array([leg.joints[k].kind == "P" for k in independent])
    J[:3] /= length
    J[:, slides] *= length
    return J, A


def nullity(matrix: Array) -> int:
    """Dimension of a matrix's null space."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(matrix.shape[1] - np.sum(values > _RANK * values[0]))


def motions_left(robot: Mechanism, pose: RobotPose, length: float) -> int:
    """Number of the motions that the legs leave, without those of the platform that nothing needs to hold."""
    full = closure_jacobian(pose, length)
    return nullity(full) - _unnoticed(robot, pose, full[:, :6], length)


def _unnoticed(robot: Mechanism, pose: RobotPose, felt: Array, length: float) -> int:
    """How many motions of the platform beside its coordinates no leg notices, so that nothing needs to hold them.

    The turning of a point mass whose legs all end in it, and what is across a plane in which all cables pull.

    Args:
        felt: (equations, 6) what the legs' equations see of the platform's twist, lengths in units of `length`.
    """
    body = robot.platform.body
    point = not any(body.inertia) and not any(body.com)
    ends = all(leg.end.kind == "spherical" and not any(leg.end.platform_point) for leg in robot.legs)
    if not (robot.cables or (point and ends)):
        return 0
    columns = np.array([np.concatenate(c) for c in pose.platform.columns], dtype=float).T
    columns[:3] /= length
    return nullity(felt) - nullity(felt @ columns)
