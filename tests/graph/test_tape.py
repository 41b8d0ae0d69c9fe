"""Each operation once: hash-consing, folding, the identities of tape.py, dead code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gough import graph as g
from gough.graph import ieee, ops
from gough.graph.tape import Tape
from tests.support.evaluated import computed


def nodes(equations: Any, **inputs: Any) -> list[str]:
    """Lines of the printout without those of inputs and outputs."""
    graph = g.record(equations, **(inputs or {"x": 3}))
    lines = str(graph).splitlines()[: len(graph.nodes)]
    return [line.split(" = ")[1] for line, node in zip(lines, graph.nodes, strict=True) if node[0] != ops.INPUT]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda a, b: a * b, lambda a, b: b * a),
        (lambda a, b: a + b, lambda a, b: b + a),
        (lambda a, b: g.equal(a, b), lambda a, b: g.equal(b, a)),
        (lambda a, b: g.not_equal(a, b), lambda a, b: g.not_equal(b, a)),
        (lambda a, b: (a > 0) & (b > 0), lambda a, b: (b > 0) & (a > 0)),
        (lambda a, b: (a > 0) | (b > 0), lambda a, b: (b > 0) | (a > 0)),
        (lambda a, b: a > b, lambda a, b: b < a),
        (lambda a, b: a >= b, lambda a, b: b <= a),
        (lambda a, b: a - b, lambda a, b: -(b - a)),
        (lambda a, b: a + (-b), lambda a, b: a - b),
        (lambda a, b: -a + b, lambda a, b: b - a),
        (lambda a, b: -a - b, lambda a, b: -(a + b)),
        (lambda a, b: a - (-b), lambda a, b: a + b),
        (lambda a, b: -a * b, lambda a, b: -(a * b)),
        (lambda a, b: -a * -b, lambda a, b: a * b),
        (lambda a, b: 1.0 / -a, lambda a, b: -(1.0 / a)),
        (lambda a, b: a / b, lambda a, b: a * (1.0 / b)),
        (lambda a, b: -(2.0 * a), lambda a, b: a * -2.0),
        (lambda a, b: 0.0 - (-a), lambda a, b: a),
        (lambda a, b: +a, lambda a, b: a),
        (lambda a, b: a + 0.0, lambda a, b: a),
        (lambda a, b: 0 + a, lambda a, b: a),
        (lambda a, b: a - -0.0, lambda a, b: a),
        (lambda a, b: 0.0 - a, lambda a, b: -a),
        (lambda a, b: 1 * a, lambda a, b: a),
        (lambda a, b: a / 1.0, lambda a, b: a),
        (lambda a, b: a * -1.0, lambda a, b: -a),
        (lambda a, b: abs(-a), lambda a, b: abs(abs(a))),
        (lambda a, b: g.minimum(a, a), lambda a, b: a),
        (lambda a, b: g.where(a > 0, b, b), lambda a, b: b),
        (lambda a, b: g.where(~(a > 0), a, b), lambda a, b: g.where(a > 0, b, a)),
        (lambda a, b: g.where(True, a, b), lambda a, b: a),
        (lambda a, b: ~~(a > b), lambda a, b: a > b),
        (lambda a, b: (a > b) & True, lambda a, b: a > b),
        (lambda a, b: (a > b) | False, lambda a, b: a > b),
        (lambda a, b: (a > b) & (a > b), lambda a, b: a > b),
        (lambda a, b: a**2, lambda a, b: a * a),
        (lambda a, b: a**3, lambda a, b: a * (a * a)),
        (lambda a, b: a**5, lambda a, b: a * ((a * a) * (a * a))),
        (lambda a, b: a**-2, lambda a, b: 1.0 / (a * a)),
        (lambda a, b: a**0.5, lambda a, b: g.sqrt(a)),
        (lambda a, b: a**-0.5, lambda a, b: 1.0 / g.sqrt(a)),
        (lambda a, b: a ** np.int64(2), lambda a, b: a * a),
        (lambda a, b: a**2.0, lambda a, b: a * a),
        (lambda a, b: np.sin(a), lambda a, b: g.sin(a)),
    ],
)
def test_same_node(one: Any, other: Any) -> None:
    def equations(x: Any) -> Any:
        assert one(*x).index == other(*x).index
        return 0.0

    g.record(equations, x=2)


@pytest.mark.parametrize(
    ("equations", "constant"),
    [
        (lambda x: x * 0.0, 0.0),
        (lambda x: -0.0 * x, 0.0),
        (lambda x: x**0, 1.0),
        (lambda x: 0.0 / x, 0.0),
        (lambda x: (x * 0.0 + 2.0) * 3.0, 6.0),
        (lambda x: g.sin(x * 0.0 + 1.0), np.sin(1.0)),
        (lambda x: 1.0 / (x * 0.0), np.inf),
        (lambda x: g.sqrt(x * 0.0 - 1.0), np.nan),
        (lambda x: g.where((x > 0) & ~(x > 0), 1.0, 2.0), 2.0),
        (lambda x: g.where((x > 0) | ~(x > 0), 1.0, 2.0), 1.0),
        (lambda x: g.where((x > 0) | True, 1.0, 2.0), 1.0),
        (lambda x: g.where((x > 0) & False, 1.0, 2.0), 2.0),
    ],
)
def test_folds_to_a_constant(equations: Any, constant: float) -> None:
    graph = g.record(equations, x=())
    assert [node[0] for node in graph.nodes] == [ops.CONST]
    np.testing.assert_equal(ieee.from_bits(graph.nodes[0][1]), constant)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda a, b: a - b, lambda a, b: b - a),
        (lambda a, b: a < b, lambda a, b: b < a),
        (lambda a, b: a < b, lambda a, b: ~(b <= a)),  # NaN
        (lambda a, b: g.minimum(a, b), lambda a, b: g.minimum(b, a)),  # the derivative at equals
        (lambda a, b: g.atan2(a, b), lambda a, b: g.atan2(b, a)),
        (lambda a, b: (a + b) + 1.0, lambda a, b: a + (b + 1.0)),  # round-off
        (lambda a, b: a - a, lambda a, b: b - b),  # inf, NaN
        (lambda a, b: g.sqrt(a * a), lambda a, b: abs(a)),
    ],
)
def test_other_node(one: Any, other: Any) -> None:
    def equations(x: Any) -> Any:
        assert one(*x).index != other(*x).index
        return 0.0

    g.record(equations, x=2)


def test_constants_are_kept_by_their_bits() -> None:
    tape = Tape()
    assert tape.const(0.0) != tape.const(-0.0)
    assert tape.const(0.0) == tape.const(0.0)
    assert tape.const(float("nan")) == tape.const(float("nan"))
    assert tape.const(1.0) == tape.const(np.float64(1.0))
    assert tape.const(0.1 + 0.2) != tape.const(0.3)
    for value in (-0.0, 5e-324, -np.inf, 1e308):
        assert ieee.bits(tape.value(tape.const(value))) == ieee.bits(value)  # type: ignore[arg-type]
    payload = ieee.from_bits(0x7FF8000000000123)
    assert tape.nodes[tape.const(payload)][1] == 0x7FF8000000000123
    assert tape.const(payload) != tape.const(float("nan"))


def test_common_subexpressions_once_and_dead_code_dropped() -> None:
    def equations(x: Any) -> Any:
        g.exp(x[0]) + g.solve(np.outer(x, x), x)[0]
        return g.sin(x[0] * x[1]) + g.sin(x[1] * x[0])

    assert nodes(equations) == ["mul %0 %1", "sin %2", "add %3 %3"]


def test_unused_inputs_stay_in_the_signature() -> None:
    graph = g.record(lambda x, y: y[1], x=3, y=2)
    assert [i.name for i in graph.inputs] == ["x", "y"]
    assert graph.nodes == ((ops.INPUT, 4),)


def test_divisions_share_a_reciprocal() -> None:
    graph = g.record(lambda x: [x[0] / x[2], x[1] / x[2]], x=3)
    assert sum(node[0] == ops.RECIP for node in graph.nodes) == 1
    assert g.count(graph) == g.Count(mul=2, div=1)
    assert g.count(g.record(lambda x: x[0] / x[1], x=2)) == g.Count(mul=1, div=1)


def test_an_expanded_graph_expands_to_itself() -> None:
    def equations(x: Any) -> Any:
        u = g.root(lambda u: [u[0] ** 3 + u[0] - x[0]], [0.0]).solution[0]
        return g.solve(np.outer(x, x) + np.eye(3), x) / u

    once = g.expand(g.record(equations, x=3))
    assert g.expand(once).digest == once.digest


def test_x_times_zero_is_zero_even_for_nan() -> None:
    assert computed(lambda x: 0.0 * (1.0 / x), x=0.0) == 0.0
