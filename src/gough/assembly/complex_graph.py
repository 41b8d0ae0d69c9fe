"""A recorded graph at complex numbers: each node as a pair of real ones."""

from __future__ import annotations

from collections.abc import Callable, Collection

from gough.assembly.complex_numbers import Complex, Complexes
from gough.errors import InputError
from gough.graph import Graph, cos, exp, ieee, ops, sin
from gough.graph.graph import live_nodes


def complex_outputs(graph: Graph, inputs: Complexes, names: Collection[str]) -> dict[str, Complexes]:
    """Some outputs of a graph, flat, at complex inputs; recorded where these are.

    Raises:
        InputError: An operation that is not that of an analytic function, or not known here.
    """
    values: dict[int, Complex] = {}
    wanted = {output.name: output.nodes for output in graph.outputs if output.name in names}
    for i in live_nodes(graph.nodes, [k for nodes in wanted.values() for k in nodes]):
        node = graph.nodes[i]
        op = node[0]
        if op == ops.INPUT:
            values[i] = inputs[node[1]]
        elif op == ops.CONST:
            values[i] = Complex(ieee.from_bits(node[1]), 0.0)
        elif op in _OPERATIONS:
            values[i] = _OPERATIONS[op](*(values[k] for k in ops.operands(node)))
        else:
            raise InputError(f"complex values: {ops.NAMES[op]} has none")
    return {name: [values[k] for k in nodes] for name, nodes in wanted.items()}


def _sine(x: Complex) -> Complex:
    up, down = exp(x.im), exp(-x.im)
    return Complex(sin(x.re) * ((up + down) * 0.5), cos(x.re) * ((up - down) * 0.5))


def _cosine(x: Complex) -> Complex:
    up, down = exp(x.im), exp(-x.im)
    return Complex(cos(x.re) * ((up + down) * 0.5), -(sin(x.re) * ((up - down) * 0.5)))


_OPERATIONS: dict[int, Callable[..., Complex]] = {
    ops.ADD: lambda a, b: a + b,
    ops.SUB: lambda a, b: a - b,
    ops.MUL: lambda a, b: a * b,
    ops.NEG: lambda a: -a,
    ops.RECIP: lambda a: a.reciprocal(),
    ops.SIN: _sine,
    ops.COS: _cosine,
}
