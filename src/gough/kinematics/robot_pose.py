"""A whole robot at a pose of its platform: what formulations are written on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import label
from gough.kinematics.closure.close import Way, close_leg, way_of
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class RobotPose:
    """The platform and all legs at a pose."""

    robot: Robot
    platform: PlatformPose
    legs: tuple[LegPose, ...]

    def jacobian(self) -> Any:
        """(actuators, n) K(x): actuator rates = K xd."""
        columns = []
        for k in range(len(self.robot.platform.coordinates)):
            columns.append([rate for leg in self.legs for rate in actuated(leg, leg.rates(*self.platform.column(k)))])
        return np.array(columns, dtype=object if any(not isinstance(v, float) for c in columns for v in c) else float).T


def actuated(leg_pose: LegPose, values: list[Any]) -> list[Any]:
    """Those of a leg's joint values that belong to actuated joints."""
    return [value for value, joint in zip(values, leg_pose.leg.joints, strict=True) if joint.actuated]


def ways_of(robot: Robot, newton: bool = False) -> tuple[Way, ...]:
    """How each leg of a robot of plain numbers is closed; with `newton` never in closed form."""
    return tuple(way_of(leg, robot.platform, newton) for leg in robot.legs)


def robot_pose(robot: Robot, ways: tuple[Way, ...], x: Any) -> RobotPose:
    """The robot at platform coordinates x (n,).

    Args:
        robot: Its numbers may be recorded.
        ways: From `ways_of` of the same robot in plain numbers.
        x: Floats or recorded.
    """
    with label("platform"):
        pose = platform_pose(robot.platform, x)
    legs = []
    for leg, way in zip(robot.legs, ways, strict=True):
        with label(f"leg {leg.name}"):
            legs.append(close_leg(leg, way, robot.platform, x, pose))
    return RobotPose(robot, pose, tuple(legs))
