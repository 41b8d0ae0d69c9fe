"""Writing a graph into another recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gough.graph import ops
from gough.graph.tape import Tape

if TYPE_CHECKING:
    from gough.graph.graph import Graph


def inline(graph: Graph, tape: Tape, inputs: list[int]) -> list[int]:
    """For each node of `graph` its index on `tape`; nodes without a label take the tape's current one.

    Args:
        graph: What to write.
        tape: Where to.
        inputs: For each element of the flattened inputs its index on `tape`.
    """
    new: list[int] = []
    outer_label = tape.label
    inner_places = [tape.inner(inner) for inner in graph.inners]
    for node, label in zip(graph.nodes, graph.labels, strict=True):
        tape.label = label or outer_label
        op = node[0]
        if op == ops.INPUT:
            new.append(inputs[node[1]])
        elif op in (ops.CONST, ops.BOOL):
            new.append(tape.node(node))
        elif op in (ops.ROOT, ops.LOOP):
            new.append(tape.node((op, inner_places[node[1]], *[new[i] for i in node[2:]])))
        elif op in ops.BUNDLES or op == ops.ITEM:
            new.append(tape.node(ops.renumbered(node, new)))
        else:
            new.append(tape.apply(op, *[new[i] for i in node[1:]]))
    tape.label = outer_label
    return new
