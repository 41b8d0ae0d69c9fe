"""The value of recorded nodes in plain floats, one operation at a time.

Of an expanded graph it is the definition the executors are held to, bit by bit but for elementary functions. Before
expansion divisions may round once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gough.graph import ieee, ops
from gough.graph.graph import live_nodes
from gough.graph.linear import ldl, lu, substitute
from gough.graph.ops import Node

if TYPE_CHECKING:
    from gough.graph.graph import Graph
    from gough.graph.root import Inner


def evaluate(
    nodes: Sequence[Node], inners: Sequence[Any], wanted: list[int], inputs: Sequence[float] = ()
) -> list[Any]:
    """Values of the `wanted` nodes.

    Args:
        nodes: A tape's or a graph's.
        inners: Its inner graphs.
        wanted: Indices.
        inputs: A float per element of the flattened inputs.
    """
    value: dict[int, Any] = {}
    for i in live_nodes(nodes, wanted):  # type: ignore[arg-type]
        node = nodes[i]
        op = node[0]
        args = [value[k] for k in ops.operands(node)]
        if op == ops.INPUT:
            value[i] = inputs[node[1]]
        elif op == ops.CONST:
            value[i] = ieee.from_bits(node[1])
        elif op == ops.BOOL:
            value[i] = bool(node[1])
        elif op == ops.ITEM:
            value[i] = args[0][node[1]]
        elif op == ops.FACTOR:
            n = node[1]
            value[i] = lu([args[n * row : n * row + n] for row in range(n)])
        elif op == ops.FACTOR_SPD:
            starts = [row * (row + 1) // 2 for row in range(node[1])]
            value[i] = ldl([args[start : start + row + 1] for row, start in enumerate(starts)])
        elif op in (ops.SOLVE, ops.SOLVE_T):
            value[i] = substitute(args[0], args[1:], op == ops.SOLVE_T)
        elif op == ops.ROOT:
            value[i] = _newton(inners[node[1]], args)
        elif op == ops.LOOP:
            inner = inners[node[1]]
            value[i] = _repeated(inner.flat_step, inner, args)
        else:
            value[i] = ieee.FUNCTIONS[op](*args)
    return [value[i] for i in wanted]


def _newton(inner: Inner, args: list[float]) -> list[Any]:
    """Items of a root: solution, converged, residual."""
    n = inner.size
    parameters = args[n:]
    idle = inner.idle_where_zero is not None and args[inner.idle_where_zero] == 0.0
    state = _repeated(inner.step, inner, [*args[:n], 0.0 if idle else 1.0, 0.0, *parameters])
    r = evaluate(inner.graph.nodes, inner.graph.inners, inner.graph.output_nodes, [*state[:n], *parameters])
    largest = abs(r[0])
    for v in r[1:]:
        largest = ieee.maximum(largest, abs(v))
    return [*state[:n], state[n + 1] != 0.0, largest]


def _repeated(step: Graph, inner: Inner, args: list[float]) -> list[float]:
    """State of a Newton iteration (unknowns, active, converged) when it has stopped."""
    n = inner.size
    state, parameters = args[: n + 2], args[n + 2 :]
    for _ in range(inner.max_iter):
        if state[n] == 0.0:
            break
        state = evaluate(step.nodes, step.inners, step.output_nodes, [*state, *parameters])
    return state
