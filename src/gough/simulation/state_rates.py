"""Rates of the platform coordinates from the free rates."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gough.graph import Array, record
from gough.kinematics.configuration import free_turns
from gough.kinematics.pose import platform_pose
from gough.kinematics.singularity import SINGULAR
from gough.robot import Robot
from gough.run import Program


@lru_cache(maxsize=32)
def chart_program(robot: Robot) -> Program:
    """From x to S (n, n): free rates = S xd."""
    return Program(record(lambda x: platform_pose(robot.platform, x).chart(), x=robot.dof))


def coordinate_rates(robot: Robot, x: Array, z: Array) -> Array:
    """(N, n) xd = S^-1 z, NaN where the coordinates' own chart is singular."""
    if not free_turns(robot.platform):
        return np.array(z)
    S = chart_program(robot)(x=np.ascontiguousarray(x))
    regular = np.isfinite(S).all(axis=(1, 2))
    regular[regular] = np.linalg.cond(S[regular]) < SINGULAR
    xd = np.full(np.shape(z), np.nan)
    if regular.any():
        xd[regular] = np.linalg.solve(S[regular], z[regular][..., None])[..., 0]
    return xd
