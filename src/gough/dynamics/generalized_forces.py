"""What formulations that end in generalised forces on the platform load alike: weight, springs, wrench, friction."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.distribution import Demand
from gough.dynamics.moving_base import across_rod
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import stored_energy
from gough.graph import Vector, array, cross, gradient, label
from gough.kinematics.bodies import BodyPose, owned, potential_energy
from gough.kinematics.robot_pose import RobotPose


def wrench_force(pose: RobotPose, wrench: tuple[Any, Any]) -> Vector:
    """(n,) generalised force S^T w of a force and moment on the platform at the origin of P."""
    return pose.platform.power(*(array(part) for part in wrench))


def slope(pose: RobotPose, counted: list[BodyPose], gravity: Vector, springs: bool = True) -> Vector:
    """(n,) dP/dx of the potential energy of these bodies' weight and, if asked, of the springs. Lopes2009 (77)-(80)."""
    energy = potential_energy(counted, gravity)
    if springs and pose.robot.has_springs:
        energy = energy + stored_energy(pose)
    return gradient(energy, pose.x)


def base_velocities(counted: list[BodyPose], w: Vector) -> list[tuple[Any, Any]]:
    """(velocity of the centre of mass, angular velocity) of each body, if all stood still on a base that turns by w."""
    return [(cross(w, b.c), across_rod(b, w)) for b in owned(counted)]


def friction_force(motion: RobotMotion) -> Vector:
    """(n,) generalised force of viscous friction in the passive joints: minus the slope of Rayleigh's function."""
    pose = motion.pose
    total: Any = np.zeros(pose.platform.dof)
    for number, leg in enumerate(pose.legs):
        rough = [(k, joint.viscous) for k, joint in enumerate(leg.leg.joints) if joint.is_passive_viscous]
        if not rough:
            continue
        with label(leg.owner):
            columns = [leg.rates(*column) for column in pose.platform.columns]
            for k, viscous in rough:
                effort = motion.leg_rates[number][k] * viscous
                total = total - array([rates[k] for rates in columns]) * effort
    return total


def resisted(motion: RobotMotion, Q: Vector, wrench: tuple[Any, Any] | None) -> Vector:
    """(n,) generalised force Q of inertia and weight, less what the wrench and passive friction give."""
    Q = Q - friction_force(motion)
    return Q if wrench is None else Q - wrench_force(motion.pose, wrench)


def loaded(motion: RobotMotion, Q: Vector, wrench: tuple[Any, Any] | None, bodies: set[str] | None) -> Demand:
    """The demand of generalised inertia and weight Q (n,), with the wrench, and with friction if all bodies count."""
    if bodies is None:
        Q = resisted(motion, Q, wrench)
    elif wrench is not None:
        Q = Q - wrench_force(motion.pose, wrench)
    K = motion.pose.jacobian()
    return Demand(K, Q, np.zeros(len(K)))
