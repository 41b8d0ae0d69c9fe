"""Extremes of known functions: between samples, at kinks and jumps, and integrals."""

import numpy as np
import pytest

from gough.analyse.extremes import extremes, pieces_of, sign_changes


def columns(*functions):
    return lambda t, inside: np.stack([f(t) for f in functions], axis=1)


def test_extremes_of_known_functions():
    function = columns(np.sin, lambda t: np.exp(-200.0 * (t - 1.2345) ** 2), lambda t: 0.0 * t + 3.0)
    low, high = extremes(function, pieces_of(function, [0.0, 2.0, 6.0]))
    assert high[0].value == pytest.approx(1.0, abs=1e-15)
    assert high[0].time == pytest.approx(np.pi / 2, abs=1e-7)
    assert low[0].time == pytest.approx(1.5 * np.pi, abs=1e-7)
    assert high[1].time == pytest.approx(1.2345, abs=1e-8)
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
