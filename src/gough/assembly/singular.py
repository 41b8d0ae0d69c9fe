"""How far a pose is from a singularity."""

from __future__ import annotations

import numpy as np

from gough.graph import Array, Scalar, Vector, record
from gough.kinematics.programs import characteristic_length
from gough.kinematics.small_matrices import least_singular_value
from gough.robot import Mechanism, by_mechanism
from gough.run import Program


def smallest(robot: Mechanism, K: Array) -> Array:
    """(M,) smallest singular values of K (M, actuators, n); turns divided by the robot's length where some slide."""
    found: Array = _program(robot, K.shape[1:])(K=np.ascontiguousarray(K))["least"]
    return found


def smallest_recorded(robot: Mechanism, K: Vector) -> Scalar:
    """That of one K (actuators, n)."""
    turning = np.array([c.turns for c in robot.platform.coordinates])
    mixed = turning.any() and not turning.all()
    return least_singular_value(K / np.where(turning & mixed, characteristic_length(robot), 1.0))


@by_mechanism(64)
def _program(robot: Mechanism, shape: tuple[int, int]) -> Program:
    return Program(record(lambda K: {"least": smallest_recorded(robot, K)}, K=shape))
