"""Paths of solutions followed to their ends, many at a time: a lane that arrives is given the next path.

A path is followed by itself: what is found of it never depends on the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.complex_numbers import Complex, as_parts, paired
from gough.assembly.path_step import BASE_T, CAP, STATE, STEPS, TURN, Path, step
from gough.assembly.study_quadrics import LEGS, Place
from gough.graph import Array, Input, Iterated, Step, Vector, iterate, record
from gough.run import Program

AT_ONCE = 4
"""Steps between two looks at which paths have arrived."""
LANES = 512
"""Paths that are followed together: as many as the caches hold."""
MOST_STEPS = 400
FIRST_CAP, FIRST_TURN = 2.0, 1.0
"""Of a path's state at its start: no bound of its first step, and any length on which it turns."""
TOL, ACCEPT = 1e-3, 2e-2


@dataclass(frozen=True, slots=True)
class Ends:
    """Ends of N paths.

    Attributes:
        z: (N, 7) complex solutions; where a path did not arrive, its last point.
        arrived: (N,) whether.
        steps: (N,) how many it took.
        t: (N,) share of the path that was followed.
    """

    z: NDArray[np.complex128]
    arrived: NDArray[np.bool_]
    steps: Array
    t: Array


def track(
    z: NDArray[np.complex128],
    k0: NDArray[np.complex128],
    k1: NDArray[np.inexact],
    start: Array,
    end: Array | None = None,
    *,
    tol: float = TOL,
    accept: float = ACCEPT,
) -> Ends:
    """Ends of the paths from solutions at k0 and `start` to k1 and `end`.

    Args:
        z: (N, 7) complex solutions to begin with.
        k0: (6,) or (N, 6) complex k_1 .. k_5 and m there.
        k1: (N, 6) the same at the ends.
        start: (30,) coordinates of a_1 .. a_5 and b_1 .. b_5.
        end: (N, 30) the same at the ends; None where the points stay.
        tol, accept: See `path_step.step`.
    """
    count = len(z)
    shared: dict[str, Any] = {"start": np.ascontiguousarray(start, dtype=float), "care": np.array([tol, accept])}
    own = {"k0": as_parts(np.broadcast_to(k0, k1.shape)), "k1": as_parts(k1)} | (
        {} if end is None else {"end": np.ascontiguousarray(end, dtype=float)}
    )
    program = _program(end is not None)
    result = Ends(np.array(z), np.zeros(count, dtype=bool), np.zeros(count), np.zeros(count))
    lanes = np.arange(min(count, LANES))
    ahead = len(lanes)
    state = _begun(as_parts(z[lanes]))
    rows: dict[str, Any] = {name: values[lanes] for name, values in own.items()}
    while len(lanes):
        found = program(state=state, **shared, **rows)
        state, arrived = found["state"], found["arrived"]
        done = np.flatnonzero(arrived | (state[:, CAP] == 0.0) | (state[:, STEPS] >= MOST_STEPS))
        if len(done):
            at = lanes[done]
            result.z[at] = np.ascontiguousarray(state[done, :14]).view(complex)
            result.arrived[at], result.steps[at], result.t[at] = arrived[done], state[done, STEPS], state[done, BASE_T]
            fresh = np.arange(ahead, min(ahead + len(done), count))
            ahead += len(fresh)
            filled, empty = done[: len(fresh)], done[len(fresh) :]
            lanes[filled] = fresh
            state[filled] = _begun(as_parts(z[fresh]))
            for name, values in own.items():
                rows[name][filled] = values[fresh]
            if len(empty):
                kept = np.delete(np.arange(len(lanes)), empty)
                lanes, state = lanes[kept], state[kept]
                rows = {name: values[kept] for name, values in rows.items()}
    return result


def _begun(z: Array) -> Array:
    """(N, STATE) states of paths at their starts."""
    count = len(z)
    state = np.zeros((count, STATE))
    state[:, :14] = state[:, 14:28] = z
    state[:, CAP], state[:, TURN] = FIRST_CAP, FIRST_TURN
    return state


def after_steps(
    state: Vector, k0: Vector, k1: Vector, start: Vector, care: Vector, end: Vector | None, steps: int
) -> Iterated:
    """The state of a path after some steps, and whether it arrived: recorded; the arguments are those of `track`."""
    k_from, k_to = paired(k0), paired(k1)
    dk = [b - a for a, b in zip(k_from, k_to, strict=True)]
    points = start.reshape(2, LEGS, 3)
    away = None if end is None else (end - start).reshape(2, LEGS, 3)

    def stepped(u: Vector) -> Step:
        path = Path.of(u)
        k = [Complex(a.re + d.re * path.t, a.im + d.im * path.t) for a, d in zip(k_from, dk, strict=True)]
        a, b = points if away is None else points + away * path.t
        da, db = (None, None) if away is None else away
        at = Place(a, b, k[:LEGS], k[LEGS], dk[:LEGS], dk[LEGS], da, db)
        return step(path, at, care[0], care[1])

    return iterate(stepped, state, steps)


@cache
def _program(moving: bool) -> Program:
    """Some steps of one path: its state, the parameters at both ends, and how careful to be."""

    def equations(
        state: Vector, k0: Vector, k1: Vector, start: Vector, care: Vector, end: Vector = None
    ) -> dict[str, Vector]:
        found = after_steps(state, k0, k1, start, care, end, AT_ONCE)
        return {"state": found.state, "arrived": found.found}

    size = 2 * LEGS * 3
    shared = {"start": Input((size,), shared=True), "care": Input((2,), shared=True)}
    return Program(record(equations, state=STATE, k0=12, k1=12, **shared, **({"end": size} if moving else {})))
