"""The lever of a wrench at the tool: it turns with the platform."""

from __future__ import annotations

from typing import Any

from gough.graph import Vector, array, cross, label
from gough.kinematics.robot_pose import RobotPose


def wrench_at_origin(pose: RobotPose, wrench: Vector) -> tuple[Any, Any]:
    """Force and moment at the platform's origin of a wrench [f; m] at the robot's tool: f and m + (R r) x f, base axes.

    A tool at the origin adds no operation.
    """
    f, m = wrench[:3], wrench[3:]
    tool = pose.robot.tool
    if tool.at_origin:
        return f, m
    with label("platform"):
        return f, m + cross(array(pose.platform.R_BP) @ array(tool.position), f)
