"""CSV files that are good: what they may look like, units, wraps, round trips."""

import math
from functools import cache

import numpy as np
import pytest

import gough
from gough import (
    CsvLayout,
    Motion,
    MotionError,
    State,
    catalogue,
    motions,
)
from gough.cli.motion_options import MotionOptions
from gough.errors import GoughWarning


@cache
def spatial3():
    return gough.load("spatial3")


@cache
def paper():
    return Motion.named(spatial3(), "paper")


def read(tmp_path, text, **layout):
    (tmp_path / "motion.csv").write_text(text, encoding="utf-8")
    return Motion.read_csv(spatial3(), tmp_path / "motion.csv", CsvLayout(**layout))


def rows(t, x, header="t,y,z,theta"):
    lines = [
        ",".join(map(repr, [time, *row]))
        for time, row in zip(np.asarray(t).tolist(), np.asarray(x).tolist(), strict=True)
    ]
    return "\n".join([header, *lines]) + "\n"


@pytest.mark.parametrize("name", catalogue())
def test_round_trip_of_every_named_motion(name, tmp_path):
    robot = gough.load(name)
    for motion in motions(robot):
        s = Motion.named(robot, motion).sample(121)
        (tmp_path / "motion.csv").write_text(s.to_csv())
        back = Motion.read_csv(robot, tmp_path / "motion.csv")
        again = back.sample(s.t)
        np.testing.assert_array_equal(again.t, s.t)
        for found, expected in ((again.x, s.x), (again.xd, s.xd), (again.xdd, s.xdd)):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * (1 + np.abs(expected).max()))
        assert (again.wrench is None) == (s.wrench is None)
        if s.wrench is not None:
            np.testing.assert_allclose(again.wrench, s.wrench, rtol=0, atol=1e-12)
        assert back.breakpoints == tuple(s.t.tolist())
        assert back.name == "motion.csv"


def test_files_and_arrays_are_the_same_motion(tmp_path):
    s = paper().sample(33)
    motion = read(tmp_path, rows(s.t, s.x))
    assert motion.law == Motion.from_samples(spatial3(), State(s.x, t=s.t)).law
    (tmp_path / "way.csv").write_text(rows(s.t, s.x))
    assert Motion.read_waypoints(spatial3(), tmp_path / "way.csv").law == Motion.through(spatial3(), s.t, s.x).law
    assert Motion.read_csv(spatial3(), str(tmp_path / "motion.csv")) == motion
    assert MotionOptions(motion=str(tmp_path / "motion.csv")).on(spatial3()) == motion
    way = MotionOptions(waypoints=str(tmp_path / "way.csv")).on(spatial3())
    assert way.law == Motion.through(spatial3(), s.t, s.x).law


def test_layout_is_free(tmp_path):
    s = paper().sample(9)
    plain = rows(s.t, s.x)
    expected = read(tmp_path, plain).law
    shuffled = rows(s.x[:, 2], np.column_stack([s.x[:, 0], s.t, s.x[:, 1]]), "theta,y,t,z")
    for text in (
        "\ufeff" + plain,
        plain.replace("\n", "\r\n"),
        plain.replace(",", " , "),
        "# made by hand\n\n" + plain.replace("\n", "\n  # remark\n\n"),
        plain.rstrip("\n"),
        '"t","y","z","theta"' + plain[11:],
        shuffled,
        plain.replace(",", ";"),
        plain.replace(",", "\t"),
        plain.replace(",", ";").replace(".", ","),
        plain.replace(",", " \t").replace(".", ","),
    ):
        assert read(tmp_path, text).law == expected


def test_units(tmp_path):
    t = np.linspace(0, 1, 12)
    at = paper()(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    wrench = np.column_stack([t, 2 * t])
    header = "t,y,z,theta,xd_y,xd_z,xd_theta,xdd_y,xdd_z,xdd_theta,fx,mz"
    si = np.hstack([x, xd, xdd, wrench])
    scale = [1e3, 1e3, 180 / math.pi] * 3
    expected = read(tmp_path, rows(t.tolist(), si, header))
    for units in ("", "m,rad"):
        assert read(tmp_path, rows(t.tolist(), si, header), units=units).law == expected.law
    for units, forces in (("mm,deg,ms", [1, 1e3]), ("mm,deg,ms,kN", [1e-3, 1]), ("ms, deg ,mm, kN, N mm", [1e-3, 1e3])):
        motion = read(tmp_path, rows((1000 * t).tolist(), si * [*scale, *forces], header), units=units)
        assert motion.end == 1.0
        for found, value in zip(motion.law(np.array([0.37])), expected.law(np.array([0.37])), strict=True):
            np.testing.assert_allclose(found, value, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(motion.wrench(0.37), [0.37, 0, 0, 0, 0, 0.74], rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 2 * math.pi, -4 * math.pi])
def test_wrapped_angles_are_unwrapped(tmp_path, offset):
    t = np.linspace(0, 1, 60)
    angle = 20 * t + offset
    wrapped = (angle + math.pi) % (2 * math.pi) - math.pi
    at = read(tmp_path, rows(t.tolist(), np.column_stack([0 * t, 0 * t, wrapped])))(t)
    x, xd = at.x, at.xd
    np.testing.assert_allclose(x[:, 2], 20 * t, rtol=0, atol=1e-12)
    np.testing.assert_allclose(xd[:, 2], 20, rtol=1e-9)


def test_a_turn_of_half_a_turn_is_no_wrap(tmp_path):
    motion = read(tmp_path, "t,y,z,theta\n0,0,0,0\n1,0,0,3.1415\n")
    assert motion(1.0).x[2] == pytest.approx(3.1415, abs=1e-15)


def test_sliding_coordinates_do_not_wrap(tmp_path):
    assert read(tmp_path, "t,y,z,theta\n0,0,0,0\n1,6.28,0,0\n")(1.0).x[0] == pytest.approx(6.28, abs=1e-14)


def test_missing_coordinates_stay_at_home_if_asked(tmp_path):
    robot = gough.load("stewart")
    (tmp_path / "lift.csv").write_text("t,z,xd_z,xdd_z\n0,2,0,0\n1,2.2,0,0\n")
    motion = Motion.read_csv(robot, tmp_path / "lift.csv", CsvLayout(hold_missing=True))
    at = motion(0.5)
    x, xd = at.x, at.xd
    np.testing.assert_allclose(x, [0, 0, 2.1, 0, 0, 0], atol=1e-15)
    assert xd[2] > 0
    assert motion(1.0).x.tolist() == pytest.approx([0, 0, 2.2, 0, 0, 0])


def test_some_wrench_columns_are_enough(tmp_path):
    motion = read(tmp_path, "t,fz,y,z,theta\n0,1,0,0,0\n1,3,0,0,0\n2,2,0,0,0\n")
    assert motion.wrench([0.5, 1.5]).tolist() == [[0, 0, 2, 0, 0, 0], [0, 0, 2.5, 0, 0, 0]]
    assert motion.breakpoints == (0.0, 1.0, 2.0)


def test_a_motion_may_start_at_any_time(tmp_path):
    s = paper().sample(20)
    motion = read(tmp_path, rows((s.t + 100).tolist(), s.x))
    assert (motion.start, motion.end) == (100.0, 101.0)
    np.testing.assert_allclose(motion(100.5).x, read(tmp_path, rows(s.t, s.x))(0.5).x, atol=1e-12)


@pytest.mark.parametrize("n", [5, 6, 8, 11, 16, 24, 50, 400])
def test_true_rates_are_never_refused(n):
    for name in ("stewart", "hexapod", "spatial3", "rotary", "planar3rrr"):
        robot = gough.load(name)
        for motion in motions(robot):
            s = Motion.named(robot, motion).sample(n)
            Motion.from_samples(robot, State(s.x, s.xd, s.xdd, t=s.t))


def test_trapezoidal_speeds_are_not_refused():
    t = np.linspace(0, 1, 101)
    a = np.where(t < 0.2, 1.0, np.where(t > 0.8, -1.0, 0.0))
    v = np.where(t < 0.2, t, np.where(t > 0.8, 1 - t, 0.2))
    x = np.where(t < 0.2, t**2 / 2, np.where(t > 0.8, 0.14 + 0.02 - (1 - t) ** 2 / 2, 0.02 + 0.2 * (t - 0.2)))
    columns = [np.column_stack([c, 0 * c, 0 * c]) for c in (x, v, a)]
    assert Motion.from_samples(spatial3(), State(*columns, t=t)).end == 1.0


def test_rounded_columns_are_not_refused():
    s = paper().sample(1001)
    Motion.from_samples(spatial3(), State(*(np.round(a, 6) for a in (s.x, s.xd, s.xdd)), t=s.t))


def test_uneven_rows_are_no_gap(tmp_path):
    t = np.cumsum(np.tile([0.1, 0.2, 0.15, 0.4], 5))
    motion = read(tmp_path, rows(t.tolist(), np.column_stack([0.01 * t, 0 * t, 0 * t])))
    np.testing.assert_allclose(motion(t).x[:, 0], 0.01 * t, rtol=0, atol=1e-15)


def test_short_gaps_are_bridged_with_a_warning(tmp_path):
    t = np.linspace(0.0, 2.0, 201)
    x = np.column_stack([0.1 * np.sin(3 * t), 0.05 * np.cos(2 * t), 0 * t])
    for lost, told in (([50], "a row is missing before it"), ([50, 51, 120], "3 rows are missing before it and later")):
        with pytest.warns(gough.GoughWarning) as caught:
            motion = read(tmp_path, rows(np.delete(t, lost), np.delete(x, lost, axis=0)))
        line = f"{tmp_path / 'motion.csv'}:52: {told}: bridged by the curve through the others"
        assert [str(w.message) for w in caught] == [line]
        at = motion(t)
        xd, xdd = at.xd, at.xdd
        np.testing.assert_allclose(xdd[:, 0], -0.9 * np.sin(3 * t), rtol=0, atol=1e-5)
        np.testing.assert_allclose(xd[:, 1], -0.1 * np.sin(2 * t), rtol=0, atol=1e-8)
    with pytest.raises(gough.InputError, match=r"motion.csv:52: t: 0.53: comes 0.04 s after the row before"):
        read(tmp_path, rows(np.delete(t, [50, 51, 52]), np.delete(x, [50, 51, 52], axis=0)))


def recording_with_a_gap(tmp_path, seconds, noise=0.0):
    """A file of 6 s at 100 rows a second, none of them from 3 s on for so long; the true curve is `swing`."""
    t = np.arange(0.0, 6.0, 0.01)
    t = t[(t < 3.0 - 1e-9) | (t > 2.99 + seconds - 1e-9)]
    x = swing(t) + noise * np.random.default_rng(3).normal(size=t.size)
    path = tmp_path / "flight.csv"
    path.write_text(rows(t.tolist(), np.column_stack([x, 0 * x, 0 * x])))
    return path


def swing(t):
    return 0.12 * np.sin(0.8 * np.pi * t) + 0.03 * np.sin(2.2 * np.pi * t + 1)


@pytest.mark.parametrize(("noise", "smooth", "near"), [(0.0, None, 5e-6), (5e-5, "auto", 2e-4)])
def test_a_longer_gap_is_bridged_where_that_is_asked_for(tmp_path, noise, smooth, near):
    path = recording_with_a_gap(tmp_path, 0.2, noise)
    with pytest.warns(gough.GoughWarning) as caught:
        motion = gough.Motion.read_csv(spatial3(), path, smooth=smooth, max_gap="0.2s")
    told = "19 rows are missing before it: bridged by the curve through the others"
    assert [str(w.message) for w in caught] == [f"{path}:302: {told}; what it gives there is a guess"]
    t = np.linspace(2.99, 3.19, 50)
    assert 0 < np.abs(motion(t).x[:, 0] - swing(t)).max() < near
    assert motion.recording.bridged == ((2.99, 3.19),)
    assert "No rows, bridged: 2.99 to 3.19 s." in motion.smoothing
    assert motion.recording.to_dict(motion.coordinates)["bridged"] == [[2.99, 3.19]]


def test_a_gap_longer_than_stated_is_refused_with_the_length_that_would_do(tmp_path):
    path = recording_with_a_gap(tmp_path, 0.2)
    told = "comes 0.2 s after the row before, the others 0.01 s: rows are missing"
    hint = 'max_gap="0.2s" goes across it by a smooth curve; or make two files of it'
    for bridge in (None, "0.19s", 0.1, "150ms"):
        with pytest.raises(gough.InputError) as caught:
            gough.Motion.read_csv(spatial3(), path, max_gap=bridge)
        assert str(caught.value) == f"{path}:302: t: 3.19: {told} ({hint})"


@pytest.mark.parametrize("bridge", ["0", "-1s", "5mm", "long", "nan", 0.0, "inf"])
def test_a_bridge_must_have_a_length(tmp_path, bridge):
    with pytest.raises(gough.InputError) as caught:
        gough.Motion.read_csv(spatial3(), recording_with_a_gap(tmp_path, 0.2), max_gap=bridge)
    assert str(caught.value) == f'max_gap: "{bridge}": must be the longest gap to bridge, in seconds, e.g. 0.5'


def test_arrays_may_have_a_gap_too():
    t = np.delete(np.linspace(0.0, 2.0, 201), range(50, 60))
    x = np.column_stack([swing(t), 0 * t, 0 * t])
    with pytest.warns(gough.GoughWarning, match="row 50: 10 rows are missing before it"):
        assert Motion.from_samples(spatial3(), State(x, t=t), max_gap=0.11).recording.bridged == ((0.49, 0.6),)


def test_a_gap_is_fine_between_waypoints(tmp_path):
    t = np.append(np.arange(12.0), 30.0)
    path = tmp_path / "way.csv"
    path.write_text(rows(t.tolist(), np.column_stack([0.01 * t, 0 * t, 0 * t])))
    assert Motion.read_waypoints(gough.load("spatial3"), path).duration == 30.0


def test_millimetres_that_are_stated_are_no_mistake(tmp_path):
    motion = read(tmp_path, "t,y,z,theta\n0,0,0,0\n1,300,0,0\n", units="mm")
    assert motion(1.0).x[0] == pytest.approx(0.3, abs=1e-15)


def test_places_about_zero_far_from_home_are_doubted(tmp_path):
    path, robot = tmp_path / "flight.csv", gough.load("stewart")
    path.write_text("t,z [mm],psi [deg]\n0,0,0\n1,1400,1\n2,-30,2\n")
    line = f"{path}: z: -0.03 to 1.4 m, home is 2 m: does it count from home? (say CsvLayout(relative=True))"
    with pytest.warns(gough.GoughWarning) as told:
        Motion.read_csv(robot, path, CsvLayout(hold_missing=True))
    assert [str(w.message) for w in told] == [line]
    motion = Motion.read_csv(robot, path, CsvLayout(relative=True, hold_missing=True))  # a warning would be an error
    assert motion(1.0).x[2] == pytest.approx(3.4, abs=1e-15)


def test_metres_read_as_millimetres_are_doubted_and_units_in_the_header_are_not(tmp_path):
    path, robot = tmp_path / "flight.csv", gough.load("stewart")
    path.write_text("t,z,psi\n0,2,0\n1,2.1,0.1\n")
    line = (
        f"{path}: z: 0.002 to 0.0021 m, home is 2 m: is it in metres? (leave its unit out of CsvLayout.units, or "
        "write z [m] in the header; if it counts from home, say CsvLayout(relative=True))"
    )
    with pytest.warns(gough.GoughWarning) as told:
        Motion.read_csv(robot, path, CsvLayout(units="mm,deg", hold_missing=True))
    assert [str(w.message) for w in told] == [line]
    samples = gough.Motion.named(robot, "trig3").with_wrench([1, 2, 3, 4, 5, 6]).sample(np.linspace(0, 1, 9))
    path.write_text(samples.to_csv(robot))
    again = Motion.read_csv(robot, path, CsvLayout(units="mm,deg,ms,kN")).sample(samples.t)
    for name in ("x", "xd", "xdd", "wrench"):
        np.testing.assert_allclose(getattr(again, name), getattr(samples, name), rtol=0, atol=1e-15, err_msg=name)


LOGGED = "Time;Surge (mm);SWAY [mm];Heave;Pitch [deg];Note\n0;0;0;0;0;on\n0.5;10;-20;0.03;2;\n1;0;0;0;0;off\n"


def test_columns_with_names_of_a_logger_are_told_and_others_left_out(tmp_path):
    path, robot = tmp_path / "flight.csv", gough.load("stewart")
    path.write_text(LOGGED)
    columns = {"Surge": "x", "SWAY": "-y", "Heave": "-z", "Pitch": "theta"}
    motion = Motion.read_csv(robot, path, CsvLayout(columns=columns, relative=True, hold_missing=True))
    expected = np.array(robot.platform.home) + [0.01, 0.02, -0.03, 0, np.deg2rad(2), 0]
    np.testing.assert_allclose(motion(0.5).x, expected, rtol=0, atol=1e-15)


def test_names_of_coordinates_may_have_capitals(tmp_path):
    path, robot = tmp_path / "log.csv", gough.load("spatial3")
    path.write_text("T,Y [mm],Z [m],THETA [deg]\n0,0,0,0\n1,30,0.02,3\n")
    np.testing.assert_allclose(Motion.read_csv(robot, path)(1.0).x, [0.03, 0.02, np.deg2rad(3)], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("header", "columns", "column"),
    [
        ("t,Y_mm,z,theta", None, "Y"),
        ("t,Sway_mm,z,theta", {"Sway_mm": "y"}, "Sway"),
        ("t,y_mm,z,A", {"A": "theta"}, "y"),
    ],
)
def test_a_unit_without_brackets_is_refused_and_never_ignored(tmp_path, header, columns, column):
    path = tmp_path / "log.csv"
    path.write_text(f"{header}\n0,0,0,0\n1,30,0.02,3\n")
    with pytest.raises(MotionError) as caught:
        Motion.read_csv(spatial3(), path, CsvLayout(columns=columns))
    line = f"{path}:1: {column}_mm: has a unit that is not in brackets (write {column} [mm])"
    assert str(caught.value) == line


def test_a_name_that_ends_like_a_unit_is_a_name(tmp_path):
    robot = gough.loads(spatial3().to_toml().replace("theta = ", "turn_s = ", 1))
    assert robot.coordinate_names[2] == "turn_s"
    path = tmp_path / "log.csv"
    path.write_text("t,y,z,turn_s\n0,0,0,0\n1,0,0,0.5\n")
    assert Motion.read_csv(robot, path)(1.0).x[2] == 0.5


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ({"Serge": "x"}, 'columns: "Serge": no such column in {path}:1 (did you mean Surge?)'),
        ({"Surge": "thetta"}, 'columns: Surge: "thetta": is no name of a column (did you mean theta?)'),
    ],
)
def test_columns_that_are_not_there_are_refused(tmp_path, columns, line):
    path = tmp_path / "flight.csv"
    path.write_text(LOGGED)
    with pytest.raises(gough.InputError) as caught:
        Motion.read_csv(gough.load("stewart"), path, CsvLayout(columns=columns, hold_missing=True))
    assert str(caught.value) == line.format(path=path)


def test_degree_signs_of_windows_are_read_with_a_warning(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("t,y [mm],theta [°]\n0,0,0\n1,10,9\n".encode("cp1252"))
    with pytest.warns(GoughWarning, match=r"a.csv: is not UTF-8 text \(byte 16\): read as Windows-1252"):
        found = Motion.read_csv(spatial3(), path, CsvLayout(hold_missing=True))
    assert found(1.0).x[[0, 2]] == pytest.approx([0.01, math.radians(9)])


def test_a_row_that_is_there_twice_counts_once(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("t,y\n0,0\n1,0.1\n1,0.1\n2,0.3\n2,0.3\n")
    with pytest.warns(
        GoughWarning, match=r"a.csv:4: is the same as the row before: left out, and 1 more rows likewise"
    ):
        found = Motion.read_csv(spatial3(), path, CsvLayout(hold_missing=True))
    path.write_text("t,y\n0,0\n1,0.1\n2,0.3\n")
    once = Motion.read_csv(spatial3(), path, CsvLayout(hold_missing=True))
    t = np.linspace(0.0, 2.0, 9)
    np.testing.assert_array_equal(found(t).x, once(t).x)


def test_columns_of_the_file_are_told_by_its_own_names(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Zeit (ms);Laengs (mm)\n0;0\n10;1\n")
    with pytest.raises(MotionError) as caught:
        Motion.read_csv(spatial3(), path, CsvLayout(columns={"Laengs": "y"}, hold_missing=True))
    assert str(caught.value) == (
        f'{path}:1: t: is missing (header: Zeit,Laengs; CsvLayout(columns={{"Zeit": "t"}}) if that is the time)'
    )
    with pytest.raises(MotionError, match=r'CsvLayout\(columns={"Zeit": "t"}\) if that is it\)'):
        Motion.read_csv(spatial3(), path, CsvLayout(columns={}, hold_missing=True))
    found = Motion.read_csv(spatial3(), path, CsvLayout(columns={"Zeit": "t", "Laengs": "y"}, hold_missing=True))
    assert found.duration == pytest.approx(0.01)


def test_milliseconds_without_a_unit_are_doubted(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{10 * k},{1e-3 * k}\n" for k in range(60))
    path.write_text(f"Time,y\n{rows}")
    with pytest.warns(
        GoughWarning, match=r"a.csv: rows are 10 s apart: is Time in ms\? \(write Time \[ms\], or \[s\]\)"
    ):
        Motion.read_csv(spatial3(), path, CsvLayout(hold_missing=True))
    for header in ("Time [ms]", "Time [s]"):
        path.write_text(f"{header},y\n{rows}")
        Motion.read_csv(spatial3(), path, CsvLayout(hold_missing=True))
    path.write_text(f"Time,y\n{rows}")
    assert Motion.read_csv(spatial3(), path, CsvLayout(units="ms", hold_missing=True)).duration == pytest.approx(0.59)


@pytest.mark.parametrize(("other", "known"), [("x_d", "xd_x"), ("z_dd", "xdd_z"), ("xdot", "xd_x"), ("yddot", "xdd_y")])
def test_other_names_of_rates_get_those_that_are_read(tmp_path, other, known):
    robot = gough.load("delta")
    text = Motion.named(robot).sample(40).to_csv()
    assert text.splitlines()[0] == "t,x,y,z,xd_x,xd_y,xd_z,xdd_x,xdd_y,xdd_z"
    (tmp_path / "other.csv").write_text(text.replace(known, other, 1))
    with pytest.raises(MotionError, match=rf'other\.csv:1: "{other}": no such column \(did you mean {known}\?\)$'):
        Motion.read_csv(robot, tmp_path / "other.csv")
