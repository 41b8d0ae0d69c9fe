"""Actuator forces in, platform accelerations out: the call, its result, and the graph that both run.

`acceleration.py` has the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.dynamics.acceleration import by_actuators, coordinate_acceleration, free_acceleration, mechanical_effort
from gough.dynamics.contract import FORMULATIONS, Formulation, check_accounted_for, choose
from gough.dynamics.drives import rates, rotor_effort, winches
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import InputError
from gough.graph import Array, Graph, Scalar, Vector, absolute, array, logical_and, maximum, record
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.sampled_call import Call, Rows, all_finite, check_robot, moderate, unsound
from gough.kinematics.singularity import SINGULAR, loose, scaled, surely_held, usual_gain
from gough.kinematics.status import Status, Verdict, status_texts
from gough.kinematics.tool import wrench_at_origin
from gough.motion import State, StateLike
from gough.robot import Mechanism, Robot, by_mechanism
from gough.run import Program
from gough.table import Result, column


class ForwardDynamics(Result):
    """Platform accelerations of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: The robot whose accelerations they are.
        formulation: Name of the formulation.
        xdd: (N, n) accelerations of the platform coordinates; NaN also where the angles' own chart is singular.
        free: (N, n) accelerations of the free rates: as xdd, but dw/dt in base axes where three coordinates turn.
        status: (N,) of the mechanism in this formulation's coordinates.
        chart: (N,) True where the coordinates' own chart is regular.
        leg: (N,) index of the leg that fails, -1 if none.
        tension: (N, cables) in the cables, `robot.cables` [N], which are taken as taut: below 0 one would have to push,
            and the accelerations are not those of the robot; `simulate` lets such cables go slack.
    """

    robot: Robot
    formulation: str
    xdd: Array = column("coordinate", "acceleration")
    free: Array = column("coordinate", "acceleration")
    status: Any = column(show=status_texts)
    chart: Any = column()
    leg: Any
    tension: Array = column("cable", "N")

    COLUMNS = ("xdd", "free", "tension", "chart", "status")
    FACTS, DRAWN, LAYOUT = ("robot", "formulation"), ("xdd",), "arrays"


def with_forward_dynamics(formulation: str | Formulation) -> Formulation:
    """The formulation, which must have forward dynamics.

    Raises:
        InputError: It has none; those that have are named.
    """
    chosen = choose(formulation)
    if chosen.solved_for is not SolvedFor.NOTHING:
        return chosen
    having = [known.name for known in FORMULATIONS if known.solved_for is not SolvedFor.NOTHING]
    raise InputError(
        f"formulation {chosen.name!r}: has no mass matrix; choose {', '.join(having[:-1])} or {having[-1]}"
    )


def forward_equations(
    formulation: Formulation,
    robot: Mechanism,
    pose: RobotPose,
    xd: Vector,
    force: Vector,
    wrench: Vector = None,
    base: Vector = None,
) -> dict[str, Any]:
    """What `forward_graph` gives, at a pose of the robot, some of whose numbers may be recorded ones."""
    carried = None if base is None else BaseRates.of(base)
    motion = RobotMotion(pose, xd, np.zeros(robot.dof), carried)
    outer = None if wrench is None else wrench_at_origin(pose, wrench)
    effort = mechanical_effort(motion, force)
    zd = free_acceleration(formulation, pose, xd, effort, motion.gravity, outer, carried)
    own = {"K": pose.free_jacobian()} if by_actuators(formulation, robot) else {}
    if robot.cables:
        own["tension"] = _tensions(pose, xd, zd, effort)
    return own | {
        "free": zd,
        "xdd": coordinate_acceleration(pose, xd, zd),
        "sound": _sound(formulation, robot, pose, zd, (pose.x, xd, force, wrench, base)),
        "chart": pose.platform.chart_width() > 1.0 / SINGULAR,
    }


def _tensions(pose: RobotPose, xd: Vector, zd: Vector, effort: Vector) -> Vector:
    """(cables,) what is left of the efforts (actuators,) after the rotors, of a pull above 0."""
    joints = pose.robot.actuators
    left = effort
    if winches(pose.robot):
        free = pose.free()
        left = effort - rotor_effort(joints, rates(RobotMotion(free, pose.platform.chart() @ array(xd), zd))[1])
    return array([-left[k] for k in pose.robot.cables])


@by_mechanism(32)
def forward_graph(robot: Mechanism, formulation: Formulation, wrench: bool = False, base: bool = False) -> Graph:
    """The graph from x, xd, force (wrench, base) to the accelerations of the free rates and of the coordinates.

    Also whether a sample is sound: all legs are closed, with rates that platform coordinates bear, and there is a
    solution; whether the chart of the coordinates is regular; and for actuator coordinates K on the free rates.
    """
    check_accounted_for(formulation, robot, base)
    ways, n = ways_of(robot), robot.dof

    def equations(x: Vector, xd: Vector, force: Vector, wrench: Vector = None, base: Vector = None) -> dict[str, Any]:
        return forward_equations(formulation, robot, robot_pose(robot, ways, x), xd, force, wrench, base)

    inputs = {"x": n, "xd": n, "force": len(robot.actuators)} | ({"wrench": 6} if wrench else {})
    return record(equations, **(inputs | ({"base": 9} if base else {})))


def _sound(formulation: Formulation, robot: Mechanism, pose: RobotPose, zd: Vector, given: Sequence[Any]) -> Scalar:
    closures = [leg.closure for leg in pose.legs]
    solved = logical_and(moderate(zd), all_finite(*given))
    if by_actuators(formulation, robot):
        held = surely_held(robot, pose.free_jacobian())
        return reduce(logical_and, (closure.reached for closure in closures), logical_and(solved, held))
    largest = reduce(maximum, absolute(scaled(robot, pose.free_jacobian())).ravel())
    bearable = logical_and(largest > 0.0, largest < usual_gain(robot) * SINGULAR)  # 0 where lengths overflow
    return reduce(logical_and, (closure.sound for closure in closures), logical_and(solved, bearable))


@by_mechanism(32)
def forward_program(robot: Mechanism, formulation: Formulation, wrench: bool = False) -> Program:
    """The program of `forward_graph`."""
    return Program(forward_graph(robot, formulation, wrench))


@by_mechanism(32)
def acceleration_program(robot: Mechanism, formulation: Formulation) -> Program:
    """The program of the accelerations xdd alone, output "out" (n,): the quickest way to them, without statuses."""
    graph = forward_graph(robot, formulation)
    n, m = robot.dof, len(robot.actuators)
    return Program(record(lambda x, xd, force: graph(x=x, xd=xd, force=force)["xdd"], x=n, xd=n, force=m))


def forward_dynamics(
    robot: Robot,
    state: StateLike,
    force: ArrayLike,
    *,
    formulation: str | Formulation = "auto",
) -> ForwardDynamics:
    """Platform accelerations under actuator forces.

    Each formulation has the status of its own coordinates. Platform coordinates are regular at a type-2 singularity
    (the actuators do not hold the platform) and near singular at type 1 (a leg stretched or folded), actuator
    coordinates the reverse. At type 1 and next to it, where the sine of the angle that is left in the leg would be
    below 1e-8, round-off of x hides that angle: the leg is taken as bent by that much, also at the pose itself. What
    rates xd make of such a leg's actuator is known as badly. A leg without a closed form, found by iteration, does not
    converge there and has that status.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest; its accelerations do not count.
        force: (actuators,) or (N, actuators) joint-side [N or N m].
        formulation: "auto" (newton_euler), "generalized_momentum", "lagrange", "koditschek" in platform coordinates,
            "orthogonal_complement" in actuator coordinates, or a formulation.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes, or a formulation that has no mass matrix.
    """
    check_robot(robot)
    chosen = with_forward_dynamics(formulation)
    inputs = State.of(robot, state).inputs(robot, "x", "xd", "wrench", "base") | {"force": force}
    values, verdict = forward_call(robot, chosen, "wrench" in inputs, "base" in inputs)(inputs)
    xdd, chart = values["xdd"], values["chart"]
    if not (chart if chart.ndim == 0 else chart.all()):
        xdd[~chart] = np.nan
    tension = values.get("tension", np.zeros((*xdd.shape[:-1], 0)))
    return ForwardDynamics(robot, chosen.name, xdd, values["free"], verdict["status"], chart, verdict["leg"], tension)


@by_mechanism(32)
def forward_call(robot: Mechanism, formulation: Formulation, wrench: bool = False, base: bool = False) -> Call:
    """The call of `forward_dynamics`."""
    look = _look_by_actuators if by_actuators(formulation, robot) else unsound
    return Call(robot, forward_graph(robot, formulation, wrench, base), look)


def _look_by_actuators(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses in actuator coordinates: near singular where the actuators do not hold the platform."""
    verdict = unsound(call, inputs, outputs)
    solved = np.isfinite(outputs["free"]).all(axis=1) & (verdict.status <= Status.NEAR_SINGULAR)
    verdict.status[solved] = np.where(loose(call.robot, outputs["K"][solved]), Status.NEAR_SINGULAR, Status.FINE)
    return verdict
