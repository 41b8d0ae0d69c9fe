"""Values of recorded graphs against mpmath, and against the same equations on floats."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from gough import graph as g
from gough.graph import ieee, ops
from gough.graph.evaluate import evaluate
from gough.graph.tape import Tape
from tests.support.evaluated import computed
from tests.support.mp_evaluate import Known, evaluate_mp
from tests.support.random_graphs import graphs, ordinary_values, random_graph, special_values


def assert_within_bounds(graph: g.Graph, inputs: list[float]) -> int:
    """Number of output elements that mpmath knows, all within their bound of round-off before and after expansion."""
    exact = evaluate_mp(graph, inputs)
    for version in (graph, g.expand(graph)):
        for known, value in zip(
            exact, evaluate(version.nodes, version.inners, version.output_nodes, inputs), strict=True
        ):
            if isinstance(known, Known):
                assert abs(mpf(value) - known.value) <= known.error
            elif known is not None:
                assert known == value
    return sum(known is not None for known in exact)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(0, 2**32))
def test_random_graphs_agree_with_mpmath(graph: g.Graph, seed: int) -> None:
    assert_within_bounds(graph, ordinary_values(Random(seed), 6).tolist())


def test_most_random_values_are_known_to_mpmath() -> None:
    known = 0
    for seed in range(40):
        rng = Random(seed)
        graph = random_graph(rng, 30)
        known += assert_within_bounds(graph, ordinary_values(rng, 6).tolist())
    assert known > 0.6 * 40 * 5


EXACT_TWINS: dict[int, Any] = {
    ops.ADD: np.add,
    ops.SUB: np.subtract,
    ops.MUL: np.multiply,
    ops.DIV: np.divide,
    ops.NEG: np.negative,
    ops.RECIP: lambda a: 1.0 / a,
    ops.SQRT: np.sqrt,
    ops.ABS: np.absolute,
    ops.SIGN: np.sign,
    ops.FLOOR: np.floor,
    ops.MIN: np.minimum,
    ops.MAX: np.maximum,
    ops.LT: np.less,
    ops.LE: np.less_equal,
    ops.EQ: np.equal,
    ops.NE: np.not_equal,
    ops.ISFINITE: np.isfinite,
}
ELEMENTARY_TWINS: dict[int, Any] = {
    ops.SIN: np.sin,
    ops.COS: np.cos,
    ops.TAN: np.tan,
    ops.ASIN: np.arcsin,
    ops.ACOS: np.arccos,
    ops.ATAN: np.arctan,
    ops.ATAN2: np.arctan2,
    ops.EXP: np.exp,
    ops.LOG: np.log,
}
TWO = {ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.MIN, ops.MAX, ops.LT, ops.LE, ops.EQ, ops.NE, ops.ATAN2}


@pytest.mark.parametrize("op", [*EXACT_TWINS, *ELEMENTARY_TWINS], ids=lambda op: ops.NAMES[op])
def test_operations_on_special_values_are_those_of_ieee(op: int) -> None:
    special = special_values()
    args = [a.ravel() for a in np.meshgrid(special, special)] if op in TWO else [special]
    ours = np.array([ieee.FUNCTIONS[op](*map(float, row)) for row in zip(*args, strict=True)])
    with np.errstate(all="ignore"):
        if op in EXACT_TWINS:
            expected = EXACT_TWINS[op](*args)
            np.testing.assert_array_equal(ours, expected)
            if ours.dtype == float and op not in (ops.MIN, ops.MAX, ops.SIGN):  # these keep the sign of a zero
                np.testing.assert_array_equal(np.signbit(ours[ours == 0]), np.signbit(expected[ours == 0]))
        else:
            # NumPy's own elementary functions are good to 4 ulp
            np.testing.assert_array_max_ulp(ours, ELEMENTARY_TWINS[op](*args), 4)


@pytest.mark.parametrize("op", sorted({*EXACT_TWINS, *ELEMENTARY_TWINS}), ids=lambda op: ops.NAMES[op])
def test_folding_gives_what_running_gives(op: int) -> None:
    special = special_values().tolist()
    tape = Tape()
    pairs = [(a, b) for a in special for b in special] if op in TWO else [(a,) for a in special]
    for args in pairs:
        folded = tape.value(tape.apply(op, *[tape.const(v) for v in args]))
        value = ieee.FUNCTIONS[op](*args)
        if op == ops.MUL and 0.0 in args:
            assert folded == 0.0
        elif op == ops.DIV:
            reciprocal = ieee.recip(args[1])
            assert folded == pytest.approx(0.0 if 0.0 in (args[0], reciprocal) else args[0] * reciprocal, nan_ok=True)
        else:
            assert folded == value or (folded != folded and value != value)


def equations(x: Any, R: Any) -> dict[str, Any]:
    """A bit of everything, for floats and recorded values alike."""
    v = R @ x[:3]
    n = g.norm(v)
    u = v / n
    w = g.cross(u, x[3:])
    return {
        "unit": u,
        "angle": g.atan2(w[1], w[0]) + g.acos(g.dot(u, x[3:]) / g.norm(x[3:])),
        "power": x[0] ** 5 - x[1] ** -2 + abs(x[2]) ** 0.5,
        "outside": g.where(n > 2.0, g.floor(n), -g.sign(x[0])),
        "extremes": g.array([g.minimum(x[0], x[1]), g.maximum(x[2], 0.25)]),
        "solution": g.solve(R + 3.0 * np.eye(3), x[3:]),
        "root": g.root(lambda z: [z[0] ** 3 + z[0] - n], [1.0]).solution,
        "both": g.logical_and(g.less(x[0], x[1]), g.isfinite(n)),
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_same_equations_on_floats_and_recorded(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, R = rng.normal(size=6), rng.normal(size=(3, 3))
    plain, recorded = equations(x, R), computed(equations, x=x, R=R)
    for name, value in plain.items():
        # a / b recorded is a * (1 / b), another 2^-53; conditioning of these sums and the solve is below 100
        np.testing.assert_allclose(recorded[name], np.asarray(value, dtype=float), rtol=1e-13, err_msg=name)


def test_exact_operations_are_rounded_once() -> None:
    x = np.array([0.1, 0.7, 3.3])
    assert computed(lambda x: [x[0] + x[1], x[0] * x[1], x[0] - x[2], g.sqrt(x[2])], x=x).tolist() == [
        0.1 + 0.7,
        0.1 * 0.7,
        0.1 - 3.3,
        3.3**0.5,
    ]


def test_a_division_is_a_product_with_the_reciprocal_alone_and_with_other_outputs() -> None:
    alone = g.expand(g.record(lambda x: x[0] / x[1], x=2))
    shared = g.expand(g.record(lambda x: [x[0] / x[1], 3.0 / x[1]], x=2))
    rng = Random(1)
    for _ in range(200):
        a, b = rng.uniform(-1, 1), rng.uniform(-1, 1)
        assert evaluate(alone.nodes, (), alone.output_nodes, [a, b]) == [a * (1.0 / b)]
        assert evaluate(shared.nodes, (), shared.output_nodes, [a, b]) == [a * (1.0 / b), 3.0 * (1.0 / b)]
