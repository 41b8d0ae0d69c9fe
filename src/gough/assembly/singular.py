"""How far a pose is from a singularity."""

from __future__ import annotations

import numpy as np

from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot


def smallest(robot: Robot, K: Array) -> Array:
    """(M,) smallest singular values of K (M, actuators, n); turns divided by the robot's length where some slide."""
    turning = np.array([c.turns for c in robot.platform.coordinates])
    mixed = turning.any() and not turning.all()
    matrices = K / np.where(turning & mixed, characteristic_length(robot), 1.0)
    found = np.full(len(K), np.nan)
    good = np.isfinite(matrices).all(axis=(1, 2))
    found[good] = np.linalg.svd(matrices[good], compute_uv=False)[:, -1]
    return found
