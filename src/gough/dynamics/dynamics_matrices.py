"""The matrices M, C, G of a robot at many states, by any formulation that has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.contract import FORMULATIONS, Formulation, WithMatrices, choose
from gough.dynamics.matrices import Matrices, in_actuator_coordinates, in_platform_coordinates
from gough.dynamics.model import Model
from gough.dynamics.state import RobotMotion
from gough.errors import InputError
from gough.graph import array, record
from gough.kinematics.model import actuator_names
from gough.kinematics.status import judge
from gough.robot import Robot
from gough.run import Program

COORDINATES = ("platform", "actuator")


@dataclass(frozen=True)
class DynamicsMatrices:
    """M, C and G of N samples, or of one without the leading axis. NaN where a sample has no solution.

    In platform coordinates M xdd + C xd + G is the generalised force on x; in actuator coordinates M qdd + C qd + G is
    the actuators' effort. Rotors, friction and external wrenches are not in them.

    Attributes:
        robot: Whose matrices.
        formulation: Name of the formulation; C is not unique and depends on it, C xd does not.
        coordinates: "platform" or "actuator".
        names: Of the coordinates on the axes.
        M, C: (N, n, n) [kg, kg m or kg m^2; per s].
        G: (N, n) [N or N m].
        status: (N,) of `Status`.
    """

    robot: Robot
    formulation: str
    coordinates: str
    names: tuple[str, ...]
    M: Any
    C: Any
    G: Any
    status: Any


def dynamics_matrices(
    robot: Robot,
    x: Any,
    xd: Any,
    formulation: str | Formulation = "generalized_momentum",
    coordinates: str = "platform",
) -> DynamicsMatrices:
    """The matrices of the model at platform coordinates x (n,) or (N, n) and their rates xd.

    Raises:
        InputError: A formulation without matrices, other coordinates than "platform" or "actuator", wrong shapes.
        PoseError: A single pose has no solution.
    """
    chosen = with_matrices(formulation)
    if coordinates not in COORDINATES:
        raise InputError(f"coordinates {coordinates!r}: choose platform or actuator")
    raw = matrices_program(Model(robot, chosen), coordinates)(x=x, xd=xd)
    single = raw["G"].ndim == 1
    verdict = judge(np.atleast_2d(raw.pop("short")), np.atleast_2d(raw.pop("converged")), robot=robot, x=x)
    lost = verdict.lost(robot, single)
    if not single:
        for values in raw.values():
            values[lost] = np.nan
    names = tuple(c.name for c in robot.platform.coordinates) if coordinates == "platform" else actuator_names(robot)
    status: Any = verdict.status[0] if single else verdict.status
    return DynamicsMatrices(robot, chosen.name, coordinates, names, **raw, status=status)


def with_matrices(formulation: str | Formulation) -> WithMatrices:
    """The formulation, which must have matrices.

    Raises:
        InputError: It has none; those that have are named.
    """
    chosen = choose(formulation)
    if isinstance(chosen, WithMatrices):
        return chosen
    having = ", ".join(f.name for f in FORMULATIONS if isinstance(f, WithMatrices))
    raise InputError(f"formulation {chosen.name!r} has no matrices; choose {having}")


def matrices_in(formulation: WithMatrices, motion: RobotMotion, gravity: Any, coordinates: str) -> Matrices:
    """The formulation's matrices in the coordinates asked for."""
    own = formulation.matrices(motion, gravity)
    if formulation.matrix_coordinates == coordinates:
        return own
    change = in_actuator_coordinates if coordinates == "actuator" else in_platform_coordinates
    return change(motion.pose, own, motion.xd)


@lru_cache(maxsize=32)
def matrices_program(model: Model, coordinates: str) -> Program:
    """The program of M, C, G from x and xd."""
    robot, formulation = model.robot, with_matrices(model.formulation)
    n = len(robot.platform.coordinates)

    def equations(x: Any, xd: Any) -> dict[str, Any]:
        motion = model.motion(x, xd, np.zeros(n))
        found = matrices_in(formulation, motion, array(robot.gravity), coordinates)
        legs = motion.pose.legs
        return {
            "M": found.M,
            "C": found.C,
            "G": found.G,
            "short": array([leg.closure.short for leg in legs]),
            "converged": [leg.closure.converged for leg in legs],
        }

    return Program(record(equations, x=n, xd=n))
