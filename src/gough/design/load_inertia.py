"""The inertia that each actuator moves, to be held against that of its motor."""

from __future__ import annotations

import numpy as np

from gough.dynamics import inverse_dynamics
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.motion import State
from gough.robot import Robot


def load_inertia(robot: Robot) -> Array | None:
    """(actuators,) force per acceleration of each actuator from rest at home while the others hold [kg or kg m^2].

    Reflected rotors count too. None where there are more actuators than coordinates: then one cannot move alone.
    """
    x = np.array(robot.platform.home)
    rest = np.zeros_like(x)
    K = np.asarray(inverse_kinematics(robot, x).K)
    if K.shape[0] != K.shape[1]:
        return None
    accelerations = np.linalg.inv(K).T
    still = inverse_dynamics(robot, x).force
    found = [inverse_dynamics(robot, State(x, rest, xdd)).force[k] - still[k] for k, xdd in enumerate(accelerations)]
    return np.array(found)
