"""How far universal joints and spherical ends are bent, where their largest angle is stated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Vector, array, cross, dot, norm
from gough.graph.triples import unit
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Leg, Mechanism

APART = 1e-9
"""Points closer than this are one [m]."""


@dataclass(frozen=True)
class Cone:
    """A bounded angle.

    Attributes:
        leg: Number of the leg.
        name: Name of the joint, or "end".
        largest: [rad].
        first, last: Places of the two joints of a universal joint; for an end, of the joint its direction starts from.
        straight: (3,) direction of a straight joint: in the joint's frame, or for an end in the platform's.
        bolt: (3,) direction of the bolt it turns about, in what carries it; None for none.
    """

    leg: int
    name: str
    largest: float
    first: int
    last: int
    straight: tuple[float, ...]
    bolt: tuple[Any, Any, Any] | None = None


def cones_of(robot: Mechanism, home: RobotPose) -> tuple[Cone, ...]:
    """The stated ones; `home` is the robot at home in plain numbers."""
    found = []
    for number, leg in enumerate(robot.legs):
        found += [_universal(leg, number, k) for k in range(len(leg.joints) - 1) if _is_universal(leg, k)]
        if leg.end.kind == "spherical" and leg.end.cone is not None:
            end = _end_point(home, number)
            links = home.legs[number].links
            away = [
                k for k in range(len(leg.joints)) if np.linalg.norm(end - np.array(links[k].p, dtype=float)) > APART
            ]
            d = np.array(home.platform.R_BP, dtype=float).T @ (end - np.array(links[away[-1]].p, dtype=float))
            direction = tuple(float(v) for v in d / np.linalg.norm(d))
            found.append(Cone(number, "end", leg.end.cone, away[-1], away[-1], direction, leg.end.bolt))
    return tuple(found)


def cosines(cones: tuple[Cone, ...], pose: RobotPose) -> list[Any]:
    """Cosine of each angle."""
    found = []
    for cone in cones:
        leg = pose.legs[cone.leg]
        if cone.name == "end":
            d = pose.platform.R_BP.T @ (_end_point(pose, cone.leg) - leg.links[cone.last].p)
            if cone.bolt is not None:
                found.append(norm(cross(array(unit(cone.bolt)), d)) / norm(d))
            else:
                found.append(dot(d, array(cone.straight)) / norm(d))
            continue
        joints = leg.leg.joints
        parent = joints[cone.first].parent
        R = leg.links[parent].R if parent >= 0 else array(leg.leg.rotation)
        n = array(cone.straight)
        if cone.bolt is not None:
            found.append(norm(cross(R @ array(unit(cone.bolt)), leg.links[cone.last].R @ n)))
            continue
        R = R @ array(joints[cone.first].rotation) @ array(joints[cone.last].rotation)
        found.append(dot(R @ n, leg.links[cone.last].R @ n))
    return found


def _is_universal(leg: Leg, k: int) -> bool:
    first, second = leg.joints[k], leg.joints[k + 1]
    paired = first.group != "" and first.group == second.group and second.parent == k
    return paired and first.cone is not None and first.kind == second.kind == "R"


def _universal(leg: Leg, number: int, k: int) -> Cone:
    first, second = leg.joints[k], leg.joints[k + 1]
    n = np.cross(np.array(second.rotation).T @ np.array(first.axis), second.axis)
    assert first.cone is not None
    straight = tuple(float(v) for v in n / np.linalg.norm(n))
    return Cone(number, first.group, first.cone, k, k + 1, straight, first.bolt)


def _end_point(pose: RobotPose, number: int) -> Vector:
    point = array(pose.legs[number].leg.end.platform_point)
    return pose.platform.p_BP + pose.platform.R_BP @ point
