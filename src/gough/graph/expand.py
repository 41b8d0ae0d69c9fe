"""From compound nodes to scalar operations: what an executor runs.

After expansion a graph holds scalar operations, and for each root one LOOP (the guarded Newton step, repeated until no
sample is active) with its items.
"""

from __future__ import annotations

from typing import Any

from gough.graph import ops
from gough.graph.expr import Expr
from gough.graph.functions import absolute, maximum
from gough.graph.graph import Graph, Output, finish
from gough.graph.inline import inline
from gough.graph.linear import ldl, lu, substitute
from gough.graph.root import Inner
from gough.graph.tape import Tape


def expand(graph: Graph) -> Graph:
    """The same graph in scalar operations and loops."""
    compound = any(node[0] in ops.BUNDLES for node in graph.nodes)
    return _written_out(graph, roots=True) if compound else graph


def without_factors(graph: Graph) -> Graph:
    """The graph with factorisations and solves written out; roots stay, for programs that have their own."""
    factors = any(node[0] in (ops.FACTOR, ops.FACTOR_SPD) for node in graph.nodes)
    return _written_out(graph, roots=False) if factors else graph


def _written_out(graph: Graph, roots: bool) -> Graph:
    """The graph without compound nodes of linear algebra, and where roots are written out too with loops for them."""
    tape = Tape()
    new: list[int] = []
    parts: dict[int, Any] = {}
    for i, (node, label) in enumerate(zip(graph.nodes, graph.labels, strict=True)):
        tape.label = label
        op = node[0]
        index = -1
        if op == ops.FACTOR:
            n = node[1]
            entries = [Expr(tape, new[k]) for k in node[2:]]
            parts[i] = lu([entries[n * row : n * row + n] for row in range(n)])
        elif op == ops.FACTOR_SPD:
            entries = [Expr(tape, new[k]) for k in node[2:]]
            starts = [row * (row + 1) // 2 for row in range(node[1])]
            parts[i] = ldl([entries[start : start + row + 1] for row, start in enumerate(starts)])
        elif op in (ops.SOLVE, ops.SOLVE_T):
            x = substitute(parts[node[1]], [Expr(tape, new[k]) for k in node[2:]], op == ops.SOLVE_T)
            parts[i] = [e.index for e in x]
        elif op == ops.ROOT and roots:
            parts[i] = _root(tape, graph.inners[node[1]], [new[k] for k in node[2:]])
        elif op in (ops.ROOT, ops.LOOP):
            inner = graph.inners[node[1]]
            bundle = tape.node((op, tape.inner(inner), *[new[k] for k in node[2:]]))
            parts[i] = tape.items(bundle, inner.size + 2)
        elif op == ops.ITEM:
            index = parts[node[2]][node[1]]
        elif op in (ops.INPUT, ops.CONST, ops.BOOL):
            index = tape.node(node)
        else:
            index = tape.apply(op, *[new[k] for k in node[1:]])
        new.append(index)
    outputs = [Output(o.name, o.shape, o.dtype, tuple([new[k] for k in o.nodes])) for o in graph.outputs]
    return finish(tape, graph.inputs, outputs)


def _root(tape: Tape, inner: Inner, args: list[int]) -> list[int]:
    """Indices of a root's items: solution, converged, residual."""
    n = inner.size
    one, zero = tape.const(1.0), tape.const(0.0)
    active = (
        one
        if inner.idle_where_zero is None
        else tape.select(tape.apply(ops.NE, args[inner.idle_where_zero], zero), one, zero)
    )
    state = [*args[:n], active, zero]
    loop = tape.node((ops.LOOP, tape.inner(inner), *state, *args[n:]))
    items = tape.items(loop, n + 2)
    converged = tape.apply(ops.NE, items[n + 1], tape.const(0.0))
    graph = expand(inner.graph)
    at_solution = inline(graph, tape, items[:n] + args[n:])
    r = [Expr(tape, at_solution[i]) for i in graph.output_nodes]
    largest = absolute(r[0])
    for e in r[1:]:
        largest = maximum(largest, absolute(e))
    return [*items[:n], converged, largest.index]
