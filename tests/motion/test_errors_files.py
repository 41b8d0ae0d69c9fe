"""Errors lane: bad motion files, each with the exact line its reader gets (`bad_motions/files.toml`)."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

import gough
from gough import CsvLayout, Motion, MotionError
from gough.cli.motion_options import MotionOptions

CASES = tomllib.loads((Path(__file__).parents[1] / "data" / "bad_motions" / "files.toml").read_text("utf-8"))["case"]


@cache
def spatial3():
    return gough.load("spatial3")


GOOD = "t,y,z,theta,fx\n0,0,0,0,1\n0.5,0.01,0,0.1,2\n1,0.02,0.01,0.2,3\n"

BYTES = {
    "utf-16": ("t,y,z,theta\n".encode("utf-16"), "is not UTF-8 text (byte 0) (save it as UTF-8)"),
    "binary": (bytes(range(256)), "is not UTF-8 text (byte 128) (save it as UTF-8)"),
    "zero-bytes": (b"t,y\0,z,theta\n", "is not text: it has zero bytes (save it as UTF-8)"),
    "xlsx": (b"PK\x03\x04\x14\x00\x06\x00", "is not text: it has zero bytes (save it as UTF-8)"),
}


def line_of(content, tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "motion.csv").write_bytes(content)
    read = Motion.read_waypoints if case.get("waypoints") else Motion.read_csv
    with pytest.raises(MotionError) as caught:
        read(spatial3(), "motion.csv", CsvLayout(case.get("units", "")))
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert [entry.name for entry in tmp_path.iterdir()] == ["motion.csv"]
    return str(caught.value)


def test_the_table_is_large_and_its_names_are_unique():
    assert len(CASES) == len({case["id"] for case in CASES}) >= 60


def place_of(line):
    """File, line and column that a message begins with; its words follow."""
    return re.match(r"motion\.csv(:\d+(: (column \d+|[\w ]+?( \[.*?\])?)(?=: ))?)?: ", line)[0]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_bad_file_is_reported_with_file_line_and_column(case, tmp_path, monkeypatch):
    """Exact; the words behind are the next test's."""
    assert line_of(case["text"].encode(), tmp_path, monkeypatch, case).startswith(place_of(case["line"]))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_bad_file_is_reported_in_these_words(case, tmp_path, monkeypatch):
    """As they are now; they may improve, in the table."""
    assert line_of(case["text"].encode(), tmp_path, monkeypatch, case) == case["line"]


@pytest.mark.parametrize("name", sorted(BYTES))
def test_file_that_is_no_text(name, tmp_path, monkeypatch):
    content, line = BYTES[name]
    assert line_of(content, tmp_path, monkeypatch, {}) == f"motion.csv: {line}"


def test_waypoints_without_times_and_rows(tmp_path):
    (tmp_path / "way.csv").write_text("y,z,theta\n")
    with pytest.raises(MotionError, match=r"way\.csv: has no rows: a motion needs at least 2"):
        MotionOptions(waypoints=str(tmp_path / "way.csv")).on(spatial3(), timed=False)


def line_or_nothing(path, text):
    path.write_text(text)
    try:
        Motion.read_csv(spatial3(), path)
    except MotionError as error:
        return str(error)
    return ""


def test_every_truncation_is_read_or_refused_in_one_line(tmp_path):
    lines = [line_or_nothing(tmp_path / "motion.csv", GOOD[:end]) for end in range(len(GOOD))]
    assert all("\n" not in line for line in lines)
    assert all(line.startswith(str(tmp_path / "motion.csv")) for line in lines if line)
    assert sum(not line for line in lines) < 15


def test_every_changed_character_is_read_or_refused_in_one_line(tmp_path):
    for k in range(len(GOOD)):
        for new in ("", ",", "x", "\n", '"', ";", "9", "-", "e"):
            assert "\n" not in line_or_nothing(tmp_path / "motion.csv", GOOD[:k] + new + GOOD[k + 1 :])


def test_a_header_alone_tells_one_fault_and_doubts_nothing(tmp_path):
    robot = gough.load("stewart")
    path = tmp_path / "motion.csv"
    path.write_text(",".join(["t", *(c.name for c in robot.platform.coordinates)]) + "\n")
    with pytest.raises(MotionError, match="has no rows: a motion needs at least 2"):
        Motion.read_csv(robot, path)
