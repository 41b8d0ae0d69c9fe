"""Gains: given, or from a bandwidth."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gough.robot import Actuation, Robot
from gough.robot.actuator_quantities import finite_vector, has_text, plain
from gough.robot.actuator_quantities import of_actuators as in_units
from gough.robot.quantities import Measure

_PER_SQUARE, _PER_SECOND = Measure((0, 0, -2, 0), 1.0, ("1/s^2",)), Measure((0, 0, -1, 0), 1.0, ("1/s",))


def of_errors(kp: Any, kd: Any, bandwidth: float, n: int) -> tuple[Any, Any]:
    """Acceleration per error and per rate of error [1/s^2, 1/s]: critically damped at the bandwidth [Hz]."""
    kp = plain("kp", kp, _PER_SQUARE) if has_text(kp) else kp
    kd = plain("kd", kd, _PER_SECOND) if has_text(kd) else kd
    w = 2.0 * np.pi * bandwidth
    return finite_vector("kp:", w * w if kp is None else kp, n), finite_vector("kd:", 2.0 * w if kd is None else kd, n)


def of_actuators(robot: Robot, kp: Any, kd: Any, bandwidth: float) -> tuple[Any, Any]:
    """Force per displacement and per rate; by default those of `of_errors` times each actuator's inertia at home."""
    kp, kd = in_units(robot, "kp", kp, "stiffness"), in_units(robot, "kd", kd, "damping")
    m = len(robot.actuators)
    acceleration = of_errors(None, None, bandwidth, m)
    inertia = actuator_inertia(robot) if kp is None or kd is None else np.ones(m)
    return (
        finite_vector("kp:", acceleration[0] * inertia if kp is None else kp, m),
        finite_vector("kd:", acceleration[1] * inertia if kd is None else kd, m),
    )


@lru_cache(maxsize=32)
def actuator_inertia(robot: Robot) -> Any:
    """(actuators,) inertia that each actuator feels at home [kg or kg m^2]: diagonal of the mass matrix on their rates.

    With more actuators than coordinates it is that of the motion that comes nearest to moving one of them alone.
    """
    from gough.dynamics import inverse_dynamics
    from gough.kinematics import inverse_kinematics

    n = robot.dof
    home = np.array(robot.platform.home)
    K = inverse_kinematics(robot, home).K
    alone = np.linalg.inv(K) if len(K) == n else np.linalg.pinv(K)
    xdd = np.vstack([np.zeros(n), alone.T])
    still = np.zeros((len(xdd), n))
    free = robot if robot.actuation is None else replace(robot, actuation=Actuation())
    force = inverse_dynamics(free, np.tile(home, (len(xdd), 1)), still, xdd).force
    if len(K) == n:
        return np.abs(np.diag(force[1:] - force[0]))
    return np.abs(np.einsum("ij,ij->i", (K @ alone).T, force[1:] - force[0]))
