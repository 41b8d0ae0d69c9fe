"""How far poses are from home, and their order by it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gough.assembly.solutions import Solutions
from gough.graph import Array
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot

_DIGITS = 9
"""Distances that agree to so many digits are the same: symmetric modes are told apart by their positions."""


def from_home(robot: Robot, p: Array, R: Array) -> Array:
    """(M,) distances of poses p (M, 3), R (M, 3, 3) from home: shift by the robot's length, and angle of the turn."""
    p_home, R_home = _home(robot)
    shift = np.linalg.norm(p - p_home, axis=1)
    turn = np.linalg.norm(R - R_home, axis=(1, 2)) / np.sqrt(8.0)
    angle = 2.0 * np.arcsin(np.clip(turn, 0.0, 1.0))
    return np.hypot(shift / characteristic_length(robot), angle)


@lru_cache(maxsize=64)
def _home(robot: Robot) -> tuple[Array, Array]:
    """Position (3,) and orientation (3, 3) at home."""
    platform = home_platform(robot)
    home = platform_pose(platform, np.array(platform.home))
    return np.array(home.p_BP, dtype=float), np.array(home.R_BP, dtype=float)


def nearest_first(robot: Robot, found: Solutions) -> Solutions:
    """The same poses, in each set those nearer to home first."""
    far = from_home(robot, found.p, found.R).round(_DIGITS)
    return found.ordered(np.lexsort((*(-found.p.round(_DIGITS).T), far, found.sample)))
