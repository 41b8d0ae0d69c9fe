"""One robot integrated with error control (scipy), piece by piece between the instants at which its input jumps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import NumericalError
from gough.simulate.system import System

Array = NDArray[np.float64]
Force = Callable[[float, Array, Array], Array]
"""(t, q, qd) -> actuator forces (actuators,)."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A dense solution: scipy's interpolants, one after the other.

    Attributes:
        times: Edges of the pieces.
        solutions: One per piece.
    """

    times: list[float]
    solutions: list[Any]

    def __call__(self, t: Array) -> Array:
        """(N, m + n + 2) states at the times t (N,): c, z, work done, friction losses."""
        edges = np.array(self.times[1:-1])
        which = np.searchsorted(edges, t, side="right")
        out = np.empty((len(t), 0))
        rows = [self.solutions[k](value) for k, value in zip(which, t, strict=True)]
        return np.array(rows) if rows else out


class Derivative:
    """Right-hand side of a system for one robot, on fixed buffers."""

    def __init__(self, system: System, force: Force, wrench: Callable[[float], Array] | None, p: Array | None) -> None:
        """Bind the programs of `system`; `wrench` is a function of time, `p` the free numbers."""
        self.system = system
        self.force = force
        self.wrench = wrench
        self.m = system.configuration.size
        self.n = len(system.robot.platform.coordinates)
        given = {} if p is None else {"p": np.array(p, dtype=float)}
        self._rates = system.program("rates").bind(**{k: v.copy() for k, v in given.items()})
        self._sensors = system.program("sensors").bind(**{k: v.copy() for k, v in given.items()})

    def __call__(self, t: float, y: Array) -> Array:
        """Rates of (c, z, work, lost)."""
        q, qd = self.sense(y)
        force = self.force(t, q, qd)
        r = self._rates
        r.inputs["c"][:], r.inputs["z"][:] = y[: self.m], y[self.m : self.m + self.n]
        r.inputs["force"][:] = force
        r.inputs["wrench"][:] = 0.0 if self.wrench is None else self.wrench(t)
        r()
        return np.concatenate([r.outputs["cd"], r.outputs["zd"], [r.outputs["work"], r.outputs["lost"]]])

    def sense(self, y: Array) -> tuple[Array, Array]:
        """Actuator displacements and rates."""
        s = self._sensors
        s.inputs["c"][:], s.inputs["z"][:] = y[: self.m], y[self.m : self.m + self.n]
        s()
        return s.outputs["q"].copy(), s.outputs["qd"].copy()

    def shortfall(self, y: Array) -> Array:
        """(legs,) how far legs fall short [m]."""
        self.sense(y)
        return self._sensors.outputs["short"].copy()


def integrate(
    derivative: Derivative,
    start: Array,
    edges: Sequence[float],
    *,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    method: str = "DOP853",
    events: Sequence[Any] = (),
) -> tuple[Pieces, Any]:
    """The solution over consecutive edges, and the event that stopped it (None if none did).

    Args:
        derivative: Right-hand side.
        start: (c, z) at the first edge.
        edges: Times at which the input may jump, first and last included.
        rtol, atol: Of scipy's error control.
        method: Any of scipy's.
        events: scipy events; one with `terminal` stops the run.

    Raises:
        NumericalError: The integrator cannot go on; what was reached before is in its `partial`.
    """
    from scipy.integrate import solve_ivp

    y = np.concatenate([start, [0.0, 0.0]])
    times, solutions = [float(edges[0])], []
    for t0, t1 in pairwise(edges):
        found = solve_ivp(
            derivative, (t0, t1), y, method=method, rtol=rtol, atol=atol, dense_output=True, events=list(events) or None
        )
        solutions.append(found.sol)
        times.append(float(found.t[-1]))
        y = found.y[:, -1]
        if found.status < 0 or not np.isfinite(y).all():
            raise StepError(times[-1], Pieces(times, solutions))
        if found.status == 1:
            stopped = next(k for k, hits in enumerate(found.t_events) if len(hits) and events[k].terminal)
            return Pieces(times, solutions), stopped
    return Pieces(times, solutions), None


class StepError(NumericalError):
    """The integrator cannot go on.

    Attributes:
        time: Where it stopped [s].
        partial: The solution up to there.
    """

    def __init__(self, time: float, partial: Pieces) -> None:
        """Stopped at `time`."""
        self.time, self.partial = time, partial
        super().__init__(
            f"t = {time:.6g} s: the integration cannot go on (a singular pose, or a leg at the end of its reach); "
            "start elsewhere or shorten the run"
        )
