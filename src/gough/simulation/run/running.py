"""A run of one robot under way: its rates, their integration, and what can be seen at any time it has reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.dynamics.drives import winches
from gough.errors import GoughError, InputError, NumericalError
from gough.graph import Array
from gough.kinematics.configuration import charts, coordinate_rates
from gough.motion import MovingBase
from gough.robot import Mechanism
from gough.simulation.arguments import Wrench
from gough.simulation.control.controller import InputLike
from gough.simulation.events import Watcher
from gough.simulation.run.drive import drive_of
from gough.simulation.run.held_forces import merged
from gough.simulation.system import System


class Running:
    """A run under way.

    Attributes:
        system: The robot's equations of motion.
        drive: What moves it.
        edges: Times at which the forces may jump, with start and end.
        pieces: The state (c, z, work, dissipated) over time, as far as it has come.
        evaluations: Evaluations of the rates.
    """

    def __init__(
        self,
        system: System,
        x: Array,
        xd: Array,
        input: InputLike,
        wrench: Wrench | None,
        t0: float,
        t1: float,
        base: MovingBase | None = None,
        robot: Mechanism | None = None,
    ) -> None:
        """At the start, with programs bound; `robot` is whose system it is, if more is known than its mechanism."""
        c, z = start_configuration(system, x, xd)
        self.system, self.wrench, self.base, self.robot = system, wrench, base, robot or system.robot
        self.drive = drive_of(input, system, x, c, t0, t1)
        self.edges = merged([t0, *[t for t in self.drive.jumps if t0 < t < t1], t1], 1e-12 * (t1 - t0))
        self.edges[-1] = t1
        self.pieces = Pieces([t0], np.concatenate([c, z, [0.0, 0.0]]))
        self.evaluations = 0
        self.size, self.n = len(c), len(z)
        self._rates = system.program("rates" if base is None else "carried_rates").bind()
        self._sensors = system.program("sensors").bind()

    def split(self, y: Array) -> tuple[Array, Array]:
        """c and z of a state, or of states (T, states)."""
        return y[..., : self.size], y[..., self.size : self.size + self.n]

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
        if self.base is not None:
            r.inputs["base"][:] = self.base.state(np.array([t])).felt(self.system.robot.gravity)[0]
        r()
        o = r.outputs
        out = np.empty(len(y))
        out[: self.size], out[self.size : -2], out[-2], out[-1] = o["cd"], o["zd"], o["work"], o["lost"]
        return out

    def begin(self, t: float, y: Array) -> None:
        """Where a piece begins."""
        self.drive.begin(t, *self.split(y), *(v.copy() for v in self.sense(y)))

    def watched(self, watcher: Watcher, t: Array) -> Array:
        """(N, numbers) what is watched at the times t (N,)."""
        y = self.pieces(t)
        c, z = (np.ascontiguousarray(part) for part in self.split(y))

        def readings() -> Iterator[tuple[Any, ...]]:
            x = charts(self.system.robot)[1](c=c)
            seen = self.system.program("sensors")(c=c, z=z)
            return zip(t, x, coordinate_rates(self.system.robot, x, z), seen["q"], seen["qd"], strict=True)

        found = self.system.program("watch")(c=c, z=z)
        if self.system.robot.cables:
            seen = self.system.program("sensors")(c=c, z=z)
            commanded = self.drive.forces(np.asarray(t), c, z, seen["q"], seen["qd"])
            found["pull"] = self.pulls(np.asarray(t), c, z, commanded)["pull"]
        return watcher.values(found, readings)

    def pulls(self, t: Array, c: Array, z: Array, commanded: Array) -> dict[str, Array]:
        """Of forces (T, actuators) that are commanded at times (T,): "pull" and "acting" as of `System.rates`."""
        if not winches(self.system.robot):
            return {"pull": commanded, "acting": self.system.pulled(commanded)}
        load = np.zeros((len(t), 6)) if self.wrench is None else np.array([self.wrench(at) for at in t])
        given: dict[str, Any] = {"c": c, "z": z, "force": commanded, "wrench": load}
        if self.base is None:
            return self.system.program("rates")(**given)
        return self.system.program("carried_rates")(**given, base=self.base.state(t).felt(self.system.robot.gravity))

    def commanded(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators) forces at times of a result; NaN where the drive has failed."""
        try:
            return self.drive.forces(t, c, z, q, qd)
        except GoughError:
            if len(t) == 1:
                return np.full(q.shape, np.nan)
            rows = [slice(k, k + 1) for k in range(len(t))]
            return np.concatenate([self.commanded(t[k], c[k], z[k], q[k], qd[k]) for k in rows])


def start_configuration(system: System, x: Array, xd: Array) -> tuple[Array, Array]:
    """c (size,) and z (n,) at platform coordinates and rates."""
    space = system.configuration
    return charts(system.robot)[0](x=x), np.asarray(space.free_rates(x, xd), dtype=float)


METHODS = ("DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA")


@dataclass(slots=True)
class Pieces:
    """A dense solution as it grows: scipy's interpolants, one after the other.

    Attributes:
        times: Edges of the steps.
        solutions: One per step.
    """

    times: list[float]
    start: Array
    solutions: list[Any] = field(default_factory=list)

    def __call__(self, t: ArrayLike) -> Array:
        """(N, states) at the times t (N,)."""
        t = np.atleast_1d(np.asarray(t, dtype=float))
        out = np.empty((len(t), len(self.start)))
        if not self.solutions:
            out[:] = self.start
            return out
        if t.min() >= self.times[-2]:
            out[:] = self.solutions[-1](t).T
            return out
        which = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.solutions) - 1)
        for k in np.unique(which):
            rows = which == k
            out[rows] = self.solutions[k](t[rows]).T
        return out

    @property
    def end(self) -> float:
        """The last time reached."""
        return self.times[-1]


class StepError(NumericalError):
    """The integrator cannot go on.

    Attributes:
        t: Where it stopped [s].
    """

    def __init__(self, t: float, why: str = "") -> None:
        """Stopped at `t`."""
        self.t = t
        reason = why or "a singular pose, or a leg at the end of its reach"
        super().__init__(f"t = {t:.6g} s: the integration cannot go on ({reason}); what was computed before is kept")


def integrate(
    rhs: Callable[[float, Array], Array],
    pieces: Pieces,
    edges: Sequence[float],
    begin: Callable[[float, Array], None] | None,
    *,
    rtol: float,
    atol: float | Array,
    method: str = "DOP853",
    longest: float = np.inf,
) -> Iterator[tuple[float, Array]]:
    """Yields time and state after every step, which `pieces` then covers.

    Args:
        rhs: Rates of the state.
        pieces: With the start in it; grows.
        edges: Times at which the input may jump, first and last included.
        begin: Called with time and state where a piece begins, but for the first; None if nothing jumps.
        rtol, atol: Of scipy's error control.
        method: One of `METHODS`.
        longest: Step [s].

    Raises:
        StepError: The integrator cannot go on.
    """
    from scipy import integrate as scipy_integrate

    if method not in METHODS:
        raise InputError(f"method {method}: choose {', '.join(METHODS)}")
    solver_class = getattr(scipy_integrate, method)
    y, h = pieces.start, None
    for k, (t0, t1) in enumerate(pairwise(edges)):
        if begin is not None and k:
            begin(t0, y)
        first = None if h is None else min(h, t1 - t0)
        solver = solver_class(rhs, t0, y, t1, rtol=rtol, atol=atol, first_step=first, max_step=longest)
        while solver.status == "running":
            with np.errstate(all="ignore"):
                solver.step()
            if solver.status == "failed" or not np.isfinite(solver.y).all():
                raise StepError(pieces.end)
            pieces.solutions.append(solver.dense_output())
            pieces.times.append(float(solver.t))
            if solver.t < t1:
                h = solver.t - solver.t_old
            yield float(solver.t), solver.y
        h = max(h or 0.0, t1 - solver.t_old) if len(edges) > 2 else None
        y = solver.y
