"""Stiffness of a machine with elastic actuators, joints and links.

Each leg is a chain from the base to the platform. Its passive joints leave it the wrenches B f that it can carry, B the
null space of their screws; under them its elastic elements (an actuator along its joint, bearings in all directions,
links along and across themselves) give way by B^T t = B^T E C E^T B f. The platform's twist t under a wrench W follows
from the balance of all legs, sum B f = W: [[-H, B^T], [B, 0]] [f; t] = [0; W]. What is not stated is rigid. Weight and
preload change no stiffness here; `gough modes` adds what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.kinematics.configuration import free_turns
from gough.kinematics.leg import LegPose, by_joints
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.tool import twists_at
from gough.robot import Mechanism, Robot

APART = 1e-9
"""Points nearer than this are one [m]."""
NOTHING = 1e-10


@dataclass(frozen=True)
class Elasticity:
    """Compliance of the platform at a pose, base axes, at the robot's tool.

    Attributes:
        robot: The robot.
        x: (n,) the pose.
        compliance: (6, 6) twist of the tool [m, rad] per wrench at the tool [N, N m].
    """

    __repr__ = brief

    robot: Robot
    x: Array
    compliance: Array

    @property
    def stiffness(self) -> Array:
        """(6, 6) wrench per twist [N/m, N/rad, N m/m, N m/rad].

        Raises:
            NumericalError: The platform is rigid in some direction.
        """
        scale = _balanced(self.compliance)
        moments = np.linalg.eigvalsh(self.compliance * scale * scale[:, None])
        if moments[0] < 1e-9 * moments[-1]:
            raise NumericalError(
                f"{self.robot.name} is rigid in some direction: its stiffness has no bound there; state that of "
                "joints and links too, or use the compliance"
            )
        return np.asarray(np.linalg.inv(self.compliance))

    def deflection(self, wrench: ArrayLike) -> Array:
        """(6,) twist of the tool under a wrench (6,) at the tool [m, rad]."""
        return np.asarray(self.compliance @ np.asarray(wrench, dtype=float))


def _balanced(C: Array) -> Array:
    diagonal = np.sqrt(np.maximum(np.diag(C), 0.0))
    return np.where(diagonal > 0.0, 1.0 / np.maximum(diagonal, 1e-300), 0.0)


def elasticity(robot: Robot, x: ArrayLike | None = None) -> Elasticity:
    """Compliance of the platform at the robot's tool, which is loaded and gives way.

    Args:
        robot: Any robot that states stiffnesses or has cables.
        x: (n,) the pose; home by default.

    Raises:
        InputError: Nothing is elastic.
        NumericalError: The pose is out of reach or singular.
    """
    stiffness = robot.errors.stiffness
    if not stiffness and not any(leg.cable and leg.cable.elasticity for leg in robot.legs):
        raise InputError("accuracy: no stiffness is stated; give [stiffness] actuator, joint, link or bending")
    at = np.asarray(robot.platform.home if x is None else x, dtype=float)
    pose = robot_pose(robot, ways_of(robot), at)
    P = np.asarray(pose.platform.p_BP, dtype=float)
    if not all(bool(np.asarray(leg.closure.sound)) for leg in pose.legs):
        raise NumericalError(f"accuracy: pose {at.tolist()} is out of reach")
    carried = [_leg(robot, leg, pose, P, stiffness) for leg in pose.legs]
    C = _assembled(robot, carried)
    if not robot.tool.at_origin:
        r = np.asarray(pose.platform.R_BP, dtype=float) @ np.array(robot.tool.position)
        C = twists_at(twists_at(C, r).T, r)
    return Elasticity(robot, at, (C + C.T) / 2.0)


def _assembled(robot: Mechanism, legs: list[tuple[Array, Array]]) -> Array:
    """(6, 6) compliance of the platform, from the wrenches B (6, b) of each leg and its compliance H (b, b)."""
    B = np.concatenate([own for own, _ in legs], axis=1)
    b = B.shape[1]
    length = max(float(np.linalg.norm(B[3:])) / max(float(np.linalg.norm(B[:3])), 1e-300), 1e-6)
    scale = np.array([1.0] * 3 + [1.0 / length] * 3)
    B = B * scale[:, None]
    if np.linalg.matrix_rank(B, tol=NOTHING * np.linalg.norm(B)) < 6:
        raise NumericalError(f"accuracy: the legs do not hold the platform of {robot.name}: the pose is singular")
    H, at = np.zeros((b, b)), 0
    for _, own in legs:
        H[at : at + len(own), at : at + len(own)] = own
        at += len(own)
    size = float(np.abs(H).max()) or 1.0
    whole = np.block([[-H / size, B.T], [B, np.zeros((6, 6))]])
    right = np.concatenate([np.zeros((b, 6)), np.eye(6)])
    found = np.linalg.lstsq(whole, right, rcond=1e-14)[0][b:] * size
    C = found * scale * scale[:, None]
    return np.asarray((C + C.T) / 2.0)


def _leg(robot: Mechanism, leg: LegPose, pose: RobotPose, P: Array, stated: Mapping[str, float]) -> tuple[Array, Array]:
    """Wrenches about P that a leg carries (6, b), and its compliance to them (b, b)."""
    compliance = {key: 1.0 / value for key, value in stated.items()}
    if leg.leg.free_spin or leg.leg.cable is not None:
        return _line(leg, compliance)
    chain = by_joints(leg)
    joints, links = chain.leg.joints, chain.links
    way: list[int] = []
    k = leg.leg.end.joint
    while k >= 0:
        way.insert(0, k)
        k = joints[k].parent
    columns: dict[int, Array] = {}
    for k in way:
        e, p = np.asarray(links[k].e, dtype=float), np.asarray(links[k].p, dtype=float)
        own = np.concatenate([e, np.zeros(3)]) if joints[k].kind == "P" else np.concatenate([np.cross(e, P - p), e])
        mimic = joints[k].mimic
        source, factor = (k, 1.0) if mimic is None else (mimic.joint, mimic.ratio)
        columns[source] = columns.get(source, np.zeros(6)) + factor * own
    end = _end(pose, leg, P)
    points = [np.asarray(links[k].p, dtype=float) for k in way] + [end]
    passive = [column for k, column in columns.items() if not joints[k].actuated]
    elastic = [(column, compliance.get("actuator", 0.0)) for k, column in columns.items() if joints[k].actuated]
    if leg.leg.end.kind == "spherical":
        passive += [np.concatenate([np.cross(axis, P - end), axis]) for axis in np.eye(3)]
    elastic += _bearings_and_links(points, P, compliance)
    B = _null(np.array(passive).reshape(-1, 6).T)
    E = np.array([column for column, _ in elastic]).reshape(-1, 6)
    half = (E @ B) * np.sqrt([c for _, c in elastic])[:, None]
    return B, half.T @ half


def _line(leg: LegPose, compliance: dict[str, float]) -> tuple[Array, Array]:
    """A leg that carries a force along its line alone: a cable, or a rod that is free to spin.

    Its wrench on the platform, about P, is along what its actuator's rate is per twist.
    """
    k = next(k for k, joint in enumerate(leg.leg.joints) if joint.actuated)
    unit = np.eye(6)
    line = np.array([float(np.asarray(leg.rates(row[:3], row[3:])[k])) for row in unit])
    cable = leg.leg.cable
    own, force = compliance.get("actuator", 0.0), 1.0 / float(np.linalg.norm(line[:3]))
    along = compliance.get("link", 0.0) + 2.0 * compliance.get("joint", 0.0)
    if cable is not None:
        along = _length(leg) / cable.elasticity if cable.elasticity else compliance.get("link", 0.0)
    # A force f along the line asks f / |line| of the actuator.
    return (line * force)[:, None], np.array([[own * force**2 + along]])


def _length(leg: LegPose) -> float:
    """Of a cable from its winch on [m]."""
    return float(np.asarray(leg.values()[0]))


def _end(pose: RobotPose, leg: LegPose, P: Array) -> Array:
    """(3,) where the leg meets the platform, in B."""
    R = np.asarray(pose.platform.R_BP, dtype=float)
    return np.asarray(P + R @ np.array(leg.leg.end.platform_point))


def _bearings_and_links(points: list[Array], P: Array, compliance: dict[str, float]) -> list[tuple[Array, float]]:
    """Screws and compliances of bearings at the distinct points of a chain, and of the links between them."""
    distinct = [points[0]]
    for point in points[1:]:
        if all(np.linalg.norm(point - other) > APART for other in distinct):
            distinct.append(point)
    found = [(np.array([*axis, 0.0, 0.0, 0.0]), compliance.get("joint", 0.0)) for _ in distinct for axis in np.eye(3)]
    tilts = [np.concatenate([np.cross(axis, P - point), axis]) for point in distinct for axis in np.eye(3)]
    found += [(column, compliance.get("tilt", 0.0)) for column in tilts]
    for one, other in pairwise(distinct):
        along = (other - one) / np.linalg.norm(other - one)
        across = np.linalg.svd(along[None])[2][1:]
        found.append((np.array([*along, 0.0, 0.0, 0.0]), compliance.get("link", 0.0)))
        found += [(np.array([*u, 0.0, 0.0, 0.0]), compliance.get("bending", 0.0)) for u in across]
    return found


def _null(columns: Array) -> Array:
    """(6, b) wrenches that do no work on screws (6, k)."""
    if not columns.size:
        return np.eye(6)
    U, s, _ = np.linalg.svd(columns)
    return np.asarray(U[:, int((s > NOTHING * s[0]).sum()) :])


def structure(robot: Robot, x: ArrayLike | None = None) -> Array:
    """(n, n) stiffness on the free rates of `gough.modes`, in place of that of springs in the actuators alone."""
    found = elasticity(robot, x)
    pose = robot_pose(robot, ways_of(robot), found.x)
    turns = iter(np.eye(3))
    free = free_turns(robot.platform)
    columns = []
    for (v, w), coordinate in zip(pose.platform.columns, robot.platform.coordinates, strict=True):
        turned = free and coordinate.turns
        columns.append(
            np.concatenate([np.zeros(3), next(turns)] if turned else [np.asarray(v, float), np.asarray(w, float)])
        )
    back = np.linalg.pinv(np.array(columns).T)
    return np.asarray(np.linalg.inv(back @ found.compliance @ back.T))
