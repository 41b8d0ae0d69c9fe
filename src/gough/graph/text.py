"""A readable printout of a small graph."""

from __future__ import annotations

from gough.graph import ieee, ops
from gough.graph.graph import Graph
from gough.graph.ops import Node


def text(graph: Graph) -> str:
    """One line per node: its number, operation, operands and label; then the outputs."""
    names = [spec.name + (f"[{k}]" if spec.shape else "") for spec in graph.inputs for k in range(spec.size)]
    lines = []
    for i, (node, label) in enumerate(zip(graph.nodes, graph.labels, strict=True)):
        remark = f"    # {label}" if label else ""
        lines.append(f"%{i} = {_operation(node, names)}{remark}")
    for output in graph.outputs:
        elements = " ".join(f"%{i}" for i in output.nodes)
        lines.append(f"{output.name}{list(output.shape)} {output.dtype} = {elements}")
    return "\n".join(lines)


def _operation(node: Node, names: list[str]) -> str:
    op, name = node[0], ops.NAMES[node[0]]
    if op == ops.INPUT:
        return names[node[1]]
    if op == ops.CONST:
        return repr(ieee.from_bits(node[1]))
    if op == ops.BOOL:
        return str(bool(node[1]))
    head = f" {node[1]}" if ops.FIRST_OPERAND[op] == 2 else ""
    return name + head + "".join(f" %{i}" for i in ops.operands(node))
