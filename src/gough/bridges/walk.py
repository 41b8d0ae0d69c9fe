"""A graph computed on any kind of number that another program has, node by node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gough.graph import Graph, ieee, ops


def walked(
    graph: Graph,
    inputs: Sequence[Any],
    functions: Mapping[int, Callable[..., Any]],
    number: Callable[[float], Any],
    truth: Callable[[bool], Any],
    loop: Callable[[Any, list[Any]], list[Any]],
) -> list[Any]:
    """Values of all output elements, one after the other.

    Args:
        graph: In scalar operations and loops, or roots in their place.
        inputs: A value per element of the flattened inputs.
        functions: What computes each operation.
        number, truth: Make constants.
        loop: The items of a root or loop, from its inner system and its arguments.
    """
    values: list[Any] = []
    for node in graph.nodes:
        op = node[0]
        if op == ops.INPUT:
            values.append(inputs[node[1]])
        elif op == ops.CONST:
            values.append(number(ieee.from_bits(node[1])))
        elif op == ops.BOOL:
            values.append(truth(bool(node[1])))
        elif op == ops.ITEM:
            values.append(values[node[2]][node[1]])
        elif op in (ops.ROOT, ops.LOOP):
            values.append(loop(graph.inners[node[1]], [values[k] for k in node[2:]]))
        else:
            values.append(functions[op](*[values[k] for k in ops.operands(node)]))
    return [values[k] for k in graph.output_nodes]
