"""`gough.simulate`: one robot under forces, springs or a controller, with error control and an energy audit."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.dynamics.base_motion import base_motion, check_span
from gough.dynamics.contract import Formulation
from gough.errors import GoughError, GoughWarning, InputError
from gough.graph import Array
from gough.kinematics.sampled_call import check_robot
from gough.motion import Motion, State
from gough.motion.motion import BaseLike
from gough.robot import Robot
from gough.simulation.arguments import StartLike, positive, sample_times, start_state, wrench_function, wrench_of
from gough.simulation.control.controller import Controller, Custom, InputLike
from gough.simulation.events import Event, Occurrence, Watched, Watcher, crossings
from gough.simulation.run.run_result import Simulation, run_result
from gough.simulation.run.running import METHODS, Running, StepError, integrate
from gough.simulation.run_time import MOST_STEPS, check_single
from gough.simulation.system import system_of


def simulate(
    robot: Robot,
    start: StartLike = None,
    input: InputLike = None,
    duration: float | str | None = None,
    *,
    wrench: Sequence[float | str] | Array | Callable[[float], Any] | None = None,
    samples: int | ArrayLike | None = None,
    events: Sequence[Event] = (),
    on_limit: str = "stop",
    condition: float = 1e4,
    method: str = "DOP853",
    rtol: float = 1e-10,
    atol: float = 1e-12,
    slip: float | str | None = None,
    formulation: str | Formulation = "auto",
    base: BaseLike | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Simulation:
    """The motion of a robot from a start, under an input.

    Poses, times, wrenches and speeds may be texts with their units: "z=2.1", "20 ms", "2 kN", "1 mm/s".

    Args:
        robot: The robot, all of its numbers plain.
        start: A state, of which x and xd count, or x (n,) at rest; home by default, or where the controller's motion
            begins.
        input: None for no forces; `Springs`; `Forces` or (t, forces); f(t) or f(t, q, qd); `Controller`; `Custom`.
        duration: [s]; that of the controller's motion by default.
        wrench: (6,) external force and moment on the platform, base axes, at the robot's tool, or a function of t; by
            default that of the controller's motion, which the controller knows.
        samples: A number of evenly spaced times, or the times (T,); 201 by default.
        events: User-defined events.
        on_limit: "stop" or "continue" where a stroke ends or a singularity is near.
        condition: Condition number of K from which a singularity counts as near.
        method, rtol, atol: Of the integration, as scipy's `solve_ivp` has them.
        slip: Speed below which Coulomb friction fades, coulomb v / sqrt(v^2 + slip^2); 1e-3 of each actuator's speed
            limit by default, 1e-3 per s without one. A load that friction should hold creeps, slower than that.
        formulation: "auto", a name, or a formulation with forward dynamics.
        base: Motion of the base, as `Motion.on_base` takes it; by default that of the controller's motion. A
            controller knows only that of its motion.
        progress: Called after every step with the time reached and the end.

    Raises:
        InputError, PoseError: A bad start or input.
        NumericalError: The integration cannot go on, or a controller fails; its `partial` is what was computed before.

    Warns:
        GoughWarning: The energy balance is off by more than the tolerances explain; `balanced` of the result is False.
    """
    check_robot(robot)
    if on_limit not in ("stop", "continue"):
        raise InputError(f"on_limit: {on_limit!r} given, choose stop or continue")
    if method not in METHODS:
        raise InputError(f"method {method}: choose {', '.join(METHODS)}")
    t0 = 0.0
    motion = input.motion if isinstance(input, (Controller, Custom)) else None
    if motion is not None:
        t0 = Motion.of(robot, motion).start
        base = motion.base if base is None else base
        duration = motion.duration if duration is None else duration
        wrench = wrench_of(motion) if wrench is None else wrench
        if start is None:
            start = State(motion(t0).x, motion(t0).xd)
    length = positive("duration", duration)
    check_single(input, length)
    x, xd = start_state(robot, start)
    system = system_of(robot, formulation, slip=slip)
    carried = None if base is None else base_motion(base)
    if carried is not None:
        check_span(carried, t0, t0 + length)
    run = Running(system, x, xd, input, wrench_function(wrench), t0, t0 + length, carried, robot)
    watcher = Watcher(system, on_limit == "stop", condition, tuple(events))
    times = sample_times(samples, t0, t0 + length)
    happened: list[Occurrence] = []
    steps = integrate(run.rhs, run.pieces, run.edges, run.begin, rtol=rtol, atol=atol, method=method)
    try:
        why = _integrated(run, steps, watcher, happened, progress)
    except KeyboardInterrupt:
        why = "interrupted"
    except GoughError as error:
        error.partial = run_result(run, times, tuple(happened), str(error), method, rtol + atol)
        raise
    result = run_result(run, times, tuple(happened), why, method, rtol + atol)
    if not result.balanced:
        warnings.warn(result.imbalance, GoughWarning, stacklevel=2)
    return result


def _integrated(
    run: Running,
    steps: Iterator[tuple[float, Array]],
    watcher: Watcher,
    happened: list[Occurrence],
    progress: Callable[[float, float], None] | None,
) -> str:
    """What ended the run early, "" if nothing did, after all steps; events are added to `happened`."""
    names = watcher.names()
    directions = np.array([watched.direction for watched in names])
    t = run.pieces.end
    run.begin(t, run.pieces.start)
    before = run.watched(watcher, np.array([t]))[0]
    for margin, watched in zip(before, names, strict=True):
        if watched.kind in ("stroke", "angle") and margin < 0.0:
            happened.append(watched.at(t, "starts beyond: "))
            if watched.stops:
                return happened[-1].text
        elif watched.kind == "slack" and margin < 0.0:
            happened.append(watched.at(t))
    while True:
        if len(run.pieces.solutions) >= MOST_STEPS:
            raise StepError(t, why=f"it took {MOST_STEPS} steps: the input is too stiff, or the run too long")
        try:
            after, _ = next(steps)
        except StopIteration:
            return ""
        except StepError as error:
            return _stuck(error, names, before, happened)
        found, before = crossings(lambda times: run.watched(watcher, times), t, after, before, directions)
        for k, when in found:
            happened.append(names[k].at(when))
            if names[k].stops:
                run.pieces.times[-1] = when
                return happened[-1].text
        t = after
        if progress is not None:
            progress(t, run.edges[-1])


def _stuck(error: StepError, names: list[Watched], before: Array, happened: list[Occurrence]) -> str:
    """The text of an event if the integration is stuck because a leg is at the end of its reach; else it raises."""
    left = np.where([watched.kind == "reach" for watched in names], before, np.inf)
    k = int(np.argmin(left))
    if not left[k] < 1e-5:
        raise error
    happened.append(names[k].at(error.t))
    return happened[-1].text
