"""Fuzzing: 20 000 mutated robots, motions, motors, envelopes and command lines (a sample of 300 by default).

No traceback, nothing that takes over 10 s, nothing accepted that cannot be, and a single mistake is told with its line.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import gough
from gough import load
from gough.cli.new import starter
from gough.errors import GoughError, InputError
from tests.fuzz import cases
from tests.support.lanes import FULL, sample
from tests.support.mutate import CHANGES, mutant
from tests.support.robots import catalogue_text

pytestmark = pytest.mark.filterwarnings("ignore::gough.GoughWarning")
"""A doubtful file may be accepted with a warning: that is no fault."""

COUNTS = {"robots": 8000, "motions": 4000, "motors": 2000, "envelopes": 2000, "commands": 4000}
SLICE = 50
SLICES = [(lane, first) for lane, count in COUNTS.items() for first in range(0, count, SLICE)]
SAMPLED = 30
"""Slices of a sampled run, of a few cases each."""
TAKEN = SLICE if FULL else 10
PAST_THE_PARSER = 0.3


def test_there_are_twenty_thousand():
    assert sum(COUNTS.values()) == 20_000
    assert len(SLICES) * SLICE == 20_000
    assert set(COUNTS) == set(cases.LANES)


@pytest.mark.parametrize(("lane", "first"), sample(SLICES, SAMPLED, lane="fuzz"))
def test_mutants(lane, first, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["gough"])
    found = {k: cases.run(lane, k, tmp_path) for k in range(first, first + TAKEN)}
    wrong = [f"python -m tests.fuzz.cases {lane} {k}: {case.problem}" for k, case in found.items() if case.problem]
    assert wrong == []


@pytest.mark.parametrize("lane", COUNTS)
def test_enough_get_past_the_parser(lane, tmp_path):
    """Accepted, not only read: otherwise the fuzzing would test the parser alone."""
    count = COUNTS[lane] if FULL and lane in ("motors", "envelopes") else 60
    how = [cases.run(lane, k, tmp_path).how for k in range(count)]
    assert np.mean([entry != "parser" for entry in how]) >= PAST_THE_PARSER
    assert "accepted" in how


def test_the_same_seed_gives_the_same_mutant():
    text = cases.robots()["stewart"]
    for k in range(50):
        assert mutant(text, random.Random(k)) == mutant(text, random.Random(k))
    kinds = {kind for k in range(300) for kind in mutant(text, random.Random(k)).kinds}
    assert kinds == {*CHANGES, "bytes"}


def test_a_single_mistake_is_named_with_its_line(tmp_path):
    """Numbers that are none and keys that nobody knows, each alone in a file; enough of them are drawn.

    A number that is one may leave a leg that cannot close: that is told at the head of its table.
    """
    told = 0
    for k in range(400):
        rng = random.Random(f"line {k}")
        base = rng.choice(sorted(cases.robots()))
        changed, line = CHANGES[rng.choice(("number", "key"))](cases.robots()[base], rng)
        if line is None:
            continue
        path = Path(tmp_path / "robot.toml")
        path.write_text(changed)
        fault = refused(path)
        if fault is not None:
            closes = "near home" not in str(fault)
            place = line if closes else head(changed, line)
            assert cases.lines_problem(fault, path, place) == "", changed
            told += closes
    assert told >= 60


def head(text, line):
    """Line of the head of the table that holds a line."""
    rows = text.split("\n")
    return max(k + 1 for k, row in enumerate(rows[:line]) if row.startswith("["))


def refused(path):
    try:
        gough.load(path)
    except GoughError as error:
        return error
    return None


def broken(kind):
    def case(_rng, _folder):
        if kind == "traceback":
            raise KeyError("x")
        while kind == "hang":
            sum(range(1000))
        robot = gough.load("planar3rrr").replace({"platform.mass": 1.0})
        object.__setattr__(robot.platform.body, "mass", -1.0)
        return cases.Outcome("accepted", cases.unphysical(robot, random.Random(0)))

    return case


@pytest.mark.parametrize("kind", ["traceback", "hang", "mass"])
def test_the_lane_finds_what_it_looks_for(kind, tmp_path, monkeypatch):
    monkeypatch.setitem(cases.LANES, "broken", broken(kind))
    monkeypatch.setattr(cases, "LONGEST", 0.3)
    problem = cases.run("broken", 0, tmp_path).problem
    assert {"traceback": "KeyError", "hang": "more than 0.3 s", "mass": "a mass of -1.0"}[kind] in problem


def test_the_lane_finds_bad_lines(tmp_path):
    path = tmp_path / "robot.toml"
    assert cases.lines_problem(InputError(f"{path}:3: mass: -1"), path, 3) == ""
    assert "line 4 is wrong" in cases.lines_problem(InputError(f"{path}:3: mass: -1"), path, 4)
    assert "without its file" in cases.lines_problem(InputError("mass: -1"), path, None)


FOUND = {
    "a home lost in round-off, in an unknown unit": (
        lambda: starter("PUS").replace('length = "mm"', 'length = "ell"').replace("600, 0, 0, 0]", "6e8, 0, 0, 0]"),
        ["units.length"],
    ),
    "a start that no joint has": (
        lambda: load("spatial3").explicit().to_toml().replace("start = 0.0", "start = -1e300", 1),
        ["joint.1.start"],
    ),
    "an inertia about a point so far away that it would overflow": (
        lambda: catalogue_text("spatial3").replace("about = [-0.1, 0, 0]", "about = [-0.1, 0, 1e300]"),
        ["robot.toml:12: platform.about: [-0.1, 0, 1e+300]: implausibly large: at most 100 m"],
    ),
    "a key of escapes": (lambda: 'name = "a"\n"b\\n\\u001b" = 1\n', ["robot.toml:2: b\\n\\x1b: unknown key"]),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_fuzzing_found(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, told = FOUND[what]
    (tmp_path / "robot.toml").write_text(text())
    error = refused("robot.toml")
    assert error is not None
    for part in told:
        assert part in str(error)
