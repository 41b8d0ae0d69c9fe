"""The recorded condition number against LAPACK's singular values."""

from __future__ import annotations

import numpy as np
import pytest

from gough.graph import Step, iterate, record
from gough.kinematics.recorded_condition import condition_program
from gough.run import Program


@pytest.mark.parametrize(("m", "n"), [(6, 6), (8, 6), (3, 3), (4, 3), (2, 2), (1, 1), (4, 1)])
def test_against_singular_values(m, n):
    rng = np.random.default_rng(m * n)
    K = rng.normal(size=(200, m, n))
    K[:, :, -1] *= 10.0 ** rng.uniform(-7, 0, (200, 1))
    values = np.linalg.svd(K, compute_uv=False)
    want = values[:, 0] / values[:, -1]
    got = condition_program(m, n)(K=K)
    assert np.all(np.abs(got / want - 1.0) < 1e-14 * want)  # LAPACK's least value is known to round-off of the largest


def test_a_column_of_zeros_is_singular():
    assert np.isinf(condition_program(2, 1)(K=np.zeros((1, 2, 1)))).all()


def test_no_step_where_none_is_wanted():
    graph = record(
        lambda x: iterate(lambda u: Step(u + 1.0, u[0] < 3.0, u[0] >= 3.0), x[:1], 10, wanted=x[1] > 0.0).state, x=2
    )
    found = Program(graph)(x=np.array([[0.0, 1.0], [0.0, -1.0]]))
    np.testing.assert_array_equal(np.ravel(found), [4.0, 0.0])
