"""What the legs say at a pose: which branch each is on, and whether limits of joints are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.leg_distances import APART, chain, cone_cosine, cone_groups, end_cosine, leg_points
from gough.graph import (
    Scalar,
    Vector,
    absolute,
    array,
    floor,
    logical_and,
    logical_not,
    logical_or,
    where,
)
from gough.kinematics.closure.assembly import branch_of
from gough.kinematics.closure.close import Way, close_leg
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.leg import REACH_SLACK, LegPose
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Leg, Mechanism

SAME = 1e-6
"""Displacements that differ by less than this are the same [m or rad]."""
_EDGE = 1e-9
"""A limit may be exceeded by so much: round-off [m or rad]."""


@dataclass(frozen=True, slots=True)
class LegBranch:
    """A leg on one of its branches, at a platform pose: recorded.

    Attributes:
        branch: Its number.
        joints: (m,) coordinates from their zeros [m or rad].
        short: How far it falls short of its end [m].
        cones: Cosine and largest angle of each universal and spherical joint that has one.
    """

    branch: int
    joints: Vector
    short: Scalar
    cones: tuple[tuple[Scalar, float], ...]


def leg_branches(robot: Mechanism, number: int, pose: PlatformPose) -> list[LegBranch]:
    """The branches of a leg with a closed form at a recorded pose, its own first; none for any other leg."""
    platform, leg = home_platform(robot), robot.legs[number]
    form = closed_form(leg)
    if form is None:
        return []
    own = branch_of(leg, platform) or 1
    numbers = [own, *(s * n for n in range(1, form.postures + 1) for s in (1, -1) if s * n != own)]
    home = platform_pose(platform, np.array(platform.home))
    groups = cone_groups(leg)
    at_home = close_leg(leg, Way(form, own), platform, None, home)
    points = [np.array(p, dtype=float) for p in leg_points(_one(robot, home, at_home), at_home)]
    end = len(chain(leg))
    apart = [k for k in range(end) if np.linalg.norm(points[end] - points[k]) > APART]
    direction = np.array(home.R_BP, dtype=float).T @ (points[end] - points[apart[-1] if apart else 0])
    direction = direction / np.linalg.norm(direction) if apart else direction
    zeros = np.array([joint.zero for joint in leg.joints])
    branches = []
    for branch in numbers:
        found = close_leg(leg, Way(form, branch), platform, None, pose)
        cones = [(cone_cosine(found, group), leg.joints[group[0]].cone) for group in groups]
        if leg.end.kind == "spherical" and apart:
            at = _one(robot, pose, found)
            cones.append((end_cosine(at, found, leg_points(at, found), direction, apart[-1]), leg.end.cone))
        stated = tuple((cosine, cone) for cosine, cone in cones if cone is not None)
        branches.append(LegBranch(branch, array(found.values()) - zeros, found.closure.short, stated))
    return branches


def _one(robot: Mechanism, pose: PlatformPose, leg: LegPose) -> RobotPose:
    return RobotPose(robot, pose, (leg,), None)


def labels(robot: Mechanism, pose: PlatformPose, q: Vector) -> dict[str, Vector]:
    """What the legs say at a recorded pose and displacements q (actuators,).

    Returns:
        branch: (legs,) the first branch of each leg that has these displacements; 0 where none has.
        joints: (joints,) displacements of all joints [m or rad]; NaN where the branch is not known.
        within: Whether strokes of the actuators, and of other joints and cones on known branches, are kept.
        known: Whether the branches of all legs with limits of their own are known.
    """
    numbers: list[Scalar] = []
    joints: list[Scalar] = []
    known: Scalar = True
    within: Scalar = True
    for joint, value in zip(robot.actuators, q, strict=True):
        within = logical_and(within, inside(joint.limits.stroke, value))
    first = 0
    for number, leg in enumerate(robot.legs):
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        asked = q[first : first + len(driven)]
        first += len(driven)
        chosen: Scalar = 0.0
        own: list[Scalar] = [np.nan] * len(leg.joints)
        kept: Scalar = True
        for one in reversed(leg_branches(robot, number, pose)):
            mine = _fits(leg, one, driven, asked)
            chosen = where(mine, float(one.branch), chosen)
            own = [where(mine, a, b) for a, b in zip(one.joints, own, strict=True)]
            kept = logical_or(logical_and(mine, _within(leg, one, driven)), logical_and(logical_not(mine), kept))
        numbers.append(chosen)
        joints += own
        within = logical_and(within, kept)
        known = logical_and(known, absolute(chosen) > 0.5) if _limited(leg) else known
    return {"branch": array(numbers), "joints": array(joints), "within": within, "known": known}


def _fits(leg: Leg, one: LegBranch, driven: list[int], asked: Vector) -> Scalar:
    """Whether the leg closes on this branch with the displacements asked for."""
    fits: Scalar = one.short <= max(REACH_SLACK, SAME)
    for k, value in zip(driven, asked, strict=True):
        off = one.joints[k] - value
        if leg.joints[k].turns:
            off = off - 2.0 * np.pi * floor(off / (2.0 * np.pi) + 0.5)
        fits = logical_and(fits, absolute(off) <= SAME * (1.0 + absolute(value)))
    return fits


def _limited(leg: Leg) -> bool:
    """Whether a passive joint of the leg has a limit."""
    passive = [joint for joint in leg.joints if not joint.actuated]
    return leg.end.cone is not None or any(j.cone is not None or j.limits.stroke is not None for j in passive)


def _within(leg: Leg, one: LegBranch, driven: list[int]) -> Scalar:
    """Whether strokes of passive joints and cones are kept."""
    within: Scalar = True
    for k, joint in enumerate(leg.joints):
        if k not in driven:
            within = logical_and(within, inside(joint.limits.stroke, one.joints[k]))
    for cosine, cone in one.cones:
        if cone + _EDGE < np.pi:
            within = logical_and(within, cosine >= np.cos(cone + _EDGE))
    return within


def inside(stroke: tuple[float, float] | None, value: Any) -> Any:
    """Whether a displacement, recorded or an array of them, is within a stroke, if there is one."""
    if stroke is None:
        return True
    return logical_and(value >= stroke[0] - _EDGE, value <= stroke[1] + _EDGE)
