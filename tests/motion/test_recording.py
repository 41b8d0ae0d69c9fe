"""Recordings: what is smoothed and what is left alone, headers with units, values that count from home."""

import math
from functools import cache

import numpy as np
import pytest

import gough
from gough import CsvLayout, Motion, MotionError, State
from gough.cli.motion_options import MotionOptions
from gough.errors import GoughWarning
from gough.motion.files import read_motion, read_waypoints
from tests.motion.recordings import KINDS, NOISE, motion, seen, times


@cache
def spatial3():
    return gough.load("spatial3")


def rows(kind="white", seed=0, scale=1.0):
    """Times and values (N, 3) of y, z, theta; z stays at home."""
    t = times()
    recorded = seen(motion(t)[0], kind, seed, scale * NOISE)
    return t, np.column_stack([recorded[:, 0], np.zeros(len(t)), recorded[:, 1]])


def file(path, header, t, x):
    lines = [",".join(map(repr, row)) for row in np.column_stack([t, x]).tolist()]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


HEADER, RATES = "t,y,z,theta", "t,y,z,theta,xd_y,xd_z,xd_theta"


def as_given(path, t, *columns):
    """The motion through rows as they are, for what takes no forces: noise then decides nothing."""
    return read_motion(
        spatial3(), file(path, RATES if len(columns) > 1 else HEADER, t, np.hstack(columns)), forces=False
    )


def test_clean_rows_are_interpolated_exactly_whatever_is_asked():
    t, x = rows("none")
    plain = Motion.from_samples(spatial3(), State(x, t=t), smooth="none")
    for smooth in (None, "auto"):
        found = Motion.from_samples(spatial3(), State(x, t=t), smooth=smooth)
        assert found.law == plain.law
        assert not found.recording.open
        np.testing.assert_allclose(found(t).x, x, rtol=0, atol=1e-15)
    assert (
        Motion.from_samples(spatial3(), State(x, t=t), smooth="auto").smoothing
        == "Not smoothed (auto): no noise that matters."
    )


@pytest.mark.parametrize("kind", KINDS)
def test_noisy_rows_are_found_noisy(tmp_path, kind):
    t, x = rows(kind)
    if kind in ("white", "quantised"):
        with pytest.raises(MotionError, match=r"noise of about .* dominates its accelerations"):
            Motion.from_samples(spatial3(), State(x, t=t))
    else:
        with pytest.warns(GoughWarning, match="noise of its rows changes forces by up to") as caught:
            assert Motion.from_samples(spatial3(), State(x, t=t)).recording.open
        assert [warning.filename for warning in caught] == [__file__]
    found = as_given(tmp_path / "a.csv", t, x)
    assert found.recording.open
    np.testing.assert_allclose(found(t).x, x, rtol=0, atol=1e-14)
    assert [column is None for column in found.recording.columns] == [False, True, False]
    assert found.smoothing == ""
    smoothed = Motion.from_samples(spatial3(), State(x, t=t), smooth="auto")
    assert not smoothed.recording.open
    assert smoothed.law == found.recording.smoothed
    assert smoothed.recording.columns == found.recording.columns


def test_rounding_to_a_micrometre_at_a_kilohertz_is_noise(tmp_path):
    t = times(1000.0)
    values = motion(t)[0]
    x = np.column_stack([np.round(values[:, 0], 6), 0 * t, np.round(values[:, 1], 6)])
    assert as_given(tmp_path / "a.csv", t, x).recording.open
    with pytest.raises(MotionError, match="dominates its accelerations"):
        Motion.from_samples(spatial3(), State(x, t=t))


def test_rows_with_accelerations_are_not_looked_at():
    t, x = rows("none")
    plain = Motion.from_samples(spatial3(), State(x, t=t))
    at = plain(t)
    xd, xdd = at.xd, at.xdd
    given = Motion.from_samples(
        spatial3(), State(x, xd, xdd + [0.05, 0, 0.05] * np.random.default_rng(0).standard_normal(xdd.shape), t=t)
    )
    assert not given.recording.open
    with pytest.raises(MotionError, match="has accelerations of its own"):
        Motion.from_samples(spatial3(), State(x, xd, xdd, t=t), smooth="auto")


def test_noisy_rates_are_noise_too(tmp_path):
    t, x = rows("none")
    xd = Motion.from_samples(spatial3(), State(x, t=t))(t).xd
    noise = [5e-3, 0, 5e-3] * np.random.default_rng(0).standard_normal(xd.shape)
    assert not Motion.from_samples(spatial3(), State(x, xd, t=t)).recording.open
    for values in (x, x + 1e-3 * noise):
        found = Motion.from_samples(spatial3(), State(values, xd + noise, t=t), smooth="auto")
        assert as_given(tmp_path / "a.csv", t, values, xd + noise).recording.open
        with pytest.raises(MotionError, match="dominates its accelerations"):
            Motion.from_samples(spatial3(), State(values, xd + noise, t=t))
        np.testing.assert_allclose(found(t).xd[100:-100], xd[100:-100], rtol=0, atol=1e-3)


def test_waypoints_are_gone_through_but_noisy_ones_are_refused(tmp_path):
    t, x = rows()
    found = read_waypoints(spatial3(), file(tmp_path / "way.csv", HEADER, t, x), forces=False)
    assert found.recording.open
    assert found.rows is None
    plain = Motion.through(spatial3(), t, x, smooth="none")
    assert not plain.recording.open
    assert plain.law == found.law
    for make in (
        lambda: Motion.through(spatial3(), t, x),
        lambda: Motion.read_waypoints(spatial3(), tmp_path / "way.csv"),
    ):
        with pytest.raises(MotionError, match="dominates its accelerations"):
            make()
    with pytest.raises(MotionError, match="smooth: cannot go with waypoints"):
        Motion.through(spatial3(), t, x, smooth="auto")


def test_columns_without_noise_stay_exact_beside_smoothed_ones():
    t, x = rows()
    x[:, 1] = 0.05 * np.sin(t)
    found = Motion.from_samples(spatial3(), State(x, t=t), smooth="auto")
    plain = Motion.from_samples(spatial3(), State(x, t=t), smooth="none")
    u = np.linspace(0, 10, 777)
    for a, b in zip(found.law(u), plain.law(u), strict=True):
        np.testing.assert_array_equal(a[:, 1], b[:, 1])
    points = np.array(found.breakpoints)
    assert np.diff(points).min() > 1e-9
    assert set(t[3:-3]) <= set(points)


def test_a_period_smooths_every_column_that_moves():
    t, x = rows()
    found = Motion.from_samples(spatial3(), State(x, t=t), smooth=0.4)
    assert [column and (column.period, column.by) for column in found.recording.columns] == [
        (0.4, "period given"),
        None,
        (0.4, "period given"),
    ]
    assert "Smoothed (0.4 s)" in found.smoothing
    assert found.recording.to_dict(found.coordinates)["smoothed"]["y"]["cutoff_period"] == 0.4


def test_few_rows_cannot_be_smoothed_nor_told_noisy():
    t = np.linspace(0, 1, 15)
    x = np.random.default_rng(0).uniform(-0.1, 0.1, (15, 3))
    assert not Motion.from_samples(spatial3(), State(x, t=t)).recording.open
    with pytest.raises(MotionError, match="has 15 rows: smoothing needs at least 20"):
        Motion.from_samples(spatial3(), State(x, t=t), smooth="auto")


@pytest.mark.parametrize(
    ("smooth", "line"),
    [
        ("much", 'smooth: "much": must be auto, none, or a cut-off period in seconds, e.g. 0.2'),
        (-1.0, "must be auto, none, or a cut-off period"),
        (math.nan, "must be auto, none, or a cut-off period"),
        (0.001, "smooth 0.001 s: arrays: must be from 0.02 s, two rows, to 40 s"),
        ("50s", "smooth 50 s: arrays: must be from 0.02 s, two rows, to 40 s"),
    ],
)
def test_what_smooth_may_be(smooth, line):
    t, x = rows()
    noisy = State(x, t=t)
    with pytest.raises(MotionError) as error:
        Motion.from_samples(spatial3(), noisy, smooth=smooth)
    assert line in str(error.value)


def test_a_period_may_carry_its_unit(tmp_path):
    t, x = rows()
    path = file(tmp_path / "m.csv", "t,y,z,theta", t, x)
    one, other = (Motion.read_csv(spatial3(), path, smooth=text) for text in (0.4, "400 ms"))
    assert one.law == other.law
    assert MotionOptions(motion=str(path), smooth="0.4").on(spatial3()).law == one.law
    path = file(tmp_path / "ms.csv", "t [ms],y,z,theta", 1e3 * t, x)
    in_ms = Motion.read_csv(spatial3(), path, CsvLayout("ms"), smooth="400")
    assert [column and column.period for column in in_ms.recording.columns] == [0.4, None, 0.4]


@pytest.mark.parametrize("header", ["time,y,z,theta", "Time [s],y [m],z (m),theta [rad]", "t ( s ),y,z,theta"])
def test_headers_may_carry_units(tmp_path, header):
    t, x = rows("none")
    assert (
        Motion.read_csv(spatial3(), file(tmp_path / "a.csv", header, t, x)).law
        == Motion.from_samples(spatial3(), State(x, t=t)).law
    )


def test_units_of_headers_win_over_those_stated(tmp_path):
    t, x = rows("none")
    path = file(tmp_path / "a.csv", "t [ms],y [mm],z,theta (°)", t * 1e3, x * [1e3, 1e2, 180 / math.pi])
    found, expected = (
        Motion.read_csv(spatial3(), path, CsvLayout(units="cm,rad")),
        Motion.from_samples(spatial3(), State(x, t=t)),
    )
    for a, b in zip(found.law(t), expected.law(t), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)


def test_units_of_rates_and_wrenches_in_headers(tmp_path):
    t, x = rows("none")
    at = Motion.from_samples(spatial3(), State(x, t=t))(t)
    xd, xdd = at.xd, at.xdd
    header = "t,y [mm],z,theta,xd_y [mm/s],xd_z,xd_theta [deg/s],xdd_y [mm/s^2],xdd_z,xdd_theta,fz [kN],mx [N mm]"
    scale = [1e3, 1, 1, 1e3, 1, 180 / math.pi, 1e3, 1, 1, 1e-3, 1e3]
    load = np.column_stack([t, 2 * t])
    path = file(tmp_path / "a.csv", header, t, np.hstack([x, xd, xdd, load]) * scale)
    found, expected = Motion.read_csv(spatial3(), path), Motion.from_samples(spatial3(), State(x, xd, xdd, t=t))
    for a, b in zip(found.law(t), expected.law(t), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.wrench(1.0), [0, 0, 1, 2, 0, 0], rtol=1e-12)


def test_values_may_count_from_home(tmp_path):
    robot = gough.load("stewart")
    home = np.array(robot.platform.home)
    assert np.abs(home).max() > 1.0
    t = np.linspace(0, 1, 30)
    x = home + np.column_stack([0.1 * np.sin(t + k) for k in range(6)])
    header = "t,x [mm],y [mm],z [mm],psi,theta,phi"
    path = file(tmp_path / "a.csv", header, t, (x - home) * [1e3, 1e3, 1e3, 1, 1, 1])
    found = Motion.read_csv(robot, path, CsvLayout(relative=True))
    np.testing.assert_allclose(found(t).x, x, rtol=0, atol=1e-14)
    assert "relative" not in str(found.name)


def test_rows_of_a_file_are_those_of_its_motion(tmp_path):
    t, x = rows("none")
    found = Motion.read_csv(spatial3(), file(tmp_path / "a.csv", "t,y,z,theta", t, x))
    np.testing.assert_array_equal(found.rows, t)
    result = gough.inverse_dynamics(spatial3(), found.sample())
    np.testing.assert_array_equal(result.t, t)
    assert len(gough.inverse_dynamics(spatial3(), found.sample(7)).t) == 7
