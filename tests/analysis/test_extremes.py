"""Extremes of known functions: between samples, at kinks and jumps, and integrals."""

import numpy as np
import pytest
from numpy.polynomial import chebyshev

from gough.analysis.extremes import extremes, pieces_of, roots, sign_changes


def columns(*functions):
    return lambda t, inside: np.stack([f(t) for f in functions], axis=1)


def test_extremes_of_known_functions():
    function = columns(np.sin, lambda t: np.exp(-200.0 * (t - 1.2345) ** 2), lambda t: 0.0 * t + 3.0)
    low, high = extremes(function, pieces_of(function, [0.0, 2.0, 6.0]))
    assert high[0].value == pytest.approx(1.0, abs=1e-15)
    assert high[0].t == pytest.approx(np.pi / 2, abs=1e-7)
    assert low[0].t == pytest.approx(1.5 * np.pi, abs=1e-7)
    assert high[1].t == pytest.approx(1.2345, abs=1e-8)
    assert low[2].value == high[2].value == 3.0


def test_a_kink_and_a_jump():
    function = columns(lambda t: -np.abs(t - 1 / 3))
    _, high = extremes(function, pieces_of(function, [0.0, 1.0]))
    assert -1e-7 < high[0].value <= 0.0
    jumps = lambda t, inside: (np.where(inside < 0.5, 1.0, -1.0) * (1.0 + t))[:, None]  # noqa: E731
    low, high = extremes(jumps, pieces_of(jumps, [0.0, 0.5, 1.0]))
    assert (low[0].value, high[0].value) == (-2.0, 1.5)


def test_sign_changes_and_integrals():
    function = columns(np.cos, lambda t: t**3)
    pieces = pieces_of(function, [0.0, 5.0])
    assert sign_changes(pieces, 0) == pytest.approx([np.pi / 2, 1.5 * np.pi], abs=1e-13)
    assert pieces.integral() == pytest.approx([np.sin(5.0), 625 / 4], rel=1e-13)


def test_roots_of_many_series_at_once():
    rng = np.random.default_rng(3)
    series = rng.normal(size=(80, 9))
    for row, degree in zip(series, rng.integers(0, 9, 80), strict=True):
        row[degree + 1 :] = 0.0
    series[0], series[1], series[2] = 0.0, np.nan, [-0.3, 1.0] + [0.0] * 7
    which, found = roots(series)
    for k, row in enumerate(series):
        one_by_one = np.empty(0)
        if np.isfinite(row).all() and np.abs(row[1:]).max() > 0.0:
            all_of_them = chebyshev.chebroots(np.trim_zeros(row, "b"))
            one_by_one = all_of_them[(np.abs(all_of_them.imag) < 1e-6) & (np.abs(all_of_them.real) <= 1.0)].real
        assert np.sort(found[which == k]) == pytest.approx(np.sort(one_by_one), abs=1e-12)
