"""The README's robot is short, its figures are there, and what it says Python prints is printed."""

from __future__ import annotations

import re
from pathlib import Path

from gough import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.split("## A robot of your own\n")[1].split("\n## ")[0]


def block(language: str) -> str:
    return re.search(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)[1]


def test_the_robot_is_short(tmp_path):
    (tmp_path / "mine.toml").write_text(block("toml"))
    assert len(block("toml").splitlines()) <= 22
    assert len(load(tmp_path / "mine.toml").legs) == 6


def test_the_python_prints_displacements(capsys):
    exec(block("python"), {})
    assert capsys.readouterr().out.startswith("[2.4")


def test_pictures_are_there():
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", README):
        assert (ROOT / picture).is_file()
