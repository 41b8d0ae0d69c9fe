"""Checks that need kinematics: legs reach at home, and leave the platform just the motions it has coordinates for.

Mobility is the nullity of the closure Jacobian J_leg thetad - A twist = 0 over all legs, for a platform that is free in
space. It is the same at almost every pose; a few random ones near home are looked at, and the smallest counts.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.chain import Slide, Turn
from gough.kinematics.closure.newton import leg_jacobian
from gough.kinematics.leg import REACH_SLACK, build_links
from gough.kinematics.model import characteristic_length
from gough.kinematics.pose import PlatformPose
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.robot import Fault, Robot
from gough.robot.doubts import Trust

_POSES = 3
_STEP = 0.01
_CLOSED = 1e-7
_RANK = 1e-7
_STARTED = 1e-3
"""Closure error [m or rad] up to which a leg's starts are a closed position."""
_APART = 0.05
"""How far [m or rad] the leg's closed position may then be from them."""


def kinematic_faults(robot: Robot, trust: Trust | None = None) -> list[Fault]:
    """What is wrong with a robot of plain numbers, as far as its file's other faults leave it to be told.

    A leg's reach is told on its own; what the platform's mobility is, of the whole machine, all of whose legs reach.
    """
    trust = trust or Trust(frozenset(range(len(robot.legs))), whole=True, driven=True)
    faults = _redundant(robot, trust.legs)
    redundant = {fault.path[1] for fault in faults}
    faults += _at_home(robot, [k for k in sorted(trust.legs) if k not in redundant])
    if faults or not trust.whole:
        return faults
    ways = ways_of(robot)
    home = np.array(robot.platform.home)
    at_home = robot_pose(robot, ways, home)
    length = characteristic_length(robot)
    turning = np.array([c.motion.startswith("r") for c in robot.platform.coordinates])
    random = np.random.default_rng(20090101)
    near = [home + _STEP * random.uniform(-1, 1, len(home)) * np.where(turning, 1.0, length) for _ in range(_POSES)]
    poses = [robot_pose(robot, ways, x) for x in near]
    for pose in poses:
        faults = _not_closed(pose, "near home", _PARASITIC)
        if faults:
            return _mobility(robot, [at_home], length, locked_only=True) or faults
    return _mobility(robot, poses, length) or (_control(robot, poses) if trust.driven else [])


def _at_home(robot: Robot, legs: list[int]) -> list[Fault]:
    """Faults of these legs at home, each on its own."""
    part = replace(robot, legs=tuple(robot.legs[k] for k in legs), document=None)
    pose = robot_pose(part, ways_of(part), np.array(robot.platform.home))
    faults = _not_closed(pose, _AT_HOME, _GEOMETRY)
    open_legs = {fault.path[1] for fault in faults}
    faults += [fault for fault in _other_branch(pose) if fault.path[1] not in open_legs]
    return [replace(fault, path=("leg", legs[int(fault.path[1])], *fault.path[2:])) for fault in faults]


_AT_HOME = "at home"
_GEOMETRY = "check platform.home and the leg's geometry"
_PARASITIC = "the platform would have to move otherwise too: dependent (parasitic) motion cannot be expressed"


def _redundant(robot: Robot, legs: Collection[int]) -> list[Fault]:
    """Faults of the legs that could move with the platform held."""
    faults = []
    for k, leg in enumerate(robot.legs):
        if k not in legs:
            continue
        own = sum(joint.mimic is None for joint in leg.joints)
        most = 3 if leg.end.kind == "spherical" else 6
        if own > most:
            allowed = f"has {own} independent joints: at most {most} with a {leg.end.kind} end"
            hint = "a leg with spherical joints at both ends: write the first as U and state free_spin = true"
            faults.append(Fault(("leg", k), allowed, hint=hint, key=f"leg.{leg.name}"))
    return faults


def _not_closed(pose: RobotPose, where: str, hint: str) -> list[Fault]:
    """Faults of the legs that do not reach, or whose ends do not meet the platform."""
    faults = []
    for k, leg in enumerate(pose.legs):
        short, gap = float(leg.closure.short), float(leg.residual(pose.platform))
        if leg.closed_form and short > REACH_SLACK:
            allowed = f"does not reach the platform {where}: {short:.4g} m short"
            hint = _GEOMETRY if where == _AT_HOME else "home is at the edge of its reach: move it inside"
        elif not leg.closure.converged or not gap <= _CLOSED:
            allowed = f"its end misses the platform {where} by {gap:.4g} (m or rad)"
        else:
            continue
        faults.append(Fault(("leg", k), allowed, hint=hint, key=f"leg.{leg.leg.name}"))
    return faults


def _other_branch(at_home: RobotPose) -> list[Fault]:
    """Faults of the legs whose joints start in a closed position that is not the one their branch finds."""
    faults = []
    for k, pose in enumerate(at_home.legs):
        leg = pose.leg
        starts: dict[int, Any] = {
            i: Slide(joint.start) if joint.kind == "P" else Turn(math.cos(joint.start), math.sin(joint.start))
            for i, joint in enumerate(leg.joints)
            if joint.mimic is None
        }
        started = replace(pose, links=build_links(leg, starts)[0])
        if not pose.closed_form or started.residual(at_home.platform) > _STARTED:
            continue
        apart = [
            (joint, value)
            for joint, value in zip(leg.joints, pose.values(), strict=True)
            if joint.mimic is None and abs(value - joint.start) > _APART
        ]
        if apart:
            joint, found = max(apart, key=lambda pair: pair[0].actuated)
            started_at = round(joint.start, 9) + 0.0
            allowed = f"closes {joint.name} at {found:.4g}, but its joints start in the position with {started_at:.4g}"
            hint = f"branch = {-leg.branch}, or the starts of the other position"
            faults.append(Fault(("leg", k, "branch"), allowed, leg.branch, hint, key=f"leg.{leg.name}.branch"))
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


def _mobility(robot: Robot, poses: list[RobotPose], length: float, locked_only: bool = False) -> list[Fault]:
    """A fault if the legs leave more or fewer motions than there are coordinates; or only if fewer."""
    n = len(robot.platform.coordinates)
    mobility = min(_nullity(closure_jacobian(pose, length)) for pose in poses)
    if mobility == n or (locked_only and mobility > n):
        return []
    allowed = (
        f"the legs leave the machine {_counted(mobility, 'motion')}, but the platform has {_counted(n, 'coordinate')}"
    )
    if mobility > n:
        hint = "what has no coordinate must be held by the legs: add a coordinate, use rigid ends or fewer joints"
    else:
        hint = "the legs lock the platform: remove a coordinate or add joints"
    return [Fault(("platform", "coordinates"), allowed, hint=hint)]


def _nullity(matrix: NDArray[Any]) -> int:
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(matrix.shape[1] - np.sum(values > _RANK * values[0]))


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _control(robot: Robot, poses: list[RobotPose]) -> list[Fault]:
    """A fault if the actuators do not command the coordinates anywhere near home."""
    for pose in poses:
        K = np.array(pose.jacobian(), dtype=float)
        if np.isfinite(K).all() and np.linalg.matrix_rank(K, tol=1e-9 * np.abs(K).max()) == len(K):
            return []
    allowed = "the actuated joints do not determine the platform's motion near home"
    shared = robot.document is not None and "leg" not in robot.document
    hint = "the machine is singular everywhere: actuate other joints, or place the leg ends otherwise"
    return [Fault(("legs",) if shared else ("leg",), allowed, hint=hint)]
