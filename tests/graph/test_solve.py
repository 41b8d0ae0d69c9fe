"""Linear systems: backward error, derivatives, one factorisation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

from gough import graph as g
from gough.graph import ops
from tests.support.evaluated import computed, evaluated
from tests.support.mp_evaluate import derivative_mp, evaluate_mp

BACKWARD = 1e-14


def backward_error(A: np.ndarray, x: np.ndarray, b: np.ndarray) -> float:
    """Largest |A x - b| relative to |A| |x| + |b|, the residual in extended precision."""
    with mp.workdps(40):
        n = len(b)
        rows = [[mpf(float(v)) for v in row] for row in A]
        residual = [sum(rows[i][j] * mpf(float(x[j])) for j in range(n)) - mpf(float(b[i])) for i in range(n)]
        scale = max(sum(abs(v) for v in row) for row in rows) * max(abs(float(v)) for v in x) + max(abs(b))
        return float(max(abs(r) for r in residual) / scale)


def conditioned(rng: np.random.Generator, n: int, condition: float) -> np.ndarray:
    U, _ = np.linalg.qr(rng.normal(size=(n, n)))
    V, _ = np.linalg.qr(rng.normal(size=(n, n)))
    return U @ np.diag(np.logspace(0, -np.log10(condition), n)) @ V


def systems(n: int) -> list[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(n)
    permutation = np.eye(n)[rng.permutation(n)]
    return [
        ("random", rng.normal(size=(n, n))),
        ("ill-conditioned", conditioned(rng, n, 1e12)),
        ("permutation", permutation),
        ("permuted, tiny diagonal", permutation @ (np.eye(n)[::-1] + 1e-14 * rng.normal(size=(n, n)))),
        ("rows scaled", rng.normal(size=(n, n)) * np.logspace(-60, 60, n)[:, None]),
        ("columns scaled", rng.normal(size=(n, n)) * np.logspace(-60, 60, n)),
        ("huge", 1e150 * rng.normal(size=(n, n))),
        ("tiny", 1e-150 * rng.normal(size=(n, n))),
        ("integers", rng.integers(-3, 4, size=(n, n)) + 20.0 * np.eye(n)[::-1]),
        ("growth", np.tril(-np.ones((n, n)), -1) + np.eye(n) + np.outer(np.ones(n), np.eye(n)[-1])),
    ]


def equations(A: Any, b: Any) -> dict[str, Any]:
    f = g.factor(A)
    return {"plain": g.solve(f, b), "transposed": g.solve_transposed(f, b)}


@pytest.mark.parametrize("n", range(1, 13))
def test_backward_error(n: int) -> None:
    graph = g.record(equations, A=(n, n), b=n)
    expanded = g.expand(graph)
    rng = np.random.default_rng(100 + n)
    for name, A in systems(n):
        b = rng.normal(size=n)
        for result in (evaluated(graph, A=A, b=b), evaluated(expanded, A=A, b=b), equations(A, b)):
            assert backward_error(A, result["plain"], b) <= BACKWARD, name
            assert backward_error(A.T, result["transposed"], b) <= BACKWARD, name


@pytest.mark.parametrize("n", range(1, 13))
def test_backward_error_of_positive_definite_systems(n: int) -> None:
    rng = np.random.default_rng(n)

    def solved(A: Any, b: Any) -> Any:
        return g.solve(g.factor(A, spd=True), b)

    graph = g.record(solved, A=(n, n), b=n)
    for condition in (1.0, 1e4, 1e12):
        Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
        A = Q @ np.diag(np.logspace(0, -np.log10(condition), n)) @ Q.T
        A = (A + A.T) / 2
        b = rng.normal(size=n)
        upper_ignored = np.tril(A) + np.triu(np.full((n, n), np.nan), 1)
        for version in (graph, g.expand(graph)):
            assert backward_error(A, evaluated(version, A=upper_ignored, b=b)["out"], b) <= BACKWARD
        assert backward_error(A, solved(A, b), b) <= BACKWARD


def test_solutions_of_exact_systems_are_exact() -> None:
    A = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 4.0], [8.0, 0.0, 0.0]])
    assert computed(g.solve, A=A, b=np.array([2.0, 4.0, 8.0])).tolist() == [1.0, 1.0, 1.0]
    assert computed(g.solve_transposed, A=A, b=np.array([8.0, 2.0, 4.0])).tolist() == [1.0, 1.0, 1.0]


def test_singular_systems_are_not_finite() -> None:
    A = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert not np.isfinite(computed(g.solve, A=A, b=np.array([1.0, 1.0]))).all()
    assert not np.isfinite(g.solve(A, [1.0, 1.0])).all()


@pytest.mark.parametrize("kind", ["plain", "transposed", "spd"])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_jacobian_in_many_digits(kind: str, n: int) -> None:
    def solved(A: Any, b: Any) -> Any:
        if kind == "spd":
            return g.solve(g.factor(A, spd=True), b)
        return (g.solve if kind == "plain" else g.solve_transposed)(A, b)

    def derivatives(A: Any, b: Any) -> dict[str, Any]:
        x = solved(A, b)
        return {
            mode: np.concatenate([np.ravel(g.jacobian(x, A, mode)), np.ravel(g.jacobian(x, b, mode))])
            for mode in ("forward", "reverse")
        }

    rng = np.random.default_rng(n)
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)
    A = A @ A.T + np.eye(n) if kind == "spd" else A
    inputs = [*A.ravel().tolist(), *b.tolist()]
    values, derived = g.record(solved, A=(n, n), b=n), g.record(derivatives, A=(n, n), b=n)
    exact = evaluate_mp(derived, inputs, 90)
    columns = [derivative_mp(values, inputs, [float(k == j) for k in range(n * n + n)]) for j in range(n * n + n)]
    by_A = [columns[j][i] for i in range(n) for j in range(n * n)]
    by_b = [columns[n * n + j][i] for i in range(n) for j in range(n)]
    doubles = np.concatenate(list(evaluated(derived, A=A, b=b).values()))
    for known, expected, value in zip(exact, 2 * (by_A + by_b), doubles, strict=True):
        with mp.workdps(90):
            assert abs(known.value - expected) < mpf("1e-40") * (1 + abs(expected))
            assert abs(mpf(value) - known.value) <= known.error


@pytest.mark.parametrize("spd", [False, True])
def test_value_and_all_derivatives_share_one_factorisation(spd: bool) -> None:
    def everything(A: Any, b: Any, dA: Any, w: Any) -> dict[str, Any]:
        f = g.factor(A, spd=spd)
        x, y = g.solve(f, b), g.solve_transposed(f, b * b)
        forward = g.jvp(x + y, A, dA)
        reverse = g.vjp(x + y, A, w)
        return {
            "x": x,
            "again": g.solve(g.factor(A, spd=spd), 2.0 * b),
            "columns": g.solve(f, np.stack([b, 3.0 * b], axis=1)),
            "forward": forward,
            "reverse": reverse,
            "by b": g.jacobian(x, b),
            "second": g.jvp(forward, A, dA),
            "mixed": g.vjp(forward, A, w),
        }

    graph = g.record(everything, A=(3, 3), b=3, dA=(3, 3), w=3)
    assert sum(node[0] in (ops.FACTOR, ops.FACTOR_SPD) for node in graph.nodes) == 1


def test_constant_matrix_with_recorded_right_hand_side() -> None:
    A = np.array([[0.0, 2.0], [4.0, 1.0]])
    f = g.factor(A)
    for matrix in (A, A.tolist(), f):
        assert computed(lambda b, m=matrix: g.solve(m, b), b=np.array([2.0, 9.0])).tolist() == [2.0, 1.0]
    flat = g.expand(g.record(lambda b: g.solve(f, b), b=2))
    assert {node[0] for node in flat.nodes} <= {ops.INPUT, ops.CONST, ops.MUL, ops.SUB, ops.ADD}


def test_several_right_hand_sides() -> None:
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(3, 3)), rng.normal(size=(3, 2))
    np.testing.assert_allclose(computed(g.solve, A=A, b=B), np.linalg.solve(A, B), rtol=1e-13)  # condition below 100
    np.testing.assert_allclose(g.solve_transposed(A, B), np.linalg.solve(A.T, B), rtol=1e-13)


def test_wrong_shapes() -> None:
    with pytest.raises(ValueError, match=r"square matrix, not one of shape \(2, 3\)"):
        g.factor(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"square matrix, not one of shape \(0, 0\)"):
        g.factor(np.ones((0, 0)))
    with pytest.raises(ValueError, match=r"2 x 2 system needs b with 2 rows, not shape \(3,\)"):
        g.solve(np.eye(2), np.ones(3))
    with pytest.raises(ValueError, match="two different recordings"):
        g.record(lambda x: g.record(lambda y: g.solve(g.array([[x]]), g.array([y])), y=()), x=())
