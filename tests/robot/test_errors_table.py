"""Errors lane: one bad file per rule and per check, each with the exact lines its reader gets."""

import tomllib
from pathlib import Path

import pytest

from gough.errors import GoughError
from gough.robot import load, loads

DATA = Path(__file__).parents[1] / "data" / "bad_robots"
BASES = {name: (DATA / f"{name}.toml").read_text() for name in ("ups", "pus", "rus", "joints", "points", "cables")}
CASES = [case for table in sorted(DATA.glob("cases_*.toml")) for case in tomllib.loads(table.read_text())["case"]]


def edited(case):
    text = BASES[case["base"]]
    for old, new in case["edits"]:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_the_table_is_large_and_its_names_are_unique():
    names = [case["id"] for case in CASES]
    assert len(names) >= 160
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", sorted(BASES))
def test_base_files_are_good(name):
    assert loads(BASES[name]).legs


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_bad_file_gives_its_exact_lines(case, tmp_path, monkeypatch):
    (tmp_path / "robot.toml").write_text(edited(case))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GoughError) as caught:
        load("robot.toml")
    assert str(caught.value).split("\n") == case["lines"]
    assert caught.value.exit_code == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["robot.toml"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_bad_dict_gives_the_same_lines_without_a_place(case):
    from gough.robot import build

    with pytest.raises(GoughError) as caught:
        build(tomllib.loads(edited(case)), "robot.toml")
    without_line = [line.split(": ", 1)[1] for line in case["lines"]]
    assert sorted(str(caught.value).replace("robot.toml: ", "").split("\n")) == sorted(without_line)
