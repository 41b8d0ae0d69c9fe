"""The same machine with another home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.stated_assemblies import with_assemblies
from gough.robot import Robot
from gough.robot.file.read import rebuild
from gough.robot.file.write import explicit_document


def with_home(robot: Robot, x: Sequence[float]) -> Robot:
    """The robot with home at x (n,): its parts stay as they are, starts of joints are their coordinates at x.

    A short form would build its legs anew about the new home, so the result has none. Cones of joints on the platform
    are about the directions of their legs at home, and move with it.

    Raises:
        PoseError: The legs do not close at x.
        RobotError: x may not be a home.
    """
    stated = with_assemblies(robot)
    at = inverse_kinematics(stated, list(x))
    values = iter(at.joint_q.tolist())
    legs = []
    for leg in stated.legs:
        pairs = [(joint, next(values)) for joint in leg.joints]
        joints = [joint if joint.start is None else replace(joint, start=value) for joint, value in pairs]
        legs.append(replace(leg, joints=tuple(joints)))
    start = () if at.dependent is None else tuple(at.dependent.tolist())
    platform = replace(stated.platform, home=tuple(map(float, x)), start=start)
    return rebuild(explicit_document(replace(stated, platform=platform, legs=tuple(legs))))
