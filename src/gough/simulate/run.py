"""`gough.simulate`: one robot under forces, springs or a controller, with error control and its own audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.door import check_robot
from gough.errors import GoughError, InputError
from gough.kinematics.model import actuator_names
from gough.motion import Motion
from gough.robot import Robot
from gough.simulate.adaptive import METHODS, Pieces, StepError, integrate
from gough.simulate.choose_drive import drive_of
from gough.simulate.control.controller import Controller
from gough.simulate.control.model import load_of, targets
from gough.simulate.drive import Drive, merged
from gough.simulate.events import Event, Occurrence, Watcher, crossed
from gough.simulate.forward_kinematics import charts
from gough.simulate.result import Simulation
from gough.simulate.start import positive, start_state
from gough.simulate.state_rates import coordinate_rates
from gough.simulate.system import System, system_of

Array = NDArray[np.float64]
Wrench = Callable[[float], Array]

SAMPLES = 201
"""Times a result is given at, by default."""


def simulate(
    robot: Robot,
    start: Any = None,
    input: Any = None,
    duration: Any = None,
    *,
    wrench: Any = None,
    samples: Any = None,
    events: Sequence[Event] = (),
    on_limit: str = "stop",
    condition: float = 1e4,
    method: str = "DOP853",
    rtol: float = 1e-10,
    atol: float = 1e-12,
    slip: float | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Simulation:
    """The motion of a robot from a start, under an input.

    Args:
        robot: Any.
        start: None for home (or where the controller's motion begins), x (n,) for a pose at rest, or (x, xd).
        input: None for no forces; `Springs`; `Forces` or (t, forces); f(t) or f(t, q, qd); `Controller`; `Custom`.
        duration: [s]; that of the controller's motion by default.
        wrench: (6,) external force and moment on the platform, base axes, at the origin of P, or a function of t; by
            default that of the controller's motion, which the controller knows.
        samples: A number of evenly spaced times, or the times (T,); 201 by default.
        events: Of the user.
        on_limit: "stop" or "continue" where a stroke ends or a singularity is near.
        condition: Of K at which a singularity counts as near.
        method, rtol, atol: Of scipy's integration.
        slip: Speed below which Coulomb friction fades; 1e-3 of each actuator's speed limit by default.
        progress: Called after every step with the time reached and the end.

    Raises:
        InputError, PoseError: A bad start or input.
        NumericalError: The integration cannot go on, or a controller fails; its `partial` is what was computed before.
    """
    check_robot(robot)
    if on_limit not in ("stop", "continue"):
        raise InputError(f"on_limit: {on_limit!r} given, choose stop or continue")
    if method not in METHODS:
        raise InputError(f"method {method}: choose {', '.join(METHODS)}")
    t0 = 0.0
    if isinstance(input, Controller):
        t0 = input.motion.start
        duration = input.motion.duration if duration is None else duration
        wrench = wrench_of(input.motion) if wrench is None else wrench
        if start is None:
            x, xd, _ = targets(input.motion, np.array([t0]))
            start = (x[0], xd[0])
    length = positive("duration", duration)
    x, xd = start_state(robot, start)
    system = system_of(robot, slip=slip)
    run = _Run.prepared(system, x, xd, input, _wrench(wrench), t0, t0 + length)
    watcher = Watcher(system, on_limit == "stop", condition, tuple(events))
    times = _times(samples, t0, t0 + length)
    why = ""
    try:
        why = run.go(watcher, method, rtol, atol, progress)
    except KeyboardInterrupt:
        why = "interrupted"
    except GoughError as error:
        error.partial = run.result(times, tuple(run.happened), str(error), method)  # type: ignore[attr-defined]
        raise
    return run.result(times, tuple(run.happened), why, method)


@dataclass
class _Run:
    """A run under way."""

    system: System
    drive: Drive
    wrench: Wrench | None
    edges: list[float]
    pieces: Pieces
    happened: list[Occurrence]
    evaluations: int = 0

    @classmethod
    def prepared(
        cls, system: System, x: Array, xd: Array, input: Any, wrench: Wrench | None, t0: float, t1: float
    ) -> _Run:
        """With programs bound and the state at the start."""
        c, z = start_configuration(system, x, xd)
        drive = drive_of(input, system, x, c, t0, t1)
        inner = [t for t in drive.jumps if t0 < t < t1]
        edges = merged([t0, *inner, t1], 1e-12 * (t1 - t0))
        edges[-1] = t1
        run = cls(system, drive, wrench, edges, Pieces([t0], np.concatenate([c, z, [0.0, 0.0]])), [])
        run._bind()
        return run

    def _bind(self) -> None:
        self.m = self.system.configuration.size
        self.n = len(self.system.robot.platform.coordinates)
        self._rates = self.system.program("rates").bind()
        self._sensors = self.system.program("sensors").bind()
        self._watch = self.system.program("watch").bind()

    def split(self, y: Array) -> tuple[Array, Array]:
        """c and z of a state."""
        return y[: self.m], y[self.m : self.m + self.n]

    def sense(self, y: Array) -> tuple[Array, Array]:
        """Actuator displacements and rates."""
        s = self._sensors
        s.inputs["c"][:], s.inputs["z"][:] = self.split(y)
        s()
        return s.outputs["q"], s.outputs["qd"]

    def rhs(self, t: float, y: Array) -> Array:
        """Rates of (c, z, work, dissipated)."""
        self.evaluations += 1
        c, z = self.split(y)
        r = self._rates
        r.inputs["c"][:], r.inputs["z"][:] = c, z
        r.inputs["force"][:] = self.drive.force(t, c, z, *self.sense(y))
        r.inputs["wrench"][:] = 0.0 if self.wrench is None else self.wrench(t)
        r()
        o = r.outputs
        out = np.empty(len(y))
        out[: self.m], out[self.m : -2], out[-2], out[-1] = o["cd"], o["zd"], o["work"], o["lost"]
        return out

    def begin(self, t: float, y: Array) -> None:
        """Where a piece begins."""
        self.drive.begin(t, *self.split(y), *(v.copy() for v in self.sense(y)))

    def watched(self, watcher: Watcher, t: float, y: Array) -> Array:
        """The watched numbers."""
        w = self._watch
        w.inputs["c"][:], w.inputs["z"][:] = self.split(y)
        w()

        def readings() -> tuple[Any, ...]:
            c, z = self.split(y)
            x = charts(self.system.robot)[1](c=np.array(c))
            return t, x, coordinate_rates(self.system.robot, x[None], z[None])[0], *self.sense(y)

        return watcher.values(w.outputs, readings)

    def go(self, watcher: Watcher, method: str, rtol: float, atol: float, progress: Any) -> str:
        """What ended the run early; "" if nothing did."""
        names = watcher.names()
        directions = np.array([direction for *_, direction in names])
        before_t, before = self.pieces.end, self.watched(watcher, self.pieces.end, self.pieces.start)
        reach = np.array([kind == "reach" for kind, *_ in names])
        beyond = [k for k, (kind, *_) in enumerate(names) if kind in ("stroke", "angle") and before[k] < 0.0]
        for kind, leg, text, stops, _ in [names[k] for k in beyond]:
            self.happened.append(Occurrence(before_t, kind, leg, f"starts beyond: {text}", stops))
            if stops:
                return f"starts beyond: {text}"
        steps = integrate(self.rhs, self.pieces, self.edges, self.begin, rtol=rtol, atol=atol, method=method)
        while True:
            try:
                t, y = next(steps)
            except StopIteration:
                return ""
            except StepError as error:
                return self._stuck(error, names, before, reach)
            after = self.watched(watcher, t, y)
            for k, when in self._located(watcher, crossed(before, after, directions), before_t, t):
                kind, leg, text, stops, _ = names[k]
                self.happened.append(Occurrence(when, kind, leg, text, stops))
                if stops:
                    self._cut(when)
                    return str(text)
            before_t, before = t, after
            if progress is not None:
                progress(t, self.edges[-1])

    def _stuck(self, error: StepError, names: list[Any], before: Array, reach: Array) -> str:
        """A leg at the end of its reach is an event; anything else a failure."""
        left = np.where(reach, before, np.inf)
        k = int(np.argmin(left))
        if not left[k] < 1e-5:
            raise error
        self.happened.append(Occurrence(error.time, "reach", names[k][1], names[k][2], True))
        return str(names[k][2])

    def _located(self, watcher: Watcher, places: Any, t0: float, t1: float) -> list[tuple[int, float]]:
        """Places and times of what passed through zero within the last step, the first first."""
        from scipy.optimize import brentq

        found = []
        for k in places:

            def margin(t: float, k: int = k) -> float:
                value = self.watched(watcher, t, self.pieces([t])[0])[k]
                return float(value) if np.isfinite(value) else -1.0

            a, b = margin(t0), margin(t1)
            found.append((int(k), float(brentq(margin, t0, t1, xtol=1e-13)) if a * b < 0.0 else t1))
        return sorted(found, key=lambda item: (round(item[1], 9), item[0]))

    def _cut(self, t: float) -> None:
        """Forget what lies beyond t."""
        self.pieces.times[-1] = t

    def result(self, times: Array, happened: tuple[Occurrence, ...], why: str, method: str) -> Simulation:
        """The run at those of the times that it reached, and at its end if it ended early."""
        end = self.pieces.end
        kept = times[times <= end]
        if why and (not len(kept) or kept[-1] < end):
            kept = np.append(kept, end)
        return self.at(kept, happened, why, method)

    def at(self, t: Array, happened: tuple[Occurrence, ...], why: str, method: str) -> Simulation:
        """The run at times t."""
        robot = self.system.robot
        y = self.pieces(t)
        c, z = np.ascontiguousarray(y[:, : self.m]), np.ascontiguousarray(y[:, self.m : self.m + self.n])
        sensed = self.system.program("sensors")(c=c, z=z)
        energy = self.system.program("energy")(c=c, z=z)
        watched = self.system.program("watch")(c=c, z=z)
        start = self.system.program("energy")(
            c=self.pieces.start[: self.m].copy(), z=self.pieces.start[self.m : self.m + self.n].copy()
        )
        total = energy["kinetic"] + energy["potential"]
        first = start["kinetic"] + start["potential"]
        x = np.atleast_2d(charts(robot)[1](c=c))
        motion = self.drive.motion
        return Simulation(
            robot,
            self.drive.text,
            tuple(coordinate.name for coordinate in robot.platform.coordinates),
            actuator_names(robot),
            t=t,
            x=x,
            xd=coordinate_rates(robot, x, z),
            q=sensed["q"],
            qd=sensed["qd"],
            force=self._forces(t, c, z, sensed["q"], sensed["qd"]),
            reference=None if motion is None else targets(motion, t)[0],
            kinetic=energy["kinetic"],
            potential=energy["potential"],
            work=y[:, -2],
            dissipated=y[:, -1],
            balance=total - first - y[:, -2] + y[:, -1],
            closure=watched["residual"].max(axis=1),
            events=happened,
            complete=why == "",
            why=why,
            method=method,
            steps=len(self.pieces.solutions),
            evaluations=self.evaluations,
            _dense=lambda other: self.at(other, happened, why, method),
        )

    def _forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        with np.errstate(all="ignore"):
            return self.drive.forces(t, c, z, q, qd)


def start_configuration(system: System, x: Array, xd: Array) -> tuple[Array, Array]:
    """c (m,) and z (n,) at platform coordinates and rates."""
    space = system.configuration
    return charts(system.robot)[0](x=x), np.asarray(space.free_rates(x, xd), dtype=float)


def wrench_of(motion: Motion) -> Wrench | None:
    """The external wrench of a motion as a function of time."""
    return None if motion.load is None else lambda t: load_of(motion, t)[0]


def _wrench(given: Any) -> Wrench | None:
    if given is None:
        return None
    if callable(given):
        return given
    value = np.asarray(given, dtype=float)
    if value.shape != (6,) or not np.isfinite(value).all():
        raise InputError(f"wrench: {given!r} given, expected six finite numbers: fx fy fz mx my mz, or a function of t")
    return lambda _t: value


def _times(samples: Any, t0: float, t1: float) -> Array:
    if samples is None:
        samples = SAMPLES
    if isinstance(samples, (int, np.integer)) and not isinstance(samples, bool):
        if samples < 2:
            raise InputError(f"samples: {samples} given, must be at least 2: both ends count")
        return np.linspace(t0, t1, int(samples))
    times = np.asarray(samples, dtype=float)
    if times.ndim != 1 or not len(times) or not ((times >= t0) & (times <= t1)).all():
        raise InputError(f"samples: must be times within {t0:g} and {t1:g} s")
    return times
