"""The power that a motion takes: the rate of the robot's energy, and what friction takes.

It is worked out from the energies alone, by exact differentiation along the motion: no formulation enters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.drives import rates
from gough.dynamics.force_programs import Model
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import absolute, array, dot, jvp, record
from gough.kinematics.bodies import body_poses, body_velocities, potential_energy
from gough.robot import Robot
from gough.run import Program


def energy(motion: RobotMotion) -> Any:
    """Kinetic and potential energy, rotors included [J]."""
    pose = motion.pose
    bodies = body_poses(pose)
    total = potential_energy(bodies, array(pose.robot.gravity))
    for b, (v, w) in zip(bodies, body_velocities(pose, bodies, *pose.platform.twist(motion.rate)), strict=True):
        total = total + (dot(v, v) * b.body.mass + dot(w, b.spin_momentum(w))) * 0.5
    qd, _ = rates(motion)
    for joint, rate in zip(motion.pose.robot.actuators, qd, strict=True):
        total = total + rate * rate * (0.5 * joint.rotor_inertia * joint.gear * joint.gear)
    return total


def dissipation(motion: RobotMotion) -> Any:
    """What friction takes in all joints [W]."""
    total: Any = 0.0
    for k, leg in enumerate(motion.pose.legs):
        for joint, rate in zip(leg.leg.joints, motion.leg_rates[k], strict=True):
            total = total + rate * rate * joint.viscous
            if joint.actuated:
                total = total + absolute(rate) * joint.coulomb
    return total


def power_program(robot: Robot) -> Program:
    """From x, xd, xdd, wrench: "needed", the power the actuators must give, and "rates" of the actuators."""
    model = Model(robot, NewtonEuler(), wrench=True)

    def equations(x: Any, xd: Any, xdd: Any, wrench: Any) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        v, w = motion.pose.platform.twist(xd)
        gained = jvp(energy(motion), np.concatenate([x, xd]), np.concatenate([xd, xdd]))
        outer = dot(wrench[:3], v) + dot(wrench[3:], w)
        return {"needed": array([gained + dissipation(motion) - outer]), "rates": rates(motion)[0]}

    return Program(record(equations, **model.inputs()))
