"""Extremes of known functions: between samples, at kinks and jumps, and integrals."""

import numpy as np
import pytest
from numpy.polynomial import chebyshev

from gough import Motion, load
from gough.analysis import check
from gough.analysis.along_motion import Path
from gough.analysis.check import edges_of
from gough.analysis.extremes import Extreme, extremes, farther, first_largest, peaks, pieces_of, roots, sign_changes


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


def test_equal_extremes_are_told_when_first_whatever_round_off_says():
    wave = lambda t: np.sin(2.0 * np.pi * t) * (1.0 + 1e-15 * t)  # noqa: E731
    function = columns(wave, lambda t: -wave(t), lambda t: 0.0 * t + 3.0)
    low, high = extremes(function, pieces_of(function, [0.0, 1.0, 2.5, 4.0]))
    assert [e.t for e in high] == pytest.approx([0.25, 0.75, 0.0], abs=1e-5)
    assert [e.t for e in low] == pytest.approx([0.75, 0.25, 0.0], abs=1e-5)
    assert farther(low[0], high[0]) == high[0]
    assert farther(Extreme(-1.0, 0.1), Extreme(1.0 + 1e-15, 0.3)) == Extreme(-1.0, 0.1)
    assert farther(Extreme(-1.0, 0.1), Extreme(1.0 + 1e-9, 0.3)) == Extreme(1.0 + 1e-9, 0.3)


def test_the_first_of_equal_peaks_of_samples():
    values = np.array([[1.0, np.nan], [-3.0, np.nan], [3.0 + 1e-15, np.nan]])
    np.testing.assert_array_equal(peaks(values), [-3.0, np.nan])
    assert first_largest(np.array([2.0, 5.0 - 1e-15, 5.0, np.nan]), np.array([0.0, 2.0, 1.0, 0.0])) == 2
    assert first_largest(np.array([np.nan, np.nan]), np.array([0.0, 1.0])) == 0


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


def test_a_quantity_that_is_all_round_off_is_not_resolved():
    """Parasitic motion of a machine that has none: without a floor it was halved into eight million pieces."""

    def noise(t, _inside):
        return 1e-17 * np.sin(1e9 * t)[:, None] ** 3

    pieces = pieces_of(noise, [0.0, 1.0], floor=1e-3)
    assert len(pieces.begin) == 4
    _, (high,) = extremes(noise, pieces)
    assert 0.0 < high.value <= 1e-17


def test_a_floor_below_a_quantity_changes_nothing():
    def wave(t, _inside):
        return np.sin(9.0 * t)[:, None]

    usual, floored = (pieces_of(wave, [0.0, 1.0], floor=floor) for floor in (0.0, 1e-3))
    assert np.array_equal(usual.coefficients, floored.coefficients)


def test_an_actuator_that_stands_still_among_others_is_not_resolved(monkeypatch):
    """A roll about an axis through a leg's end: its rate is round-off, which was halved into eight million pieces."""
    robot = load("stewart")
    path = Path(robot, Motion.to(robot, [0, 0, 2, 0, 0.6, -0.2], 1.0, start=[0, 0, 2, 0, 0.6, 0]))
    still = np.abs(path.drive(np.linspace(0.0, 1.0, 50), np.linspace(0.0, 1.0, 50))["qd"]).max(axis=0)
    assert 0.0 < still.min() < 1e-15 < 1e-2 < still.max()
    monkeypatch.setattr("gough.analysis.extremes.SHORTEST", 1e-4)  # what fails then fails soon
    pieces = pieces_of(lambda t, inside: path.drive(t, inside)["qd"], [0.0, 1.0], kinds=["qd"] * 6)
    assert len(pieces.begin) <= 64
    assert len(edges_of(path)) == 2
    result = check(robot, path.motion, {"speed": 9.0, "force": 1e6})
    assert result.fits
