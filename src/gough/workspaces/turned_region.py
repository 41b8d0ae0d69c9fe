"""The poses within the limits of a machine that has two turning coordinates and no other: one against the other."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gough.display import Display
from gough.graph import Array, Vector, record
from gough.kinematics.robot_pose import robot_pose
from gough.robot import Mechanism
from gough.run import Program
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import least_of, margin_equations
from gough.workspaces.result import Workspace

POINTS = 241
SPAN = 0.5 * np.pi


def turns_twice(robot: Mechanism) -> bool:
    """Whether a machine has two coordinates, which turn."""
    return [c.turns for c in robot.platform.coordinates] == [True, True]


def turned_region(robot: Mechanism, conditions: Conditions, x: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """(n,) first coordinates, (n,) second ones [rad], and (n, n) whether poses are within the limits.

    Rows are by the second. The grid goes a quarter turn from x (2,) to all sides.
    """
    equations = margin_equations(robot, conditions)

    def least(x: Vector) -> Vector:
        return least_of([margin for _, margin in equations(robot_pose(robot, equations.ways, x).free())] or [1.0])

    first, second = (value + np.linspace(-SPAN, SPAN, POINTS) for value in x)
    a, b = np.meshgrid(first, second)
    margins = Program(record(least, x=2))(x=np.stack([a.ravel(), b.ravel()], axis=1))
    return first, second, (np.asarray(margins) > 0.0).reshape(a.shape)


def draw_turned_region(ax: Axes, found: Workspace, display: Display) -> None:
    """Fill the poses within the limits, and mark the pose."""
    first, second, inside = turned_region(found.robot, found.conditions, found.x)
    factor, unit = display.angle
    a, b = first * factor, second * factor
    ax.contourf(a, b, inside.astype(float), levels=[0.5, 1.5], colors=["#0072B2"], alpha=0.45)
    ax.plot(*(found.x * factor), "o", color="white", markeredgecolor="black")
    for values, seen, limit in ((a, inside.any(axis=0), ax.set_xlim), (b, inside.any(axis=1), ax.set_ylim)):
        if seen.any():
            rim = 0.05 * (values[-1] - values[0])
            limit(values[seen].min() - rim, values[seen].max() + rim)
    names = found.robot.coordinate_names
    ax.set_xlabel(f"{names[0]} [{unit}]")
    ax.set_ylabel(f"{names[1]} [{unit}]")
    ax.set_title("poses within the limits", fontsize=9)
    ax.grid(True, linewidth=0.4)
