"""The functions of a robot that are exported: recorded graphs from its inputs to results, status and leg."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.dynamics.contract import DEFAULT
from gough.dynamics.determined_reactions import is_determined, reaction_equations
from gough.dynamics.force_programs import Model, inverse_equations
from gough.dynamics.forward import forward_equations
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import InputError
from gough.graph import Graph, Input, Integer, Vector, array, isfinite, logical_and, logical_not, ops, record, where
from gough.kinematics.forward.recorded import following
from gough.kinematics.programs import actuator_places, characteristic_length, equations
from gough.kinematics.recorded_status import Told, is_strut, of_legs, regular, told, unfolded
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.kinematics.sampled_call import moderate
from gough.kinematics.status import Status
from gough.robot import Mechanism, Robot, as_robot
from gough.robot.addresses import value_at
from gough.robot.names import did_you_mean
from gough.simulation.control.controller_step import controller_step
from gough.simulation.system import System, system_of


@dataclass(frozen=True)
class Exported:
    """A robot, and the paths of its numbers that stay free: the fields of the parameter struct."""

    robot: Robot
    free: tuple[str, ...] = ()

    @cached_property
    def ways(self) -> Ways:
        """How its legs are closed."""
        return ways_of(self.robot, free=self.free)

    @cached_property
    def system(self) -> System:
        """Its equations of motion."""
        return system_of(self.robot, free=self.free)

    @cached_property
    def defaults(self) -> list[float]:
        """Values of the free numbers."""
        return [value_at(as_robot(self.robot), path) for path in self.free]

    def with_numbers(self, p: Vector) -> Mechanism:
        """The mechanism with the free numbers p in their places."""
        return self.robot if p is None else self.robot.with_numbers(dict(zip(self.free, p, strict=True)))

    def pose(self, x: Vector, p: Vector) -> RobotPose:
        """The robot at x."""
        return robot_pose(self.with_numbers(p), self.ways, x)

    def legs(self, pose: RobotPose) -> Told:
        """The status by the legs."""
        return of_legs(self.robot, self.ways, pose)


Results = dict[str, Any]


def _ik(given: Exported, x: Vector, xd: Vector, xdd: Vector, p: Vector = None) -> Results:
    robot = given.robot
    pose = given.pose(x, p)
    found = equations(pose, xd, xdd)
    zeros = array([joint.zero for joint in pose.robot.actuators])
    places = actuator_places(robot)
    legs = given.legs(pose)
    fine = logical_and(regular(robot, pose.free_jacobian()), moderate(found["joint_qd"], found["joint_qdd"]))
    status = told(robot, legs, fine, [x, xd, xdd], x, float(Status.NEAR_SINGULAR))
    names = [name for name in ("dependent", "dependent_xd", "dependent_xdd") if name in found]
    return _results(
        status,
        {
            "q": found["joint_q"][places] - zeros,
            "qd": found["joint_qd"][places],
            "qdd": found["joint_qdd"][places],
            "K": found["K"],
            **{name: found[name] for name in names},
        },
    )


def _fk(given: Exported, guess: Vector, q: Vector) -> Results:
    found = following(given.robot)(guess, q)
    return _results(Told(found.status, found.leg), {"x": found.x, "residual": found.residual})


def _inverse(given: Exported, x: Vector, xd: Vector, xdd: Vector, wrench: Vector, p: Vector = None) -> Results:
    robot = given.robot
    limited = robot.actuation is not None and robot.actuation.limited
    model = Model(robot, DEFAULT, wrench=True, free=given.free)
    motion = model.motion(x, xd, xdd, p)
    found = inverse_equations(model, motion, wrench, ("sound", "feasible" if limited else "held"))
    rest: Any = float(Status.NEAR_SINGULAR)
    if limited:
        sound, rest = found["sound"], where(found["feasible"], rest, float(Status.INFEASIBLE))
    else:
        sound = logical_and(found["sound"], found["held"])
    if any(not is_strut(leg) for leg in robot.legs):
        sound = logical_and(sound, unfolded(robot, motion.pose.free_jacobian()))
    status = told(robot, given.legs(motion.pose), sound, [x, xd, xdd, wrench], x, rest)
    return _results(status, {"force": found["force"]})


def _forward(given: Exported, x: Vector, xd: Vector, force: Vector, wrench: Vector, p: Vector = None) -> Results:
    robot = given.robot
    pose = given.pose(x, p)
    found = forward_equations(DEFAULT, robot, pose, xd, force, wrench)
    status = told(robot, given.legs(pose), found["sound"], [x, xd, force, wrench], x, float(Status.NEAR_SINGULAR))
    xdd = where(found["chart"], found["xdd"], np.nan)
    return _results(status, {"xdd": xdd})


def _reactions(given: Exported, x: Vector, xd: Vector, xdd: Vector, wrench: Vector, p: Vector = None) -> Results:
    pose = given.pose(x, p)
    found = reaction_equations(RobotMotion(pose, xd, xdd), wrench, characteristic_length(given.robot))
    sound = logical_and(moderate(found["joint_force"], found["joint_moment"]), found["regular"])
    status = told(given.robot, given.legs(pose), sound, [x, xd, xdd, wrench], x, float(Status.NEAR_SINGULAR))
    return _results(status, {name: found[name] for name in ("points", "joint_force", "joint_moment")})


def _computed_torque(
    given: Exported,
    x: Vector,
    xd: Vector,
    xdd: Vector,
    q: Vector,
    qd: Vector,
    guess: Vector,
    kp: Vector,
    kd: Vector,
    wrench: Vector,
    p: Vector = None,
) -> Results:
    robot = given.robot
    step = controller_step(given.system, (x, xd, xdd), (q, qd), guess, (kp, kd), wrench, p)
    legs = given.legs(step.pose)
    lost = logical_and(legs.status <= 0.0, logical_not(step.found))
    legs = Told(where(lost, float(Status.NOT_CONVERGED), legs.status), legs.leg)
    fine = logical_and(moderate(step.force), logical_and(step.closed, isfinite(step.force[0])))
    fine = logical_and(fine, regular(robot, step.pose.free_jacobian()))
    status = told(robot, legs, fine, [x, xd, xdd, q, qd, guess, kp, kd, wrench], x, float(Status.NEAR_SINGULAR))
    return _results(status, {"force": step.force, "pose": step.x})


def _results(status: Told, values: Results) -> Results:
    """The values, NaN where there is no solution, with status and leg."""
    lost = status.lost
    shown = {name: where(lost, np.nan, array(value)) for name, value in values.items()}
    return shown | {"status": Integer(status.status), "leg": Integer(status.leg)}


@dataclass(frozen=True)
class RobotFunction:
    """A function that can be exported.

    Attributes:
        name: As the option names it; with _ for - in C.
        line: What it does.
        equations: (what is exported, inputs) -> results.
        inputs: Names, in order.
        takes_parameters: Whether the free numbers are inputs too.
    """

    name: str
    line: str
    equations: Callable[..., Results]
    inputs: tuple[str, ...]
    takes_parameters: bool = True


_MOTION = ("x", "xd", "xdd")

FUNCTIONS: tuple[RobotFunction, ...] = (
    RobotFunction("ik", "Inverse kinematics: motion of the actuators from that of the platform.", _ik, _MOTION),
    RobotFunction(
        "fk",
        "Forward kinematics: the pose at actuator displacements, on the way from a guess such as the last pose.",
        _fk,
        ("guess", "q"),
        False,
    ),
    RobotFunction("inverse", "Inverse dynamics: actuator forces for a motion.", _inverse, (*_MOTION, "wrench")),
    RobotFunction(
        "forward",
        "Forward dynamics: accelerations under actuator forces.",
        _forward,
        ("x", "xd", "force", "wrench"),
    ),
    RobotFunction(
        "computed-torque",
        "One step of a controller: forces that follow a motion, from what the actuators measure.",
        _computed_torque,
        (*_MOTION, "q", "qd", "guess", "kp", "kd", "wrench"),
    ),
    RobotFunction("reactions", "Forces and moments in all joints for a motion.", _reactions, (*_MOTION, "wrench")),
)


def chosen(names: list[str]) -> list[RobotFunction]:
    """The functions of these names, in the order of `FUNCTIONS`; all if there are none.

    Raises:
        InputError: No such function.
    """
    known = [function.name for function in FUNCTIONS]
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known, listed=False)
            raise InputError(f"function {name!r}: choose {', '.join(known)}{f' ({hint})' if hint else ''}")
    return [function for function in FUNCTIONS if function.name in names or not names]


def why_not(function: RobotFunction, robot: Mechanism) -> str:
    """Why a robot does not have a function, as a line; nothing if it has."""
    if function.name == "reactions" and not is_determined(robot):
        return f"reactions: {robot.name} is overconstrained or redundant; its motion does not determine all reactions"
    return ""


def function_graph(function: RobotFunction, given: Exported) -> Graph:
    """The graph of a function; an input "p" holds the free numbers.

    Raises:
        InputError: The function does not take a number that is to stay free.
    """
    n, m = given.robot.dof, len(given.robot.actuators)
    sizes = dict.fromkeys((*_MOTION, "guess", "kp", "kd"), n) | {"q": m, "qd": m, "force": m, "wrench": 6}
    inputs: dict[str, Any] = {name: sizes[name] for name in function.inputs}
    if given.free and function.takes_parameters:
        inputs["p"] = Input((len(given.free),))
    graph = record(lambda **values: function.equations(given, **values), **inputs)
    if given.free and not function.takes_parameters:
        _check_geometry(function, given)
    return graph


def _check_geometry(function: RobotFunction, given: Exported) -> None:
    """Refuse free numbers that a function would have to know."""
    n = given.robot.dof
    pose = record(lambda x, p: {"q": array(given.pose(x, p).jacobian()).ravel()}, x=n, p=Input((len(given.free),)))
    used = {node[1] - n for node in pose.nodes if node[0] == ops.INPUT and node[1] >= n}
    for k in sorted(used):
        raise InputError(
            f"parameters {given.free[k]}: {function.name} is certain for one geometry only; "
            f"leave it out, or choose other functions (--function ik,inverse,...)"
        )
