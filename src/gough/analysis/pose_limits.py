"""Limits of the robot's file that one pose does not keep beside strokes and speeds of actuators."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gough.analysis.leg_distances import cones_of, distance_program, pairs_of, shape_of
from gough.graph import Array
from gough.kinematics import Kinematics
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A limit that is not kept.

    Attributes:
        kind: `joint`, `angle` or `distance`, as in `analysis.limits`.
        owner: Name of the joint, or of both legs.
        value: What it is [m or rad].
        limit: What is allowed [m or rad].
        turns: Whether both are angles.
    """

    kind: str
    owner: str
    value: float
    limit: float
    turns: bool


def exceeded_limits(solution: Kinematics, x: Array) -> list[Exceeded]:
    """Strokes of passive joints, cones of joints and distances of legs that a solved pose x (n,) does not keep."""
    robot = solution.robot
    return [*_joints(solution), *_cones(robot, x), *_distances(robot, x)]


def _joints(solution: Kinematics) -> Iterator[Exceeded]:
    rows = zip(solution.joints, solution.robot.joints, solution.joint_q.tolist(), strict=True)
    for name, joint, value in rows:
        if joint.actuated or joint.limits.stroke is None:
            continue
        low, high = joint.limits.stroke
        if not low <= value <= high:
            yield Exceeded("joint", name, value, low if value < low else high, joint.turns)


def _cones(robot: Robot, x: Array) -> Iterator[Exceeded]:
    cones = cones_of(robot)
    if all(largest is None for _, _, largest in cones):
        return
    cosines = shape_of(robot).program(x=x)["cosines"].tolist()
    for (leg, joint, largest), cosine in zip(cones, cosines, strict=True):
        if largest is not None and cosine < math.cos(largest):
            angle = math.acos(max(-1.0, cosine))
            yield Exceeded("angle", f"{robot.legs[leg].name}.{joint}", angle, largest, True)


def _distances(robot: Robot, x: Array) -> Iterator[Exceeded]:
    """Legs with radii whose surfaces meet, each pair of legs once."""
    thick = [leg.radius is not None for leg in robot.legs]
    if sum(thick) < 2:
        return
    pairs = tuple(pair for pair in pairs_of(robot) if thick[pair.first.leg] and thick[pair.second.leg])
    points = shape_of(robot).program(x=x)["points"]
    squares = distance_program(pairs, len(points))(points=points).ravel()
    gaps = np.sqrt(squares) - [pair.radii for pair in pairs]
    nearest: dict[str, float] = {}
    for pair, gap in zip(pairs, gaps.tolist(), strict=True):
        name = f"{robot.legs[pair.first.leg].name}-{robot.legs[pair.second.leg].name}"
        nearest[name] = min(gap, nearest.get(name, math.inf))
    for name, gap in nearest.items():
        if gap < 0.0:
            yield Exceeded("distance", name, gap, 0.0, False)
