"""Checks that need kinematics: legs reach at home, and leave the platform just the motions it has coordinates for.

Mobility is the nullity of the closure Jacobian J_leg thetad - A twist = 0 over all legs, for a platform that is free in
space. It is the same at almost every pose; a few random ones near home are looked at, and the smallest counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.closure.newton import leg_jacobian
from gough.kinematics.model import characteristic_length
from gough.kinematics.pose import PlatformPose
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.status import REACH_SLACK
from gough.robot import Fault, Robot

_POSES = 3
_STEP = 0.01
_CLOSED = 1e-7
_RANK = 1e-7


def kinematic_faults(robot: Robot) -> list[Fault]:
    """What is wrong with a robot of plain numbers that passed the static checks."""
    ways = ways_of(robot)
    home = np.array(robot.platform.home)
    at_home = robot_pose(robot, ways, home)
    faults = _not_closed(robot, at_home, "at home", "check platform.home and the leg's geometry")
    if faults:
        return faults
    length = characteristic_length(robot)
    turning = np.array([c.motion.startswith("r") for c in robot.platform.coordinates])
    random = np.random.default_rng(20090101)
    near = [home + _STEP * random.uniform(-1, 1, len(home)) * np.where(turning, 1.0, length) for _ in range(_POSES)]
    poses = [robot_pose(robot, ways, x) for x in near]
    for pose in poses:
        hint = (
            "the legs do not hold the platform's other motions still there: dependent (parasitic) platform motion "
            "cannot be expressed"
        )
        faults = _not_closed(robot, pose, "near home", hint)
        if faults:
            return faults
    return _mobility(robot, poses, length) or _control(robot, poses)


def _not_closed(robot: Robot, pose: RobotPose, where: str, hint: str) -> list[Fault]:
    """Faults of the legs that do not reach, or whose ends do not meet the platform."""
    faults = []
    for k, leg in enumerate(pose.legs):
        name = robot.legs[k].name
        short, gap = float(leg.closure.short), float(leg.residual(pose.platform))
        if leg.closed_form and short > REACH_SLACK:
            allowed = f"does not reach {where}: {short:.4g} m short"
        elif not leg.closure.converged or not gap <= _CLOSED:
            allowed = f"its end misses the platform {where} by {gap:.4g} (m or rad)"
        else:
            continue
        faults.append(Fault(("leg", k), allowed, hint=hint, key=f"leg.{name}"))
    return faults


def closure_jacobian(pose: RobotPose, length: float) -> NDArray[Any]:
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


def _leg_rows(platform: PlatformPose, leg_pose: Any, length: float) -> tuple[NDArray[Any], NDArray[Any]]:
    leg = leg_pose.leg
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


def _mobility(robot: Robot, poses: list[RobotPose], length: float) -> list[Fault]:
    n = len(robot.platform.coordinates)
    nullities = []
    for pose in poses:
        jacobian = closure_jacobian(pose, length)
        values = np.linalg.svd(jacobian, compute_uv=False)
        rank = int(np.sum(values > _RANK * values[0]))
        nullities.append(jacobian.shape[1] - rank)
    mobility = min(nullities)
    if mobility == n:
        return []
    allowed = f"the legs leave the machine {mobility} motions, but the platform has {n} coordinates"
    if mobility > n:
        hint = "motions without a coordinate must be held by the legs: add a coordinate or a rigid end, or fewer joints"
    else:
        hint = "the legs lock the platform: remove a coordinate or add joints"
    return [Fault(("platform", "coordinates"), allowed, hint=hint)]


def _control(robot: Robot, poses: list[RobotPose]) -> list[Fault]:
    """A fault if the actuators do not command the coordinates anywhere near home."""
    for pose in poses:
        K = np.array(pose.jacobian(), dtype=float)
        if np.isfinite(K).all() and np.linalg.matrix_rank(K, tol=1e-9 * np.abs(K).max()) == len(K):
            return []
    allowed = "the actuated joints do not determine the platform's motion near home"
    return [Fault(("leg",), allowed, hint="the machine is singular everywhere: actuate other joints")]
