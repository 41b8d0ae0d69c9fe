"""Dependent coordinates at a pose: followed from home along the straight line in the independent ones, then polished.

The path stays on the assembly that the machine has at home; `graph.follow` says how.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, follow, less_equal, logical_and, logical_or, root
from gough.kinematics.closure.newton import AT_ITS_END, CLOSED
from gough.kinematics.dependent.constraint import Constraint, equations
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class Position:
    """What is found at a pose.

    Attributes:
        values: (k,) dependent coordinates [m or rad].
        joints: For each leg of the constraint's `chains` its independent coordinates.
        converged: Whether the path from home leads there.
    """

    values: Any
    joints: dict[int, Any]
    converged: Any


def dependent_position(robot: Robot, constraint: Constraint, x: Any) -> Position:
    """The dependent coordinates at x (n,).

    Args:
        robot: Its numbers may be recorded.
        constraint: Of the same robot in plain numbers.
        x: Floats or recorded.
    """
    home, count = np.array(robot.platform.home), len(constraint.home)

    def open_ends(x: Any, u: Any) -> Any:
        found = equations(robot, constraint.planes, constraint.by_leg(u), x, u[:count])
        return array([found[k] for k in constraint.rows])

    start = constraint.start
    left_open = open_ends(home, start)
    exact = left_open.dtype != object

    def on_the_way(u: Any, s: Any) -> Any:
        r = open_ends(home + (x - home) * s, u)
        return r if exact else r - left_open * (1.0 - s)

    path = follow(on_the_way, start, constraint.sizes)
    found = root(lambda u: open_ends(x, u), path.solution)
    there = less_equal(path.left, AT_ITS_END)
    closed = logical_or(found.converged, less_equal(found.residual, CLOSED))
    u = found.solution
    return Position(u[:count], constraint.by_leg(u), logical_and(there, closed))
