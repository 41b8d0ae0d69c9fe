"""How far poses are from home, and their order by it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Scalar, Vector, asin, minimum, sqrt
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length
from gough.robot import Mechanism

_DIGITS = 9
"""Distances that agree to so many digits are the same: symmetric modes are told apart by their positions."""


def from_home(robot: Mechanism, p: Vector, R: Vector) -> Scalar:
    """Distance of a pose p (3,), R (3, 3) from home: shift by the robot's length, and angle of the turn; recorded."""
    platform = home_platform(robot)
    home = platform_pose(platform, np.array(platform.home))
    shift = p - np.array(home.p_BP, dtype=float)
    turn = (R - np.array(home.R_BP, dtype=float)).ravel()
    angle: Any = 2.0 * asin(minimum(1.0, sqrt(turn @ turn) / np.sqrt(8.0)))
    return sqrt((shift @ shift) / characteristic_length(robot) ** 2 + angle * angle)


def nearest_first(sample: NDArray[np.intp], far: Array, p: Array) -> NDArray[np.intp]:
    """(M,) the order of poses p (M, 3) in which those of a sample stay together, the nearer ones first."""
    x, y, z = p.round(_DIGITS).T
    return np.lexsort((-x, -y, -z, far.round(_DIGITS), sample))
