"""The README's robot and its commands work as pasted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from gough.kinematics import load
from tests.cli.running import outcome

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SECTION = README.split("## A robot of your own\n")[1].split("\n## ")[0]


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)[1]


def test_the_robot_is_short_and_its_commands_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(block("toml"))
    assert len(block("toml").splitlines()) <= 22
    assert len(load("mine.toml").legs) == 6
    commands = [shlex.split(line, comments=True) for line in block("sh").splitlines()]
    assert len(commands) == 4
    for command, *arguments in commands:
        assert command == "gough"
        code, out, err = outcome(capsys, *arguments)
        assert (code, err) == (0, ""), arguments
        assert out
    assert (tmp_path / "mine.png").stat().st_size > 10_000


def test_the_python_runs(capsys):
    exec(block("python"), {})
    assert capsys.readouterr().out.startswith("[2.4")


def test_pictures_are_there():
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", README):
        assert (Path(__file__).parents[2] / picture).is_file()
