"""The recorded equations of a robot, for use in other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gough.errors import InputError
from gough.graph import Graph
from gough.robot import Robot
from gough.robot.names import did_you_mean

if TYPE_CHECKING:
    from gough.dynamics.contract import Formulation

FUNCTIONS = ("inverse", "forward", "ik", "matrices")


def graph_of(
    robot: Robot,
    function: str = "inverse",
    *,
    wrench: bool = False,
    parameters: Sequence[str] = (),
    formulation: str | Formulation = "auto",
) -> Graph:
    """The graph of a robot's equations.

    Args:
        robot: A robot of plain numbers.
        function: "inverse": platform motion x, xd, xdd (n,) to actuator forces "out" (m,). "forward": x, xd and the
            actuators' "force" (m,) to accelerations "xdd" (n,) and more. "ik": x to joint coordinates and more.
            "matrices": x, xd to M, C and G of `dynamics_matrices` in platform coordinates, and if they are "sound".
        wrench: Whether an external wrench on the platform, (6,) at the robot's tool in base axes, is an input.
        parameters: Paths of numbers of the robot ("platform.mass") that are an input "p", of "inverse" only.
        formulation: A name or a formulation, of any function but "ik"; "auto" is the default of `inverse_dynamics`, or
            of `dynamics_matrices` for "matrices".

    Raises:
        InputError: There is no such function or formulation, or an argument is not for this function.
    """
    from gough.dynamics.contract import choose
    from gough.dynamics.dynamics_matrices import check_exists, matrices_graph, with_matrices
    from gough.dynamics.force_programs import Model, force_graph
    from gough.dynamics.forward import forward_graph
    from gough.kinematics.programs import kinematics_graph

    if function not in FUNCTIONS:
        raise InputError(f"function {function!r}: {did_you_mean(function, FUNCTIONS)}")
    if function != "inverse" and parameters:
        raise InputError(f"parameters: are for the function inverse, not {function}")
    if function == "ik" and formulation != "auto":
        raise InputError("formulation: is for functions of forces, not ik")
    if function == "inverse":
        return force_graph(Model(robot, choose(formulation), wrench, tuple(parameters)))
    if function == "matrices":
        chosen = with_matrices("generalized_momentum" if formulation == "auto" else formulation)
        check_exists(robot, chosen, "platform")
        return matrices_graph(Model(robot, chosen), "platform")
    return forward_graph(robot, choose(formulation), wrench) if function == "forward" else kinematics_graph(robot, 0)
