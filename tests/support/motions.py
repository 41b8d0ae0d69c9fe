"""Platform motions to test with: near home, in the reach of every leg."""

import numpy as np

from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.programs import characteristic_length


def scales(robot):
    """(n,) the robot's length for sliding coordinates, 1 rad for turning ones."""
    length = characteristic_length(robot)
    return np.array([1.0 if c.motion.startswith("r") else length for c in robot.platform.coordinates])


def motion_near_home(robot, count, seed, size=0.1):
    """x, xd, xdd (count, n): poses up to `size` lengths or radians from home that every leg reaches, random rates."""
    rng = np.random.default_rng(seed)
    scale = scales(robot)
    x = np.array(robot.platform.home) + size * scale * rng.uniform(-1, 1, (count, len(scale)))
    assert (inverse_kinematics(robot, x).status == Status.FINE).all()
    return x, scale * rng.normal(size=x.shape), scale * rng.normal(size=x.shape)


def smooth_path(robot, seed, size=0.05):
    """x(t) through home at t = 0, with its first two derivatives, as a function of t."""
    rng = np.random.default_rng(seed)
    a, b = size * scales(robot) * rng.normal(size=(2, len(robot.platform.coordinates)))
    home = np.array(robot.platform.home)
    return lambda t: (
        home + a * np.sin(t) + b * np.sin(2 * t),
        a * np.cos(t) + 2 * b * np.cos(2 * t),
        -a * np.sin(t) - 4 * b * np.sin(2 * t),
    )
