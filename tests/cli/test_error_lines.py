"""Errors lane: the exact lines, the exit code, nothing written, no traceback."""

from __future__ import annotations

import pytest

from tests.cli.running import ROBOTS, outcome

BAD = """\
name = "bad"

[platform]
coordinates = { x = "x", y = "y", z = "z", a = "rx", b = "ry", c = "rz" }
home = [0, 0, 0.6, 0, 0, 0]
mass = "12"

[legs]
type = "UPS"
base = { radus = 0.45, half_angle = 0.2 }
platform = { radius = 0.30, half_angle = 0.2 }
"""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "stewrat"], "stewrat: no such file or catalogue robot (did you mean stewart?)"),
        (
            ["ik", "qqq"],
            f"qqq: no such file or catalogue robot (known: {', '.join(ROBOTS)})",
        ),
        (["ik", "delta", "--pose", "psi=3"], "--pose psi=3: no coordinate psi (known: x, y, z)"),
        (["ik", "delta", "--format", "jsn"], "--format jsn: must be table, json or csv (did you mean json?)"),
        (["ik", "delta", "--format", "xml"], "--format xml: must be table, json or csv"),
        (["ik", "delta", "--formt", "csv"], "ik: no such option --formt; did you mean --format? (see gough ik --help)"),
        (["ik", "delta", "--velocity", "z=1mm"],
         "--velocity z=1mm: z slides, so its unit must be mm/s, cm/s, m/s or in/s, not mm"),
        (["show", "delta", "--set", "platform.mas=3"],
         "--set platform.mas: no such number in the robot (did you mean platform.mass?)"),
        (["show", "delta", "--set", "platform.mass"],
         "--set platform.mass: must be path=value (e.g. platform.mass=2.5)"),
        (["show", "delta", "--set", "platform.mass=-1"],
         "--set: platform.mass: -1: must be greater than 0"),
        (["show", "delta", "--png", "nowhere/delta.png"], "--png nowhere/delta.png: no such folder nowhere"),
        (["show", "delta", "--png", "folder.png"], "--png folder.png: is a folder; name a file in it"),
        (["show", "delta", "--png", "delta.jpg"], "--png delta.jpg: the file's name must end in .png"),
        (["new", "--out", "nowhere/robot.toml"], "--out nowhere/robot.toml: no such folder nowhere"),
        (["shwo", "delta"], "no such command 'shwo'; did you mean show? (see gough --help)"),
    ],
)  # fmt: skip
def test_bad_input_gets_its_line(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    assert outcome(capsys, *arguments) == (2, "", f"gough: error: {line}\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.png"]


@pytest.mark.parametrize("command", ["show", "ik"])
def test_a_bad_file_gets_a_line_for_every_fault(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(BAD)
    extra = ["--png", "bad.png"] if command == "show" else []
    code, out, err = outcome(capsys, command, "bad.toml", *extra)
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        'gough: error: bad.toml:6: platform.mass: "12": must be a number (remove the quotes)',
        "gough: error: bad.toml:10: legs.base.radus: unknown key (did you mean radius?)",
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.toml"]


def test_settings_that_leave_the_machine_out_of_reach_are_faults(capsys):
    code, out, err = outcome(capsys, "ik", "delta", "--set", "legs.rod.length=0.2")
    assert (code, out) == (2, "")
    assert err.startswith("gough: error: --set: ")
    assert "reach" in err


def test_an_unwritable_place_is_named(capsys, tmp_path, monkeypatch):
    def denied(*_arguments, **_options):
        raise PermissionError(13, "Permission denied", "some temporary name")

    path = tmp_path / "delta.png"
    monkeypatch.setattr("gough.files._write_beside", denied)
    assert outcome(capsys, "show", "delta", "--png", str(path)) == (2, "", f"gough: error: {path}: Permission denied\n")
    assert list(tmp_path.iterdir()) == []
