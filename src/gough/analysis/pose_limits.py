"""Limits of the robot's file that poses do not keep beside strokes and speeds of actuators."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gough.analysis.leg_distances import cones_of, distance_program, pairs_of, shape_of
from gough.graph import Array
from gough.kinematics import Kinematics
from gough.robot import Mechanism


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
    return exceeded_by_row(solution.robot, solution.joint_q[None], x[None]).get(0, [])


def exceeded_by_row(robot: Mechanism, joint_q: Array, x: Array) -> dict[int, list[Exceeded]]:
    """The same of many solved poses: joints (N, joints) and x (N, n); rows that keep all limits are left out."""
    found: dict[int, list[Exceeded]] = {}
    for row, limit in (*_joints(robot, joint_q), *_cones(robot, x), *_distances(robot, x)):
        found.setdefault(row, []).append(limit)
    return found


Rows = Iterator[tuple[int, Exceeded]]
"""Number of a row, and a limit that it does not keep."""


def _joints(robot: Mechanism, joint_q: Array) -> Rows:
    for name, joint, values in zip(robot.joint_names, robot.joints, joint_q.T, strict=True):
        if joint.actuated or joint.limits.stroke is None:
            continue
        low, high = joint.limits.stroke
        for row in np.flatnonzero(~((low <= values) & (values <= high))).tolist():
            value = float(values[row])
            yield row, Exceeded("joint", name, value, low if value < low else high, joint.turns)


def _cones(robot: Mechanism, x: Array) -> Rows:
    cones = cones_of(robot)
    if all(largest is None for _, _, largest in cones):
        return
    cosines = shape_of(robot).program(x=x)["cosines"]
    for (leg, joint, largest), own in zip(cones, cosines.T, strict=True):
        if largest is None:
            continue
        for row in np.flatnonzero(own < math.cos(largest)).tolist():
            angle = math.acos(max(-1.0, float(own[row])))
            yield row, Exceeded("angle", f"{robot.legs[leg].name}.{joint}", angle, largest, True)


def _distances(robot: Mechanism, x: Array) -> Rows:
    """Legs with radii whose surfaces meet, each pair of legs once."""
    thick = [leg.radius is not None for leg in robot.legs]
    if sum(thick) < 2:
        return
    pairs = tuple(pair for pair in pairs_of(robot) if thick[pair.first.leg] and thick[pair.second.leg])
    points = shape_of(robot).program(x=x)["points"]
    squares = np.asarray(distance_program(pairs, points.shape[1])(points=points)).reshape(len(x), len(pairs))
    nearest: dict[str, Array] = {}
    for pair, gaps in zip(pairs, (np.sqrt(squares) - [pair.radii for pair in pairs]).T, strict=True):
        name = f"{robot.legs[pair.first.leg].name}-{robot.legs[pair.second.leg].name}"
        nearest[name] = np.minimum(gaps, nearest[name]) if name in nearest else gaps
    for name, gaps in nearest.items():
        for row in np.flatnonzero(gaps < 0.0).tolist():
            yield row, Exceeded("distance", name, float(gaps[row]), 0.0, False)
