"""From generalised forces on the platform coordinates to actuator efforts, and what all formulations load alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.state import RobotMotion
from gough.graph import array, dot, factor, label, solve_transposed
from gough.kinematics.robot_pose import RobotPose


def to_actuators(pose: RobotPose, Q: Any) -> Any:
    """(actuators,) efforts K^-T Q of the generalised forces Q (n,) on the platform coordinates."""
    return solve_transposed(factor(pose.jacobian()), Q)


def wrench_force(pose: RobotPose, wrench: tuple[Any, Any]) -> Any:
    """(n,) generalised force S^T w of a force and moment on the platform at the origin of P."""
    f, m = (array(part) for part in wrench)
    platform = pose.platform
    with label("platform"):
        return array([dot(d, m if turns else f) for d, turns in zip(platform.directions, platform.turns, strict=True)])


def friction_force(motion: RobotMotion) -> Any:
    """(n,) generalised force of viscous friction in the passive joints: minus the slope of Rayleigh's function."""
    pose = motion.pose
    n = len(motion.xd)
    total: Any = np.zeros(n)
    for number, leg in enumerate(pose.legs):
        rough = [
            (k, joint.viscous)
            for k, joint in enumerate(leg.leg.joints)
            if not joint.actuated and not (isinstance(joint.viscous, float) and joint.viscous == 0.0)
        ]
        if not rough:
            continue
        with label(leg.owner):
            columns = [leg.rates(*pose.platform.column(j)) for j in range(n)]
            for k, viscous in rough:
                effort = motion.leg_rates[number][k] * viscous
                total = total - array([columns[j][k] for j in range(n)]) * effort
    return total


def balance(motion: RobotMotion, Q: Any, wrench: tuple[Any, Any] | None, bodies: set[str] | None) -> Any:
    """(actuators,) efforts that give the generalised inertia and weight Q, with the wrench and passive friction."""
    if wrench is not None:
        Q = Q - wrench_force(motion.pose, wrench)
    if bodies is None:
        Q = Q - friction_force(motion)
    return to_actuators(motion.pose, Q)
