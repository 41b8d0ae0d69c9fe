"""One sample of a computed-torque controller, recorded whole: from sensors and a reference to forces."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

from gough.dynamics.acceleration import chart_drift
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Scalar, Vector, absolute, array, less, logical_and
from gough.kinematics.configuration import Configuration
from gough.kinematics.robot_pose import RobotPose, robot_pose
from gough.kinematics.tool import wrench_at_origin
from gough.simulation.control.known_model import estimate, forces_of
from gough.simulation.system import System

MISSING = 1e-6
"""What an estimated pose may miss of the displacements that are measured [m or rad]."""


class ControllerStep(NamedTuple):
    """What a step gives.

    Attributes:
        force: (actuators,) joint-side.
        x: (n,) platform coordinates found from the measured displacements: the next guess.
        pose: The robot there.
        found: Whether the pose was found.
        closed: Whether all legs reach at the reference too.
    """

    force: Vector
    x: Vector
    pose: RobotPose
    found: Scalar
    closed: Scalar


def controller_step(
    system: System,
    reference: tuple[Vector, Vector, Vector],
    measured: tuple[Vector, Vector],
    guess: Vector,
    gains: tuple[Vector, Vector],
    wrench: Vector,
    p: Vector = None,
) -> ControllerStep:
    """Forces of the wished acceleration: that of the reference, plus kp times the error, plus kd times its rate.

    The platform's state is found from the sensors by Newton's method from the last pose. Errors of three turning
    coordinates are turns about base axes.

    Args:
        system: The controller's model of the robot.
        reference: x, xd, xdd (n,) of the platform.
        measured: q, qd (actuators,).
        guess: (n,) the last pose.
        gains: kp, kd (n,) [1/s^2, 1/s].
        wrench: (6,) external force and moment on the platform, base axes, at the robot's tool.
        p: Free numbers of the system, or None.
    """
    robot = system.robot if p is None else system.robot.with_numbers(dict(zip(system.free, p, strict=True)))
    space: Any = Configuration(robot)
    x, xd, xdd = reference
    kp, kd = gains
    target = robot_pose(robot, system.ways, x)
    chart = target.platform.chart()
    wished = chart @ array(xdd) + chart_drift(target, xd)
    c, z, missing = estimate(system, space.of_coordinates(guess), *measured, p)
    error = space.apart(space.of_coordinates(x), c)
    zd = wished + kd * (chart @ array(xd) - z) + kp * error
    motion = RobotMotion(space.pose(system.ways, c), z, zd)
    force = forces_of(system, motion, wrench_at_origin(motion.pose, wrench))
    found = reduce(logical_and, [less(absolute(value), MISSING) for value in missing])
    closed = reduce(logical_and, [leg.closure.reached for leg in target.legs])
    return ControllerStep(array(force), space.coordinates(c), motion.pose, found, closed)
