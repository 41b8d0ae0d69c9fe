"""Actuator displacements in, platform pose out.

The pose is defined by a path: the actuators go in a straight line from where they are at the guess to where they are
asked to be, and the platform goes along. The path ends there, or at a fold: a pose from which it cannot follow.
"""

from __future__ import annotations

from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.graph import Array, Input
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.forward.solver import Solver, solver_of
from gough.kinematics.sampled_call import Call, Rows, check_finite
from gough.kinematics.status import PoseError, Status, Verdict, status_texts
from gough.robot import Mechanism, by_mechanism
from gough.run.arrays import converted
from gough.table import Result, column, computed


class ForwardKinematics(Result):
    """Poses of N samples, or of one without the leading axis. NaN where the path does not lead to its end.

    Attributes:
        robot: Whose.
        x: (N, n) platform coordinates.
        status: (N,) of `Status`: PATH_FOLDS where the platform cannot follow the actuators to the end,
            GUESS_OUT_OF_REACH where there is nowhere to start, OVERFLOW where numbers are too large to compute with.
        steps: (N,) along the path; 1 where Newton's method finds its end from the guess.
        residual: (N,) largest difference of the displacements reached from those asked for [m or rad].
        share: (N,) of the path that was followed; 1 where there is a pose.
    """

    robot: Mechanism
    x: Array = column("coordinate", "displacement", prefix="")
    status: Any = column(show=status_texts)
    steps: Any = column()
    residual: Any = column()
    share: Any = column()

    SHOWN: ClassVar = ("dependent",)
    COLUMNS = ("x", "dependent", "steps", "residual", "share", "status")
    FACTS, DRAWN, LAYOUT = ("robot",), ("x", "dependent"), "arrays"

    @property
    @computed("dependent", "displacement", prefix="")
    def dependent(self) -> Array:
        """(N, k) platform coordinates that follow the others, in the order of `robot.dependent_names`."""
        return dependent_coordinates(self.robot, self.x)[0]


def forward_kinematics(robot: Mechanism, q: ArrayLike, guess: ArrayLike | None = None) -> ForwardKinematics:
    """Platform poses at actuator displacements, each at the end of the path from its own guess.

    The path is the straight line in displacements from those at the guess to q; an actuator that turns takes the
    shorter way round. With more actuators than coordinates the poses along it fit by least squares.

    Args:
        robot: Any.
        q: (actuators,) or (N, actuators) displacements from the actuators' zeros [m or rad].
        guess: (n,) or (N, n) platform coordinates near the answer, e.g. the last pose; home by default.

    Raises:
        PoseError: A single pose was not found. Of many samples each has a status instead.
        InputError: Numbers that are not finite, wrong shapes.
    """
    solver = solver_of(robot)
    asked, rows = _taken(robot, solver.q_input, q)
    near, near_rows = (solver.home, None) if guess is None else _taken(robot, solver.guess_input, guess)
    if rows is None and near_rows is None:
        return _one(robot, solver, asked, near)
    if rows is not None and near_rows is not None and rows != near_rows:
        raise InputError(f"guess: {near_rows} samples given, but q has {rows}")
    count = (near_rows if rows is None else rows) or 0
    return _many(
        robot,
        solver,
        np.broadcast_to(asked, (count, *solver.q_input.shape)),
        np.broadcast_to(near, (count, *solver.guess_input.shape)),
    )


def _one(robot: Mechanism, solver: Solver, q: Array, guess: Array) -> ForwardKinematics:
    quick = solver.quick_one
    quick.inputs["guess"][:] = guess
    quick.inputs["q"][:] = q
    quick()
    outputs = quick.outputs
    if outputs["sound"]:
        x, residual = outputs["x"].copy(), float(outputs["residual"])
        return ForwardKinematics(robot, x, int(Status.FINE), 1, residual, 1.0)
    found = _many(robot, solver, q[None], guess[None])
    if found.status[0] > Status.NEAR_SINGULAR:
        raise _not_found(solver, q, guess)
    return ForwardKinematics(
        robot, found.x[0], int(found.status[0]), int(found.steps[0]), float(found.residual[0]), 1.0
    )


def _many(robot: Mechanism, solver: Solver, q: Array, guess: Array) -> ForwardKinematics:
    count = len(q)
    status, steps, share = np.zeros(count, dtype=int), np.ones(count, dtype=int), np.ones(count)
    found = solver.quick(guess=guess, q=q)
    x, residual, left = found["x"], found["residual"], np.flatnonzero(~found["sound"])
    if len(left):
        path, missing = solver.follow(guess[left], q[left])
        x[left] = solver.coordinates(path.c)
        x[left[path.status > Status.NEAR_SINGULAR]] = np.nan
        residual[left], status[left], steps[left], share[left] = missing, path.status, path.steps, path.share
    return ForwardKinematics(robot, x, status, steps, residual, share)


def _taken(robot: Mechanism, spec: Input, value: ArrayLike) -> tuple[Array, int | None]:
    """An input as finite numbers, and its number of samples, None for one."""
    array, rows = converted(spec, value)
    if not isfinite(array.sum()):
        try:
            check_finite(robot, {spec.name: array})
        except InputError as error:
            if rows is None:
                raise
            hint = f"leave such samples out: {spec.name}[numpy.isfinite({spec.name}).all(axis=1)]"
            raise InputError(f"{error} ({hint})") from None
    return array, rows


def _not_found(solver: Solver, q: Array, guess: Array) -> PoseError:
    """The line about displacements at which no pose was found."""
    verdict = solver.verdict(solver.follow(guess[None], q[None])[0], guess[None], q[None])
    status, amount, at = Status(int(verdict.status[0])), float(verdict.amount[0]), int(verdict.leg[0])
    leg = solver.robot.legs[at].name if at >= 0 else ""
    hint = "give a guess nearer the pose, or displacements that go together"
    if status == Status.GUESS_OUT_OF_REACH:
        hint = "start from a pose within reach"
    elif status == Status.OVERFLOW:
        hint = ""
    return PoseError(status, leg, amount, "forward kinematics", hint)


@by_mechanism(32)
def forward_kinematics_call(robot: Mechanism) -> Call:
    """From guess (n,) and displacements q (actuators,) to the pose x (n,) and the residual."""
    return Call(robot, solver_of(robot).graph, _followed, at="guess", mends=True)


def _followed(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses of samples whose paths take several steps; their poses and residuals go into the outputs."""
    solver = solver_of(call.robot)
    path, missing = solver.follow(inputs["guess"], inputs["q"])
    outputs["x"][:] = solver.coordinates(path.c)
    outputs["x"][path.status > Status.NEAR_SINGULAR] = np.nan
    outputs["residual"][:] = missing
    return solver.verdict(path, inputs["guess"], inputs["q"])
