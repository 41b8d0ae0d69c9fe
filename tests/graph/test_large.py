"""Large graphs: linear time and memory, no recursion."""

from __future__ import annotations

import time
from typing import Any

import pytest

from gough import graph as g
from gough.graph.evaluate import evaluate
from gough.graph.graph import live_nodes


def chain(x: Any, size: int) -> Any:
    """A bounded recurrence of `size` operations, each built on the last."""
    a, b = x[0], x[1]
    for _ in range(size // 5):
        a, b = a * 0.5 + b * x[2], b - a * 0.25
    return a + b


def value_and_gradient(size: int) -> g.Graph:
    def equations(x: Any) -> dict[str, Any]:
        y = chain(x, size)
        return {"y": y, "dy": g.gradient(y, x)}

    return g.record(equations, x=3)


def seconds(size: int) -> float:
    start = time.process_time()
    g.count(value_and_gradient(size))
    return time.process_time() - start


def test_time_is_linear() -> None:
    """Three times the operations take three times as long, not nine."""
    small, large = min(seconds(20_000) for _ in range(3)), min(seconds(60_000) for _ in range(2))
    assert large / small < 6.0


def test_deep_graphs_need_no_recursion() -> None:
    graph = value_and_gradient(50_000)
    assert len(live_nodes(graph.nodes, graph.output_nodes)) == len(graph.nodes) > 100_000
    x = [0.3, 0.2, 0.1]
    y, *slopes = evaluate(graph.nodes, (), graph.output_nodes, x)
    assert y == chain(x, 50_000)
    assert all(abs(s) < 1e-3 for s in slopes)


def test_long_chains_of_branches_stay_linear() -> None:
    def size(n: int) -> int:
        def equations(x: Any) -> Any:
            y = x[0]
            for k in range(n):
                y = g.where(y > float(k), y * x[1], g.maximum(y, x[0]) + x[1])
            return [g.gradient(y, x), g.jvp(y, x, [1.0, 0.5]) * g.array([1.0, 1.0])]

        return len(g.record(equations, x=2).nodes)

    assert size(400) / size(100) < 4.5


def test_many_outputs_and_inputs() -> None:
    graph = g.record(lambda x: x * x, x=20_000)
    assert len(graph.output_nodes) == 20_000
    assert g.count(graph) == g.Count(mul=20_000)


@pytest.mark.slow
def test_a_million_operations() -> None:
    graph = value_and_gradient(1_000_000)
    assert g.count(graph).total > 2_000_000
    assert len(graph.digest) == 64
