"""Recordings on the command line: noise is told by what it does to forces, smoothing is recorded, CSV in any units."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from functools import cache

import numpy as np
import pytest

import gough
from gough import Motion, State
from gough.cli import with_options
from gough.design import demand
from gough.errors import InputError
from tests.cli.running import outcome


@cache
def stewart():
    return gough.load("stewart")


NOISE = np.array([2e-4] * 3 + [math.radians(0.05)] * 3)


def motion(t):
    """A motion of all coordinates that ends with accelerations, (N, 6)."""
    phase = 2 * math.pi * 0.4 * t[:, None] + np.arange(6)
    return np.array(stewart().platform.home) + np.cos(phase) * ([0.1] * 3 + [0.15] * 3)


T = np.arange(601) / 100.0


@cache
def clean_poses():
    return motion(T)


@cache
def noisy_poses():
    return clean_poses() + NOISE * np.random.default_rng(0).standard_normal(clean_poses().shape)


@pytest.fixture
def files(tmp_path):
    """Names of a clean and a noisy recording: 100 Hz, 0.2 mm and 0.05 deg."""
    found = {}
    for name, x in (("clean", clean_poses()), ("noisy", noisy_poses())):
        found[name] = str(tmp_path / f"{name}.csv")
        lines = ["t,x,y,z,psi,theta,phi", *(",".join(map(repr, row)) for row in np.column_stack([T, x]).tolist())]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return found


def largest(x, smooth):
    """Largest force at the rows, and of which actuator."""
    result = gough.inverse_dynamics(stewart(), Motion.from_samples(stewart(), State(x, t=T), smooth=smooth).sample())
    peaks = np.abs(result.force).max(axis=0)
    return peaks, int(peaks.argmax())


COMMANDS = [["inverse", "stewart"], ["size", "stewart"], ["check", "stewart"], ["simulate", "stewart"]]
COMMANDS += [["compare", "stewart", "stewart"], ["report", "stewart", "--states", "0", "--no-animation"]]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_noise_is_refused_with_the_forces_as_given_and_smoothed(capsys, files, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, *command, "--motion", files["noisy"])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    (given, worst), (smoothed, _), (clean, _) = (
        largest(noisy_poses(), "none"),
        largest(noisy_poses(), "auto"),
        largest(clean_poses(), None),
    )
    assert f"of actuator {worst + 1}, is {given[worst]:.4g} N as given, {smoothed[worst]:.4g} N smoothed" in err
    assert given[worst] > 5 * clean[worst]
    assert smoothed[worst] == pytest.approx(clean[worst], rel=0.1)
    for option in ("--smooth auto", "--smooth SECONDS", "--smooth none"):
        assert option in err
    noise = re.search(r"noise of about ([\d.]+) mm in [xyz] and ([\d.]+) deg in (psi|theta|phi) dominates", err)
    assert noise is not None
    assert float(noise[1]) == pytest.approx(0.2, rel=0.15)
    assert float(noise[2]) == pytest.approx(0.05, rel=0.15)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clean.csv", "noisy.csv"]


@pytest.mark.parametrize(
    ("units", "length", "angle", "force", "per"),
    [("mm,rad,kN", "mm", "rad", "kN", 1e-3), ("in,deg,lbf", "in", "deg", "lbf", 1 / 4.4482216152605)],
)
def test_noise_is_told_in_the_units_asked_for(capsys, files, tmp_path, units, length, angle, force, per):
    """Lengths and angles of the file carry their own units, so that only the words change."""
    header = "t [s],x [m],y [m],z [m],psi [rad],theta [rad],phi [rad]\n"
    rows = (tmp_path / "noisy.csv").read_text().splitlines(keepends=True)[1:]
    (tmp_path / "named.csv").write_text("".join([header, *rows]))
    options = ["inverse", "stewart", "--motion", str(tmp_path / "named.csv"), "--units", units]
    code, _, err = outcome(capsys, *options)
    (given, worst), (smoothed, _) = largest(noisy_poses(), "none"), largest(noisy_poses(), "auto")
    assert code == 2
    assert f"is {per * given[worst]:.4g} {force} as given, {per * smoothed[worst]:.4g} {force} smoothed" in err
    noise = re.search(rf"noise of about (\S+) {length} in [xyz] and (\S+) {angle} in (psi|theta|phi) dominates", err)
    assert noise is not None
    one = {"mm": 1e-3, "in": 0.0254, "deg": math.pi / 180, "rad": 1.0}
    assert float(noise[1]) * one[length] == pytest.approx(NOISE[0], rel=0.15)
    assert float(noise[2]) * one[angle] == pytest.approx(NOISE[5], rel=0.15)
    out = outcome(capsys, *options, "--smooth", "auto")[1]
    assert f" {length}, " in next(line for line in out.splitlines() if line.startswith("Smoothed"))


def test_a_simulation_records_the_smoothing_of_its_motion(capsys, files, tmp_path):
    folder = tmp_path / "run"
    options = ["simulate", "stewart", "--motion", files["noisy"], "--smooth", "auto", "--for", "5ms", "--out"]
    assert outcome(capsys, *options, str(folder))[0] == 0
    lines = (folder / "run.csv").read_text().splitlines()
    assert lines[0].startswith("# Smoothed (auto), cut-off periods: x ")
    assert lines[1].startswith("t,x,")
    assert json.loads((folder / "run.json").read_text())["smoothing"] == lines[0].removeprefix("# ")
    assert outcome(capsys, *options, str(tmp_path / "many"), "--ensemble", "2")[0] == 0
    for name in ("robots.csv", "statistics.csv"):
        assert (tmp_path / "many" / name).read_text().splitlines()[0] == lines[0]


@pytest.mark.parametrize("command", [["inverse", "stewart"], ["compare", "stewart", "stewart"]], ids=lambda c: c[0])
def test_rounding_below_the_refusal_is_told_once(capsys, files, tmp_path, command):
    rounded = np.column_stack([T, clean_poses()]).round(6)
    path = tmp_path / "rounded.csv"
    path.write_text(
        "\n".join(["t,x,y,z,psi,theta,phi", *(",".join(map(repr, row)) for row in rounded.tolist())]) + "\n"
    )
    code, _, err = outcome(capsys, *command, "--motion", str(path))
    given, smoothed = (
        gough.inverse_dynamics(stewart(), Motion.read_csv(stewart(), path, smooth=smooth).sample()).force
        for smooth in ("none", "auto")
    )
    change, largest = np.abs(given - smoothed).max(axis=0), np.abs(smoothed).max(axis=0)
    worst = int((change / largest).argmax())
    assert 0.01 < change[worst] / largest[worst] < 0.1
    share = f"{100 * change[worst] / largest[worst]:.2g} % of the largest of actuator {worst + 1}"
    assert (code, err.count("\n")) == (0, 1)
    assert f"rounded.csv: rounding or noise of its rows changes forces by up to {change[worst]:.2g} N ({share})" in err
    for told in ([*command, "--motion", str(path), "--smooth", "none"], [*command, "--motion", files["clean"]]):
        assert outcome(capsys, *told)[2] == ""


def test_noisy_waypoints_are_sent_where_smoothing_is(capsys, files):
    code, _, err = outcome(capsys, "inverse", "stewart", "--waypoints", files["noisy"])
    assert (code, err.count("\n")) == (2, 1)
    assert err.endswith("(--motion with --smooth auto smooths rows; --smooth none goes through all of them)\n")


def test_python_refuses_too(files):
    states = State(noisy_poses(), t=T)
    for make in (
        lambda: Motion.read_csv(stewart(), files["noisy"]),
        lambda: Motion.read_waypoints(stewart(), files["noisy"]),
        lambda: Motion.from_samples(stewart(), states),
        lambda: Motion.through(stewart(), T, noisy_poses()),
    ):
        with pytest.raises(InputError, match="dominates its accelerations"):
            make()
    smoothed, plain = (Motion.read_csv(stewart(), files["noisy"], smooth=smooth) for smooth in ("auto", "none"))
    result = gough.inverse_dynamics(stewart(), smoothed.sample())
    assert "Smoothed (auto)" in result.smoothing
    assert "rows" not in repr(result)
    peak = np.abs(result.force).max()
    assert np.abs(demand(stewart(), smoothed).force).max() == pytest.approx(peak, rel=1e-2)
    assert gough.check(stewart(), smoothed, {"force": 2.0 * peak}).fits
    assert not gough.check(stewart(), plain, {"force": 2.0 * peak}).fits


def test_noise_in_one_coordinate_leaves_the_others_exact():
    x = clean_poses().copy()
    x[:, 2] = noisy_poses()[:, 2]
    moved = Motion.from_samples(stewart(), State(x, t=T), smooth="auto")
    assert [column is None for column in moved.recording.columns] == [True, True, False, True, True, True]
    clean = np.abs(demand(stewart(), Motion.from_samples(stewart(), State(clean_poses(), t=T))).force)
    np.testing.assert_allclose(np.abs(demand(stewart(), moved).force), clean, rtol=0.1)


def test_a_recording_out_of_reach_is_told_as_that():
    spatial = gough.load("spatial3")
    far = np.column_stack([noisy_poses()[:, 0] + 5.0, noisy_poses()[:, 1], noisy_poses()[:, 3]])
    with pytest.raises(gough.errors.NumericalError, match="out of reach"):
        demand(spatial, Motion.from_samples(spatial, State(far, t=T)))


def test_clean_recordings_are_taken_as_they_are(capsys, files):
    code, out, err = outcome(capsys, "inverse", "stewart", "--motion", files["clean"], "--format", "json")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    assert "smoothing" not in shown
    assert shown["t"] == T.tolist()


@pytest.mark.parametrize(
    ("smooth", "asked"), [("auto", "auto"), ("0.5", "0.5 s"), ("500ms", "0.5 s"), ("none", "none")]
)
def test_each_answer_is_taken_and_recorded(capsys, files, smooth, asked):
    options = ["--motion", files["noisy"], "--smooth", smooth]
    code, out, err = outcome(capsys, "inverse", "stewart", *options, "--format", "json")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    assert shown["smoothing"]["smooth"] == asked
    told = shown["smoothing"]["smoothed"]
    assert list(told) == ([] if smooth == "none" else ["x", "y", "z", "psi", "theta", "phi"])
    for name, sigma in zip(told, NOISE, strict=bool(told)):
        assert told[name]["noise"] == pytest.approx(sigma, rel=0.15)
        assert told[name]["cutoff_period"] > 0.2
    peaks = np.abs(shown["force"]).max()
    assert peaks == pytest.approx(
        largest(noisy_poses(), {"0.5": 0.5, "500ms": 0.5}.get(smooth, smooth))[0].max(), rel=1e-12
    )
    _, out, _ = outcome(capsys, "inverse", "stewart", *options, "--format", "csv")
    first, header, *_ = out.splitlines()
    assert first.startswith(f"# {'Not s' if smooth == 'none' else 'S'}moothed ({asked})")
    assert header.startswith("t,x,y,z")
    _, out, _ = outcome(capsys, "inverse", "stewart", *options)
    assert out.splitlines()[1] == first.removeprefix("# ")


def test_pages_and_reports_record_the_smoothing(capsys, files, tmp_path):
    line = Motion.from_samples(stewart(), State(noisy_poses(), t=T), smooth=0.5).smoothing
    options = ["--motion", files["noisy"], "--smooth", "0.5"]
    for command in (
        ["size", "stewart"],
        ["compare", "stewart", "stewart"],
        ["check", "stewart", "--limit", "force=99"],
    ):
        assert line in outcome(capsys, *command, *options)[1]
    assert json.loads(outcome(capsys, "size", "stewart", *options, "--json")[1])["smoothing"]["smooth"] == "0.5 s"
    checked = json.loads(outcome(capsys, "check", "stewart", "--limit", "force=99", *options, "--json")[1])
    assert line.rstrip(".") in checked["notes"]
    page = tmp_path / "report.html"
    outcome(capsys, "report", "stewart", *options, "--states", "0", "--no-animation", "--out", str(page))
    text = page.read_text()
    assert "Smoothed (0.5 s), cut-off periods:" in text
    assert "--smooth 0.5" in text


def test_a_simulation_records_the_smoothing(capsys, files, tmp_path):
    folder = tmp_path / "run"
    options = ["--motion", files["noisy"], "--smooth", "0.5", "--for", "0.05", "--out", str(folder)]
    code, out, _ = outcome(capsys, "simulate", "stewart", *options)
    assert code == 0
    assert "smoothed (0.5 s)" in out
    assert "smoothed (0.5 s)" in json.loads((folder / "run.json").read_text())["input"]


def test_relative_values_with_units_in_the_header(capsys, files, tmp_path):
    scale = np.array([1e3] * 3 + [180 / math.pi] * 3)
    rows = np.column_stack([1e3 * T, (clean_poses() - stewart().platform.home) * scale]).tolist()
    lines = [
        "Time [ms],x [mm],y [mm],z [mm],psi (deg),theta (deg),phi (deg)",
        *(",".join(map(repr, row)) for row in rows),
    ]
    (tmp_path / "relative.csv").write_text("\n".join(lines) + "\n")
    options = ["--relative", "--format", "json"]
    shown = json.loads(outcome(capsys, "inverse", "stewart", "--motion", str(tmp_path / "relative.csv"), *options)[1])
    plain = json.loads(outcome(capsys, "inverse", "stewart", "--motion", files["clean"], "--format", "json")[1])
    np.testing.assert_allclose(shown["force"], plain["force"], rtol=0, atol=1e-8 * np.abs(plain["force"]).max())


def test_rows_are_those_of_the_file_unless_samples_are_stated(capsys, files):
    def count(*options):
        return len(outcome(capsys, "inverse", "stewart", *options, "--format", "csv")[1].splitlines()) - 1

    assert count("--motion", files["clean"]) == len(T)
    assert count("--motion", files["clean"], "--samples", "5") == 5
    assert count() == 101


def test_csv_in_the_units_asked_for(capsys):
    options = ["inverse", "rotary", "--samples", "3", "--parts", "--format", "csv"]
    plain = list(csv.reader(io.StringIO(outcome(capsys, *options)[1])))
    code, out, err = outcome(capsys, *options, "--units", "mm,deg,ms", "--csv-units")
    assert (code, err) == (0, "")
    header, *rows = csv.reader(io.StringIO(out))
    assert [name.split(" [")[0] for name in header] == plain[0]
    sizes = {"ms": 1e-3, "mm": 1e-3, "deg": math.pi / 180, "N": 1.0, "N mm": 1e-3, "W": 1.0}
    wanted = {"t": "ms", "z": "mm", "xd_z": "mm/s", "xdd_z": "mm/s^2", "pitch": "deg", "xdd_pitch": "deg/s^2"}
    wanted |= {"q_1": "deg", "qd_1": "deg/s", "force_1": "N mm", "power_1": "W"}
    wanted |= {"force_gravity_2": "N mm"}
    for name, unit in wanted.items():
        k = plain[0].index(name)
        assert header[k] == f"{name} [{unit}]"
        size = sizes[unit.split("/")[0]]
        found, expected = (np.array([float(row[k]) for row in table]) for table in (rows, plain[1:]))
        np.testing.assert_allclose(found * size, expected, rtol=1e-14)
    assert header[-1] == "status"
    assert outcome(capsys, "inverse", "rotary", "--csv-units")[0] == 2


def test_what_is_written_in_units_is_read_again(capsys, tmp_path):
    """The motion's columns of such a file are a motion file."""
    _, out, _ = outcome(capsys, "inverse", "stewart", "--format", "csv", "--units", "mm,deg", "--csv-units")
    table = [row[:19] for row in csv.reader(io.StringIO(out))]
    (tmp_path / "again.csv").write_text("\n".join(",".join(row) for row in table) + "\n")
    result = gough.inverse_dynamics(stewart(), Motion.read_csv(stewart(), tmp_path / "again.csv").sample())
    plain = gough.inverse_dynamics(stewart(), gough.Motion.named(stewart()).sample())
    np.testing.assert_allclose(result.force, plain.force, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (
            'a.csv:3: z: 300: is far (mm? say CsvLayout(units="mm"))',
            "a.csv:3: z: 300: is far (mm? say --units mm)",
        ),
        ("leave its unit out of CsvLayout.units", "leave its unit out of --units"),
        ('CsvLayout(columns={"Zeit": "t"}) if that is it', "--columns Zeit=t if that is it"),
        ("say CsvLayout(relative=True)", "say --relative"),
        ("CsvLayout(hold_missing=True) keeps it", "--hold-missing keeps it"),
        ('max_gap="0.5s" goes across it', "--bridge 0.5s goes across it"),
        ('max_gap: "0": must be', '--bridge: "0": must be'),
        ("smooth 0.001 s: a.csv: must be", "--smooth 0.001 s: a.csv: must be"),
        ('say smooth="auto" or smooth="none"', "say --smooth auto or --smooth none"),
        ("convention foo: no such convention", "--convention foo: no such convention"),
        ("smooth.csv: no such file", "smooth.csv: no such file"),
        ("CsvLayout(other=True)", "CsvLayout(other=True)"),
    ],
)
def test_a_command_names_its_options_where_python_names_arguments(message, shown):
    assert with_options(message) == shown
