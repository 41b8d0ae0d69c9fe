"""The equations of elementary functions as recorded graphs, which executors and generated code run."""

from __future__ import annotations

from functools import cache
from typing import Any

from gough.graph import functions, ops
from gough.graph.elementary import Elementary, Unfused
from gough.graph.expand import expand
from gough.graph.expr import Expr, number_index
from gough.graph.graph import Graph, record
from gough.graph.scalars import Vector


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

    return expand(record(equations, **{f"a{k}": () for k in range(function.arguments)}))


def inside_node(graph: Graph) -> int:
    """Index of the condition whose ones and zeros are the output "inside"."""
    node = graph.nodes[graph.outputs[-1].nodes[0]]
    assert graph.outputs[-1].name == "inside"
    assert node[0] == ops.SELECT
    return node[1]
