"""Roots: solution, flags, derivatives, what surrounds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from gough import graph as g
from gough.graph import ops
from tests.support.evaluated import computed, evaluated
from tests.support.mp_evaluate import Known, derivative_mp, evaluate_mp


def circle_and_line(u: Any, r: Any, m: Any) -> Any:
    return [u[0] * u[0] + u[1] * u[1] - r * r, u[1] - m * u[0]]


def solved(r: Any, m: Any) -> Any:
    return g.root(lambda u: circle_and_line(u, r, m), [1.0, 0.5])


@pytest.mark.parametrize(("r", "m"), [(1.0, 0.0), (2.0, 1.0), (0.05, 0.3), (50.0, -1.5)])
def test_solution(r: float, m: float) -> None:
    exact = np.array([1.0, m]) * r / np.sqrt(1.0 + m * m)
    # the last step is below 2^-26, the curvature of a circle is 1 / r
    left = 4e-16 * max(1.0, r) + 2.0**-52 / r
    graph = g.record(lambda r, m: solved(r, m)._asdict(), r=(), m=())
    for version in (graph, g.expand(graph)):
        found = evaluated(version, r=r, m=m)
        assert found["converged"] == 1.0
        np.testing.assert_allclose(found["solution"], exact, rtol=0, atol=left)
        assert found["residual"] <= 1e-15 * max(1.0, r * r)
    on_floats = solved(r, m)
    assert on_floats.converged is True
    np.testing.assert_allclose(on_floats.solution, exact, rtol=0, atol=left)


def run(residual: Any, start: Any, **options: Any) -> dict[str, Any]:
    graph = g.record(lambda s: g.root(residual, s, **options)._asdict(), s=len(start))
    result, expanded = evaluated(graph, s=start), evaluated(g.expand(graph), s=start)
    assert result["converged"] == expanded["converged"]
    return result


def test_singular_start_stops_where_it_is() -> None:
    found = run(lambda u: [u[0] * u[0] - 1.0], [0.0])
    assert found["converged"] == 0.0
    assert found["solution"] == [0.0]
    assert found["residual"] == 1.0


def test_no_solution_stops_unconverged() -> None:
    found = run(lambda u: [u[0] * u[0] + 1.0], [0.7])
    assert found["converged"] == 0.0
    assert found["residual"] >= 1.0


def test_divergence_stops_unconverged() -> None:
    found = run(lambda u: [g.atan(u[0])], [3.0])
    assert found["converged"] == 0.0


@pytest.mark.parametrize("start", [np.nan, np.inf, -np.inf])
def test_a_start_that_is_not_finite_stops_unconverged(start: float) -> None:
    assert run(lambda u: [u[0] ** 3 - 2.0], [start])["converged"] == 0.0


def test_too_few_steps_are_unconverged() -> None:
    assert run(lambda u: [u[0] ** 3 - 2.0], [1e6], max_iter=5)["converged"] == 0.0
    assert run(lambda u: [u[0] ** 3 - 2.0], [1e6], max_iter=60)["converged"] == 1.0


@pytest.mark.parametrize("state", [[0.3, 0.0, 1.0], [0.3, 0.0, 0.0], [np.nan, 0.0, 0.0]])
def test_a_sample_that_has_stopped_stays_as_it_is(state: list[float]) -> None:
    """In a batch the step is repeated for it as long as any other sample is active."""
    inner = g.record(lambda x: g.root(lambda u: [u[0] ** 3 - x], [1.0]).solution, x=()).inners[0]
    for step in (inner.step, inner.flat_step):
        np.testing.assert_array_equal(evaluated(step, state=state, p=[8.0])["out"], state)


def test_start_at_the_solution_converges() -> None:
    found = run(lambda u: [u[0] - 2.0, u[1] * u[0]], [2.0, 0.0])
    assert (found["converged"], found["residual"]) == (1.0, 0.0)


def assert_derivatives(function: Any, at: list[float]) -> None:
    """First and second derivatives of function(x) against differences in 90 digits, along a fixed direction."""
    direction = [0.3, -0.7]

    def derivatives(x: Any, d: Any) -> dict[str, Any]:
        y = g.array(function(x))
        forward = g.jvp(y, x, d)
        return {
            "forward": forward,
            "reverse": g.jacobian(y, x, "reverse") @ d,
            "second": g.jvp(forward, x, d),
            "reverse of forward": g.jacobian(forward, x, "reverse") @ d,
        }

    values = g.record(lambda x, d: g.array(function(x)), x=2, d=2)
    forwards = g.record(lambda x, d: g.jvp(g.array(function(x)), x, d), x=2, d=2)
    derived = g.record(derivatives, x=2, d=2)
    inputs = at + direction
    first, second = (derivative_mp(graph, inputs, [*direction, 0.0, 0.0]) for graph in (values, forwards))
    exact = evaluate_mp(derived, inputs, 90)
    doubles = np.concatenate(list(evaluated(derived, x=at, d=direction).values()))
    for known, expected, value in zip(exact, first + first + second + second, doubles, strict=True):
        assert isinstance(known, Known)
        with mp.workdps(90):
            assert abs(known.value - expected) < mpf("1e-30") * (1 + abs(expected))
            assert abs(mpf(value) - known.value) <= known.error


def test_derivatives() -> None:
    assert_derivatives(lambda x: solved(x[0], x[1]).solution, [1.5, 0.4])


def test_derivatives_of_what_uses_the_solution() -> None:
    assert_derivatives(lambda x: [g.sin(solved(x[0], x[1] * x[0]).solution[1]) / x[0]], [1.5, 0.4])


def nested(x: Any) -> Any:
    """u with u + v(u) = x where v^3 + v = u."""

    def outer(u: Any) -> Any:
        v = g.root(lambda v: [v[0] ** 3 + v[0] - u[0] * x[1]], [0.0]).solution
        return [u[0] + v[0] - x[0]]

    return g.root(outer, [0.5]).solution


def test_nested_root() -> None:
    x = np.array([2.0, 1.0])
    u = computed(nested, x=x)[0]
    v = 2.0 - u
    assert abs(v**3 + v - u) < 1e-15
    assert abs(nested(x)[0] - u) < 1e-15
    assert_derivatives(nested, [2.0, 0.8])


def test_nested_root_expands() -> None:
    graph = g.record(nested, x=2)
    x = np.array([2.0, 0.8])
    np.testing.assert_allclose(evaluated(g.expand(graph), x=x)["out"], evaluated(graph, x=x)["out"], rtol=1e-15)


def test_solve_inside_a_root_and_root_inside_a_matrix() -> None:
    def function(x: Any) -> Any:
        A = g.array([[2.0 + x[0], 1.0], [x[1], 3.0]])
        f = g.factor(A)
        u = g.root(lambda u: g.solve(f, g.array([u[0] + u[0] ** 3, u[1]])) - x[:2], [0.0, 0.0]).solution
        return g.solve(g.array([[u[0], 1.0], [-1.0, u[1]]]), x[:2])

    assert_derivatives(function, [0.3, 0.2])


def test_captured_values_and_conditions() -> None:
    def function(x: Any) -> Any:
        large = x[0] > 1.0
        c = g.exp(x[1])
        return g.root(lambda u: [g.where(large & (u[0] < 100.0), 2.0 * u[0], 5.0 * u[0]) - c * x[0]], [0.0]).solution

    assert computed(function, x=np.array([2.0, 0.0])).tolist() == [1.0]
    assert computed(function, x=np.array([0.5, 0.0])).tolist() == [0.1]
    assert_derivatives(function, [2.0, 0.3])
    assert_derivatives(function, [0.5, 0.3])


def test_parameters_stay_outside() -> None:
    """What does not depend on the unknowns is computed once, not in every step."""
    graph = g.record(lambda x: g.root(lambda u: [u[0] - g.sin(x) * g.cos(x)], [0.0]).solution, x=())
    inner = graph.inners[0]
    assert {node[0] for node in inner.graph.nodes} == {ops.INPUT, ops.SUB}
    assert inner.parameters == 1


def test_residual_and_start_have_no_derivative() -> None:
    def function(x: Any) -> Any:
        found = g.root(lambda u: [u[0] * u[0] - 2.0], [x])
        return [g.jvp(found.residual + found.solution[0], x, 1.0), g.gradient(found.residual, x)]

    assert computed(function, x=1.0).tolist() == [0.0, 0.0]


def test_equal_roots_are_recorded_once() -> None:
    def function(x: Any) -> Any:
        first = g.root(lambda u: [u[0] ** 3 - x], [1.0]).solution[0]
        second = g.root(lambda w: [w[0] ** 3 - x], [1.0]).solution[0]
        return first + second

    graph = g.record(function, x=())
    assert sum(node[0] == ops.ROOT for node in graph.nodes) == 1
    assert len(graph.inners) == 1


def test_same_equations_other_parameters_share_the_inner_graph() -> None:
    graph = g.record(lambda x: [g.root(lambda u, k=k: [u[0] ** 3 - x[k]], [1.0]).solution[0] for k in range(3)], x=3)
    assert sum(node[0] == ops.ROOT for node in graph.nodes) == 3
    assert len(graph.inners) == 1
    np.testing.assert_allclose(evaluated(graph, x=[1.0, 8.0, 27.0])["out"], [1.0, 2.0, 3.0], rtol=4e-16)


def test_root_on_floats_inside_a_recording_is_a_constant() -> None:
    graph = g.record(lambda x: x * g.root(lambda u: [u[0] - 3.0], [0.0]).solution[0], x=())
    assert str(graph).splitlines()[1] == "%1 = 3.0"


def test_mistakes() -> None:
    leaked = []

    def leaks(u: Any) -> Any:
        leaked.append(u[0])
        return [u[0] - 1.0]

    def function(x: Any) -> Any:
        g.root(leaks, [x])
        return leaked[-1] * x

    with pytest.raises(ValueError, match="unknowns of a root outside its residual"):
        g.record(function, x=())
    with pytest.raises(ValueError, match="2 unknowns but 1 equations"):
        g.root(lambda u: [u[0] + u[1]], [0.0, 0.0])
    with pytest.raises(ValueError, match=r"a vector to start from, not shape \(\)"):
        g.root(lambda u: u, 1.0)
    with pytest.raises(ValueError, match=r"a vector to start from, not shape \(0,\)"):
        g.root(lambda u: u, [])
    with pytest.raises(ValueError, match="at least one step, not max_iter = 0"):
        g.root(lambda u: u, [1.0], max_iter=0)
