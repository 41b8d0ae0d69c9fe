"""What is told of a pose beside where it is: the branch of each leg, limits of joints, how far from singular."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.analysis.leg_distances import APART, chain, cone_cosine, cone_groups, end_cosine, leg_points
from gough.graph import Array, Vector, array, record
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
    """A leg on one of its branches.

    Attributes:
        branch: Its number.
        program: p (3,), R (9,) of the platform -> joints (m,) coordinates from their zeros, short, cosines of `cones`.
        cones: Largest angle of each universal and spherical joint [rad], or None.
    """

    branch: int
    program: Program
    cones: tuple[float | None, ...]


@lru_cache(maxsize=256)
def leg_branches(robot: Robot, number: int) -> tuple[LegBranch, ...]:
    """The branches of a leg with a closed form, its own first; none for any other leg."""
    platform = home_platform(robot)
    leg = robot.legs[number]
    form = closed_form(leg)
    if form is None:
        return ()
    own = branch_of(leg, platform) or 1
    numbers = [own, *(s * n for n in range(1, form.postures + 1) for s in (1, -1) if s * n != own)]
    home = platform_pose(platform, np.array(platform.home))
    groups = cone_groups(leg)
    spherical = leg.end.kind == "spherical"
    at_home = close_leg(leg, Way(form, own), platform, None, home)
    points = [np.array(p, dtype=float) for p in leg_points(_one(robot, home, at_home), at_home)]
    end = len(chain(leg))
    apart = [k for k in range(end) if np.linalg.norm(points[end] - points[k]) > APART]
    direction = np.array(home.R_BP, dtype=float).T @ (points[end] - points[apart[-1] if apart else 0])
    direction = direction / np.linalg.norm(direction) if apart else direction
    cones = tuple(leg.joints[group[0]].cone for group in groups) + ((leg.end.cone,) if spherical else ())

    def program(branch: int) -> Program:
        def equations(p: Vector, R: Vector) -> dict[str, Vector]:
            pose = PlatformPose(array(p), R.reshape(3, 3), (), ())
            found = close_leg(leg, Way(form, branch), platform, None, pose)
            cosines = [cone_cosine(found, group) for group in groups]
            if spherical and apart:
                own_points = leg_points(_one(robot, pose, found), found)
                cosines.append(end_cosine(_one(robot, pose, found), found, own_points, direction, apart[-1]))
            elif spherical:
                cosines.append(1.0)
            zeros = np.array([joint.zero for joint in leg.joints])
            return {"joints": array(found.values()) - zeros, "short": found.closure.short, "cosines": [*cosines, 1.0]}

        return Program(record(equations, p=3, R=9), executor="blocks")

    with np.errstate(divide="ignore", invalid="ignore"):
        return tuple(LegBranch(number, program(number), cones) for number in numbers)


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
    branch = np.zeros((count, len(robot.legs)), dtype=int)
    within = np.ones(count, dtype=bool)
    every = np.full((count, sum(len(leg.joints) for leg in robot.legs)), np.nan)
    for joint, values in zip(robot.actuators, q.T, strict=True):
        within &= _inside(joint.limits.stroke, values)
    flat = np.ascontiguousarray(R.reshape(count, 9))
    first = place = 0
    for number, leg in enumerate(robot.legs):
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        asked = q[:, first : first + len(driven)]
        first += len(driven)
        open_legs = np.ones(count, dtype=bool)
        for one in leg_branches(robot, number) if count else ():
            with np.errstate(all="ignore"):
                found = one.program(p=p, R=flat)
            turns = np.array([leg.joints[k].turns for k in driven], dtype=bool)
            off = found["joints"][:, driven] - asked
            off = np.where(turns, np.angle(np.exp(1j * np.where(turns, off, 0.0))), off)
            closes = found["short"] <= max(REACH_SLACK, SAME)
            mine = open_legs & closes & (np.abs(off) <= SAME * (1.0 + np.abs(asked))).all(axis=1)
            branch[mine, number] = one.branch
            open_legs &= ~mine
            within[mine] &= _within(leg, found, one.cones, driven)[mine]
            every[mine, place : place + len(leg.joints)] = found["joints"][mine]
        if joints is not None:
            for k, joint in enumerate(leg.joints):
                every[open_legs, place + k] = joints[open_legs, place + k]
                within &= ~open_legs | _inside(joint.limits.stroke, joints[:, place + k])
        elif _limited(leg):
            within &= ~open_legs
        place += len(leg.joints)
    return Labels(branch, within, every)


def _limited(leg: Leg) -> bool:
    """Whether a passive joint of the leg has a limit."""
    passive = [joint for joint in leg.joints if not joint.actuated]
    return leg.end.cone is not None or any(j.cone is not None or j.limits.stroke is not None for j in passive)


def _within(leg: Leg, found: dict[str, Array], cones: tuple[float | None, ...], driven: list[int]) -> NDArray[np.bool_]:
    within = np.ones(len(found["joints"]), dtype=bool)
    for k, joint in enumerate(leg.joints):
        if k not in driven:
            within &= _inside(joint.limits.stroke, found["joints"][:, k])
    for k, cone in enumerate(cones):
        if cone is not None:
            within &= np.arccos(np.clip(found["cosines"][:, k], -1.0, 1.0)) <= cone + _EDGE
    return within


def _inside(stroke: tuple[float, float] | None, values: Array) -> NDArray[np.bool_]:
    if stroke is None:
        return np.ones(len(values), dtype=bool)
    return (values >= stroke[0] - _EDGE) & (values <= stroke[1] + _EDGE)
