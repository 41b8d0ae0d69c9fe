"""Actuator displacements in, platform pose out: Newton's method from the last pose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import array, factor, record, solve
from gough.kinematics.model import actuator_names
from gough.kinematics.status import PoseError, Status, condition_number, judge
from gough.robot import Robot
from gough.run import Program
from gough.simulate.configuration import Configuration
from gough.simulate.system import System, system_of

MOST_STEPS = 30
SMALL = 2.0**-26
"""A step below this, relative to the size of the configuration, is the last: it leaves its square."""


@dataclass(frozen=True, slots=True)
class ForwardKinematics:
    """Poses of N samples, or of one without the leading axis. NaN where Newton's method did not arrive.

    Attributes:
        robot: Whose.
        x: (N, n) platform coordinates.
        status: (N,) of `Status`.
        steps: (N,) Newton steps taken.
        residual: (N,) largest difference of the displacements reached from those asked for.
    """

    robot: Robot
    x: Any
    status: Any
    steps: Any
    residual: Any


def newton_step(system: System, c: Any, q: Any, z: Any = None, p: Any = None) -> dict[str, Any]:
    """One step: c moved by K^-1 (q - q(c)) along the free rates, the step, and what the status is told from."""
    n = len(system.robot.platform.coordinates)
    sensed = system.sensors(c, np.zeros(n) if z is None else z, p)
    pose = system.motion(c, np.zeros(n), p).pose
    K = pose.jacobian()
    f = factor(K)
    step = solve(f, q - sensed["q"])
    return {
        "c": array(system.configuration.moved(c, step)),
        "step": step,
        "missing": q - sensed["q"],
        "K": K,
        "short": array([leg.closure.short for leg in pose.legs]),
        "converged": [leg.closure.converged for leg in pose.legs],
    }


@lru_cache(maxsize=32)
def step_program(system: System) -> Program:
    """The program of `newton_step`."""
    m, n = system.configuration.size, len(system.robot.platform.coordinates)
    return Program(record(lambda c, q: newton_step(system, c, q), c=m, q=n))


@lru_cache(maxsize=32)
def charts(robot: Robot) -> tuple[Program, Program]:
    """Programs from x to c and from c to x."""
    space = Configuration(robot)
    n = len(robot.platform.coordinates)
    return (
        Program(record(lambda x: {"out": space.of_coordinates(x)}, x=n)),
        Program(record(lambda c: {"out": space.coordinates(c)}, c=space.size)),
    )


def solve_pose(system: System, q: Any, c: Any) -> tuple[Any, Any, Any, Any]:
    """Configurations (N, m) with displacements q (N, actuators), from c (N, m).

    Returns them, statuses and steps (N,), and what is missing of the displacements (N, actuators).
    """
    program = step_program(system)
    c = np.array(c, dtype=float)
    active = np.ones(len(c), dtype=bool)
    status = np.full(len(c), int(Status.NOT_CONVERGED))
    steps = np.zeros(len(c), dtype=int)
    for _ in range(MOST_STEPS):
        rows = np.flatnonzero(active)
        if not len(rows):
            break
        found = program(c=c[rows], q=q[rows])
        verdict = judge(found["short"], found["converged"], condition_number(system.robot, found["K"]))
        good = (verdict.status <= Status.NEAR_SINGULAR) & np.isfinite(found["step"]).all(axis=1)
        c[rows[good]] = found["c"][good]
        steps[rows] += 1
        small = np.abs(found["step"]).max(axis=1) <= SMALL * np.maximum(1.0, np.abs(c[rows]).max(axis=1))
        status[rows[good & small]] = verdict.status[good & small]
        status[rows[~good]] = np.maximum(verdict.status[~good], Status.NEAR_SINGULAR)
        active[rows[~good | small]] = False
    return c, status, steps, program(c=c, q=q)["missing"]


def forward_kinematics(robot: Robot, q: Any, guess: Any = None) -> ForwardKinematics:
    """Platform poses at actuator displacements, each by Newton's method from its own guess.

    Args:
        robot: Any.
        q: (actuators,) or (N, actuators) displacements from the actuators' zeros [m or rad].
        guess: (n,) or (N, n) platform coordinates near the answer, e.g. the last pose; home by default.

    Raises:
        PoseError: A single pose was not found. Of many samples each has a status instead.
        InputError: Displacements that are not finite, wrong shapes.
    """
    asked = np.asarray(q, dtype=float)
    rows = np.atleast_2d(asked)
    _check_finite(robot, asked)
    near = np.broadcast_to(
        np.asarray(robot.platform.home if guess is None else guess, dtype=float),
        (len(rows), len(robot.platform.coordinates)),
    )
    into, back = charts(robot)
    c, status, steps, missing = solve_pose(system_of(robot), rows, into(x=np.ascontiguousarray(near)))
    x, residual = back(c=c), np.abs(missing).max(axis=1)
    lost = (status > Status.NEAR_SINGULAR) | ~(residual < 1e-6)
    status[lost & (status <= Status.NEAR_SINGULAR)] = Status.NOT_CONVERGED
    x[lost] = np.nan
    if asked.ndim == 1:
        if lost[0]:
            raise _not_found(robot, rows[0], missing[0], int(steps[0]))
        return ForwardKinematics(robot, x[0], status[0], steps[0], residual[0])
    return ForwardKinematics(robot, x, status, steps, residual)


def _not_found(robot: Robot, q: Any, missing: Any, steps: int) -> PoseError:
    """The line about displacements at which no pose was found, by the actuator that is farthest off."""
    worst = int(np.argmax(np.where(np.isfinite(missing), np.abs(missing), np.inf)))
    joints = [(leg.name, joint.kind) for leg in robot.legs for joint in leg.joints if joint.actuated]
    leg, kind = joints[worst]
    unit = "m" if kind == "P" else "rad"
    return PoseError(
        Status.NOT_CONVERGED,
        leg,
        abs(float(missing[worst])),
        line=f"forward kinematics: no pose found in {steps} steps: actuator {actuator_names(robot)[worst]} is still "
        f"{abs(missing[worst]):.4g} {unit} from {q[worst]:.6g} {unit} (give a guess nearer the pose, or displacements "
        "that go together)",
    )


def _check_finite(robot: Robot, q: Any) -> None:
    bad = np.argwhere(~np.isfinite(q))
    if len(bad):
        *row, column = bad[0].tolist()
        names = actuator_names(robot)
        where = f"sample {row[0]}: " if row else ""
        actuator = names[column] if column < len(names) else str(column)
        raise InputError(f"q: {where}actuator {actuator} is {q[(*row, column)]}: must be finite")
