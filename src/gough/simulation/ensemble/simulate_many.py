"""`gough.simulate_many`: an ensemble of robots that differ in start, numbers and noise, stepped in one batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.base_motion import base_motion, check_span
from gough.dynamics.contract import Formulation
from gough.errors import GoughError, InputError, NumericalError
from gough.graph import Array
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.configuration import chart_program, charts, coordinate_rates
from gough.kinematics.sampled_call import check_robot
from gough.kinematics.status import sentence
from gough.motion import Motion, MovingBase, State
from gough.motion.motion import BaseLike
from gough.resources import check_memory
from gough.robot import Mechanism, Robot
from gough.simulation.arguments import StartLike, positive, start_of, start_state
from gough.simulation.control.controller import Controller, Custom, InputLike
from gough.simulation.control.known_model import targets
from gough.simulation.ensemble.ensemble_result import Ensemble, History, statistics, steps_between, worst_errors
from gough.simulation.ensemble.steppers import Stepper, stepper_of
from gough.simulation.ensemble.variation import varied
from gough.simulation.run_time import check_many
from gough.simulation.system import system_of


def simulate_many(
    robot: Robot,
    start: StartLike = None,
    input: InputLike = None,
    duration: float | str | None = None,
    *,
    count: int | None = None,
    step: float | str = 1e-3,
    vary: Mapping[str, Any] | None = None,
    seed: int = 0,
    first: int = 0,
    history: History = "decimated",
    threads: int | None = None,
    slip: float | str | None = None,
    formulation: str | Formulation = "auto",
    base: BaseLike | None = None,
    progress: Callable[[float, float], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Ensemble:
    """N robots simulated with a fixed step of the classical Runge-Kutta method, the controller inside the step.

    A robot's result depends on its number and the seed, never on how many run beside it.

    Args:
        robot: In nominal numbers; also what a controller takes it for, unless stated otherwise.
        start: As for `simulate`, one for all, or those of N robots.
        input: As for `simulate`. Forces of time are taken at the start of each step and held, springs at every stage;
            a controller acts every step, or every sample time, which must be a multiple of the step.
        duration: [s].
        count: N; by default as many as there are starts.
        step: [s].
        vary: By path a share (0.05 or "5%" for +-5 %, drawn evenly), a half-width with its unit ("20 g"), or values
            (N,), in SI units or as texts.
        seed: Seed of the draws.
        first: Number of the first robot.
        history: "decimated", "full" (its size is printed first) or "none".
        threads: As for a program.
        slip, formulation, base: As for `simulate`; all robots stand on the same base.
        progress: Called now and then with the time reached and the end.
        tell: Called with lines for the user; by default they go to standard error.

    Raises:
        NumericalError: All robots diverged, or a controller fails; its `partial` is what was computed.
    """
    check_robot(robot)
    t0 = 0.0
    motion = input.motion if isinstance(input, (Controller, Custom)) else None
    if motion is not None:
        t0 = Motion.of(robot, motion).start
        base = motion.base if base is None else base
        duration = motion.duration if duration is None else duration
        if start is None:
            start = State(motion(t0).x, motion(t0).xd)
    length = positive("duration", duration)
    dt = positive("step", step)
    if dt > length * (1.0 + 1e-9):
        raise InputError(f"step: {dt:g} s is longer than the duration, {length:g} s")
    steps = round(length / dt)
    x, xd = many_starts(robot, start, count)
    check_many(robot, len(x), length, dt, history)
    numbers = np.arange(first, first + len(x))
    paths, values = varied(robot, vary or {}, seed, numbers)
    system = system_of(robot, formulation, paths, slip)
    c = np.atleast_2d(charts(robot)[0](x=x))
    z = np.einsum("kij,kj->ki", chart_program(robot)(x=x), xd)
    stepper = stepper_of(input, system, x, c, numbers, t0, dt, values if paths else None, threads)
    if base is not None:
        stepper.carried = _base_in_steps(base_motion(base), robot, t0, dt, steps)
    every = steps_between(history, steps, len(x), x.shape[1], tell)
    run = ManyRunning(robot, stepper, c, z, every, t0, dt)

    def result_of(why: str) -> Ensemble:
        return run.result(numbers, paths, values, motion, why, history != "none")

    why = ""
    try:
        run.go(steps, progress)
    except KeyboardInterrupt:
        why = "interrupted"
    except GoughError as error:
        error.partial = result_of(str(error))
        raise
    result = result_of(why)
    if not isinstance(input, Custom) and (result.diverged >= 0).all() and len(x):
        at = int(result.diverged.min())
        raise NumericalError(
            f"t = {t0 + at * dt:.6g} s: the simulation diverged; steps of {dt:g} s are too long, or the robot left its "
            "reach: try a smaller step; what was computed before is kept",
            partial=result,
        )
    return result


def _base_in_steps(
    base: MovingBase, robot: Mechanism, t0: float, dt: float, steps: int
) -> Callable[[int], dict[str, Any]]:
    """How the base moves in each step: at its start, its middle and its end.

    Raises:
        MotionError: It does not last as long.
    """
    check_span(base, t0, t0 + dt * steps)
    half = base.state(t0 + 0.5 * dt * np.arange(2 * steps + 1)).felt(robot.gravity)
    return lambda k: {"base": half[2 * k : 2 * k + 3]}


ROBOT_BYTES = 2.5e3
"""Per coordinate of each robot: states, stages, statistics; measured on stewart."""


def many_starts(robot: Robot, start: StartLike, count: int | None) -> tuple[Array, Array]:
    """x and xd (N, n), every one reached: N equal ones, or those given.

    Raises:
        InputError: Wrong shapes, or a count that is none or not that of the starts.
        NumericalError: A start is out of reach.
    """
    at = start_of(robot, start)
    if at.is_single:
        x, xd = start_state(robot, at)
        number = 1 if count is None else count
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise InputError(f"count: {count!r} given, must be a whole number from 1 on")
        what = "robots at a time (first= numbers the rest)"
        check_memory(f"count {number:g}", int(number), len(x) * ROBOT_BYTES, what)
        return np.tile(x, (number, 1)), np.tile(xd, (number, 1))
    number = len(at)
    if count is not None and count != number:
        raise InputError(f"count: {count} given, but there are {number} starts")
    x, xd = at.x, np.broadcast_to(np.zeros(robot.dof) if at.xd is None else at.xd, at.x.shape)
    start_state(robot, State(x[0], xd[0]))
    found = inverse_kinematics(robot, x)
    lost = np.flatnonzero(found.status > Status.NEAR_SINGULAR)
    if len(lost):
        k = int(lost[0])
        leg = robot.legs[int(found.leg[k])].name
        raise NumericalError(f"start: robot {k}: {sentence(Status(int(found.status[k])), leg, float(found.amount[k]))}")
    return np.ascontiguousarray(x), np.ascontiguousarray(xd)


@dataclass
class ManyRunning:
    """An ensemble under way.

    Attributes:
        robot: In nominal numbers.
        stepper: What steps it.
        c, z: (N, size), (N, n) where it is.
        every: Steps from one kept instant to the next.
        t0, dt: First time and step [s].
        diverged: (N,) step at which a robot's state was no longer finite, -1 if it always was.
        done: Steps.
        kept: Number of steps and configurations (N, size) of each kept instant.
    """

    robot: Robot
    stepper: Stepper
    c: Array
    z: Array
    every: int
    t0: float
    dt: float
    done: int = 0
    kept: list[tuple[int, Array]] = field(default_factory=list)
    diverged: Any = None

    def __post_init__(self) -> None:
        """None has diverged."""
        self.diverged = np.full(len(self.c), -1)

    def go(self, steps: int, progress: Callable[[float, float], None] | None) -> None:
        """All steps."""
        self._keep()
        told = max(1, steps // 200)
        check = max(1, steps // 50)
        for k in range(steps):
            self.c, self.z = self.stepper(k, self.c, self.z)
            self.done = k + 1
            last = self.done == steps
            if (self.every and self.done % self.every == 0) or last:
                self._keep()
            if self.done % check == 0 or last:
                self._find_diverged()
            if progress is not None and (self.done % told == 0 or last):
                progress(self.t0 + self.done * self.dt, self.t0 + steps * self.dt)

    def _keep(self) -> None:
        if not self.kept or self.kept[-1][0] != self.done:
            self.kept.append((self.done, self.c.copy()))

    def _find_diverged(self) -> None:
        with np.errstate(all="ignore"):
            bad = ~(np.isfinite(self.c).all(axis=1) & np.isfinite(self.z).all(axis=1)) & (self.diverged < 0)
        self.diverged[bad] = self.done

    def result(
        self,
        numbers: NDArray[np.int_],
        paths: tuple[str, ...],
        values: Array,
        motion: Motion | None,
        why: str,
        history: bool,
    ) -> Ensemble:
        """What was computed.

        Args:
            numbers: (N,) of the robots.
            paths, values: What differs, and (N, paths) its values.
            motion: What was followed, or None.
            why: What ended it early; "" if nothing did.
            history: Whether the kept instants are part of the result.
        """
        self._find_diverged()
        self._keep()
        back = charts(self.robot)[1]
        with np.errstate(all="ignore"):
            x = np.atleast_2d(back(c=self.c))
            xs = np.array([np.atleast_2d(back(c=c)) for _, c in self.kept])
            xd = coordinate_rates(self.robot, x, self.z)
        t = self.t0 + self.dt * np.array([done for done, _ in self.kept], dtype=float)
        reference = None if motion is None else targets(motion, t)[0]
        return Ensemble(
            self.robot,
            self.stepper.text,
            self.robot.coordinate_names,
            self.robot.actuator_names,
            numbers=numbers,
            varied=paths,
            values=values,
            step=self.dt,
            steps=self.done,
            x=x,
            xd=xd,
            t=t,
            history=xs if history else None,
            **statistics(xs, self.diverged < 0),
            reference=reference,
            worst_error=None if reference is None else worst_errors(self.robot, xs, reference),
            diverged=self.diverged,
            complete=why == "",
            why=why,
            smoothing="" if motion is None else motion.smoothing,
        )
