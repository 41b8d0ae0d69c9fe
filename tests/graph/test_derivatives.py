"""Forward, reverse and repeated derivatives against differences in 90 digits."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from gough import graph as g
from gough.graph.evaluate import evaluate
from tests.support.evaluated import computed
from tests.support.mp_evaluate import EPS, derivative_mp, evaluate_mp
from tests.support.random_graphs import graphs, ordinary_values, random_graph

INPUTS: dict[str, Any] = {"x": 4, "p": g.Input((2,), shared=True), "dx": 4, "w": 3}


def values(graph: g.Graph) -> g.Graph:
    """y and w . y of a random graph."""
    return g.record(lambda x, p, dx, w: {"y": (y := graph(x=x, p=p)["y"]), "wy": g.dot(w, y)}, **INPUTS)


def first(graph: g.Graph) -> g.Graph:
    """Forward and reverse derivatives of a random graph."""

    def equations(x: Any, p: Any, dx: Any, w: Any) -> dict[str, Any]:
        y = graph(x=x, p=p)["y"]
        return {"forward": g.jvp(y, x, dx), "reverse": g.vjp(y, x, w)}

    return g.record(equations, **INPUTS)


def second(graph: g.Graph) -> g.Graph:
    """Second derivatives in all orders of forward and reverse; the last three are the same Hessian product."""

    def equations(x: Any, p: Any, dx: Any, w: Any) -> dict[str, Any]:
        y = graph(x=x, p=p)["y"]
        forward, reverse = g.jvp(y, x, dx), g.vjp(y, x, w)
        return {
            "forward of forward": g.jvp(forward, x, dx),
            "forward of reverse": g.jvp(reverse, x, dx),
            "reverse of forward": g.vjp(forward, x, w),
            "reverse of reverse": g.vjp(reverse, x, dx),
        }

    return g.record(equations, **INPUTS)


def assert_formula(derivative: g.Graph, inputs: list[float], expected: list[Any]) -> int:
    """Number of elements compared: in 90 digits with `expected`, in doubles with their bound of round-off."""
    exact = evaluate_mp(derivative, inputs, 90)
    doubles = evaluate(derivative.nodes, derivative.inners, derivative.output_nodes, inputs)
    compared = 0
    for known, reference, value in zip(exact, expected, doubles, strict=True):
        if known is None or reference is None:
            continue
        compared += 1
        with mp.workdps(90):
            # differences over 1e-25 leave 1e-50 times the third derivative; roots and solves at 90 digits leave less
            assert abs(known.value - reference) <= mpf("1e-30") * (1 + abs(reference))
            # partials below 1e-290 are rounded as subnormals
            assert abs(mpf(value) - known.value) <= known.error + mpf("1e-280")
    return compared


def draw(seed: int) -> list[float]:
    rng = Random(seed)
    return [*ordinary_values(rng, 6).tolist(), *[rng.uniform(-1, 1) for _ in range(7)]]


def unit(j: int) -> list[float]:
    return [float(k == j) for k in range(13)]


def assert_first(graph: g.Graph, inputs: list[float]) -> int:
    base = values(graph)
    expected = derivative_mp(base, inputs, inputs[6:10] + [0.0] * 9)[:3]
    expected += [derivative_mp(base, inputs, unit(j))[3] for j in range(4)]
    return assert_formula(first(graph), inputs, expected)


def assert_second(graph: g.Graph, inputs: list[float]) -> int:
    along = derivative_mp(first(graph), inputs, inputs[6:10] + [0.0] * 9)
    return assert_formula(second(graph), inputs, along + along[3:] + along[3:])


@settings(max_examples=150, deadline=None)
@given(graphs(30), st.integers(0, 2**32))
def test_first_derivatives(graph: g.Graph, seed: int) -> None:
    assert_first(graph, draw(seed))


@settings(max_examples=80, deadline=None)
@given(graphs(16), st.integers(0, 2**32))
def test_second_derivatives(graph: g.Graph, seed: int) -> None:
    assert_second(graph, draw(seed))


def test_most_random_derivatives_are_known_to_mpmath() -> None:
    graphs_ = [random_graph(Random(seed), 15) for seed in range(30)]
    compared = [(assert_first(graph, draw(k)), assert_second(graph, draw(k))) for k, graph in enumerate(graphs_)]
    assert sum(c[0] for c in compared) > 0.6 * 30 * 7
    assert sum(c[1] for c in compared) > 0.6 * 30 * 15


@settings(max_examples=80, deadline=None)
@given(graphs(30, inputs=3, parameters=1), st.integers(0, 2**32))
def test_jacobian_is_the_same_by_columns_and_by_rows(graph: g.Graph, seed: int) -> None:
    def equations(x: Any, p: Any) -> dict[str, Any]:
        y = graph(x=x, p=p)["y"]
        return {mode: g.jacobian(y, x, mode) for mode in ("forward", "reverse")}

    both = g.record(equations, x=3, p=1)
    exact = evaluate_mp(both, ordinary_values(Random(seed), 4).tolist())
    for a, b in zip(exact[:9], exact[9:], strict=True):
        if a is not None and b is not None:
            # the seeds are constants, and constants fold in doubles: round-off here and there, carried like any other
            assert abs(a.value - b.value) <= 10 * (a.error + b.error + EPS * abs(a.value))


def test_shapes_and_zero_tangents() -> None:
    def equations(A: Any, t: Any) -> dict[str, Any]:
        jacobian = g.jacobian(A @ A, A)
        assert jacobian.shape == (2, 2, 2, 2)
        assert g.jacobian(t * A, t).shape == (2, 2)
        assert g.gradient(t * t, A).shape == (2, 2)
        assert not any(isinstance(v, g.Expr) for v in np.ravel(g.gradient(t * t, A)))
        assert g.jvp(3.0, t, 1.0) == 0.0
        return {"A": jacobian, "t": g.gradient(t**3, t)}

    A = np.array([[1.0, 2.0], [3.0, 4.0]])
    result = computed(equations, A=A, t=2.0)
    identity = np.eye(2)
    expected = np.einsum("ik,lj->ijkl", identity, A) + np.einsum("ik,lj->ijkl", A, identity)
    np.testing.assert_array_equal(result["A"], expected)
    assert result["t"] == 12.0


def test_derivative_by_intermediate_values_takes_them_as_independent() -> None:
    def equations(x: Any) -> Any:
        y = x * x
        z = y * x
        return [g.gradient(y * z, g.array([y, z]))[0], g.jvp(z, y, 1.0), g.gradient(y * z, x)]

    assert computed(equations, x=3.0).tolist() == [27.0, 3.0, 5 * 81.0]


def test_fixed_values_are_constants_of_inner_derivatives_and_no_others() -> None:
    """v = x^3 is recorded from x: at fixed v, d(x^2 v)/dx along v is 2 x v^2; its own derivative goes through v."""

    def rate(x: Any, values: Any) -> Any:
        return g.array([g.jvp(x * x * values[0], x, values[0]), values[1] * x])

    def equations(x: Any, y: Any) -> Any:
        fixed = g.with_fixed(lambda values: rate(x, values), g.array([x * x * x, y]), x)
        through = rate(x, g.array([x * x * x, y]))
        return [*fixed, through[0], g.gradient(fixed[0], x)]

    assert computed(equations, x=3.0, y=2.0).tolist() == [2 * 3.0**7, 6.0, 5 * 3.0**7, 14 * 3.0**6]


def test_values_that_do_not_depend_on_the_inputs_are_passed_as_they_are() -> None:
    passed: list[Any] = []

    def equations(x: Any, y: Any) -> Any:
        values = g.array([y, 2.0])
        return g.with_fixed(lambda given: passed.append([given[0] is values[0], given[1]]) or [given[0] * x], values, x)

    assert computed(equations, x=3.0, y=2.0).tolist() == [6.0]
    assert passed == [[True, 2.0]]


def test_what_cannot_be_differentiated_by_says_so() -> None:
    def by(wrt: Any) -> Any:
        return g.record(lambda x: g.jacobian([x[0] * x[1]], wrt(x)), x=2)

    with pytest.raises(ValueError, match=r"element 1 of the inputs, which is the constant 0\.0"):
        by(lambda x: [x[0], 0.0])
    for derivative in (lambda: g.jvp(4.0, 2.0, 1.0), lambda: g.gradient(4.0, [2.0]), lambda: g.jacobian([4.0], [2.0])):
        with pytest.raises(ValueError, match="derivative by plain numbers"):
            derivative()
    with pytest.raises(ValueError, match="two are the same recorded value"):
        by(lambda x: [x[0], x[0]])
    with pytest.raises(ValueError, match="jvp has 2 inputs but 1 tangents"):
        g.record(lambda x: g.jvp(x, x, [1.0]), x=2)
    with pytest.raises(ValueError, match="vjp has 2 outputs but 3 cotangents"):
        g.record(lambda x: g.vjp(x, x, [1.0, 2.0, 3.0]), x=2)
    with pytest.raises(ValueError, match="mode 'sideways'"):
        g.record(lambda x: g.jacobian(x, x, "sideways"), x=2)
    with pytest.raises(ValueError, match=r"gradient is of one number, not of shape \(2,\)"):
        g.record(lambda x: g.gradient(x, x), x=2)
    loop = g.expand(g.record(lambda x: g.root(lambda u: u - x, [0.0]).solution, x=1))
    for derivative in (lambda y, x: g.jvp(y, x, [1.0]), lambda y, x: g.vjp(y, x, [1.0])):
        with pytest.raises(TypeError, match="differentiate first, then expand"):
            g.record(lambda x, d=derivative: d(loop(x=x)["out"], x), x=1)


INF, NAN = np.inf, np.nan


@pytest.mark.parametrize(
    ("function", "at", "slope"),
    [
        (g.sqrt, 0.0, INF),
        (g.sqrt, -1.0, NAN),
        (g.sqrt, INF, 0.0),
        (g.asin, 1.0, INF),
        (g.asin, -1.0, INF),
        (g.asin, 1.5, NAN),
        (g.acos, 1.0, -INF),
        (g.acos, -1.0, -INF),
        (g.acos, -1.5, NAN),
        (g.log, 0.0, INF),
        (g.log, -2.0, -0.5),
        (g.absolute, 0.0, 0.0),
        (g.absolute, -0.0, 0.0),
        (g.absolute, -3.0, -1.0),
        (g.sign, 0.0, 0.0),
        (g.floor, 2.0, 0.0),
        (lambda x: 1.0 / x, 0.0, -INF),
        (lambda x: g.atan2(x, 2.0 * x), 0.0, NAN),
        (lambda x: g.atan2(0.0, x), -1.0, 0.0),
        (lambda x: g.atan2(x, -1.0), 0.0, -1.0),
        (lambda x: g.minimum(x, x * x), 1.0, 1.0),
        (lambda x: g.maximum(x * x, x), 1.0, 2.0),
        (lambda x: g.where(g.isfinite(x), x * x, 0.0), 3.0, 6.0),
    ],
)
def test_slopes_at_the_edges(function: Any, at: float, slope: float) -> None:
    forward, reverse = computed(lambda x: [g.jvp(function(x), x, 1.0), g.gradient(function(x), x)], x=at)
    np.testing.assert_equal([forward + 0.0, reverse + 0.0], [slope, slope])
