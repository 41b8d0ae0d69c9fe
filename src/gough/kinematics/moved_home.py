"""The same machine with another home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gough.kinematics.inverse import inverse_kinematics
from gough.robot import Robot
from gough.robot.file.write import leg_table
from gough.robot.spec import motor_drive


def with_home(robot: Robot, x: Sequence[float]) -> Robot:
    """The robot with home at x (n,): its parts stay as they are, starts of joints are their coordinates at x.

    Leg types would build their legs anew about the new home, so the legs are written joint by joint. Cones of joints on
    the platform are about the directions of their legs at home, and move with it.

    Raises:
        PoseError: The legs do not close at x.
        RobotError: x may not be a home.
    """
    at = inverse_kinematics(robot, list(x))
    values = iter(at.joint_q.tolist())
    legs = []
    for leg in robot.legs:
        pairs = [(joint, next(values)) for joint in leg.joints]
        joints = [joint if joint.start is None else replace(joint, start=value) for joint, value in pairs]
        legs.append(replace(leg, joints=tuple(joints)))
    dependent = () if at.dependent is None else at.dependent.tolist()
    home = robot.platform.in_order([float(value) for value in x], dependent)
    spec = {key: value for key, value in robot.spec.items() if key != "legs"}
    platform = {**robot.spec["platform"], "home": home}
    tables = [leg_table(leg, drive=motor_drive(spec)) for leg in legs]
    return robot.with_spec({**spec, "platform": platform, "leg": tables})
