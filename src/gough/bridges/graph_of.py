"""The recorded equations of a robot, for use in other programs."""

from __future__ import annotations

from collections.abc import Sequence

from gough.errors import InputError
from gough.graph import Graph
from gough.robot import Robot
from gough.robot.names import did_you_mean

FUNCTIONS = ("inverse", "forward", "ik")


def graph_of(robot: Robot, function: str = "inverse", *, wrench: bool = False, parameters: Sequence[str] = ()) -> Graph:
    """The graph of a robot's equations.

    Args:
        robot: A robot of plain numbers.
        function: "inverse": platform motion x, xd, xdd (n,) to actuator forces "out" (m,). "forward": x, xd and the
            actuators' "force" (m,) to accelerations "xdd" (n,) and more. "ik": x to joint coordinates and more.
        wrench: Whether an external wrench on the platform, (6,) force and moment at P in base axes, is an input.
        parameters: Paths of numbers of the robot ("platform.mass") that are an input "p", of "inverse" only.

    Raises:
        InputError: There is no such function.
    """
    from gough.dynamics import NewtonEuler
    from gough.dynamics.force_programs import Model, force_graph
    from gough.dynamics.forward import forward_graph
    from gough.kinematics.programs import kinematics_graph

    if function not in FUNCTIONS:
        raise InputError(f"function {function!r}: {did_you_mean(function, FUNCTIONS)}")
    if function != "inverse" and parameters:
        raise InputError(f"parameters: are for the function inverse, not {function}")
    if function == "inverse":
        return force_graph(Model(robot, NewtonEuler(), wrench, tuple(parameters)))
    return forward_graph(robot, NewtonEuler(), wrench) if function == "forward" else kinematics_graph(robot, 0)
