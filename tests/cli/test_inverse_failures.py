"""`gough inverse` where samples have no forces, or files cannot be written."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import gough
from gough.cli import inverse
from tests.cli.running import outcome

AWAY = ("inverse", "delta", "--to", "x=1", "--duration", "1")
LEAVES = (
    "gough: motion minimum-jerk leaves the workspace at t = 0.81 s: leg B is out of reach by 0.00464 m; "
    "at worst leg B by 0.04876 m at t = 1 s (20 of 101 samples have no forces)\n"
)


def test_leaving_the_workspace_gives_the_samples_that_are_fine(capsys):
    code, out, err = outcome(capsys, *AWAY, "--format", "json")
    assert (code, err) == (3, LEAVES)
    shown = json.loads(out)
    assert shown["status"] == ["fine"] * 81 + ["out of reach"] * 20
    expected = gough.inverse_dynamics(
        gough.load("delta"), gough.State(shown["x"][:81], shown["xd"][:81], shown["xdd"][:81])
    )
    for key in ("q", "qd", "force", "power"):
        assert shown[key][81:] == [None] * 20
        np.testing.assert_allclose(shown[key][:81], getattr(expected, key), rtol=1e-13)
    assert np.isfinite(np.array(shown["x"])).all()


def test_csv_and_table_say_so_too(capsys):
    code, out, err = outcome(capsys, *AWAY, "--format", "csv", "--parts")
    assert (code, err) == (3, LEAVES)
    header, *rows = csv.reader(io.StringIO(out))
    lost = dict(zip(header, rows[-1], strict=True))
    assert (lost["status"], lost["force_A"], lost["power_B"], lost["force_gravity_C"]) == ("out of reach", "", "", "")
    assert float(lost["x"]) == 1.0
    code, out, err = outcome(capsys, *AWAY)
    assert (code, err) == (3, LEAVES)
    assert "\n1            -        -        -  out of reach\n" in out
    assert "\nover 81 samples " in out


def test_nowhere_in_the_workspace(capsys):
    code, out, err = outcome(capsys, "inverse", "delta", "--from", "z=-3", "--to", "z=-2", "--duration", "1")
    assert code == 3
    assert err.endswith("(101 of 101 samples have no forces)\n")
    assert "peak" not in out
    code, out, _ = outcome(
        capsys, "inverse", "delta", "--from", "z=-3", "--to", "z=-2", "--duration", "1", "--format", "json"
    )
    assert (code, json.loads(out)["force"]) == (3, [None] * 101)


@pytest.mark.parametrize("name", ["hexapod", "rotary", "spatial3", "planar3rrr", "sru"])
def test_far_away_is_out_of_reach_of_every_robot_but_stewart(capsys, name):
    code, out, err = outcome(
        capsys, "inverse", name, "--to", "y=5", "--duration", "1", "--samples", "3", "--format", "json"
    )
    assert code == 3
    assert err.startswith("gough: motion minimum-jerk leaves the workspace at t = ")
    assert json.loads(out)["force"][-1] is None
    assert json.loads(out)["force"][0] is not None


def test_near_singular_samples_are_flagged_and_have_values(capsys):
    way = ("inverse", "stewart", "--from", "psi=0", "--to", "psi=90deg", "--duration", "1", "--times", "0,1")
    code, out, err = outcome(capsys, *way, "--format", "json")
    assert code == 3
    assert err.startswith("gough: motion minimum-jerk is near singular at t = 1 s: condition number ")
    assert err.endswith(" (1 of 2 samples)\n")
    assert json.loads(out)["status"] == ["fine", "near singular"]
    _, out, _ = outcome(capsys, *way)
    assert out.splitlines()[4].endswith("  near singular")


def test_files_are_written_and_named(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    way = ("inverse", "delta", "--samples", "3")
    _, printed, _ = outcome(capsys, *way, "--format", "csv")
    assert outcome(capsys, *way, "--out", "f.csv", "--plot", "f.png") == (0, "wrote f.csv and f.png\n", "")
    assert (tmp_path / "f.csv").read_text() == printed
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    assert outcome(capsys, *way, "--out", "f.json")[0] == 0
    assert json.loads((tmp_path / "f.json").read_text())["robot"] == "delta"
    code, out, _ = outcome(capsys, *way, "--plot", "f.svg")
    assert code == 0
    assert out.endswith("\nwrote f.svg\n")
    code, _, err = outcome(capsys, *AWAY, "--out", "lost.csv")
    assert (code, err) == (3, LEAVES)
    assert len((tmp_path / "lost.csv").read_text().splitlines()) == 102
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f.csv", "f.json", "f.png", "f.svg", "lost.csv"]


@pytest.mark.parametrize("when", ["solving", "drawing", "writing"])
def test_interrupted_leaves_nothing(capsys, tmp_path, monkeypatch, when):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    if when == "solving":
        monkeypatch.setattr("gough.dynamics.inverse.inverse_dynamics", interrupt)
    elif when == "drawing":
        monkeypatch.setattr("gough.view.forces.plot_forces", interrupt)
    else:
        monkeypatch.setattr(os, "fsync", interrupt)
    result = outcome(capsys, "inverse", "delta", "--samples", "3", "--out", "f.csv", "--plot", "f.png")
    assert result == (130, "", "gough: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said(capsys, tmp_path, monkeypatch):
    path = tmp_path / "f.csv"

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, out, err = outcome(capsys, "inverse", "delta", "--samples", "3", "--out", str(path))
    assert (code, out, err) == (4, "", f"gough: error: {path}: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_an_output_that_cannot_be_written_to_is_said():
    script = "import sys; from gough.cli import main; sys.exit(main(['inverse', 'delta', '--format', 'csv']))"
    with open("/dev/full", "w") as full:
        process = subprocess.run([sys.executable, "-c", script], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (process.returncode, process.stderr) == (4, "gough: error: standard output: No space left on device\n")


def test_help_names_every_option(capsys):
    code, out, _ = outcome(capsys, "inverse", "--help")
    assert code == 0
    for option in (
        "motion from to duration law waypoints hold-missing times samples formulation wrench payload set units parts "
        "by-body format out plot"
    ).split():
        assert f"--{option}" in out
    assert inverse.run.__doc__ is not None


def test_only_what_is_needed_is_imported(tmp_path):
    heavy = ["scipy", "matplotlib", "rich", "PIL"]
    script = (
        "import sys; from gough.cli import main; main(['inverse', 'delta', '--out', sys.argv[1]]); "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "f.csv")], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_how_far_it_is_out_of_reach_is_told_in_the_units_asked_for(capsys):
    """Along a motion, at one pose, in a check and in forward kinematics."""
    assert outcome(capsys, *AWAY[:-1], "1000", "--units", "ms,deg")[2] == (
        LEAVES.replace("0.81 s", "810 ms").replace("1 s ", "1000 ms ")
    )
    for command in (
        ("ik", "delta", "--pose", "z=-2000"),
        ("check", "delta", "--to", "z=-2000", "--duration", "1"),
        ("fk", "delta", "--displacement", "0,0,0", "--guess", "z=-2000"),
        ("inverse", "delta", "--to", "x=1000", "--duration", "1"),
    ):
        code, _, err = outcome(capsys, *command, "--units", "mm,deg")
        assert code == 3
        assert re.search(r"out of reach(: leg \w+|; at worst)? by [\d.]+ mm\b", err), err
        assert not re.search(r"[\d.] m\b", err), err
