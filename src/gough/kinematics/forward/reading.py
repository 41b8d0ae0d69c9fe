"""What the actuators read at a configuration, for any robot, as one program."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gough.graph import array, record
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import ways_of
from gough.kinematics.singularity import stretched
from gough.kinematics.status import Status, Verdict, condition_number, judge
from gough.robot import Robot
from gough.run import Program


@lru_cache(maxsize=64)
def reading_program(robot: Robot) -> Program:
    """From c (m,) to displacements q, K in free rates, and what the status of the pose is computed from."""
    space, ways = Configuration(robot), ways_of(robot)

    def equations(c: Any) -> dict[str, Any]:
        pose = space.pose(ways, c)
        joints = [
            (coordinate, joint)
            for leg in pose.legs
            for coordinate, joint in zip(leg.coordinates, leg.leg.joints, strict=True)
            if joint.actuated
        ]
        return {
            "q": array([coordinate.value(joint.start) - joint.zero for coordinate, joint in joints]),
            "K": pose.jacobian(),
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
        }

    return Program(record(equations, c=space.size))


@lru_cache(maxsize=64)
def moving_program(robot: Robot) -> Program:
    """From c (m,) and a displacement y (n,) along the free rates to c."""
    space = Configuration(robot)
    return Program(record(lambda c, y: {"out": space.moved(c, y)}, c=space.size, y=robot.dof))


def verdict_at(robot: Robot, c: Any) -> Verdict:
    """Statuses of the poses at configurations c (N, m)."""
    found = reading_program(robot)(c=c)
    x = np.ascontiguousarray(charts(robot)[1](c=c))
    verdict = judge(found["short"], found["converged"], condition_number(robot, found["K"]), robot, x)
    verdict.status[stretched(robot, found["K"]) & (verdict.status == Status.FINE)] = Status.NEAR_SINGULAR
    return verdict


class RobotReadings:
    """Displacements over configurations of a robot, as `checked_step` follows them.

    Attributes:
        robot: Any.
        turns: (actuators,) whether an actuator turns.
        sizes: (n,) by which displacements are measured.
        length: The robot's [m].
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.turns = np.array([j.turns for j in robot.actuators])
        self.length = characteristic_length(robot)
        self.sizes = np.array([self.length if c.turns else 1.0 for c in robot.platform.coordinates])

    def at(self, c: Any) -> tuple[Any, Any, Any]:
        """(q (N, actuators), K (N, actuators, n), (N,) whether all legs reach) at c (N, m)."""
        found = reading_program(self.robot)(c=np.ascontiguousarray(c))
        return found["q"], found["K"], (found["converged"] & (found["short"] <= REACH_SLACK)).all(axis=1)

    def way(self, here: Any, there: Any) -> Any:
        """(N, actuators) from displacements to displacements; an actuator that turns takes the shorter way."""
        apart = there - here
        if self.turns.any():
            apart = np.where(self.turns, apart - 2.0 * np.pi * np.round(apart / (2.0 * np.pi)), apart)
        return apart

    def moved(self, c: Any, y: Any) -> Any:
        """(N, m) configurations after displacements y (N, n) along the free rates."""
        return moving_program(self.robot)(c=np.ascontiguousarray(c), y=np.ascontiguousarray(y))
