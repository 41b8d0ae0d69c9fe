"""A slice of the workspace: poses over two coordinates, the others held, that are within all limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, Scalar, Vector, array, record
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.robot_pose import robot_pose
from gough.kinematics.status import Status
from gough.robot import Mechanism, Robot, by_mechanism
from gough.robot.names import did_you_mean
from gough.run import Program
from gough.workspaces.conditions import conditions_of
from gough.workspaces.margins import least_of, margin_equations
from gough.workspaces.travel import machine_size

CELLS = 56
_WIDER, _ROUNDS = 1.7, 5
_WORSE = 10.0
"""Condition of K in those of home beyond which a pose is no place to work at."""
_TURN = 1.2
"""Half width of the first look at an angle [rad]."""


@dataclass(frozen=True)
class Slice:
    """A grid over two coordinates.

    Attributes:
        robot: Whose.
        x: (n,) the pose that it goes through.
        places: Indices of the two coordinates.
        u, v: (A,) and (B,) values of the first and of the second.
        inside: (B, A) which poses are within all limits, not near singular, and connected with x.
    """

    __repr__ = brief

    robot: Robot
    x: Array
    places: tuple[int, int]
    u: Array
    v: Array
    inside: NDArray[np.bool_]

    @property
    def poses(self) -> Array:
        """(k, n) the poses inside, row by row."""
        return _grid(self.x, self.places, self.u, self.v)[self.inside]

    def filled(self, values: ArrayLike) -> Array:
        """(B, A) of values (k,) at the poses inside; NaN outside."""
        found = np.full(self.inside.shape, np.nan)
        found[self.inside] = values
        return found


def slice_of(
    robot: Robot, x: ArrayLike | None = None, axes: Sequence[str] | str | None = None, cells: int = CELLS
) -> Slice:
    """The slice through a pose over two coordinates.

    Args:
        robot: Any with two coordinates at least.
        x: (n,) the pose; home by default.
        axes: Names of the coordinates, "x,z" or two of them; two that slide where there are, by default.
        cells: Along each.

    Raises:
        InputError: No such coordinates, or the pose itself is not within limits.
    """
    at = np.asarray(robot.platform.home if x is None else x, dtype=float)
    places = _places(robot, axes)
    size = machine_size(robot)
    half = np.array([_TURN if robot.platform.coordinates[k].turns else size for k in places])
    low, high = at[list(places)] - half, at[list(places)] + half
    for _ in range(_ROUNDS):
        u, v, inside = _looked(robot, at, places, low, high, cells)
        rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
        ends = np.array([[u[columns[0]], v[rows[0]]], [u[columns[-1]], v[rows[-1]]]])
        step = np.array([u[1] - u[0], v[1] - v[0]])
        touched = (ends[0] <= low + 0.5 * step) | (ends[1] >= high - 0.5 * step)
        coarse = (ends[1] - ends[0]) < 0.6 * (high - low)
        if not touched.any() and not coarse.any():
            break
        middle, reach = (ends[0] + ends[1]) / 2, (ends[1] - ends[0]) / 2 + 1.5 * step
        reach = np.where(touched, _WIDER * reach, reach)
        low, high = middle - reach, middle + reach
    return Slice(robot, at, places, u, v, inside)


def _places(robot: Mechanism, axes: Sequence[str] | str | None) -> tuple[int, int]:
    names, coordinates = robot.coordinate_names, robot.platform.coordinates
    if len(names) < 2:
        raise InputError(f"a map: {robot.name} has one coordinate, a map needs two")
    if axes is None:
        slides = [k for k, c in enumerate(coordinates) if not c.turns]
        order = slides + [k for k in range(len(names)) if k not in slides]
        return (slides[0], slides[2]) if len(slides) == 3 else (order[0], order[1])
    wanted = [name.strip() for name in axes.split(",")] if isinstance(axes, str) else list(axes)
    for name in wanted:
        if name not in names:
            raise InputError(f"--map {name}: no such coordinate ({did_you_mean(name, names)})")
    if len(wanted) != 2 or wanted[0] == wanted[1]:
        raise InputError(f"--map {','.join(wanted)}: must be two coordinates, e.g. {names[0]},{names[1]}")
    return names.index(wanted[0]), names.index(wanted[1])


def _grid(x: Array, places: tuple[int, int], u: Array, v: Array) -> Array:
    """(B, A, n) poses."""
    grid = np.tile(x, (len(v), len(u), 1))
    grid[:, :, places[0]], grid[:, :, places[1]] = u[None, :], v[:, None]
    return grid


def _looked(
    robot: Robot, x: Array, places: tuple[int, int], low: Array, high: Array, cells: int
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Grid lines and what is inside and connected with x, all cells of the same size."""
    from scipy.ndimage import label

    u, v = (np.linspace(low[k], high[k], cells) for k in range(2))
    at = [int(np.argmin(np.abs(line - x[place]))) for line, place in zip((u, v), places, strict=True)]
    u, v = u + (x[places[0]] - u[at[0]]), v + (x[places[1]] - v[at[1]])
    inside = within(robot, _grid(x, places, u, v).reshape(-1, len(x)), _WORSE).reshape(len(v), len(u))
    if not inside[at[1], at[0]]:
        raise InputError(f"a map: the pose it goes through, {x.tolist()}, is not within all limits of {robot.name}")
    parts, _ = label(inside)
    return u, v, np.asarray(parts == parts[at[1], at[0]])


def within(robot: Mechanism, x: Array, worse: float) -> NDArray[np.bool_]:
    """(N,) whether poses x (N, n) are within all limits, their condition at most `worse` times that of home."""
    usual = max(float(inverse_kinematics(robot, np.array(robot.platform.home)).condition), 1.0)
    at = inverse_kinematics(robot, x)
    fine = np.asarray((at.status == Status.FINE) & (at.condition <= worse * usual))
    found = np.zeros(len(x), dtype=bool)
    found[fine] = _least_margin(robot)(x=x[fine]) > 0.0
    return found


@by_mechanism(16)
def _least_margin(robot: Mechanism) -> Program:
    """How far a pose is within all limits of the robot; not above zero outside."""
    equations = margin_equations(robot, conditions_of(robot))

    def least(x: Vector) -> Scalar:
        named = equations(robot_pose(robot, equations.ways, x).free())
        return least_of(array([margin for _, margin in named]))

    return Program(record(least, x=robot.dof), "blocks")
