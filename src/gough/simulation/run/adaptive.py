"""One robot integrated with error control (scipy's solvers), piece by piece between the instants its input jumps at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError, NumericalError

Array = NDArray[np.float64]

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

    def __call__(self, t: Any) -> Array:
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
    atol: Any,
    method: str = "DOP853",
    longest: float = np.inf,
) -> Iterator[tuple[float, Array]]:
    """Yields time and state after every step, which `pieces` then covers.

    Args:
        rhs: Rates of the state.
        pieces: With the start in it; grows.
        edges: Times at which the input may jump, first and last included.
        begin: Called with time and state where a piece begins; None if nothing jumps.
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
    for t0, t1 in pairwise(edges):
        if begin is not None:
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
