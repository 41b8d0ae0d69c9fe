"""Householder's factors against NumPy's, in floats and recorded, also of badly conditioned matrices."""

import numpy as np
import pytest

from gough.graph import jacobian, least_squares, orthogonal, record
from gough.run import Program

SHAPES = [(1, 1), (4, 3), (8, 6), (12, 3)]


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_least_norm_null_space_and_least_squares(m, n):
    rng = np.random.default_rng([m, n])
    A = rng.normal(size=(m, n)) * np.geomspace(1.0, 1e6, n)
    A[0] *= -1.0
    b, q = rng.normal(size=m), rng.normal(size=n)
    f = orthogonal(A)
    x = f.least_norm(q, m)
    assert x == pytest.approx(np.linalg.pinv(A.T) @ q, rel=1e-9, abs=1e-14)
    scale = np.abs(A).T @ np.abs(x)
    assert (np.abs(A.T @ x - q) <= 1e-14 * scale).all()
    assert f.least_squares(b) == pytest.approx(np.linalg.lstsq(A, b, rcond=None)[0], rel=1e-9)
    assert least_squares(A, b) == pytest.approx(np.linalg.lstsq(A, b, rcond=None)[0], rel=1e-9)
    if m > n:
        N = f.null_space(m)
        assert np.abs(N.T @ N - np.eye(m - n)).max() <= 1e-14
        assert np.abs((A / np.linalg.norm(A, axis=0)).T @ N).max() <= 1e-14


def test_recorded_on_every_executor_with_derivatives():
    m, n = 5, 3
    rng = np.random.default_rng(5)
    A, q = rng.normal(size=(7, m, n)), rng.normal(size=(7, n))

    def equations(A, q):
        x = orthogonal(A).least_norm(q, m)
        return {"x": x, "by_q": jacobian(x, q)}

    graph = record(equations, A=(m, n), q=n)
    pinv = np.linalg.pinv(np.swapaxes(A, 1, 2))
    for executor in ("floats", "blocks", "llvm"):
        found = Program(graph, executor)(A=A, q=q)
        assert np.abs(found["x"] - np.einsum("nij,nj->ni", pinv, q)).max() <= 1e-13
        assert np.abs(found["by_q"] - pinv).max() <= 1e-13


def test_wide_matrices_are_refused():
    with pytest.raises(ValueError, match="at least as many rows as columns"):
        orthogonal(np.ones((2, 3)))
