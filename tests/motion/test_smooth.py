"""Curves inside: the matrix from rows to smoothed values, the roughness, and the pieces at their knots."""

import math

import numpy as np
import pytest

from gough.motion.curves import Pieces
from gough.motion.smooth import basis, smooth_auto, weight
from tests.motion.recordings import motion, seen, times


def test_degrees_of_freedom_are_the_trace_of_the_matrix_from_rows_to_values():
    t = np.sort(np.random.default_rng(4).uniform(0, 1, 60))
    used = basis(t, np.eye(60), 16)
    for period in (0.1, 0.25, 1.0):
        found, freedom = used.fit(weight(period, 1 / 59))
        hat = used.at_rows(found)
        assert freedom == pytest.approx(np.trace(hat), abs=1e-4)
        np.testing.assert_allclose(hat, hat.T, rtol=0, atol=3e-13)  # 1.02e-13 by another processor


def test_roughness_is_the_integral_of_the_square_of_the_sixth_derivative():
    t = np.linspace(0, 2, 40)
    used = basis(t, np.zeros((40, 1)), 8)
    coefficients = np.random.default_rng(5).standard_normal((15, 1))
    p = used.polynomials(coefficients)[:, :, 0]
    sixth = np.stack([720 * p[6], 5040 * p[7]])
    h = used.cell
    integral = (sixth[0] ** 2 * h + sixth[0] * sixth[1] * h**2 + sixth[1] ** 2 * h**3 / 3).sum()
    assert used.bending(coefficients)[0] == pytest.approx(integral, rel=1e-9)


def test_smoothing_is_six_times_continuously_differentiable_at_knots():
    t = times()
    law, _ = smooth_auto(t, seen(motion(t)[0], "white", 7))
    c, h = law.coefficients, np.diff(law.knots)[0]
    for order in range(7):
        factor = [math.perm(j, order) for j in range(8)]
        left = sum(factor[j] * c[j, :-1] * h ** (j - order) for j in range(order, 8))
        right = factor[order] * c[order, 1:]
        assert np.abs(left - right).max() < 1e-6 * np.abs(right).max()


def test_a_column_without_motion_stays_as_it_is():
    t = times()
    values = np.column_stack([np.full(len(t), 0.7), seen(motion(t)[0], "white", 1)[:, 0]])
    x, xd, xdd = smooth_auto(t, values)[0](t)
    np.testing.assert_allclose(x[:, 0], 0.7, rtol=0, atol=1e-14)
    assert max(np.abs(xd[:, 0]).max(), np.abs(xdd[:, 0]).max()) < 1e-12


def test_beyond_pieces_the_piece_to_the_right_counts():
    pieces = Pieces(np.array([0.0, 1.0, 2.0]), np.array([[[0.0], [5.0]]]))
    assert pieces(np.array([0.0, 0.999, 1.0, 2.0]))[0].ravel().tolist() == [0, 0, 5, 5]
