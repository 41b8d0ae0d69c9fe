"""Recorded determinant, pivots and eigenvalues against NumPy's."""

import numpy as np
import pytest

from gough.graph import array, record
from gough.run import Program
from gough.workspaces.matrices import determinant, eigenvalue_range, least_pivot


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_against_numpy(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(500, n, n))

    def equations(A):
        gram = A.T @ A
        low, high = eigenvalue_range(gram)
        return {"det": determinant(A), "pivot": least_pivot(gram, 0.5**2), "ends": array([low, high])}

    found = Program(record(equations, A=(n, n)))(A=A)
    values = np.linalg.svd(A, compute_uv=False)
    assert np.abs(found["det"] - np.linalg.det(A)).max() <= 1e-13 * np.abs(found["det"]).max()
    assert ((found["pivot"] > 0.0) == (values[:, -1] > 0.5)).all()
    assert 0 < (values[:, -1] > 0.5).sum() < 500
    assert np.abs(found["ends"][:, 1] - values[:, 0] ** 2).max() <= 1e-13 * values.max() ** 2
    assert np.abs(found["ends"][:, 0] - values[:, -1] ** 2).max() <= 1e-13 * values.max() ** 2


def test_equal_eigenvalues_and_diagonal_matrices():
    found = Program(record(lambda A: array(eigenvalue_range(A)), A=(3, 3)))
    assert found(A=np.diag([2.0, 2.0, 5.0])) == pytest.approx([2.0, 5.0], abs=1e-15)
