"""The lever from the platform's origin to the tool, of wrenches and twists: it turns with the platform."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Array, Vector, array, cross, label
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


def twists_at(twists: Array, r: Array) -> Array:
    """Twists (..., 6, k) of the origin as those of points r (..., 3) from it: v + w x r and w, base axes."""
    moved = twists.copy()
    moved[..., :3, :] += np.cross(twists[..., 3:, :], r[..., :, None], axis=-2)
    return moved
