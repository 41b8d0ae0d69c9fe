"""The functions that can be bound: each an entry that makes its call for a robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gough.dynamics.compiled_reactions import is_determined, reaction_call
from gough.dynamics.contract import choose
from gough.dynamics.dynamics_matrices import matrices_call, with_matrices
from gough.dynamics.force_programs import Model, inverse_call
from gough.dynamics.forward import forward_call, with_forward_dynamics
from gough.errors import InputError
from gough.kinematics.forward.call import forward_kinematics_call
from gough.kinematics.inverse import kinematics_call
from gough.kinematics.sampled_call import Call
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class Function:
    """A function that can be bound.

    Attributes:
        name: Of the public function.
        call: (robot, **options) -> its call; the options are those of the public function that are no numbers.
        options: Names of the options.
        short: Another name, or "".
    """

    name: str
    call: Callable[..., Call]
    options: tuple[str, ...] = ()
    short: str = ""


def _inverse_kinematics(robot: Robot, order: int = 0) -> Call:
    if order not in (0, 1, 2):
        raise InputError(f"order: {order!r} given, expected 0 (x), 1 (x, xd) or 2 (x, xd, xdd)")
    return kinematics_call(robot, order)


def _inverse_dynamics(robot: Robot, formulation: Any = "auto", wrench: bool = False, base: bool = False) -> Call:
    return inverse_call(Model(robot, choose(formulation), wrench, base=base))


def _forward_dynamics(robot: Robot, formulation: Any = "auto", wrench: bool = False, base: bool = False) -> Call:
    return forward_call(robot, with_forward_dynamics(formulation), wrench, base)


def _dynamics_matrices(robot: Robot, formulation: Any = "generalized_momentum", coordinates: str = "platform") -> Call:
    return matrices_call(Model(robot, with_matrices(formulation)), coordinates)


def _joint_reactions(robot: Robot) -> Call:
    if not is_determined(robot):
        raise InputError(f"joint_reactions: {robot.name} is overconstrained or redundant; call gough.joint_reactions")
    return reaction_call(robot)


FUNCTIONS: tuple[Function, ...] = (
    Function("inverse_kinematics", _inverse_kinematics, ("order",), "ik"),
    Function("forward_kinematics", forward_kinematics_call, (), "fk"),
    Function("inverse_dynamics", _inverse_dynamics, ("formulation", "wrench", "base")),
    Function("forward_dynamics", _forward_dynamics, ("formulation", "wrench", "base")),
    Function("dynamics_matrices", _dynamics_matrices, ("formulation", "coordinates")),
    Function("joint_reactions", _joint_reactions),
)
