"""What forces an actuator can have."""

from __future__ import annotations

from typing import Any

from gough.robot import Robot


def force_limits(robot: Robot) -> list[tuple[Any, Any]]:
    """Least and largest force of each actuator [N or N m]; None where it has no limit.

    A cable pulls: its force is minus its tension.
    """
    found: list[tuple[Any, Any]] = []
    for leg, joint in zip(robot.actuator_legs, robot.actuators, strict=True):
        cable, most = robot.legs[leg].cable, joint.limits.force
        if cable is not None:
            found.append((-cable.tension[1], -cable.tension[0]))
        else:
            found.append((None, None) if most is None else (-most, most))
    return found
