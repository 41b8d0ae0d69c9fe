"""How many motions legs leave the platform, and which coordinates it would need for them.

Mobility is the nullity of the closure Jacobian J_leg thetad - A twist = 0 over all legs, for a platform that is free in
space.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, cast

import numpy as np

from gough.graph import Array
from gough.kinematics.closure.newton import leg_jacobian
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Coordinate, Platform, Robot

_RANK = 1e-7
_NAMES = {"x": "x", "y": "y", "z": "z", "rz": "yaw", "ry": "pitch", "rx": "roll"}
_SAME = 1e-6


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


def motions_left(robot: Robot, pose: RobotPose, length: float) -> int:
    """Number of the motions that the legs leave, without those of the platform that nothing needs to hold."""
    full = closure_jacobian(pose, length)
    return nullity(full) - _unnoticed(robot, pose, full[:, :6], length)


def _unnoticed(robot: Robot, pose: RobotPose, felt: Array, length: float) -> int:
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


def twists_left(pose: RobotPose, length: float) -> Array:
    """(6, motions) the platform's part of the motions that the legs leave, lengths in units of `length`."""
    full = closure_jacobian(pose, length)
    _, values, rows = np.linalg.svd(full)
    rank = int(np.sum(values > _RANK * values[0]))
    twists, sizes, _ = np.linalg.svd(rows[rank:, :6].T, full_matrices=False)
    return twists[:, sizes > _RANK]


def dependent_names(robot: Robot, pose: PlatformPose, twists: Array, length: float) -> list[str]:
    """Names of the coordinates that would follow the others; empty where the coordinates do not make up the motions.

    Those that the motions move most stay independent.

    Args:
        robot: With more coordinates than motions.
        pose: Pose of its platform.
        twists: (6, motions) the motions as platform twists, lengths in units of `length`.
        length: The robot's [m].
    """
    from scipy.linalg import qr

    motions = twists.shape[1]
    if motions == 0:
        return []
    units = np.array([1.0 if c.turns else length for c in robot.platform.coordinates])
    columns = [np.concatenate([np.asarray(v, dtype=float) / length, w]) for v, w in pose.columns]
    S = np.stack(columns, axis=1) * units
    rates = np.linalg.lstsq(S, twists, rcond=None)[0]
    if not np.abs(S @ rates - twists).max() <= _SAME:
        return []
    _, R, order = qr(rates.T, mode="economic", pivoting=True)
    if abs(R[motions - 1, motions - 1]) <= _SAME:
        return []
    return [c.name for k, c in enumerate(robot.platform.coordinates) if k not in order[:motions]]


def with_other_motions(robot: Robot, wanted: Collection[str] | None = None) -> Robot | None:
    """The robot with all motions that have no coordinate as dependent ones; None where there are none.

    Or with those `wanted` only: "x", "rz" and so on.
    """
    platform = robot.platform
    moved = [c.motion for c in platform.coordinates]
    turns = [m for m in moved if len(m) == 2]
    missing = [m for m in ("x", "y", "z") if m not in moved]
    missing += [m for m in ("rz", "ry", "rx") if m not in turns] if len(set(turns)) == len(turns) else []
    missing = [m for m in missing if wanted is None or m in wanted]
    taken = set(robot.coordinate_names)
    added = tuple(
        Coordinate(_NAMES[m] if _NAMES[m] not in taken else f"{_NAMES[m]}_too", cast(Any, m)) for m in missing
    )
    if not added:
        return None
    order = (*(c.name for c in added), *robot.coordinate_names)
    changed = replace(platform, dependent=added, start=(0.0,) * len(added), order=order)
    return replace(robot, platform=changed, document=None)


def as_written(platform: Platform) -> str:
    """The two lines of a file that state a platform's coordinates: "coordinates = { .. } and dependent = [..]"."""
    pairs = ", ".join(f'{c.name} = "{c.motion}"' for c in platform.all_coordinates)
    return f"coordinates = {{ {pairs} }} and {as_list([c.name for c in platform.dependent])}"


def as_list(names: list[str]) -> str:
    """The line of a file that lists dependent coordinates."""
    return "dependent = [" + ", ".join(f'"{name}"' for name in names) + "]"
