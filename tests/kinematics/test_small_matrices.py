"""Recorded determinant, pivots, eigenvalues and singular values against NumPy's."""

import numpy as np
import pytest

from gough.graph import array, record
from gough.kinematics.small_matrices import determinant, eigenvalue_range, least_pivot, least_singular_value
from gough.run import Program


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


@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (6, 6)])
def test_least_singular_values(shape):
    """Also where they are 1e-12 of the largest one; NaN in one matrix leaves the others alone."""
    rng = np.random.default_rng(shape[0])
    A = rng.normal(size=(400, *shape))
    U, s, V = np.linalg.svd(A[:100], full_matrices=False)
    s[:, -1] *= 1e-12
    A[:100] = (U * s[:, None]) @ V
    A[7, 0, 0], A[8] = np.inf, 0.0
    found = Program(record(lambda A: {"least": least_singular_value(A)}, A=shape))(A=A)["least"]
    assert np.isnan(found[7])
    assert found[8] == 0.0
    rest = np.delete(np.arange(400), 7)
    values = np.linalg.svd(A[rest], compute_uv=False)
    assert np.abs(found[rest] - values[:, -1]).max() <= 1e-14 * values.max()
