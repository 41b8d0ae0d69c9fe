"""Every block of the README runs: commands as pasted, tables as printed, Python as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import gough
from gough import catalogue, load
from gough.dynamics import FORMULATIONS
from gough.reports.counts import operation_counts
from tests.cli.running import outcome
from tests.design.test_demand import MOTOR

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.removeprefix(".venv/bin/")
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
    if "gough " in line
]
LONG = ("--envelope", "--ensemble", "--controller")
"""Commands that take more than some seconds."""
ENVELOPE = "[pose]\nx = [-0.1, 0.1]\nz = [2.0, 2.2]\n[velocity]\nz = 0.5\n"


def printed(command):
    """The header of what a command is shown to print, and the cells of each line by its first."""
    text = next(t for language, t in BLOCKS if language == "console" and t.startswith(f"$ {command}\n"))
    return table(text.partition("\n")[2])


def table(text):
    header, *lines = text.splitlines()
    return header.split(), {line.split()[0]: line.split()[1:] for line in lines}


@pytest.mark.parametrize(
    "line", [pytest.param(c, marks=pytest.mark.slow) if any(w in c for w in LONG) else c for c in COMMANDS]
)
def test_a_command_runs_as_pasted(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    robot = next(text for language, text in BLOCKS if language == "toml")
    for name, text in (("mine.toml", robot), ("servo.toml", MOTOR), ("envelope.toml", ENVELOPE)):
        (tmp_path / name).write_text(text)
    command, *arguments = shlex.split(line, comments=True)
    assert command == "gough"
    code, out, err = outcome(capsys, *arguments)
    stated = re.search(r"# exit (\d)", line)
    assert code == (int(stated[1]) if stated else 0), err
    assert out


@pytest.mark.parametrize("text", [text for language, text in BLOCKS if language == "toml"])
def test_a_robot_file_loads(tmp_path, text):
    (tmp_path / "robot.toml").write_text(text)
    robot = gough.load(tmp_path / "robot.toml")
    assert gough.inverse_kinematics(robot, robot.platform.home).status == gough.Status.FINE


def test_no_command_is_left_out():
    assert len(COMMANDS) >= 12
    assert {language for language, _ in BLOCKS} == {"sh", "console", "python", "toml"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, marks=pytest.mark.slow) if "gough.simulation" in text else text
        for language, text in BLOCKS
        if language == "python"
    ],
)
def test_python_runs(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(text, {})


@pytest.mark.parametrize("name", catalogue())
def test_counts_of_the_quick_formulations(name):
    _, rows = printed("gough count all")
    counts = [c.total.flops for c in operation_counts(load(name), [f for f in FORMULATIONS if not f.yardstick])]
    values = [int(cell) for cell in rows[name]]
    assert values[: len(counts)] == counts
    assert min(values[len(counts) :]) > max(counts)


@pytest.mark.slow
def test_counts(capsys):
    code, out, err = outcome(capsys, "count", "all")
    assert (code, err) == (0, "")
    assert table(out) == printed("gough count all")


@pytest.mark.slow
def test_agreement(capsys):
    """What is shown is what is printed, but for the last bits: figures of round-off within a factor of ten."""
    code, out, err = outcome(capsys, "verify", "all")
    assert code == 0, err
    figures, _, not_run = out.partition("\n\n")
    header, rows = table(figures)
    text = next(t for language, t in BLOCKS if language == "console" and t.startswith("$ gough verify all\n"))
    shown_figures, _, shown_not_run = text.partition("\n")[2].partition("\n\n")
    shown_header, shown = table(shown_figures)
    without_counts = [re.sub(r"\d+ operations", "operations", part) for part in (not_run, shown_not_run)]
    assert without_counts[0] == without_counts[1]
    assert (header, list(rows)) == (shown_header, list(shown))
    for name in rows:
        condition, *figures, passed = rows[name]
        shown_condition, *shown_figures, shown_passed = shown[name]
        assert (condition, passed) == (shown_condition, shown_passed)
        for figure, other in zip(figures, shown_figures, strict=True):
            assert 0.1 < float(figure) / float(other) < 10.0
