"""How fast the platform moves: its reference point's velocity, its angular velocity, and their rates."""

from __future__ import annotations

from typing import Any

from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

OUTPUT = {
    "platform_speed": "v",
    "turning_speed": "w",
    "platform_acceleration": "a",
    "turning_acceleration": "wd",
}
"""Of the program, by kind of limit."""


@by_mechanism(32)
def platform_program(robot: Mechanism) -> Program:
    """From x, xd, xdd (n,) to v, w, a, wd (3,) of the platform at its reference point, base axes."""
    n = robot.dof

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        motion = RobotMotion(robot_pose(robot, ways_of(robot), x), xd, xdd)
        twist, rate = motion.twist, motion.twist_rate
        return {"v": twist.v, "w": twist.w, "a": rate.a, "wd": rate.wd}

    return Program(record(equations, x=n, xd=n, xdd=n))
