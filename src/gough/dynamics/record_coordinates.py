"""Derivatives by the coordinates x, as formulations take them: of a motion whose rates do not depend on x.

The rate of a momentum p(x, xd) takes its derivative along xd at fixed xd. Where xd was itself recorded from x, as
S(x)^-1 z is, a derivative by x would go through it as well. `at_fixed_rates` makes that impossible. Plain coordinates,
by which nothing can be differentiated, are recorded on the spot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import Any

import numpy as np

from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Expr, Vector, array, record, recorded_from, with_fixed
from gough.graph.evaluate import evaluate
from gough.kinematics.robot_pose import robot_pose, ways_of


def differentiates_by_x(method: Callable[..., Any]) -> Callable[..., Any]:
    """`method(self, motion, gravity, ...)` of a formulation, at fixed rates; for plain floats numbers come back."""

    @wraps(method)
    def wrapper(self: Any, motion: RobotMotion, gravity: Vector, *args: Any, **kwargs: Any) -> Any:
        if motion.pose.platform.is_on_free_rates:
            raise ValueError(
                f"formulation {self.name!r} differentiates by the coordinates: its motion must be on their rates, not "
                "on free rates"
            )

        def equations(moving: RobotMotion, weight: Vector) -> Any:
            return method(self, moving, weight, *args, **kwargs)

        if any(type(value) is Expr for value in motion.pose.x):
            return at_fixed_rates(equations, motion, gravity)
        return _recorded(equations, motion, gravity)

    return wrapper


def at_fixed_rates(method: Callable[..., Any], motion: RobotMotion, gravity: Vector, *args: Any) -> Any:
    """`method(motion, gravity, ...)`, in which derivatives by x take rates, base motion and gravity as constants.

    Args:
        method: Returns an array, or a dataclass of arrays.
        motion: With recorded coordinates.
        gravity: (3,) in B.
        args: Further arguments.
    """
    n, x, base = len(motion.rate), motion.pose.x, motion.base
    values = array([*motion.rate, *motion.rate_d, *gravity])
    if base is not None:
        values = array([*values, *base.gravity, *base.w, *base.wd])
    if not recorded_from(x, values):
        return method(motion, gravity, *args)
    results: list[Any] = []

    def equations(given: Vector) -> Vector:
        base_rates = None if base is None else BaseRates.of(given[2 * n + 3 :])
        moving = RobotMotion(motion.pose, array(given[:n]), array(given[n : 2 * n]), base_rates)
        results.append(method(moving, array(given[2 * n : 2 * n + 3]), *args))
        return np.concatenate([np.ravel(part) for part in _arrays(results[-1]).values()])

    flat = with_fixed(equations, values, x)
    return _shaped(results[-1], flat)


def _recorded(equations: Callable[..., Any], motion: RobotMotion, gravity: Vector) -> Any:
    """Numbers of equations that differentiate by x, at a motion of plain numbers."""
    robot = motion.pose.robot
    methods = ways_of(robot)
    results: list[Any] = []

    def at(x: Vector) -> Any:
        results.append(equations(replace(motion, pose=robot_pose(robot, methods, x)), gravity))
        return _arrays(results[-1])

    graph = record(at, x=len(motion.pose.x))
    values = evaluate(graph.nodes, graph.inners, graph.output_nodes, list(map(float, motion.pose.x)))
    return _shaped(results[-1], np.array(values))


def _arrays(result: Any) -> dict[str, Any]:
    """The arrays of a dataclass by name, or an array itself."""
    if not is_dataclass(result):
        return {"out": result}
    named = {field.name: getattr(result, field.name) for field in fields(result)}
    return {name: value for name, value in named.items() if np.ndim(value)}


def _shaped(result: Any, flat: Vector) -> Any:
    """The result with other numbers in place of those of its arrays."""
    parts: dict[str, Any] = {}
    start = 0
    for name, value in _arrays(result).items():
        parts[name] = array(flat[start : start + np.size(value)].reshape(np.shape(value)))
        start += np.size(value)
    return parts["out"] if "out" in parts else replace(result, **parts)
