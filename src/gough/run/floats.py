"""The executor in straight-line Python floats: slow, needs nothing, and easy to step through in a debugger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gough.graph import Graph, ieee, ops
from gough.graph.root import Inner
from gough.run.executor import Buffer, Copies, Outputs, copy_rows
from gough.run.schedule import schedule

INFIX = {
    ops.ADD: "{} + {}",
    ops.SUB: "{} - {}",
    ops.MUL: "{} * {}",
    ops.NEG: "-{}",
    ops.LT: "{} < {}",
    ops.LE: "{} <= {}",
    ops.EQ: "{} == {}",
    ops.NE: "{} != {}",
    ops.AND: "{} and {}",
    ops.OR: "{} or {}",
    ops.NOT: "not {}",
    ops.SELECT: "{1} if {0} else {2}",
}
"""Python text of the operations that Python computes as IEEE 754 says; it raises where a divisor is zero."""


class Floats:
    """Runs a graph sample by sample in Python floats."""

    name = "floats"

    def __init__(self, graph: Graph) -> None:
        self._body = compile_body(graph)
        self._shared = [spec.shared for spec in graph.inputs]
        self._widths = [len(output.nodes) for output in graph.outputs]

    def run(self, inputs: Sequence[Buffer], outputs: Outputs, begin: int, end: int, copies: Copies = ()) -> None:
        """Fills rows begin to end of the outputs and copies."""
        copy_rows(inputs, copies, begin, end)
        shared = [values.tolist() if fixed else None for values, fixed in zip(inputs, self._shared, strict=True)]
        for row in range(begin, end):
            x: list[float] = []
            for values, fixed in zip(inputs, shared, strict=True):
                x += values[row].tolist() if fixed is None else fixed
            y = self._body(x)
            start = 0
            for out, width in zip(outputs, self._widths, strict=True):
                if out is not None:
                    out[row] = y[start : start + width]
                start += width

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these buffers."""
        return lambda: self.run(inputs, outputs, 0, rows)


def compile_body(graph: Graph) -> Callable[[list[float]], list[float]]:
    """A function from the flattened inputs of one sample to its flattened outputs."""
    names: dict[str, Any] = {f"f{op}": function for op, function in ieee.FUNCTIONS.items()}
    names |= {"inf": ieee.INF, "nan": ieee.NAN}
    plan = schedule(graph)
    lines: list[str] = []
    for place, piece in enumerate(plan.pieces):
        lines.append(f"def piece{place}(x, m, y):")
        known: dict[int, str] = {}
        if piece.loop >= 0:
            _, inner, *operands = graph.nodes[piece.loop]
            names[f"loop{piece.loop}"] = _loop(graph.inners[inner])
            arguments = ", ".join(_read(graph, k, known, plan.slot_of) for k in operands)
            lines.append(f"    m['loop{piece.loop}'] = loop{piece.loop}([{arguments}])")
            continue
        for i in piece.nodes:
            op = graph.nodes[i][0]
            arguments_of = [_read(graph, k, known, plan.slot_of) for k in graph.nodes[i][1:]]
            value = INFIX[op].format(*arguments_of) if op in INFIX else f"f{op}({', '.join(arguments_of)})"
            known[i] = f"v{i}"
            lines.append(f"    v{i} = {value}")
            if i in piece.stores:
                lines.append(f"    m[{piece.stores[i]}] = v{i}")
        lines += [f"    y[{k}] = {_read(graph, i, known, plan.slot_of)}" for k, i in piece.outputs]
        lines.append("    return")
    exec(compile("\n".join(lines), "<gough floats>", "exec"), names)
    pieces = [names[f"piece{place}"] for place in range(len(plan.pieces))]
    outputs = len(graph.output_nodes)

    def body(x: list[float]) -> list[float]:
        m: dict[int | str, Any] = {}
        y = [0.0] * outputs
        for piece in pieces:
            piece(x, m, y)
        return y

    return body


def _read(graph: Graph, i: int, known: dict[int, str], slot_of: dict[int, int]) -> str:
    """Source that reads the value of node i."""
    node = graph.nodes[i]
    op = node[0]
    if op == ops.INPUT:
        return f"x[{node[1]}]"
    if op == ops.CONST:
        return f"({ieee.from_bits(node[1])!r})"
    if op == ops.BOOL:
        return str(bool(node[1]))
    if op == ops.ITEM:
        return f"m['loop{node[2]}'][{node[1]}]"
    return known.get(i) or f"m[{slot_of[i]}]"


def _loop(inner: Inner) -> Callable[[list[float]], list[float]]:
    step = compile_body(inner.flat_step)
    n = inner.size

    def loop(arguments: list[float]) -> list[float]:
        state, parameters = arguments[: n + 2], arguments[n + 2 :]
        for _ in range(inner.max_iter):
            if state[n] == 0.0:
                break
            state = step(state + parameters)
        return state

    return loop
