"""Smoothing: what the penalised spline is, how near its accelerations are, ends included, and how much it smooths."""

import math
from functools import cache

import numpy as np
import pytest

import gough
from tests.motion.recordings import DURATION, KINDS, NOISE, motion, seen, times

SEEDS = range(20)


@cache
def fivebar():
    return gough.load("fivebar")


def smoothed(t, values, smooth="auto"):
    """The motion of a robot with two coordinates through rows (N, 2), and how each column was smoothed."""
    found = gough.Motion.from_samples(fivebar(), gough.State(values, t=t), smooth=smooth)
    return found, found.recording.columns


def beside_rest(column):
    """(N, 2) rows with a second coordinate that stays."""
    return np.column_stack([column, np.zeros(len(column))])


def errors(t, law, truth):
    """Largest error of each column's acceleration at rows and between, relative to its peak."""
    u = np.sort(np.concatenate([t, (t[1:] + t[:-1]) / 2]))
    exact = motion(u)[1]
    return np.abs(law(u).xdd - exact).max(axis=0) / np.abs(truth).max(axis=0)


@pytest.mark.parametrize("kind", KINDS)
def test_accelerations_of_the_stated_case_are_within_5_percent_of_their_peak_ends_included(kind):
    t = times()
    values, truth = motion(t)
    for seed in SEEDS:
        recorded = seen(values, kind, seed)
        law, columns = smoothed(t, recorded)
        assert errors(t, law, truth).max() < 0.05, (kind, seed)
        assert errors(t, smoothed(t, recorded, "none")[0], truth).max() > (0.2 if kind == "filtered" else 1.0)
        for column, sigma in zip(columns, NOISE, strict=True):
            assert 0.7 * sigma < column.noise < 1.1 * sigma
            assert 0.3 < column.period < 2.0


def test_the_kind_of_noise_is_named():
    t = times()
    values, _ = motion(t)
    for kind, name in (("white", "white noise"), ("correlated", "correlated noise"), ("filtered", "correlated noise")):
        for seed in range(5):
            assert {column.by for column in smoothed(t, seen(values, kind, seed))[1]} == {name}


def test_ten_times_the_noise_at_the_ends_and_within():
    """0.2 mm and 0.05 deg: half a second from the ends 2 %, at the ends 15 %: there only one side has rows."""
    t = times()
    values, truth = motion(t)
    inner = slice(50, -50)
    for seed in SEEDS:
        law, _ = smoothed(t, seen(values, "white", seed, 10.0 * NOISE))
        error = np.abs(law(t).xdd - truth) / np.abs(truth).max(axis=0)
        assert error[inner].max() < 0.02
        assert error.max() < 0.15


@pytest.mark.parametrize("rate", [25.0, 100.0, 1000.0])
def test_clean_rows_are_left_alone(rate):
    t = times(rate)
    values, truth = motion(t)
    law, columns = smoothed(t, values)
    assert np.abs(law(t).xdd - truth).max() < 2e-3 * np.abs(truth).max()
    assert columns == (None, None)


@pytest.mark.parametrize("rows", [6, 9, 12, 20, 60])
def test_a_quick_motion_of_few_rows_a_period_is_no_noise(rows):
    t = np.arange(2000) * 0.01
    wave = np.sin(2 * math.pi * t / (0.01 * rows))
    for sigma in (0.0, 1e-4):
        given = wave + sigma * np.random.default_rng(rows).standard_normal(len(t))
        _, (column, _) = smoothed(t, beside_rest(given))
        assert column is None or column.period < 0.01 * rows


def test_steps_of_acceleration_are_no_noise():
    t = times()
    a = np.where(t < 2, 0.5, np.where(t > 8, -0.5, 0.0))
    x = np.where(t < 2, t**2 / 4, np.where(t > 8, 7.0 - (10 - t) ** 2 / 4 + 1.0, 1.0 + (t - 2)))
    law, (column, _) = smoothed(t, beside_rest(x))
    assert column is None
    far = (np.abs(t - 2) > 0.1) & (np.abs(t - 8) > 0.1)
    np.testing.assert_allclose(law(t).xdd[far, 0], a[far], atol=0.01)


def test_a_long_recording_of_many_periods():
    t = np.arange(20_001) * 0.01
    values, truth = motion(t)
    law, columns = smoothed(t, seen(values, "white", 3))
    assert np.abs(law(t).xdd - truth).max() < 0.05 * np.abs(truth).max()
    assert max(column.period for column in columns) < 2.0


def test_noise_alone_has_no_acceleration_to_speak_of():
    t = times()
    law, (column, _) = smoothed(t, beside_rest(2e-4 * np.random.default_rng(0).standard_normal(len(t))))
    assert column.period > 2.0
    assert np.abs(law(t).xdd[100:-100]).max() < 1e-3


def test_a_column_without_motion_stays_as_it_is():
    t = times()
    values = np.column_stack([np.full(len(t), 0.7), seen(motion(t)[0], "white", 1)[:, 0]])
    law, _ = smoothed(t, values)
    at = law(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    np.testing.assert_allclose(x[:, 0], 0.7, rtol=0, atol=1e-14)
    assert np.abs(xd[:, 0]).max() < 1e-12
    assert np.abs(xdd[:, 0]).max() < 1e-10  # round-off of 0.7 over the square of 10 ms, and what a spline makes of it


def test_columns_do_not_depend_on_each_other():
    t = times()
    recorded = seen(motion(t)[0], "white", 5)
    together, columns = smoothed(t, recorded)
    for k in range(2):
        alone, (column, _) = smoothed(t, beside_rest(recorded[:, k]))
        assert (column.period, column.by) == (columns[k].period, columns[k].by)
        assert column.noise == pytest.approx(columns[k].noise, rel=1e-9)
        for order in ("x", "xd", "xdd"):
            found, expected = getattr(together(t), order), getattr(alone(t), order)
            np.testing.assert_allclose(found[:, k], expected[:, 0], rtol=0, atol=1e-9 * np.abs(expected).max())


def test_uneven_rows():
    rng = np.random.default_rng(2)
    t = np.concatenate([[0.0], np.sort(rng.uniform(0, DURATION, 999)), [DURATION]])
    values, truth = motion(t)
    law, _ = smoothed(t, seen(values, "white", 2))
    assert errors(t, law, truth).max() < 0.05


@pytest.mark.parametrize(("period", "kept"), [(1.0, 0.5), (2.0, 1 / (1 + 2.0**-12)), (0.5, 1 / (1 + 2.0**12))])
def test_a_given_period_is_where_the_amplitude_is_halved(period, kept):
    t = np.arange(4001) * 0.01
    wave = np.sin(2 * math.pi * t / period)
    law, (column, _) = smoothed(t, beside_rest(wave), 1.0)
    x = law(t).x[:, 0]
    inner = slice(1500, 2501)
    assert column.period == 1.0
    assert float((x[inner] * wave[inner]).sum() / (wave[inner] ** 2).sum()) == pytest.approx(kept, abs=5e-4)


def test_polynomials_of_degree_5_are_kept_ends_included():
    t = np.sort(np.random.default_rng(0).uniform(0, 3, 80))
    c = np.random.default_rng(1).uniform(-0.05, 0.05, 6)
    poly = np.polynomial.polynomial
    values = beside_rest(poly.polyval(t, c))
    for period in (2.0, 0.4):
        found = smoothed(t, values, period)[0](t).xdd[:, 0]
        np.testing.assert_allclose(found, poly.polyval(t, poly.polyder(c, 2)), rtol=0, atol=5e-11)
