"""Formulations that differentiate need recorded coordinates; plain ones are recorded for them on the spot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from typing import Any

import numpy as np

from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Expr, Vector, record
from gough.graph.evaluate import evaluate
from gough.kinematics.robot_pose import robot_pose, ways_of


def recorded(method: Callable[..., Any]) -> Callable[..., Any]:
    """`method(self, motion, ...)`, which returns a dataclass, with x recorded; for plain floats numbers come back."""

    @wraps(method)
    def wrapper(self: Any, motion: RobotMotion, *args: Any, **kwargs: Any) -> Any:
        if any(type(value) is Expr for value in motion.pose.x):
            return method(self, motion, *args, **kwargs)
        robot = motion.pose.robot
        ways = ways_of(robot)
        kinds: list[type] = []

        def equations(x: Vector) -> Any:
            result = method(self, replace(motion, pose=robot_pose(robot, ways, x)), *args, **kwargs)
            kinds.append(type(result))
            return {field.name: getattr(result, field.name) for field in fields(result)}

        graph = record(equations, x=len(motion.pose.x))
        values = evaluate(graph.nodes, graph.inners, graph.output_nodes, list(map(float, motion.pose.x)))
        shaped = {}
        start = 0
        for output in graph.outputs:
            size = len(output.nodes)
            shaped[output.name] = np.array(values[start : start + size]).reshape(output.shape)
            start += size
        return kinds[0](**shaped)

    return wrapper
