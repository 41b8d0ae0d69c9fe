"""Deflection of the platform along a motion under its loads, and the pose errors there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gough.accuracy.elastic import elasticity
from gough.accuracy.pose_errors import AXES, UNITS, PoseErrors, pose_errors, sources_of
from gough.accuracy.tool_point import ORIGIN, Point, point_of
from gough.graph import Array
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.motion import Motion
from gough.motion.columns import WRENCH
from gough.robot import Robot
from gough.robot.error_sources import ErrorSources
from gough.table import Block, Table, Tabulated
from gough.table.of_robot import of_coordinates

SAMPLES = 101


@dataclass(frozen=True)
class Deflection(Tabulated):
    """Deflection of the platform along a motion, and its pose errors.

    Attributes:
        robot: Whose, its payload included.
        motion: Name of the motion.
        t: (N,) [s].
        x: (N, n) platform coordinates.
        load: (N, 6) wrench on the platform at its origin, base axes: external, weight and inertia [N, N m].
        deflection: (N, 6) displacement of the tool and rotation, base axes [m, rad].
        errors: From tolerances, where some are stated; else None.
        tool: (3,) a point of the platform, in its frame [m].
    """

    robot: Robot
    motion: str
    t: Array
    x: Array
    load: Array
    deflection: Array
    errors: PoseErrors | None
    tool: Point = ORIGIN

    @property
    def table(self) -> Table:
        """A row per sample: t, coordinates, load, deflection and, with tolerances, standard deviations."""
        blocks = [
            Block("t", self.t, "s"),
            of_coordinates(self.robot, "x", self.x),
            Block("load", self.load, ("N",) * 3 + ("N m",) * 3, {"component": WRENCH}),
            Block("deflection", self.deflection, UNITS, {"axis": AXES}),
        ]
        if self.errors is not None:
            blocks += [Block("sd", self.errors.sd, UNITS, {"axis": AXES})]
            blocks += [Block("worst", self.errors.worst, UNITS, {"axis": AXES})]
        facts = {"robot": self.robot.name, "motion": self.motion, "tool": list(self.tool)}
        return Table(len(self.t), tuple(blocks), facts, "t", ("deflection",))


def deflection_along(
    robot: Robot,
    motion: Motion,
    errors: ErrorSources | None = None,
    samples: int = SAMPLES,
    tool: ArrayLike = ORIGIN,
) -> Deflection:
    """Deflection under external wrench, weight and inertia of the platform with its payload, and pose errors.

    The legs' own masses are left out.

    Args:
        robot: With its payload: `gough.with_payload`.
        motion: With its wrench.
        errors: Stiffness, and tolerances if there are some; what the robot's file states if left out.
        samples: How many.
        tool: (3,) the point of the platform whose displacement is told, in its frame [m]; its origin by default.

    Raises:
        InputError: Nothing is elastic, or the tool is no point.
        NumericalError: A pose is out of reach or singular.
    """
    errors = robot.errors if errors is None else errors
    s = motion.sampled(samples)
    load = np.array([platform_load(robot, x, xd, xdd) for x, xd, xdd in zip(s.x, s.xd, s.xdd, strict=True)])
    if s.wrench is not None:
        load = load + s.wrench
    twists = np.array([elasticity(robot, errors, x, tool).under(w) for x, w in zip(s.x, load, strict=True)])
    told = pose_errors(robot, errors, s.x, tool) if sources_of(robot, errors) else None
    return Deflection(robot, motion.name, s.t, s.x, load, twists, told, point_of(robot, tool))


def platform_load(robot: Robot, x: Array, xd: Array, xdd: Array) -> Array:
    """(6,) weight and inertia of the platform as a wrench at its origin, base axes [N, N m]."""
    pose = robot_pose(robot, ways_of(robot), x).platform
    R = np.asarray(pose.R_BP, dtype=float)
    _, w = (np.asarray(value, dtype=float) for value in pose.twist(xd))
    a, wd = (np.asarray(value, dtype=float) for value in pose.twist_rate(xd, xdd))
    body = robot.platform.body
    r = R @ np.array(body.com)
    tensor = R @ np.asarray(body.tensor, dtype=float) @ R.T
    force = body.mass * (np.array(robot.gravity) - a - np.cross(wd, r) - np.cross(w, np.cross(w, r)))
    return np.concatenate([force, np.cross(r, force) - tensor @ wd - np.cross(w, tensor @ w)])
