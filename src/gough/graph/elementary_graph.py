"""The equations of elementary functions as recorded graphs, which executors and generated code run."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from gough.graph import functions, ops
from gough.graph.elementary import Elementary, Unfused
from gough.graph.expr import Expr, number_index
from gough.graph.graph import Graph, finish, record
from gough.graph.scalars import Vector
from gough.graph.tape import Tape


class _Recorded(Unfused):
    where = staticmethod(functions.where)
    sqrt = staticmethod(functions.sqrt)


class _Fused(_Recorded):
    """What is exact by fused operations: the same bits in fewer."""

    @staticmethod
    def less_product(a: Vector, b: Vector, c: Vector) -> Vector:
        return _fma(-b, c, a)

    @staticmethod
    def rest(a: Vector, b: Vector, product: Vector) -> Vector:
        return _fma(a, b, -product)


def _fma(a: Expr, b: Vector, c: Vector) -> Expr:
    return Expr(a.tape, a.tape.node((ops.FMA, *[number_index(a.tape, v) for v in (a, b, c)])))


@cache
def elementary_graph(function: Elementary, fused: bool = False) -> Graph:
    """From inputs a0, a1 to outputs v0, v1, one per operation, and "inside" where the equations do not always hold.

    Args:
        function: Any.
        fused: With FMA operations, which no other graphs have.
    """
    m = _Fused() if fused else _Recorded()

    def equations(**arguments: Vector) -> dict[str, Any]:
        values = function.equations(m, *arguments.values())
        out: dict[str, Any] = {f"v{k}": value for k, value in enumerate(values)}
        return out if function.inside is None else out | {"inside": function.inside(m, *arguments.values())}

    return _with_quotients(record(equations, **{f"a{k}": () for k in range(function.arguments)}))


def _with_quotients(graph: Graph) -> Graph:
    """The graph with `a * (1 / b)` as the correctly rounded `a / b` wherever nothing else uses the reciprocal.

    These equations are bounded to a fraction of an ulp with `a / b`, and always traced as a whole: no output that is
    added elsewhere can change which reciprocals are shared.
    """
    nodes = graph.nodes
    uses = Counter(i for node in nodes for i in ops.operands(node))
    uses.update(graph.output_nodes)
    tape = Tape()
    for node in nodes:
        if node[0] == ops.MUL:
            for a, r in ((node[1], node[2]), (node[2], node[1])):
                if nodes[r][0] == ops.RECIP and uses[r] == 1:
                    node = (ops.DIV, a, nodes[r][1])
                    break
        tape.nodes.append(node)
    tape.labels = list(graph.labels)
    return finish(tape, graph.inputs, list(graph.outputs))


def inside_node(graph: Graph) -> int:
    """Index of the condition whose ones and zeros are the output "inside"."""
    node = graph.nodes[graph.outputs[-1].nodes[0]]
    assert graph.outputs[-1].name == "inside"
    assert node[0] == ops.SELECT
    return node[1]
