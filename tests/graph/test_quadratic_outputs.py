"""Polynomials of degree two found in recorded outputs, and the first step of a path that is made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gough import graph as g
from gough.graph.follow import Path
from gough.graph.quadratic_outputs import quadratic_outputs
from gough.graph.root import extract
from tests.support.evaluated import evaluated

A = np.array([[0.0, 2.0, 1.0], [3.0, -1.0, 0.5], [1.0, 1.0, 4.0]])


def test_coefficients_are_those_of_the_polynomial() -> None:
    def equations(x: Any) -> list[Any]:
        y = g.solve(A, x)
        return [g.cos(0.3) + 2.0 * x[1], (x[0] - 3.0) * (x[2] + x[0]), g.dot(y, y), 0.0]

    forms = quadratic_outputs(g.record(equations, x=3))
    assert forms is not None
    G = np.linalg.inv(A)
    Q = G.T @ G
    expected = np.zeros((4, 4, 4))
    expected[0, 0, [0, 2]] = np.cos(0.3), 2.0
    expected[1, 0, [1, 3]] = -3.0, -3.0
    expected[1, 1, [1, 3]] = 1.0, 1.0
    expected[2, 1:, 1:] = np.triu(Q) + np.triu(Q, 1)
    assert np.allclose(forms, expected, rtol=0.0, atol=1e-14)
    assert (forms[:, *np.tril_indices(4, -1)] == 0.0).all()


@pytest.mark.parametrize(
    "output",
    [
        lambda x: x[0] * x[1] * x[2],
        lambda x: g.sin(x[0]),
        lambda x: 1.0 / x[0],
        lambda x: g.where(x[0] > 0.0, x[1], x[2]),
        lambda x: x[0] * 1e300 * 1e300,
        lambda x: g.solve(A + np.array([[x[0], 0.0, 0.0], [0.0] * 3, [0.0] * 3]), x)[0],
    ],
)
def test_what_is_no_polynomial_is_told(output: Any) -> None:
    assert quadratic_outputs(g.record(lambda x: [x[0], output(x)], x=3)) is None


def arm(u: Any, s: Any, x: Any) -> list[Any]:
    """The end of two links on its way from where they are at (0.4, 0.9) to where it is moved by x."""
    ends = [np.array([g.cos(a) + g.cos(a + b), g.sin(a) + g.sin(a + b)]) for a, b in (u, (0.4, 0.9))]
    return list(ends[0] - ends[1] - x * s)


def path_of(x: Any) -> Path:
    """The path of the arm, as `follow` makes it."""
    tape = x[0].tape
    unknowns = [tape.unknown() for _ in range(3)]
    z = np.array([g.Expr(tape, i) for i in unknowns])
    equations, _ = extract(tape, [v.index for v in arm(z[:2], z[2], x)], unknowns, "z")
    rest = g.record(lambda u, p: {"r": [1.0 - u[2]]}, u=7, p=2)
    return Path(rest, 7, 2, 200, equations=equations, unknowns=2, sizes=(1.0, 0.5))


def test_slopes_at_the_start_are_those_of_the_equations_in_fewer_operations() -> None:
    z = [0.4, 0.9, 0.0]

    def quick(x: Any) -> dict[str, Any]:
        tape = x[0].tape
        constants = np.array([g.Expr(tape, tape.const(v)) for v in z])
        return path_of(x)._slopes_at_start(constants, x)._asdict()

    def plain(x: Any) -> dict[str, Any]:
        return path_of(x).slopes(z=z, p=x)

    graphs = [g.record(quick, x=2), g.record(plain, x=2)]
    operations = [sum(node[0] not in (g.ops.INPUT, g.ops.CONST) for node in g.expand(graph).nodes) for graph in graphs]
    assert operations[0] < 0.6 * operations[1]
    for x in ([0.3, -0.2], [1e-9, 2e-9], [0.0, 0.0]):
        found, expected = (evaluated(graph, x=x) for graph in graphs)
        for name in ("correction", "tangent", "curvature", "change_squared"):
            size = np.abs(expected[name]).max()
            assert np.allclose(found[name], expected[name], rtol=0.0, atol=1e-14 * size), name
    assert found["change_squared"] == 0.0
