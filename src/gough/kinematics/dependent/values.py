"""Dependent coordinates of results that hold the independent ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array, Vector, record
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

ORDERS = ("dependent", "dependent_xd", "dependent_xdd")
"""Names of the dependent coordinates, their rates and their accelerations in programs and results."""


def dependent_coordinates(
    robot: Mechanism, x: ArrayLike, xd: ArrayLike | None = None, xdd: ArrayLike | None = None
) -> tuple[Array, ...]:
    """(N, k) dependent coordinates at x (N, n), with their rates and accelerations as far as xd and xdd are given.

    Of one sample without the leading axis; k is 0 for a robot without any. NaN where x is.
    """
    given = [np.asarray(values, dtype=float) for values in (x, xd, xdd) if values is not None]
    shape = np.broadcast_shapes(*(values.shape for values in given))[:-1]
    if not robot.platform.dependent:
        return tuple(np.empty((*shape, 0)) for _ in given)
    rows = [np.broadcast_to(values, (*shape, robot.dof)).reshape(-1, robot.dof) for values in given]
    good = np.isfinite(np.concatenate(rows, axis=1)).all(axis=1)
    found = [np.full((len(good), len(robot.platform.dependent)), np.nan) for _ in given]
    if good.any():
        names = ("x", "xd", "xdd")[: len(given)]
        values = kinematics_program(robot, len(given) - 1)(**{n: r[good] for n, r in zip(names, rows, strict=True)})
        for part, name in zip(found, ORDERS, strict=False):
            part[good] = values[name]
    return tuple(part.reshape(*shape, -1) for part in found)


def dependent_condition(robot: Mechanism, x: Array) -> Array:
    """(N,) condition of what tells the dependent rates at x (N, n), turning columns divided by the length; inf if none.

    Where it is large the chosen independent coordinates are a bad chart, although the machine may be fine.
    """
    held = _held_program(robot)(x=np.asarray(x, dtype=float))
    turns = np.array([c.turns for c in robot.platform.dependent])
    with np.errstate(all="ignore"):
        scaled = np.nan_to_num(held) / np.where(turns, characteristic_length(robot), 1.0)
        s = np.linalg.svd(scaled, compute_uv=False)
        return np.where(np.isfinite(held).all(axis=(-2, -1)), s[..., 0] / s[..., -1], np.nan)


@by_mechanism(32)
def _held_program(robot: Mechanism) -> Program:
    ways = ways_of(robot)

    def equations(x: Vector) -> Vector:
        dependence = robot_pose(robot, ways, x).platform.dependence
        assert dependence is not None
        return dependence.held

    return Program(record(equations, x=robot.dof))
