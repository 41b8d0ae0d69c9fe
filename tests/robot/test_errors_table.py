"""Errors lane: one bad file per rule and per check, each with the exact lines its reader gets."""

import re
import tomllib
from pathlib import Path

import pytest

import gough
from gough import loads

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


def expected(case):
    """Place (file, line and key) and words of each line, in the order of the file."""
    lines = sorted([*case["lines"], *case.get("moving", [])], key=lambda line: int(line.split(":")[1]))
    return [tuple(re.fullmatch(r"(robot\.toml:\d+(?:: [\w.\[\]-]+(?=: ))?): (.*)", line).groups()) for line in lines]


def messages(case, tmp_path, monkeypatch):
    """The lines of a case's file, read by `gough.load`."""
    (tmp_path / "robot.toml").write_text(edited(case))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(gough.RobotError) as caught:
        gough.load("robot.toml")
    assert caught.value.exit_code == 2
    assert [entry.name for entry in tmp_path.iterdir()] == ["robot.toml"]
    return str(caught.value).split("\n")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_bad_file_is_reported_with_file_line_and_key(case, tmp_path, monkeypatch):
    """Exact; the words behind are the next test's."""
    lines, lines_expected = messages(case, tmp_path, monkeypatch), expected(case)
    assert len(lines) == len(lines_expected)
    for line, (place, _) in zip(lines, lines_expected, strict=True):
        assert line.startswith(f"{place}: ")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_bad_file_is_reported_in_these_words(case, tmp_path, monkeypatch):
    """As they are now; they may improve, in the table."""
    assert messages(case, tmp_path, monkeypatch) == [f"{place}: {words}" for place, words in expected(case)]
