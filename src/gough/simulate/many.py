"""`gough.simulate_many`: an ensemble of robots that differ in start, numbers and noise, stepped in one batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.door import check_robot
from gough.errors import InputError, NumericalError
from gough.kinematics.model import actuator_names
from gough.robot import Robot
from gough.simulate.control.controller import Controller, Custom
from gough.simulate.control.model import targets
from gough.simulate.forward_kinematics import charts
from gough.simulate.many_drive import Stepper, stepper_of
from gough.simulate.many_result import Ensemble
from gough.simulate.start import positive, start_state
from gough.simulate.state_rates import chart_program, coordinate_rates
from gough.simulate.system import system_of
from gough.simulate.vary import varied

Array = NDArray[np.float64]
History = Literal["decimated", "full", "none"]

INSTANTS = 51
"""Times of a decimated history."""
DECIMATED_BYTES = 64 * 2**20
"""A decimated history is coarser if it would take more."""


def simulate_many(
    robot: Robot,
    start: Any = None,
    input: Any = None,
    duration: Any = None,
    *,
    count: int | None = None,
    step: float = 1e-3,
    vary: Mapping[str, Any] | None = None,
    seed: int = 0,
    first: int = 0,
    history: History = "decimated",
    threads: int | None = None,
    slip: float | None = None,
    progress: Callable[[float, float], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Ensemble:
    """N robots simulated with a fixed step of the classical Runge-Kutta method, the controller inside the step.

    A robot's result depends on its number and the seed, never on how many run beside it.

    Args:
        robot: In nominal numbers; also what a controller takes it for, unless told otherwise.
        start: As for `simulate`, one for all, or x (N, n), or the pair (x, xd) of such.
        input: As for `simulate`. Forces of time are taken at the start of each step and held, springs at every stage;
            a controller acts every step, or every sample time, which must be a multiple of the step.
        duration: [s].
        count: N; by default as many as there are starts.
        step: [s].
        vary: By path a share (0.05 for +-5 %, drawn evenly) or values (N,).
        seed: Of the draws.
        first: Number of the first robot.
        history: "decimated", "full" (its size is told first) or "none".
        threads: As for a program.
        slip: As for `simulate`.
        progress: Called now and then with the time reached and the end.
        tell: Called with lines for people; by default they go to standard error.

    Raises:
        NumericalError: All robots diverged; its `partial` is what was computed.
    """
    check_robot(robot)
    t0 = 0.0
    if isinstance(input, Controller):
        t0 = input.motion.start
        duration = input.motion.duration if duration is None else duration
        if start is None:
            x, xd, _ = targets(input.motion, np.array([t0]))
            start = (x[0], xd[0])
    length = positive("duration", duration)
    dt = positive("step", step)
    if dt > length * (1.0 + 1e-9):
        raise InputError(f"step: {dt:g} s is longer than the duration, {length:g} s")
    steps = round(length / dt)
    x, xd = _starts(robot, start, count)
    numbers = np.arange(first, first + len(x))
    paths, values = varied(robot, vary or {}, seed, numbers)
    system = system_of(robot, free=paths, slip=slip)
    c = np.atleast_2d(charts(robot)[0](x=x))
    z = np.einsum("kij,kj->ki", chart_program(robot)(x=x), xd)
    stepper = stepper_of(input, system, x, c, numbers, t0, dt, values if paths else None, threads)
    every, instants = _decimation(history, steps, len(x), x.shape[1], tell)
    run = _Run(robot, stepper, c, z, np.full(len(x), -1), every, instants, t0, dt)
    why = ""
    try:
        run.go(steps, progress)
    except KeyboardInterrupt:
        why = "interrupted"
    motion = input.motion if isinstance(input, Controller) else None
    result = run.result(numbers, paths, values, motion, why, history != "none")
    if not isinstance(input, Custom) and (result.diverged >= 0).all() and len(x):
        at = int(result.diverged.min())
        error = NumericalError(
            f"t = {t0 + at * dt:.6g} s: the simulation diverged; steps of {dt:g} s are too long, or the robot left its "
            "reach: try a smaller step; what was computed before is kept"
        )
        error.partial = result  # type: ignore[attr-defined]
        raise error
    return result


@dataclass
class _Run:
    """An ensemble under way."""

    robot: Robot
    stepper: Stepper
    c: Array
    z: Array
    diverged: Any
    every: int
    instants: int
    t0: float
    dt: float
    done: int = 0
    kept: list[tuple[float, Array]] = field(default_factory=list)

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
        self, numbers: Any, paths: tuple[str, ...], values: Any, motion: Any, why: str, history: bool
    ) -> Ensemble:
        """What was computed."""
        self._find_diverged()
        self._keep()
        back = charts(self.robot)[1]
        with np.errstate(all="ignore"):
            x = np.atleast_2d(back(c=self.c))
            xs = np.array([np.atleast_2d(back(c=c)) for _, c in self.kept])
            xd = coordinate_rates(self.robot, x, self.z)
        t = self.t0 + self.dt * np.array([done for done, _ in self.kept], dtype=float)
        reference = None if motion is None else targets(motion, t)[0]
        good = self.diverged < 0
        figures = _statistics(xs[:, good]) if good.any() else (np.full(xs[:, 0].shape, np.nan),) * 4
        return Ensemble(
            self.robot,
            self.stepper.text,
            tuple(coordinate.name for coordinate in self.robot.platform.coordinates),
            actuator_names(self.robot),
            numbers=numbers,
            varied=paths,
            values=values,
            step=self.dt,
            steps=self.done,
            x=x,
            xd=xd,
            t=t,
            history=xs if history else None,
            mean=figures[0],
            deviation=figures[1],
            least=figures[2],
            most=figures[3],
            reference=reference,
            worst_error=None if reference is None else _worst(self.robot, xs, reference),
            diverged=self.diverged,
            complete=why == "",
            why=why,
        )


def _statistics(xs: Any) -> tuple[Any, Any, Any, Any]:
    return xs.mean(axis=1), xs.std(axis=1), xs.min(axis=1), xs.max(axis=1)


def _worst(robot: Robot, xs: Any, reference: Any) -> Any:
    turns = np.array([c.motion.startswith("r") for c in robot.platform.coordinates])
    apart = xs - reference[:, None]
    apart = np.where(turns, (apart + np.pi) % (2.0 * np.pi) - np.pi, apart)
    with np.errstate(all="ignore"):
        return np.sqrt((apart**2).sum(axis=2)).max(axis=0)


def _starts(robot: Robot, start: Any, count: int | None) -> tuple[Array, Array]:
    """x and xd (N, n), every one reached."""
    pair = isinstance(start, tuple) and len(start) == 2
    many = [part for part in (start if pair else (start,)) if part is not None and np.ndim(part) == 2]
    if not many:
        x, xd = start_state(robot, start)
        number = 1 if count is None else count
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise InputError(f"count: {count!r} given, must be a whole number from 1 on")
        return np.tile(x, (number, 1)), np.tile(xd, (number, 1))
    number = len(many[0])
    if count is not None and count != number:
        raise InputError(f"count: {count} given, but there are {number} starts")
    rows = (
        [np.broadcast_to(np.asarray(part, dtype=float), (number, np.shape(part)[-1])) for part in start] if pair else []
    )
    x, xd = rows if pair else (np.asarray(start, dtype=float), np.zeros(np.shape(start)))
    start_state(robot, (x[0], xd[0]))
    from gough.kinematics import Status, inverse_kinematics
    from gough.kinematics.status import sentence

    found = inverse_kinematics(robot, x)
    lost = np.flatnonzero(found.status > Status.NEAR_SINGULAR)
    if len(lost):
        k = int(lost[0])
        leg = robot.legs[int(found.leg[k])].name
        raise NumericalError(f"start: robot {k}: {sentence(Status(int(found.status[k])), leg, found.short[k].max())}")
    return np.ascontiguousarray(x), np.ascontiguousarray(xd)


def _decimation(history: str, steps: int, count: int, n: int, tell: Any) -> tuple[int, int]:
    """Steps between the instants kept, and how many there are."""
    if history not in ("decimated", "full", "none"):
        raise InputError(f"history: {history!r} given, choose decimated, full or none")
    if history == "full":
        size = (steps + 1) * count * (n + 1) * 8
        say = tell if tell is not None else lambda line: print(line, file=sys.stderr)
        say(f"full history of {count} robots at {steps + 1} times: {size / 2**20:.4g} MB")
        return 1, steps + 1
    fits = max(2, DECIMATED_BYTES // max(1, count * (n + 1) * 8))
    instants = min(INSTANTS, fits, steps + 1)
    return max(1, -(-steps // (instants - 1))), instants
