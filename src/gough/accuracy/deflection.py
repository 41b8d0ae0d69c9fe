"""Deflection of the platform along a motion under its loads, and the pose errors there."""

from __future__ import annotations

import numpy as np

from gough.accuracy.elastic import elasticity
from gough.accuracy.pose_errors import PoseErrors, pose_errors, sources_of
from gough.graph import Array
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.tool import wrench_at_origin
from gough.motion import Motion
from gough.robot import Robot
from gough.table import Result, column, computed

SAMPLES = 101


class Deflection(Result):
    """Deflection of a robot's tool along a motion, and its pose errors.

    Attributes:
        robot: Whose, its payload included.
        motion: Name of the motion.
        t: (N,) [s].
        x: (N, n) platform coordinates.
        load: (N, 6) wrench on the platform, at the platform's origin, base axes: external, weight and inertia [N, N m].
        deflection: (N, 6) displacement of the tool and rotation, base axes [m, rad].
        errors: From tolerances, where some are stated; else None.
    """

    robot: Robot
    motion: str
    t: Array = column(quantity="s")
    x: Array = column("coordinate", "displacement", prefix="")
    load: Array = column("wrench", "force")
    deflection: Array = column("twist", "displacement")
    errors: PoseErrors | None

    FACTS, INDEX, DRAWN = ("robot", "motion"), "t", ("deflection",)

    @property
    @computed("twist", "displacement")
    def sd(self) -> Array | None:
        """(N, 6) standard deviation of the pose by axis [m, rad]; None without tolerances."""
        return None if self.errors is None else self.errors.sd

    @property
    @computed("twist", "displacement")
    def worst(self) -> Array | None:
        """(N, 6) largest error of the pose by axis [m, rad]; None without tolerances."""
        return None if self.errors is None else self.errors.worst


def deflection_along(
    robot: Robot,
    motion: Motion,
    samples: int = SAMPLES,
) -> Deflection:
    """Deflection under external wrench, weight and inertia of the platform with its payload, and pose errors.

    The legs' own masses are left out.

    Args:
        robot: With its stiffness and payload, and tolerances if it has some.
        motion: With its wrench, which acts at the robot's tool.
        samples: How many.

    Raises:
        InputError: Nothing is elastic.
        NumericalError: A pose is out of reach or singular.
    """
    s = Motion.of(robot, motion).path().sample(samples)
    load = np.array([platform_load(robot, x, xd, xdd) for x, xd, xdd in zip(s.x, s.xd, s.xdd, strict=True)])
    poses = [robot_pose(robot, ways_of(robot), x) for x in s.x]
    if s.wrench is not None:
        outer = [np.concatenate(wrench_at_origin(pose, w)) for pose, w in zip(poses, s.wrench, strict=True)]
        load = load + np.array(outer, dtype=float)
    arms = [np.array(pose.platform.R_BP, dtype=float) @ np.array(robot.tool.position) for pose in poses]
    at_tool = load - np.concatenate([np.zeros((len(load), 3)), np.cross(arms, load[:, :3])], axis=1)
    twists = np.array([elasticity(robot, x).deflection(w) for x, w in zip(s.x, at_tool, strict=True)])
    told = pose_errors(robot, s.x) if sources_of(robot) else None
    return Deflection(robot, motion.name, s.t, s.x, load, twists, told)


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
