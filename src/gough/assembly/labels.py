"""What is told of a pose beside where it is: the branch of each leg, limits of joints, how far from singular."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.analysis.leg_distances import APART, chain, cone_cosine, cone_groups, end_cosine, leg_points
from gough.graph import (
    Array,
    Scalar,
    Vector,
    absolute,
    array,
    floor,
    logical_and,
    logical_not,
    logical_or,
    record,
    where,
)
from gough.kinematics.closure.assembly import branch_of
from gough.kinematics.closure.close import Way, close_leg
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.leg import REACH_SLACK, LegPose
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Leg, Robot
from gough.run import Program

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


def leg_branches(robot: Robot, number: int, pose: PlatformPose) -> list[LegBranch]:
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


def _one(robot: Robot, pose: PlatformPose, leg: LegPose) -> RobotPose:
    return RobotPose(robot, pose, (leg,), None)


@dataclass(frozen=True, slots=True)
class Labels:
    """Of M poses.

    Attributes:
        branch: (M, legs) number of each leg's branch; 0 where it is not known.
        within_limits: (M,) whether all stated limits of joints are kept.
        joints: (M, joints) displacements of all joints [m or rad]; NaN where they are not known.
    """

    branch: NDArray[np.int_]
    within_limits: NDArray[np.bool_]
    joints: Array


def labels_of(robot: Robot, q: Array, p: Array, R: Array, joints: Array | None = None) -> Labels:
    """Branches and limits of poses p (M, 3), R (M, 3, 3) at displacements q (M, actuators), and joints if known."""
    count = len(p)
    sizes = [len(leg.joints) for leg in robot.legs]
    if not count:
        return Labels(np.zeros((0, len(sizes)), dtype=int), np.zeros(0, dtype=bool), np.zeros((0, sum(sizes))))
    with np.errstate(all="ignore"):
        found = _program(robot)(p=p, R=np.ascontiguousarray(R.reshape(count, 9)), q=q)
    branch, within, every = found["branch"].astype(int), found["within"] > 0.0, found["joints"]
    places = np.cumsum([0, *sizes])
    for number, leg in enumerate(robot.legs):
        unknown = branch[:, number] == 0
        every[unknown, places[number] : places[number + 1]] = np.nan
        if joints is not None:
            for place, joint in enumerate(leg.joints, places[number]):
                every[unknown, place] = joints[unknown, place]
                within &= ~unknown | _inside(joint.limits.stroke, joints[:, place])
        elif _limited(leg):
            within &= ~unknown
    for joint, values in zip(robot.actuators, q.T, strict=True):
        within &= _inside(joint.limits.stroke, values)
    return Labels(branch, within, every)


@lru_cache(maxsize=64)
def _program(robot: Robot) -> Program:
    """p (3,), R (9,) of the platform, q -> the first branch of each leg that has these displacements, or 0; whether its
    limits are kept there; all joints."""

    def equations(p: Vector, R: Vector, q: Vector) -> dict[str, Vector]:
        pose = PlatformPose(array(p), R.reshape(3, 3), (), ())
        numbers: list[Scalar] = []
        joints: list[Scalar] = []
        within: Scalar = True
        first = 0
        for number, leg in enumerate(robot.legs):
            driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
            asked = q[first : first + len(driven)]
            first += len(driven)
            chosen: Scalar = 0.0
            own: list[Scalar] = [0.0] * len(leg.joints)
            kept: Scalar = True
            for one in reversed(leg_branches(robot, number, pose)):
                mine = _fits(leg, one, driven, asked)
                chosen = where(mine, float(one.branch), chosen)
                own = [where(mine, a, b) for a, b in zip(one.joints, own, strict=True)]
                kept = logical_or(logical_and(mine, _within(leg, one, driven)), logical_and(logical_not(mine), kept))
            numbers.append(chosen)
            joints += own
            within = logical_and(within, kept)
        return {"branch": array(numbers), "within": where(within, 1.0, 0.0), "joints": array(joints)}

    with np.errstate(divide="ignore", invalid="ignore"):
        return Program(record(equations, p=3, R=9, q=len(robot.actuators)))


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
        if k not in driven and joint.limits.stroke is not None:
            low, high = joint.limits.stroke
            kept = logical_and(one.joints[k] >= low - _EDGE, one.joints[k] <= high + _EDGE)
            within = logical_and(within, kept)
    for cosine, cone in one.cones:
        if cone + _EDGE < np.pi:
            within = logical_and(within, cosine >= np.cos(cone + _EDGE))
    return within


def _inside(stroke: tuple[float, float] | None, values: Array) -> NDArray[np.bool_]:
    if stroke is None:
        return np.ones(len(values), dtype=bool)
    return (values >= stroke[0] - _EDGE) & (values <= stroke[1] + _EDGE)
