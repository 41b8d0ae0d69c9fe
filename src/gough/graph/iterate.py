"""A step repeated until it says that it is done, as one compound node without derivatives.

Every sample goes its own number of steps and is frozen when it stops, so a sample never depends on its neighbours in a
batch. What is found is where something else begins that has derivatives: a root, or a solve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.graph import ops
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.functions import array, where
from gough.graph.graph import Graph, record
from gough.graph.root import Inner, Root, computed, extract
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape


class Step(NamedTuple):
    """What a step gives: the state after it, whether another one follows, and whether what was looked for is found."""

    state: Vector
    goes_on: Any
    found: Any


class Iterated(NamedTuple):
    """What `iterate` returns: the last state, and whether what was looked for was found."""

    state: Vector
    found: Any


@dataclass(frozen=True, eq=False, kw_only=True)
class Repeated(Inner):
    """A step with inputs `u` (the state), `p` (parameters) and output `r`: the state, goes on, found."""

    equations: Graph
    may_idle: bool = False

    implicit = False

    @property
    def idle_where_zero(self) -> int | None:
        """Index of the element of the state that says whether there is anything to do; None if there is none."""
        return self.size - 1 if self.may_idle else None

    @cached_property
    def digest(self) -> str:
        """Hex digest of what decides its values."""
        return f"{self.equations.digest}:{self.max_iter}:iterate" + (":idle" if self.may_idle else "")

    @cached_property
    def step(self) -> Graph:
        """One step on the state, active, found: what a loop repeats."""

        def equations(state: Vector, p: Vector) -> Vector:
            n = self.size
            active, found = state[n] > 0.5, state[n + 1] > 0.5
            after = self.equations(u=state[:n], p=p)["r"]
            moved = [where(active, after[k], state[k]) for k in range(n)]
            goes_on, done = active & (after[n] > 0.5), active & (after[n + 1] > 0.5)
            return [*moved, where(goes_on, 1.0, 0.0), where(found | done, 1.0, 0.0)]

        return record(equations, state=self.size + 2, p=self.parameters)


def iterate(step: Callable[[Any], Step], start: Vector, max_iter: int, *, wanted: Scalar | None = None) -> Iterated:
    """The state after as many steps as it takes, at most `max_iter`.

    Args:
        step: (n,) state to a `Step`. It may use recorded values of the surrounding equations.
        start: (n,) state to begin with.
        max_iter: Most steps.
        wanted: Where it is not true no step is made, and nothing is found.

    Returns:
        state: (n,) the last one. It has no derivative.
        found: Whether a step said so.
    """
    if wanted is not None:
        return _where_wanted(step, array(start), max_iter, wanted)
    return _iterated(step, array(start), max_iter)


def _where_wanted(step: Callable[[Any], Step], start: Vector, max_iter: int, wanted: Scalar) -> Iterated:
    """As `iterate`; whether a step is wanted is one more element of the state."""
    n = len(start)

    def longer(state: Vector) -> Step:
        after = step(state[:n])
        return Step(array([*after.state, state[n]]), after.goes_on, after.found)

    found = _iterated(longer, array([*start, where(wanted, 1.0, 0.0)]), max_iter, may_idle=True)
    return Iterated(found.state[:n], found.found)


def _iterated(step: Callable[[Any], Step], start: Vector, max_iter: int, may_idle: bool = False) -> Iterated:
    n = len(start)
    tape = tape_of(start)
    floats = tape is None
    if tape is None:
        probe = tape_of(step(start).state)
        floats = probe is None
        tape = probe or Tape()
    unknowns = [tape.unknown() for _ in range(n)]
    u = np.empty(n, dtype=object)
    u[:] = [Expr(tape, i) for i in unknowns]
    after = step(u)
    flags = [where(flag, 1.0, 0.0) for flag in (after.goes_on, after.found)]
    equations, parameters = extract(tape, [number_index(tape, v) for v in (*after.state, *flags)], unknowns)
    none = record(lambda u, p: {"r": [u[0] - u[0]]}, u=n, p=len(parameters))
    inner = Repeated(none, n, len(parameters), max_iter, equations=equations, may_idle=may_idle)
    args = (*[number_index(tape, v) for v in start], *parameters)
    items = tape.items(tape.bundle(ops.ROOT, tape.inner(inner), args), n + 2)
    last = [Expr(tape, i) for i in items]
    result = Root(array(last[:n]), last[n], last[n + 1])
    return Iterated(*(computed(result) if floats else result)[:2])
