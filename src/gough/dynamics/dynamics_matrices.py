"""The matrices M, C, G of a robot at many states, by any formulation that has them."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any, cast

import numpy as np

from gough.dynamics.contract import FORMULATIONS, Formulation, WithMatrices, choose
from gough.dynamics.force_programs import Model
from gough.dynamics.matrices import Matrices, in_actuator_coordinates, in_platform_coordinates
from gough.dynamics.record_coordinates import at_fixed_rates
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import InputError
from gough.graph import Array, Graph, Vector, array, logical_and, record
from gough.kinematics.sampled_call import Call, all_finite, check_robot, moderate, unsound
from gough.kinematics.status import status_texts
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot
from gough.table import Result, column

COORDINATES = ("platform", "actuator")


class DynamicsMatrices(Result):
    """M, C and G of N samples, or of one without the leading axis. NaN where a sample has no solution.

    In platform coordinates M xdd + C xd + G is the generalised force on x; in actuator coordinates M qdd + C qd + G is
    the actuators' effort. G is of weight and springs. Rotors, friction and external wrenches are not in
    them.

    Attributes:
        robot: The robot whose matrices they are.
        formulation: Name of the formulation; C is not unique and depends on it, C xd does not.
        coordinates: "platform" or "actuator".
        names: Names of the coordinates on the axes.
        M, C: (N, n, n) [kg, kg m or kg m^2; per s].
        G: (N, n) [N or N m].
        status: (N,) of `Status`.
    """

    robot: Robot
    formulation: str
    coordinates: str
    names: tuple[str, ...]
    M: Array = column("row:names column:names")
    C: Array = column("row:names column:names")
    G: Array = column("row:names")
    status: Any = column(show=status_texts)

    FACTS, LAYOUT = ("robot", "formulation", "coordinates"), "arrays"


def dynamics_matrices(
    robot: Robot,
    state: StateLike,
    *,
    formulation: str | Formulation = "generalized_momentum",
    coordinates: str = "platform",
) -> DynamicsMatrices:
    """The matrices of the model at a state, of which x and xd count.

    C is not unique, C xd is. Md - 2 C is skew for "koditschek" and "orthogonal_complement", in either coordinates; in
    general it is not for "generalized_momentum" and "lagrange".

    Raises:
        InputError: A formulation without matrices, other coordinates than "platform" or "actuator", wrong shapes.
        PoseError: A single pose has no solution.
    """
    check_robot(robot)
    chosen = with_matrices(formulation)
    check_exists(robot, chosen, coordinates)
    at = State.of(robot, state).without_base("dynamics_matrices")
    answer = matrices_call(Model(robot, chosen), coordinates)(at.inputs(robot, "x", "xd"))
    found = answer.values
    names = robot.coordinate_names if coordinates == "platform" else robot.actuator_names
    return DynamicsMatrices(
        robot, chosen.name, coordinates, names, found["M"], found["C"], found["G"], answer.verdict["status"]
    )


def with_matrices(formulation: str | Formulation) -> WithMatrices:
    """The formulation, which must have matrices.

    Raises:
        InputError: It has none; those that have are named.
    """
    chosen = choose(formulation)
    if chosen.matrix_coordinates is not None:
        return cast(WithMatrices, chosen)
    having = ", ".join(f.name for f in FORMULATIONS if f.matrix_coordinates is not None)
    raise InputError(f"formulation {chosen.name!r} has no matrices; choose {having}")


def check_exists(robot: Mechanism, formulation: WithMatrices, coordinates: str) -> None:
    """Refuse matrices in actuator coordinates of a robot whose actuators are more than its coordinates.

    Raises:
        InputError: M and C are asked for in actuator coordinates, or of a formulation that has them there alone; or in
            coordinates that are neither.
    """
    if coordinates not in COORDINATES:
        raise InputError(f"coordinates {coordinates!r}: choose platform or actuator")
    m, n = len(robot.actuators), robot.dof
    if m == n:
        return
    why = f"do not exist with {m} actuators for {n} coordinates"
    if coordinates == "actuator":
        raise InputError(f"coordinates 'actuator': M and C {why}; choose platform")
    if formulation.matrix_coordinates == "actuator":
        having = ", ".join(f.name for f in FORMULATIONS if f.matrix_coordinates == "platform")
        raise InputError(
            f"formulation {formulation.name!r} has M and C in actuator coordinates, which {why}; choose {having}"
        )


def matrices_in(formulation: WithMatrices, motion: RobotMotion, gravity: Vector, coordinates: str) -> Matrices:
    """The formulation's matrices in the coordinates asked for."""
    own: Matrices = at_fixed_rates(formulation.matrices, motion, gravity)
    if formulation.matrix_coordinates == coordinates:
        return own
    change = in_actuator_coordinates if coordinates == "actuator" else in_platform_coordinates
    return change(motion.pose, own, motion.rate)


def matrices_graph(model: Model, coordinates: str) -> Graph:
    """The graph from x and xd to M, C, G, and whether they are "sound"."""
    robot, formulation = model.robot, with_matrices(model.formulation)
    n = robot.dof

    def equations(x: Vector, xd: Vector) -> dict[str, Any]:
        motion = model.motion(x, xd, np.zeros(n))
        found = matrices_in(formulation, motion, array(robot.gravity), coordinates)
        closed = reduce(logical_and, (leg.closure.reached for leg in motion.pose.legs), all_finite(x, xd))
        sound = logical_and(closed, moderate(found.M, found.C, found.G))
        return {"M": found.M, "C": found.C, "G": found.G, "sound": sound}

    return record(equations, x=n, xd=n)


@lru_cache(maxsize=32)
def matrices_call(model: Model, coordinates: str) -> Call:
    """The call of M, C, G from x and xd."""
    return Call(model.robot, matrices_graph(model, coordinates), unsound)
