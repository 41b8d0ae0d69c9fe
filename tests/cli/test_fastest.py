"""`gough fastest`: page, files, exit codes and error lines."""

import json
import sys

import pytest

from tests.cli.running import outcome


def test_page_and_files(capsys, tmp_path):
    table, plot = tmp_path / "fast.csv", tmp_path / "plane.png"
    options = ("--limit", "force=25", "--cells", "100", "--out", str(table), "--plot", str(plot))
    code, out, err = outcome(capsys, "fastest", "stewart", *options)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("trig3, fastest: 1.006")
    assert lines[4].split() == ["from", "[s]", "to", "[s]", "limit", "whose", "used", "[%]"]
    assert "force" in lines[5]
    assert lines[-1] == f"wrote {table} and {plot}"
    assert plot.read_bytes().startswith(b"\x89PNG")
    code, out, _ = outcome(capsys, "check", "stewart", "--motion", str(table), "--limit", "force=25")
    assert code == 0


def test_without_toppra(capsys, monkeypatch):
    """What is missing is told first, with the command that installs it."""
    monkeypatch.setitem(sys.modules, "toppra", None)
    code, out, err = outcome(capsys, "fastest", "nosuch.toml")
    assert (code, out) == (2, "")
    assert err == "gough: error: fastest: needs the package toppra: pip install 'gough[fastest]'\n"


def test_no_duration_is_needed(capsys):
    code, out, _ = outcome(capsys, "fastest", "delta", "--to", "z=-800mm", "--limit", "force=30", "--format", "json")
    found = json.loads(out)
    assert code == 0
    assert found["fits"] is True
    assert found["stretches"][0]["kind"] == "force"


def test_waypoints_without_times(capsys, tmp_path):
    file = tmp_path / "way.csv"
    file.write_text("x [mm],y [mm],z [mm]\n0,0,-750\n100,0,-700\n100,100,-720\n0,50,-760\n")
    code, out, err = outcome(
        capsys, "fastest", "delta", "--waypoints", str(file), "--limit", "force=40", "--cells", "100"
    )
    assert (code, err) == (0, "")
    assert "Certificate:" in out


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (("--limit", "force=5"), 1, "gough: error: fastest: force of"),
        (("--out", "a.toml"), 2, "gough: error: --out a.toml: must end in .csv, .json or .txt"),
        (("--cells", "3"), 2, "gough: error: fastest: --cells 3: must be at least 10"),
        (("--least", "energy"), 2, "gough: error: --least: goes with --free"),
        (("--free", "--to", "x=0.1", "--least", "force"), 2, "gough: error: --duration: missing: --to needs it"),
        (("--free", "--to", "x=0.1", "--limit", "force=3"), 1, "gough: error: fastest: force of 1: takes 7.04"),
        (("--motion", "hold"), 2, "gough: error: motion hold: stays where it is, and has no path"),
    ],
)
def test_errors(capsys, arguments, code, line):
    found, out, err = outcome(capsys, "fastest", "stewart", *arguments)
    assert (found, out) == (code, "")
    assert err.startswith(line)


@pytest.mark.slow
def test_a_free_path(capsys, tmp_path):
    table, plot = tmp_path / "free.csv", tmp_path / "free.png"
    options = ("--to", "x=100mm,z=-800mm", "--limit", "force=30", "--cells", "60", "--spans", "5", "--free")
    code, out, err = outcome(capsys, "fastest", "delta", *options, "--out", str(table), "--plot", str(plot))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("free path of least time: time 0.")
    assert ", straight 0." in lines[0]
    assert lines[0].endswith("%)")
    assert plot.read_bytes().startswith(b"\x89PNG")
    code, _, _ = outcome(capsys, "check", "delta", "--motion", str(table), "--limit", "force=30")
    assert code == 0
    code, out, _ = outcome(capsys, "fastest", "delta", *options, "--format", "json")
    found = json.loads(out)
    assert found["value"] <= found["straight"]
    assert len(found["control_points"]) == 4
