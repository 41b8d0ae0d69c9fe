"""The README's section on forces: its Python runs, its command prints what is shown, its picture is the command's."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.running import outcome

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "README.md").read_text("utf-8").split("## Forces along a motion\n")[1].split("\n## ")[0]


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)[1]


def test_the_python_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert len(block("python").splitlines()) <= 10
    exec(block("python"), {})
    assert capsys.readouterr().out.startswith("(101, 6) 11.29")
    assert len((tmp_path / "forces.csv").read_text().splitlines()) == 102


def test_the_command_prints_what_is_shown(capsys):
    command, _, shown = block("console").partition("\n")
    assert outcome(capsys, *shlex.split(command.removeprefix("$ gough "))) == (0, shown, "")


def test_the_picture_is_the_commands(capsys, tmp_path):
    picture = tmp_path / "forces.png"
    outcome(capsys, "inverse", "stewart", "--plot", str(picture))
    kept = ROOT / "docs" / "images" / "stewart_forces.png"
    assert kept.stat().st_size > 20_000
    assert picture.read_bytes()[16:24] == kept.read_bytes()[16:24]
