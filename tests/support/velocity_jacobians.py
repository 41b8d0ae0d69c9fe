"""K for velocities and angular velocities, from K on the rates of coordinates: the axes of turns by hand."""

import numpy as np
from scipy.spatial.transform import Rotation


def on_velocities(robot, x, K):
    """(actuators, n) K at coordinates x (n,) in base axes, turns by the robot's length where others slide."""
    turns = np.array([c.turns for c in robot.platform.coordinates])
    found = np.array(K)
    if turns.sum() == 3 and not robot.platform.dependent:
        R, S = np.eye(3), []
        for coordinate, value in zip(robot.platform.coordinates, x, strict=True):
            if coordinate.turns:
                axis = np.eye(3)["xyz".index(coordinate.motion[-1])]
                S.append(R @ axis)
                R = R @ Rotation.from_rotvec(axis * value).as_matrix()
        found[:, turns] = found[:, turns] @ np.linalg.inv(np.array(robot.platform.rotation) @ np.transpose(S))
    if not turns.all():
        ends = np.array([leg.end.platform_point for leg in robot.legs])
        length = robot.length or np.sqrt(((ends - ends.mean(axis=0)) ** 2).sum(axis=1).mean())
        found[:, turns] /= length
    return found
