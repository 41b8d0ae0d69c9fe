"""Graphs whose linear solves are scalar operations, and whose roots are still roots."""

from __future__ import annotations

from typing import Any

from gough.graph import Graph, Output, ops
from gough.graph.expr import Expr
from gough.graph.graph import finish
from gough.graph.linear import ldl, lu, substitute
from gough.graph.tape import Tape


def without_factors(graph: Graph) -> Graph:
    """The graph with factorisations and solves written out; roots stay, for programs that have their own."""
    if not any(node[0] in (ops.FACTOR, ops.FACTOR_SPD) for node in graph.nodes):
        return graph
    tape = Tape()
    new: list[int] = []
    parts: dict[int, Any] = {}
    for i, node in enumerate(graph.nodes):
        op, index = node[0], -1
        if op == ops.FACTOR:
            n, entries = node[1], [Expr(tape, new[k]) for k in node[2:]]
            parts[i] = lu([entries[n * row : n * row + n] for row in range(n)])
        elif op == ops.FACTOR_SPD:
            entries = [Expr(tape, new[k]) for k in node[2:]]
            starts = [row * (row + 1) // 2 for row in range(node[1])]
            parts[i] = ldl([entries[start : start + row + 1] for row, start in enumerate(starts)])
        elif op in (ops.SOLVE, ops.SOLVE_T):
            x = substitute(parts[node[1]], [Expr(tape, new[k]) for k in node[2:]], op == ops.SOLVE_T)
            parts[i] = [e.index for e in x]
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
    outputs = [Output(o.name, o.shape, o.dtype, tuple(new[k] for k in o.nodes)) for o in graph.outputs]
    return finish(tape, graph.inputs, outputs)
