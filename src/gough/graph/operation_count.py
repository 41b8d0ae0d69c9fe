"""How many operations a graph costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from gough.graph import ops
from gough.graph.expand import expand
from gough.graph.graph import Graph, live_nodes
from gough.graph.ops import Node


@dataclass(frozen=True, slots=True)
class Count:
    """Operations of a straight-line computation.

    Signs, absolute values, minima, maxima and floors count as selects, since that is what they cost. A root counts one
    Newton step, once.
    """

    add: int = 0
    mul: int = 0
    div: int = 0
    sqrt: int = 0
    transcendental: int = 0
    select: int = 0

    @property
    def flops(self) -> int:
        """Additions, multiplications, divisions and square roots."""
        return self.add + self.mul + self.div + self.sqrt

    @property
    def total(self) -> int:
        """Everything."""
        return self.flops + self.transcendental + self.select

    def __add__(self, other: Count) -> Count:
        return Count(*[a + b for a, b in zip(astuple(self), astuple(other), strict=True)])

    def __sub__(self, other: Count) -> Count:
        return self + other * -1

    def __mul__(self, times: int) -> Count:
        return Count(*[a * times for a in astuple(self)])


_FIELD = {
    **dict.fromkeys((ops.ADD, ops.SUB), "add"),
    ops.MUL: "mul",
    **dict.fromkeys((ops.DIV, ops.RECIP), "div"),
    ops.SQRT: "sqrt",
    **dict.fromkeys(ops.TRANSCENDENTAL, "transcendental"),
    **dict.fromkeys(ops.COMPARISONS | ops.LOGIC, "select"),
    **dict.fromkeys((ops.SELECT, ops.ISFINITE, ops.ABS, ops.SIGN, ops.FLOOR, ops.MIN, ops.MAX), "select"),
}


def count(graph: Graph, output: str | None = None) -> Count:
    """Operations of the whole graph, or of what one output needs."""
    return _sum(count_by_label(graph, output))


def count_by_label(graph: Graph, output: str | None = None) -> dict[str, Count]:
    """Operations by the label under which they were first recorded."""
    names = [o.name for o in graph.outputs]
    if output is not None and output not in names:
        raise ValueError(f"no output {output!r}; there are {', '.join(names)}")
    return _count_expanded(expand(graph), output)


def count_nodes(nodes: Iterable[Node]) -> Count:
    """Operations of these nodes of an expanded graph, steps of loops left out."""
    return Count(**Counter(_FIELD[node[0]] for node in nodes if node[0] in _FIELD))


def _count_expanded(flat: Graph, output: str | None) -> dict[str, Count]:
    roots = [i for o in flat.outputs if output in (None, o.name) for i in o.nodes]
    tally: dict[str, dict[str, int]] = {}
    loops: dict[str, Count] = {}
    for i in live_nodes(flat.nodes, roots):
        op, label = flat.nodes[i][0], flat.labels[i]
        field = _FIELD.get(op)
        if field is not None:
            counts = tally.setdefault(label, {})
            counts[field] = counts.get(field, 0) + 1
        elif op == ops.LOOP:
            step = _sum(_count_expanded(flat.inners[flat.nodes[i][1]].flat_step, None))
            loops[label] = loops.get(label, Count()) + step
    counted = {label: Count(**fields) for label, fields in tally.items()}
    for label, steps in loops.items():
        counted[label] = counted.get(label, Count()) + steps
    return counted


def _sum(counts: dict[str, Count]) -> Count:
    total = Count()
    for c in counts.values():
        total = total + c
    return total
