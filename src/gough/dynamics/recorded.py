"""Formulations that differentiate need recorded coordinates; plain ones are recorded for them on the spot."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from gough.dynamics.state import RobotMotion
from gough.graph import Expr, record
from gough.graph.evaluate import evaluate
from gough.kinematics.robot_pose import robot_pose, ways_of


def recorded(method: Callable[..., Any]) -> Callable[..., Any]:
    """`method(self, motion, ...)` with x recorded; for a motion of plain floats the numbers come back."""

    @wraps(method)
    def wrapper(self: Any, motion: RobotMotion, *args: Any, **kwargs: Any) -> Any:
        if any(type(value) is Expr for value in motion.pose.x):
            return method(self, motion, *args, **kwargs)
        robot = motion.pose.robot
        ways = ways_of(robot)

        def equations(x: Any) -> Any:
            result = method(self, RobotMotion(robot_pose(robot, ways, x), motion.xd, motion.xdd), *args, **kwargs)
            return result if isinstance(result, np.ndarray) else {k: getattr(result, k) for k in result.__slots__}

        graph = record(equations, x=len(motion.pose.x))
        values = evaluate(graph.nodes, graph.inners, graph.output_nodes, list(map(float, motion.pose.x)))
        shaped = {}
        start = 0
        for output in graph.outputs:
            size = len(output.nodes)
            shaped[output.name] = np.array(values[start : start + size]).reshape(output.shape)
            start += size
        if list(shaped) == ["out"]:
            return shaped["out"]
        from gough.dynamics.matrices import Matrices

        return Matrices(**shaped)

    return wrapper
