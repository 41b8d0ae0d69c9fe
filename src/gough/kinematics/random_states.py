"""Random states that a robot can be in."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import NumericalError
from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.programs import characteristic_length
from gough.kinematics.status import Status
from gough.motion import State
from gough.robot import Mechanism

GRAVITY = 9.81
"""Scale of accelerations [m/s^2]: forces of inertia are then as large as weights."""
FARTHEST = 1.0
NEAREST = 1e-2
"""How far from home poses are tried, in characteristic lengths and radians."""
TRIES = 200


def random_states(robot: Mechanism, count: int, seed: int = 0) -> State:
    """States with a wrench at poses that every leg reaches, near home and far; forces of inertia as large as weights.

    Raises:
        NumericalError: Next to no pose is within reach.
    """
    rng = np.random.default_rng(seed)
    x = reachable_poses(robot, count, rng)
    return moving(robot, x, rng)


def moving(robot: Mechanism, x: Array, rng: np.random.Generator) -> State:
    """Random rates, accelerations and wrenches at the poses x (N, n)."""
    length, scale = characteristic_length(robot), scales(robot)
    frequency = np.sqrt(GRAVITY / length)
    mass = sum(body.mass for body in robot.bodies)
    load = mass * GRAVITY * np.array([1.0] * 3 + [length] * 3)
    xd = 0.5 * frequency * scale * rng.normal(size=x.shape)
    xdd = frequency**2 * scale * rng.normal(size=x.shape)
    wrench = 0.5 * load * rng.normal(size=(len(x), 6))
    return State(x, xd, xdd, wrench=wrench)


def conditions(robot: Mechanism, states: State) -> Array:
    """(N,) condition number of K at the poses of states."""
    return inverse_kinematics(robot, states.x).condition


def reachable_poses(robot: Mechanism, count: int, rng: np.random.Generator) -> Array:
    """(count, n) poses within reach and not near singular: distances from home are even on a logarithmic scale."""
    home, scale = np.array(robot.platform.home), scales(robot)
    found: list[Any] = []
    for _ in range(TRIES):
        size = FARTHEST * (NEAREST / FARTHEST) ** rng.uniform(size=(count, 1))
        x = home + size * scale * rng.uniform(-1, 1, (count, len(home)))
        found += list(x[inverse_kinematics(robot, x).status == Status.FINE])
        if len(found) >= count:
            return np.array(found[:count])
    raise NumericalError(f"robot {robot.name}: {len(found)} of {count * TRIES} poses about home are within reach")


def scales(robot: Mechanism) -> Array:
    """(n,) the robot's length for sliding coordinates, 1 rad for turning ones."""
    length = characteristic_length(robot)
    return np.array([1.0 if c.turns else length for c in robot.platform.coordinates])
