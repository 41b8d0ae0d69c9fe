"""Command lines that newcomers type: one line that says what is wrong and what would be right."""

from __future__ import annotations

import pytest

from tests.cli.running import outcome


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("robots stewart", "robots: unexpected argument stewart (see gough robots --help)"),
        ("show", "show: ROBOT is missing: robot name (see `gough robots`) or TOML file (see gough show --help)"),
        (
            "paper",
            "paper: PAPER is missing: its robot or an author: stewart (Lopes), hexapod (Sinatra, Xi, Staicu), "
            "spatial3 (Staicu) or sru (Angeles) (see gough paper --help)",
        ),
        (
            "new --legs",
            "new: --legs KIND: the value is missing; kind of legs: UPS, PUS, RUS, SRU, delta, PPa, UPU, RPS, PRS, "
            "tricept, RRR, cable, joints (see gough new --help)",
        ),
        ("verify stewart --states 0", "verify: --states 0: must be at least 1 (see gough verify --help)"),
        ("verify stewart --states=many", "verify: --states many: must be a whole number (see gough verify --help)"),
        ("simulate stewart --step fast", "--step fast: fast is not a number, with or without a unit (ms, s or min)"),
        ("view stewart --port 70000", "view: --port 70000: must be at most 65535 (see gough view --help)"),
        ("count stewart --by leg", "--by leg: must be body"),
        ("count stewart --plot a.xyz", "--plot a.xyz: the file's name must end in .png, .svg or .pdf"),
        ("modes stewart --plot a.xyz", "--plot a.xyz: the file's name must end in .png, .svg or .pdf"),
        ("simulate stewart --delay 0.1", "--delay 0.1: needs --sample-time, the sample time of the controller"),
        ("ik stewart --pose z", "--pose z: the value is missing; e.g. z=0"),
        (
            "compare stewart",
            "compare: B is missing: second robot, or the same one with --set (see gough compare --help)",
        ),
    ],
)
def test_lines(capsys, tmp_path, monkeypatch, words, line):
    monkeypatch.chdir(tmp_path)
    assert outcome(capsys, *words.split()) == (2, "", f"gough: error: {line}\n")
    assert list(tmp_path.iterdir()) == []
