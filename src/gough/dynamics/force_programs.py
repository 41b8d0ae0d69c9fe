"""The inverse dynamics of a robot as recorded graphs and ready programs, with exact derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from gough.dynamics.contract import Formulation, check_accounted_for, choose, demand_of
from gough.dynamics.distribution import Demand, share, share_out
from gough.dynamics.drives import displacements, friction_effort, rates, rotor_effort, winches
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.sharing.shares import Shared
from gough.errors import InputError
from gough.graph import Graph, Input, Scalar, Vector, absolute, array, jacobian, less_equal, logical_and, record
from gough.kinematics.inverse import near_singular
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.sampled_call import (
    Call,
    Rows,
    all_finite,
    check_robot,
    moderate,
    reach,
    too_large_or_singular,
    unsound,
)
from gough.kinematics.singularity import SINGULAR, surely_regular, usual_gain
from gough.kinematics.status import Status, Verdict
from gough.kinematics.tool import wrench_at_origin
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot, content
from gough.robot.addresses import expanded, value_at
from gough.run import Program

REACH = ("short", "converged")
"""What the status of a sample is computed from."""


@dataclass(frozen=True)
class Model:
    """A robot, its formulation, and which numbers stay free.

    Attributes:
        robot: A mechanism, or a robot where numbers stay free.
        formulation: Formulation of its dynamics.
        wrench: Whether an external wrench is an input.
        base: Whether the motion of the base is an input: see `BaseRates`.
        free: Paths of the design parameters that are inputs, in the order of the input "p".
    """

    robot: Mechanism
    formulation: Formulation
    wrench: bool = False
    free: tuple[str, ...] = ()
    base: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "robot", content(self.robot, self.free))
        check_accounted_for(self.formulation, self.robot, self.base)

    def inputs(self) -> dict[str, Any]:
        """Inputs of the graphs: x, xd, xdd, and where they apply wrench [f; m], base [gravity; w; wd] and p."""
        n = self.robot.dof
        shapes: dict[str, Any] = {"x": n, "xd": n, "xdd": n}
        if self.wrench:
            shapes["wrench"] = 6
        if self.base:
            shapes["base"] = 9
        if self.free:
            shapes["p"] = Input((len(self.free),), shared=True)
        return shapes

    def motion(self, x: Vector, xd: Vector, xdd: Vector, p: Vector = None, base: Vector = None) -> RobotMotion:
        """The robot's motion, with the free parameters p in their places and that of the base."""
        robot = self.robot if p is None else self.robot.with_numbers(dict(zip(self.free, p, strict=True)))
        pose = robot_pose(robot, ways_of(self.robot, free=self.free), x)
        return RobotMotion(pose, xd, xdd, None if base is None else BaseRates.of(base))


def _of_base(motion: RobotMotion) -> tuple[Any, ...]:
    """All numbers of the base's motion."""
    return () if motion.base is None else (motion.base.gravity, motion.base.w, motion.base.wd)


def force(model: Model, motion: RobotMotion, wrench: Vector = None) -> Vector:
    """(actuators,) forces, joint-side: mechanism, rotors and friction; the wrench (6,) acts at the robot's tool."""
    return shared_force(model, motion, wrench).force


def shared_force(model: Model, motion: RobotMotion, wrench: Vector = None) -> Shared:
    """The forces, and whether there are any within the limits of an actuation that keeps to them."""
    return share(whole_demand(model, motion, wrench), motion.pose.robot)


def whole_demand(model: Model, motion: RobotMotion, wrench: Vector = None) -> Demand:
    """What the mechanism, rotors and friction ask of the actuators, under a wrench (6,) at the robot's tool."""
    outer = None if wrench is None else wrench_at_origin(motion.pose, wrench)
    demand = demand_of(model.formulation, motion, motion.gravity, outer)
    robot = motion.pose.robot
    qd, qdd = rates(motion)
    turning, rubbing = rotor_effort(robot.actuators, qdd), friction_effort(robot.actuators, qd)
    return demand.with_drives(robot, turning).with_drives(robot, rubbing)


def inverse_equations(
    model: Model, motion: RobotMotion, wrench: Vector = None, also: Sequence[str] = ()
) -> dict[str, Any]:
    """What `inverse_dynamics` reports of a sample, and also, where asked for:

    short, converged: (legs,) of each leg's closure.
    sound: Whether all inputs are finite, all legs reach, all iterations converged and all forces are finite.
    K: (actuators, n) the Jacobian.
    regular: Whether K is well away from those of singular poses.
    held: Whether the forces on the platform are in proportion to what it needs: see `in_proportion`.
    feasible: Whether there are forces within the limits.
    shared: (actuators,) the forces without what winches spend beyond the tension in their cables: of a cable minus its
        tension.
    qdd: (actuators,) accelerations.
    """
    demand = whole_demand(model, motion, wrench)
    shared, feasible = share_out(demand, motion.pose.robot)
    tau = demand.given(shared)
    qd, qdd = rates(motion)
    closures = [leg.closure for leg in motion.pose.legs]
    more: dict[str, Callable[[], Any]] = {
        "short": lambda: array([closure.short for closure in closures]),
        "converged": lambda: [closure.converged for closure in closures],
        "sound": lambda: reduce(
            logical_and,
            (c.sound for c in closures),
            logical_and(
                moderate(tau), all_finite(motion.pose.x, motion.rate, motion.rate_d, wrench, *_of_base(motion))
            ),
        ),
        "K": motion.pose.jacobian,
        "regular": lambda: surely_regular(model.robot, motion.pose.free_jacobian()),
        "held": lambda: in_proportion(model.robot, demand, tau),
        "feasible": lambda: feasible,
        "shared": lambda: shared,
        "qdd": lambda: qdd,
    }
    out = {"force": tau, "power": tau * qd, "q": displacements(motion), "qd": qd}
    return out | {name: more[name]() for name in also}


@lru_cache(maxsize=64)
def inverse_graph(model: Model, also: tuple[str, ...] = REACH) -> Graph:
    """The graph of `inverse_equations`."""

    def equations(
        x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> dict[str, Any]:
        return inverse_equations(model, model.motion(x, xd, xdd, p, base), wrench, also)

    return record(equations, **model.inputs())


@lru_cache(maxsize=64)
def force_graph(model: Model) -> Graph:
    """The graph of the forces alone, output "out" (actuators,)."""

    def equations(
        x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> Vector:
        return force(model, model.motion(x, xd, xdd, p, base), wrench)

    return record(equations, **model.inputs())


@lru_cache(maxsize=64)
def inverse_program(model: Model, also: tuple[str, ...] = REACH) -> Program:
    """The program of `inverse_graph`."""
    return Program(inverse_graph(model, also))


@lru_cache(maxsize=64)
def inverse_call(model: Model) -> Call:
    """The call of `inverse_dynamics`."""
    also = ("sound", *(("shared",) if winches(model.robot) else ()))
    if model.robot.actuation is not None and model.robot.actuation.limited:
        return Call(model.robot, inverse_graph(model, (*also, "feasible")), infeasible)
    return Call(model.robot, inverse_graph(model, also), unsound)


@lru_cache(maxsize=64)
def watched_call(model: Model) -> Call:
    """The call of `inverse_dynamics` for control loops: a sample is sound only where its pose is surely regular."""
    limited = model.robot.actuation is not None and model.robot.actuation.limited

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None) -> dict[str, Any]:
        also = ("sound", "regular", *(("feasible",) if limited else ()))
        found = inverse_equations(model, model.motion(x, xd, xdd, None, base), wrench, also)
        return found | {"sound": logical_and(found["sound"], found.pop("regular"))}

    return Call(model.robot, record(equations, **model.inputs()), _near_singular_too)


def infeasible(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses of samples without forces: INFEASIBLE where legs reach and there are none within the limits."""
    verdict = reach(call, inputs)
    verdict.status[(verdict.status == Status.FINE) & ~outputs["feasible"]] = Status.INFEASIBLE
    return too_large_or_singular(call, inputs, verdict, verdict.status == Status.FINE)


def _near_singular_too(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses of samples that are not sound, among them those that are not surely regular."""
    verdict = reach(call, inputs)
    closed = verdict.status == Status.FINE
    if "feasible" in outputs:
        verdict.status[closed & ~outputs["feasible"]] = Status.INFEASIBLE
        closed &= outputs["feasible"]
    verdict.status[closed & near_singular(call.robot, inputs["x"])] = Status.NEAR_SINGULAR
    with np.errstate(over="ignore"):
        endless = ~np.isfinite(np.abs(outputs["force"]).sum(axis=1))
    return too_large_or_singular(call, inputs, verdict, closed & endless)


def in_proportion(robot: Mechanism, demand: Demand, tau: Vector) -> Scalar:
    """Recorded: whether forces tau (m,) on the platform are within 1e6 times what its load takes at home.

    K^T f = Q: where forces f are not, a singular value of K is below |Q| / |f|. It takes few operations beside those of
    a condition number, and tells singular poses that the load feels.
    """
    needed = sum(absolute(array(demand.Q)))
    given = sum(absolute(tau - demand.given(demand.own)))
    largest = max(1.0, characteristic_length(robot))
    return less_equal(given * (usual_gain(robot) / (SINGULAR * largest * math.sqrt(len(tau)))), needed)


@lru_cache(maxsize=64)
def force_program(model: Model) -> Program:
    """The program of `force_graph`: the quickest way to forces."""
    return Program(force_graph(model))


STATE = ("x", "xd", "xdd", "wrench")


@lru_cache(maxsize=32)
def derivative_call(model: Model, wrt: tuple[str, ...]) -> Call:
    """The call of d force / d name for each name.

    Output "dk" belongs to name k: (actuators, n), or (actuators,) for a design parameter: those of the model's free
    numbers. Each is freed by itself, for one address may overrule another: `leg.1.piston.mass` is one of those that
    `legs.piston.mass` sets.
    """
    parameters = model.free

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, p: Vector = None) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        tau = force(model, motion, wrench)
        state = {"x": x, "xd": xd, "xdd": xdd, "wrench": wrench}
        closures = [leg.closure for leg in motion.pose.legs]
        out = {"sound": reduce(logical_and, (c.reached for c in closures), all_finite(x, xd, xdd, wrench, p))}
        for k, name in enumerate(wrt):
            if name in state:
                out[f"d{k}"] = jacobian(tau, state[name], "forward")
            else:
                value = p[parameters.index(name)]
                freed = replace(model, free=(name,))
                out[f"d{k}"] = jacobian(force(freed, freed.motion(x, xd, xdd, [value]), wrench), value, "forward")
        return out

    return Call(model.robot, record(equations, **model.inputs()), unsound)


def force_derivatives(
    robot: Robot,
    state: StateLike,
    *,
    wrt: Sequence[str] = ("x", "xd", "xdd"),
    formulation: str | Formulation = "auto",
) -> dict[str, Any]:
    """Derivatives of the actuator forces, by name: (N, actuators, n) or (N, actuators), without N for one sample.

    They are per SI unit, N/m of a length and N/rad of an angle, whatever the units of the robot's file. A path of all
    legs, "leg.*.base.z", gives a key for each of them: "leg.1.base.z", "leg.2.base.z" and so on.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest.
        wrt: "x", "xd", "xdd", "wrench", or paths of numbers of the robot, "leg.1.base.x", also of all legs,
            "leg.*.base.z"; `gough show ROBOT --addresses` lists them.
        formulation: Whose equations are differentiated; all agree.

    Raises:
        PoseError: A single pose has no solution. Of many samples those without one are NaN.
        PathError: A path that leads nowhere.
        InputError: Wrong shapes or names.
    """
    check_robot(robot)
    listed = (wrt,) if isinstance(wrt, str) else tuple(wrt)
    each = [[name] if name in STATE else expanded(robot, name) for name in listed]
    names = tuple(dict.fromkeys(name for found in each for name in found))
    at = State.of(robot, state).without_base("force_derivatives")
    if "wrench" in names and at.wrench is None:
        raise InputError('wrt "wrench": the state has no external wrench')
    values = [value_at(robot, name) for name in names if name not in STATE]
    inputs: dict[str, Any] = at.inputs(robot, "x", "xd", "xdd", "wrench") | ({"p": values} if values else {})
    free = tuple(name for name in names if name not in STATE)
    model = Model(robot, choose(formulation), at.wrench is not None, free)
    found = derivative_call(model, names)(inputs).values
    return {name: found[f"d{k}"] for k, name in enumerate(names)}
