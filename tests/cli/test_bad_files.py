"""Errors lane: every bad file of the table through the command, all of its lines, exit code 2, nothing written."""

from __future__ import annotations

import pytest

from tests.cli.running import outcome
from tests.robot.test_errors_table import CASES, edited, expected
from tests.support.lanes import sample


@pytest.mark.parametrize("case", sample(CASES, 12, lane="bad robot files"), ids=lambda case: case["id"])
def test_show_prints_the_lines_of_a_bad_file(capsys, tmp_path, monkeypatch, case):
    (tmp_path / "robot.toml").write_text(edited(case))
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"gough: error: {place}: {words}\n" for place, words in expected(case))
    assert outcome(capsys, "show", "robot.toml", "--png", "robot.png") == (2, "", lines)
    assert [entry.name for entry in tmp_path.iterdir()] == ["robot.toml"]


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff\xfe", b"[platform", b"a" * 5_000_000], ids=["empty", "binary", "cut", "huge"]
)
def test_what_is_no_robot_file_gets_one_line(capsys, tmp_path, monkeypatch, content):
    (tmp_path / "robot.toml").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, "ik", "robot.toml")
    assert (code, out) == (2, "")
    assert err.startswith("gough: error: robot.toml")
    assert err.count("\n") == 1
