"""Recordings: `smooth="auto"` keeps motions without noise as they are, and finds and reduces noise that there is.

Corners, steps and single moves are motion. Signals are drawn on one coordinate of a robot, others stand still.
"""

import json
import math

import numpy as np
import pytest

import gough
from gough.motion.columns import array_columns
from gough.motion.rows import table_motion
from tests.cli.running import outcome
from tests.support import lanes

SEEDS = lanes.size(60, 4)
ROWS_PER_CORNER = 14
"""Of motions without noise: differences of five rows are then free of corners in most places."""
CORNERS_IN_NOISE = 40
"""The same with noise. Noise and corners every few rows look alike: auto states that it cannot distinguish them."""


def ramps(rng, t, corner):
    """Stretches of constant speed with rests between them."""
    count = rng.integers(2, max(3, min(7, len(t) // (2 * corner))))
    knots = np.sort(rng.uniform(0.05, 0.95, 2 * count)) * t[-1]
    return np.interp(t, [0.0, *knots, t[-1]], np.repeat(rng.uniform(-1.0, 1.0, count + 1), 2))


def polyline(rng, t, corner):
    """Straight stretches of one duration."""
    knots = np.linspace(0.0, t[-1], rng.integers(2, max(3, len(t) // corner)) + 1)
    return np.interp(t, knots, rng.uniform(-1.0, 1.0, len(knots)))


def trapezoids(rng, t, corner):
    """Trapezoidal speeds: steps of the acceleration."""
    fine = np.linspace(0.0, t[-1], 20_001)
    count = rng.integers(3, 8)
    knots = np.sort(rng.uniform(0.0, t[-1], 2 * count))
    rate = np.interp(fine, [0.0, *knots, t[-1]], np.repeat(rng.uniform(-1.0, 1.0, count + 1), 2))
    return np.interp(t, fine, np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(fine))]))


def steps(rng, t, corner):
    """Jumps of the value."""
    jumps = np.sort(rng.uniform(0.0, t[-1], rng.integers(1, max(2, min(12, len(t) // corner)))))
    return np.array([0.0, *rng.uniform(-1.0, 1.0, len(jumps))])[np.searchsorted(jumps, t)]


def move(rng, t, corner):
    """One move from rest to rest, by one of four laws."""
    begin = rng.uniform(0.0, 0.5) * t[-1]
    s = np.clip((t - begin) / (rng.uniform(0.1, 0.5) * t[-1]), 0.0, 1.0)
    parabolas = np.where(s < 0.5, 2.0 * s**2, 1.0 - 2.0 * (1.0 - s) ** 2)
    return [s**3 * (10 - 15 * s + 6 * s**2), 0.5 - 0.5 * np.cos(math.pi * s), s, parabolas][rng.integers(4)]


def waves(rng, t, corner):
    """Two sines."""
    turn = 2.0 * math.pi * rng.uniform(0.3, min(10.0, len(t) / 30)) / t[-1] * t
    return np.sin(turn + rng.uniform(0.0, 6.0)) + 0.3 * np.sin(1.7 * turn)


def sweep(rng, t, corner):
    """A sine of growing frequency."""
    last = rng.uniform(2.0, max(3.0, len(t) / 30)) / t[-1]
    return np.sin(2.0 * math.pi * (0.3 / t[-1] * t + 0.5 * last * t**2 / t[-1]))


def limited(rng, t, corner):
    """A sine followed at a limited speed."""
    turn = rng.uniform(0.5, min(4.0, len(t) / (4 * corner))) * 2.0 * math.pi / t[-1]
    return np.cumsum(np.clip(np.cos(turn * t), -0.6, 0.6)) * t[1] * turn


KINDS = {f.__name__: f for f in (ramps, polyline, trapezoids, steps, move, waves, sweep, limited)}


def drawn(kind, seed, fewest, corner):
    """Times (N,) and values (N,) of a motion of range 0.05 m."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    t = np.arange(int(10.0 ** rng.uniform(math.log10(fewest), 3.2))) * 10.0 ** rng.uniform(-3.0, -1.0)
    values = KINDS[kind](rng, t, corner)
    return rng, t, values * (0.05 / (np.ptp(values) or 1.0))


def recording(t, values, smooth):
    """The motion of a robot whose first coordinate has these values."""
    robot = gough.load("delta")
    rows = np.tile(robot.platform.home, (len(t), 1))
    rows[:, 0] += values
    columns = array_columns("arrays", {"t": t, **dict(zip(robot.coordinate_names, rows.T, strict=True))})
    return table_motion(robot, columns, "arrays", smooth=smooth), rows[:, 0]


def column(motion):
    """How the first coordinate was smoothed, or None."""
    return motion.recording.columns[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("round_off", [0.0, 1e-12])
def test_a_motion_without_noise_comes_back_as_it_is(kind, round_off):
    for seed in range(SEEDS):
        rng, t, values = drawn(kind, seed, 40, ROWS_PER_CORNER)
        given = values + round_off * np.abs(values).max() * rng.standard_normal(len(t))
        motion, rows = recording(t, given, "auto")
        assert column(motion) is None, (seed, column(motion))
        np.testing.assert_allclose(motion(t).x[:, 0], rows, rtol=0.0, atol=1e-12)
        assert not recording(t, given, None)[0].recording.open, seed


def test_rows_that_stand_still_come_back_as_they_are():
    t = np.arange(200) * 0.01
    for noise in (0.0, 1e-17):
        motion, rows = recording(t, noise * np.random.default_rng(1).standard_normal(len(t)), "auto")
        assert column(motion) is None
        np.testing.assert_allclose(motion(t).x[:, 0], rows, rtol=0.0, atol=1e-15)


@pytest.mark.parametrize("counts", [60, 400, 4000, 100_000])
@pytest.mark.parametrize("turns", [0.1, 1.0, 5.0])
def test_readings_of_an_encoder_come_back_within_one_count(counts, turns):
    t = np.arange(1001) * 0.01
    values = 0.05 * np.sin(turns * t)
    step = 0.1 / counts
    read = np.round(values / step) * step
    motion, rows = recording(t, read, "auto")
    assert np.abs(motion(t).x[:, 0] - rows).max() <= step


@pytest.mark.parametrize("counts", [60, 100])
def test_readings_of_a_slow_encoder_are_smoothed_to_a_tenth_of_a_count(counts):
    """Most rows repeat the one before: steps of one count between them are rounding, and no motion."""
    t = np.arange(2001) * 0.001
    values = 0.05 * np.cos(0.6 * math.pi * t + 0.3)
    step = 0.1 / counts
    motion, rows = recording(t, np.round(values / step) * step, "auto")
    error = motion(t).x[:, 0] - rows + np.round(values / step) * step - values
    assert np.abs(error).max() <= 0.1 * step


@pytest.mark.parametrize("kind", KINDS)
def test_white_noise_is_reduced_nearly_as_far_as_the_best_period_does(kind):
    """Within twice the error of the best of many periods, or of none; the noise is known within a factor of two."""
    for seed in range(SEEDS):
        rng, t, values = drawn(kind, seed, 200, CORNERS_IN_NOISE)
        sigma = 0.05 * 10.0 ** rng.uniform(-4.0, -2.0)
        error = sigma * rng.standard_normal(len(t))
        motion, rows = recording(t, values + error, "auto")
        exact = rows - error
        left = deviation(motion, t, exact)
        periods = t[-1] * 2.0 ** -np.arange(0.0, math.log2(len(t) / 4), 0.5)
        tried = [deviation(recording(t, values + error, float(period))[0], t, exact) for period in periods]
        assert left <= 2.0 * min(*tried, error.std()), (seed, sigma, column(motion))
        if column(motion) is not None:
            assert 0.5 * sigma <= column(motion).noise <= 2.0 * sigma, (seed, sigma, column(motion))


def deviation(motion, t, exact):
    return float(np.sqrt(((motion(t).x[:, 0] - exact) ** 2).mean()))


@pytest.mark.parametrize("kind", ["waves", "move"])
def test_white_noise_on_a_smooth_motion_is_found_and_reported(kind):
    for seed in range(SEEDS):
        rng, t, values = drawn(kind, seed, 300, CORNERS_IN_NOISE)
        values = 0.05 * np.sin(4.0 * math.pi * t / t[-1]) if kind == "move" else values
        motion, _ = recording(t, values + 5e-5 * rng.standard_normal(len(t)), None)
        assert motion.recording.open
        assert 3.3e-5 < column(motion).noise < 7.5e-5


@pytest.mark.parametrize("kind", ["waves", "move"])
def test_white_noise_that_decides_forces_is_refused(kind):
    rng, t, values = drawn(kind, 0, 300, CORNERS_IN_NOISE)
    values = 0.05 * np.sin(4.0 * math.pi * t / t[-1]) if kind == "move" else values
    rows = np.tile(gough.load("delta").home, (len(t), 1))
    rows[:, 0] += values + 5e-5 * rng.standard_normal(len(t))
    with pytest.raises(gough.MotionError, match=r"noise of about 0\.0\d+ mm in x dominates its accelerations"):
        gough.Motion.from_samples(gough.load("delta"), gough.State(rows, t=t))


def test_the_command_keeps_a_tilt_of_limited_rate(tmp_path, capsys):
    """Up by 26 deg at 20 deg/s, a rest, and back: corners, and no noise."""
    t = np.arange(0.0, 8.0, 0.05)
    tilt = np.interp(t, [0.0, 1.0, 2.3, 4.0, 5.3, 8.0], [0.0, 0.0, 26.0, 26.0, 0.0, 0.0])
    file = tmp_path / "tilt.csv"
    file.write_text("t,phi [deg]\n" + "".join(f"{a:.3f},{b:.6f}\n" for a, b in zip(t, tilt, strict=True)))
    words = ("check", "stewart", "--motion", str(file), "--hold-missing")
    for smooth in ((), ("--smooth", "auto")):
        _, out, err = outcome(capsys, *words, *smooth, "--limit", "force=1e6", "--format", "json")
        assert "noise" not in err
        assert json.loads(out)["robot"] == "stewart"
    motion = gough.Motion.read_csv(gough.load("stewart"), file, gough.CsvLayout(hold_missing=True), smooth="auto")
    turned = np.degrees(motion(t).x[:, 5])
    np.testing.assert_allclose(np.ptp(turned), 26.0, rtol=1e-6)
