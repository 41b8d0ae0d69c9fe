"""Springs in joints and between bodies: their efforts and forces, and the energy stored in them.

A formulation takes either the forces or the energy, never both: their agreement is a check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, cross, dot, is_value, label, norm
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.spatial import point_velocity
from gough.robot import Anchor, PointSpring
from gough.robot.mechanism import BASE, PLATFORM

ON_PLATFORM = -1


@dataclass(frozen=True, slots=True)
class Pull:
    """What a spring does to a body.

    Attributes:
        leg: Index of the body's leg, -1 for the platform.
        joint: Index of its joint in the leg.
        f: (3,) force on the body, base axes [N].
        point: (3,) where, in B [m].
    """

    leg: int
    joint: int
    f: Vector
    point: Vector


def joint_springs(leg: LegPose) -> dict[int, Any]:
    """Efforts that springs exert in the joints of a leg, by joint [N or N m]."""
    efforts = {}
    for k, joint in enumerate(leg.leg.joints):
        if joint.spring is not None:
            stretch = leg.coordinates[k].value(joint.start) - joint.zero - joint.spring.rest
            efforts[k] = -(stretch * joint.spring.stiffness + joint.spring.preload)
    return efforts


def pulls(pose: RobotPose) -> list[Pull]:
    """What the springs between bodies do to the platform and to links; what they do to the base is left out."""
    found = []
    for spring in pose.robot.springs:
        with label(f"spring {spring.name}"):
            p, q = anchor_point(pose, spring.first), anchor_point(pose, spring.second)
            f = _force(spring, q - p)
            for anchor, point, force in ((spring.first, p, f), (spring.second, q, -f)):
                if anchor.body != BASE:
                    found.append(Pull(*_place(pose, anchor), force, point))
    return found


def _force(spring: PointSpring, d: Vector) -> Vector:
    """(3,) on the first point, d (3,) from it to the second."""
    if is_value(spring.free_length, 0.0):
        return d * spring.stiffness
    return d * (spring.stiffness - spring.stiffness * spring.free_length / norm(d))


def platform_pulls(pose: RobotPose) -> list[Pull]:
    """Of the platform."""
    return [pull for pull in pulls(pose) if pull.leg == ON_PLATFORM]


def leg_pulls(pose: RobotPose, number: int) -> list[Pull]:
    """Of the links of a leg."""
    return [pull for pull in pulls(pose) if pull.leg == number]


def point_rate(leg: LegPose, pull: Pull) -> Scalar:
    """Effort of a pull on its joint, whose link is carried by the base or by links that stand [N or N m]."""
    link = leg.links[pull.joint]
    if leg.leg.joints[pull.joint].kind == "P":
        return dot(link.e, pull.f)
    return dot(cross(link.e, pull.point - link.p), pull.f)


def spring_work(pose: RobotPose, v: Vector, w: Vector) -> Scalar:
    """Power of all springs when the platform moves with the twist (v, w): forces times velocities [W]."""
    total: Any = 0.0
    for leg in pose.legs:
        efforts = joint_springs(leg)
        if efforts:
            rates = leg.rates(v, w)
            total = total + sum(rates[k] * effort for k, effort in efforts.items())
    for pull in pulls(pose):
        if pull.leg == ON_PLATFORM:
            total = total + dot(pull.f, point_velocity(v, w, pull.point - pose.platform.p_BP))
        else:
            leg = pose.legs[pull.leg]
            twist = leg.twists(v, w)[pull.joint]
            total = total + dot(pull.f, point_velocity(twist.v, twist.w, pull.point - leg.links[pull.joint].p))
    return total


def stored_energy(pose: RobotPose) -> Scalar:
    """Potential energy of all springs [J]; what a preload stores is counted from the rest position."""
    total: Any = 0.0
    for leg in pose.legs:
        for coordinate, joint in zip(leg.coordinates, leg.leg.joints, strict=True):
            if joint.spring is not None:
                stretch = coordinate.value(joint.start) - joint.zero - joint.spring.rest
                total = total + stretch * stretch * (joint.spring.stiffness * 0.5) + stretch * joint.spring.preload
    for spring in pose.robot.springs:
        d = anchor_point(pose, spring.second) - anchor_point(pose, spring.first)
        if is_value(spring.free_length, 0.0):
            total = total + dot(d, d) * (spring.stiffness * 0.5)
        else:
            stretch = norm(d) - spring.free_length
            total = total + stretch * stretch * (spring.stiffness * 0.5)
    return total


def anchor_point(pose: RobotPose, anchor: Anchor) -> Vector:
    """(3,) an anchor in B [m]."""
    if anchor.body == BASE:
        return array(anchor.point)
    if anchor.body == PLATFORM:
        return pose.platform.p_BP + pose.platform.R_BP @ array(anchor.point)
    number, k = _place(pose, anchor)
    link = pose.legs[number].links[k]
    return link.p + link.R @ array(anchor.point)


def _place(pose: RobotPose, anchor: Anchor) -> tuple[int, int]:
    """Indices of the leg and of the joint of an anchor's body; the platform's leg is -1."""
    if anchor.body == PLATFORM:
        return ON_PLATFORM, -1
    leg_name, _, joint_name = anchor.body.partition(".")
    number = [leg.name for leg in pose.robot.legs].index(leg_name)
    return number, [joint.name for joint in pose.robot.legs[number].joints].index(joint_name)


def spring_force(pose: RobotPose) -> Vector:
    """(n,) generalised force of all springs on the platform's rates, from their forces."""
    if not pose.robot.has_springs:
        return np.zeros(pose.platform.dof)
    return array([spring_work(pose, v, w) for v, w in pose.platform.columns])
