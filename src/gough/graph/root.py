"""Roots of small nonlinear systems by Newton's method, as one compound node.

Every sample iterates from its own start and is frozen once its step is small, so a sample never depends on its
neighbours in a batch. Derivatives are implicit: they see the solution, never the iterations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.graph import ops
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.functions import absolute, array, isfinite, less_equal, maximum, where
from gough.graph.graph import Graph, record
from gough.graph.linear import solve
from gough.graph.ops import Node
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape

SMALL_STEP = 2.0**-26
"""A Newton step below this (relative to max(1, |u|)) is the last but one: it leaves its square times the curvature, and
the one after it round-off, also for unknowns far below one."""
TINY_STEP = 2.0**-38
"""A Newton step below this is the last: its square is far below round-off."""


class Root(NamedTuple):
    """What `root` returns: the solution, whether it converged, and the largest residual there."""

    solution: Vector
    converged: Scalar
    residual: Scalar


@dataclass(frozen=True, eq=False)
class Inner:
    """The system inside a root: a graph with inputs `u` (unknowns), `p` (parameters) and output `r`."""

    graph: Graph
    size: int
    parameters: int
    max_iter: int
    polish: bool = True

    implicit = True
    """Whether derivatives see the solution; otherwise it has none."""

    @property
    def idle_where_zero(self) -> int | None:
        """Place in the start that is zero where there is nothing to do, if there is such a place."""
        return None

    @cached_property
    def digest(self) -> str:
        """Hex digest of what decides its values."""
        return f"{self.graph.digest}:{self.max_iter}" + ("" if self.polish else ":plain")

    @cached_property
    def step(self) -> Graph:
        """One guarded Newton step on the state (u..., active, converged): what a loop repeats."""

        def equations(state: Vector, p: Vector) -> Vector:
            u, active, converged = state[: self.size], state[self.size] > 0.5, state[self.size + 1] > 0.5
            r, J = self._residual_and_jacobian(u, p)
            du = solve(J, r)
            largest, scale = absolute(du[0]), maximum(1.0, absolute(u[0]))
            for k in range(1, self.size):
                largest, scale = maximum(largest, absolute(du[k])), maximum(scale, absolute(u[k]))
            good = active & isfinite(largest)
            small = less_equal(largest, SMALL_STEP * scale)
            moved = [where(good, u[k] - du[k], u[k]) for k in range(self.size)]
            done = converged | less_equal(largest, TINY_STEP * scale) if self.polish else small
            return [*moved, where(good & ~done, 1.0, 0.0), where(converged | (good & small), 1.0, 0.0)]

        return record(equations, state=self.size + 2, p=self.parameters)

    @cached_property
    def flat_step(self) -> Graph:
        """The step in scalar operations."""
        from gough.graph.expand import expand

        return expand(self.step)

    def _residual_and_jacobian(self, u: Vector, p: Vector) -> tuple[Vector, Vector]:
        from gough.graph.derive import jacobian

        r = self.graph(u=u, p=p)["r"]
        return r, jacobian(r, u)

    @cached_property
    def jacobian(self) -> Graph:
        """(n, n) derivative of the residual with respect to the unknowns."""
        return record(lambda u, p: {"J": self._residual_and_jacobian(u, p)[1]}, u=self.size, p=self.parameters)

    @cached_property
    def jvp(self) -> Graph:
        """(n,) derivative of the residual along parameter tangents `dp`."""
        from gough.graph.derive import jvp

        return record(
            lambda u, p, dp: {"dr": jvp(self.graph(u=u, p=p)["r"], p, dp)},
            u=self.size,
            p=self.parameters,
            dp=self.parameters,
        )

    @cached_property
    def vjp(self) -> Graph:
        """(m,) product of cotangents `w` with the residual's derivative with respect to the parameters."""
        from gough.graph.derive import vjp

        return record(
            lambda u, p, w: {"pbar": vjp(self.graph(u=u, p=p)["r"], p, w)}, u=self.size, p=self.parameters, w=self.size
        )


def root(residual: Callable[[Vector], Vector], start: Vector, max_iter: int = 30, *, polish: bool = True) -> Root:
    """Solution u of residual(u) = 0, found by Newton's method from `start`.

    Args:
        residual: Equations: (n,) unknowns to (n,) residuals. It may use recorded values of the surrounding equations.
        start: (n,) where the iteration sets out.
        max_iter: Most steps.
        polish: Whether one more step follows the one below `SMALL_STEP`. It can be spared where unknowns are of the
            size of one and the curvature is known to be so too: what a small step leaves is its square.

    Returns:
        solution: (n,), the last iterate if it did not converge.
        converged: Whether the last step was below `SMALL_STEP`. A singular or non-finite step stops unconverged.
        residual: Largest absolute residual at the solution; its derivative is zero by definition.
    """
    start = array(start)
    if start.ndim != 1 or len(start) == 0:
        raise ValueError(f"root needs a vector to start from, not shape {start.shape}")
    if max_iter < 1:
        raise ValueError(f"root needs at least one step, not max_iter = {max_iter}")
    n = len(start)
    tape = tape_of(start)
    floats = tape is None
    if tape is None:
        probe = tape_of(residual(start))
        floats = probe is None
        tape = probe or Tape()
    unknowns = [tape.unknown() for _ in range(n)]
    u = np.empty(n, dtype=object)
    u[:] = [Expr(tape, i) for i in unknowns]
    r = [number_index(tape, v) for v in array(residual(u)).flat]
    if len(r) != n:
        raise ValueError(f"root has {n} unknowns but {len(r)} equations")
    graph, parameters = extract(tape, r, unknowns)
    inner = Inner(graph, n, len(parameters), max_iter, polish)
    args = tuple(number_index(tape, v) for v in start) + tuple(parameters)
    items = tape.items(tape.bundle(ops.ROOT, tape.inner(inner), args), n + 2)
    found = [Expr(tape, i) for i in items]
    result = Root(array(found[:n]), found[n], found[n + 1])
    return computed(result) if floats else result


def computed(result: Root) -> Root:
    """The same root in floats."""
    from gough.graph.evaluate import evaluate

    tape = result.converged.tape
    values = evaluate(tape.nodes, tape.inners, [e.index for e in (*result.solution, *result[1:])])
    return Root(np.array(values[:-2]), bool(values[-2]), values[-1])


def extract(tape: Tape, outputs: list[int], unknowns: list[int], name: str = "u") -> tuple[Graph, list[int]]:
    """The part of the tape between unknowns and outputs as a graph, and the nodes it takes as parameters.

    The graph's inputs are the unknowns, by `name`, and the parameters `p`; its output is `r`.
    """
    nodes = tape.nodes
    depends = bytearray(len(nodes))
    for i in unknowns:
        depends[i] = 1
    for i in range(min(unknowns), len(nodes)):
        if not depends[i]:
            depends[i] = any(depends[k] for k in ops.operands(nodes[i]))
    inside: set[int] = set()
    stack = list(outputs)
    while stack:
        i = stack.pop()
        op = nodes[i][0]
        if i in inside or not (depends[i] or op in ops.BUNDLES or op in (ops.CONST, ops.BOOL)):
            continue
        inside.add(i)
        stack += ops.operands(nodes[i])
    wanted = {k for i in inside for k in ops.operands(nodes[i])} | set(outputs)
    parameters = sorted(wanted - inside)
    graph = _subgraph(tape, sorted(inside), unknowns, parameters, outputs, name)
    one, zero = tape.const(1.0), tape.const(0.0)
    return graph, [tape.select(i, one, zero) if tape.is_bool(i) else i for i in parameters]


def _subgraph(
    tape: Tape, inside: list[int], unknowns: list[int], parameters: list[int], outputs: list[int], name: str
) -> Graph:
    def equations(**inputs: Vector) -> Vector:
        u, p = inputs[name], inputs["p"]
        target: Tape = tape_of(u)  # type: ignore[assignment]
        new: dict[int, int] = {i: e.index for i, e in zip(unknowns, u, strict=True)}
        for i, e in zip(parameters, p, strict=True):
            new[i] = target.apply(ops.NE, e.index, target.const(0.0)) if tape.is_bool(i) else e.index
        for i in inside:
            if i not in new:
                new[i] = target.node(_moved(tape, target, tape.nodes[i], new))
        return {"r": [Expr(target, new[i]) for i in outputs]}

    return record(equations, **{name: len(unknowns), "p": len(parameters)})


def _moved(source: Tape, target: Tape, node: Node, new: dict[int, int]) -> Node:
    first = ops.FIRST_OPERAND[node[0]]
    head = node[:first]
    if node[0] in (ops.ROOT, ops.LOOP):
        head = (node[0], target.inner(source.inners[node[1]]))
    return head + tuple(new[i] for i in node[first:])
