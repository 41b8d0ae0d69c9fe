"""The public call of forward dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from gough.dynamics.contract import choose
from gough.dynamics.door import check_finite, check_robot
from gough.dynamics.forward import (
    ForwardFormulation,
    coordinate_acceleration,
    free_acceleration,
    mechanical_effort,
)
from gough.dynamics.state import RobotMotion
from gough.errors import InputError
from gough.graph import Graph, absolute, logical_and, maximum, record
from gough.kinematics.gains import SINGULAR, loose, scaled, usual_gain
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.status import Status, judge_sound
from gough.robot import Robot
from gough.run import Program


@dataclass(frozen=True, slots=True)
class ForwardDynamics:
    """Platform accelerations of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: Whose accelerations.
        formulation: Name of the formulation.
        xdd: (N, n) accelerations of the platform coordinates; NaN also where the angles' own chart is singular.
        free: (N, n) accelerations of the free rates: as xdd, but dw/dt in base axes where three coordinates turn.
        status: (N,) of the mechanism in this formulation's coordinates.
        chart: (N,) True where the coordinates' own chart is regular.
        leg: (N,) index of the leg that fails, -1 if none.
    """

    robot: Robot
    formulation: str
    xdd: Any
    free: Any
    status: Any
    chart: Any
    leg: Any


@lru_cache(maxsize=32)
def forward_graph(robot: Robot, formulation: ForwardFormulation, wrench: bool = False) -> Graph:
    """The graph from x, xd, force (and wrench) to the accelerations of the free rates and of the coordinates.

    Also whether a sample is sound: all legs are closed, with rates that platform coordinates bear, and there is a
    solution; whether the chart of the coordinates is regular; and for actuator coordinates K on the free rates.
    """
    ways, n = ways_of(robot), len(robot.platform.coordinates)
    gravity = np.array(robot.gravity)

    def equations(x: Any, xd: Any, force: Any, wrench: Any = None) -> dict[str, Any]:
        pose = robot_pose(robot, ways, x)
        motion = RobotMotion(pose, xd, np.zeros(n))
        outer = None if wrench is None else (wrench[:3], wrench[3:])
        zd = free_acceleration(formulation, pose, xd, mechanical_effort(motion, force), gravity, outer)
        own = {"K": pose.free().jacobian()} if by_actuators(formulation) else {}
        return own | {
            "free": zd,
            "xdd": coordinate_acceleration(pose, xd, zd),
            "sound": _sound(formulation, pose, zd),
            "chart": pose.platform.chart_width() > 1.0 / SINGULAR,
        }

    inputs = {"x": n, "xd": n, "force": n} | ({"wrench": 6} if wrench else {})
    return record(equations, **inputs)


def by_actuators(formulation: ForwardFormulation) -> bool:
    """Whether a formulation solves for the actuators' accelerations, else for the platform's."""
    return hasattr(formulation, "actuator_mass_matrix")


def _sound(formulation: ForwardFormulation, pose: RobotPose, zd: Any) -> Any:
    closures = [leg.closure for leg in pose.legs]
    solved = sum(absolute(zd)) < np.inf
    if by_actuators(formulation):
        return reduce(logical_and, (closure.reached for closure in closures), solved)
    largest = reduce(maximum, absolute(scaled(pose.robot, pose.free().jacobian())).ravel())
    bearable = largest < usual_gain(pose.robot) * SINGULAR
    return reduce(logical_and, (closure.sound for closure in closures), logical_and(solved, bearable))


@lru_cache(maxsize=32)
def forward_program(robot: Robot, formulation: ForwardFormulation, wrench: bool = False) -> Program:
    """The program of `forward_graph`."""
    return Program(forward_graph(robot, formulation, wrench))


@lru_cache(maxsize=32)
def acceleration_program(robot: Robot, formulation: ForwardFormulation) -> Program:
    """The program of the accelerations xdd alone, output "out" (n,): the quickest way to them, without statuses."""
    graph = forward_graph(robot, formulation)
    n = len(robot.platform.coordinates)
    return Program(record(lambda x, xd, force: graph(x=x, xd=xd, force=force)["xdd"], x=n, xd=n, force=n))


def forward_dynamics(
    robot: Robot, x: Any, xd: Any, force: Any, wrench: Any = None, formulation: str = "auto"
) -> ForwardDynamics:
    """Platform accelerations under actuator forces.

    Each formulation has the status of its own coordinates. Platform coordinates are regular at a type-2 singularity
    (the actuators do not hold the platform) and near singular at type 1 (a leg stretched or folded), actuator
    coordinates the reverse. At type 1 and next to it, where the sine of the angle that is left in the leg would be
    below 1e-8, round-off of x hides that angle: the leg is taken as bent by that much, also at the pose itself. What
    rates xd make of such a leg's actuator is known as badly. A leg without a closed form, found by iteration, does not
    converge there and has that status.

    Args:
        robot: Any.
        x, xd: (n,) or (N, n) platform coordinates and rates [m or rad, per s].
        force: (actuators,) or (N, actuators) joint-side [N or N m].
        wrench: (6,) or (N, 6) external force and moment on the platform, base axes, at the origin of P.
        formulation: "auto" (newton_euler), "generalized_momentum", "lagrange", "koditschek" in platform coordinates, or
            "orthogonal_complement" in actuator coordinates.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes, or a formulation that has no mass matrix.
    """
    check_robot(robot)
    chosen: Any = choose("newton_euler" if formulation == "auto" else formulation)
    if not hasattr(chosen, "mass_matrix") and not hasattr(chosen, "actuator_mass_matrix"):
        raise InputError(
            f"formulation {chosen.name!r}: has no mass matrix; choose newton_euler, generalized_momentum, "
            "orthogonal_complement, lagrange or koditschek"
        )
    inputs = {"x": x, "xd": xd, "force": force} | ({} if wrench is None else {"wrench": wrench})
    raw = forward_program(robot, chosen, wrench is not None)(**inputs)
    single = np.ndim(raw["sound"]) == 0
    if single:
        raw = {name: np.asarray(value)[None] for name, value in raw.items()}
    if not raw["sound"].all():
        check_finite(robot, {"x": x, "xd": xd, "wrench": wrench})
        if not np.isfinite(np.asarray(force, dtype=float)).all():
            raise InputError("force: must be finite")
    verdict = judge_sound(robot, x, raw["sound"])
    if by_actuators(chosen):
        verdict.status[loose(robot, raw["K"]) & (verdict.status == Status.FINE)] = Status.NEAR_SINGULAR
    lost = verdict.lost(robot, single)
    chart = raw["chart"]
    if not (chart.all() and not lost.any()):
        raw["free"][lost] = np.nan
        raw["xdd"][lost | ~chart] = np.nan
    arrays: dict[str, Any] = {
        "xdd": raw["xdd"],
        "free": raw["free"],
        "status": verdict.status,
        "chart": chart,
        "leg": verdict.leg,
    }
    if single:
        arrays = {name: value[0] for name, value in arrays.items()}
    return ForwardDynamics(robot, chosen.name, **arrays)
