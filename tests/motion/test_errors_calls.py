"""Errors lane: bad calls and options, each with the exact line its reader gets (`bad_motions/calls.toml`)."""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from gough import MotionError, choose_motion, from_arrays, from_function, point_to_point, read_csv, through
from gough.errors import GoughError, InputError

LINES = tomllib.loads((Path(__file__).parents[1] / "data" / "bad_motions" / "calls.toml").read_text())


@cache
def spatial3():
    return gough.load("spatial3")


@cache
def stewart():
    return gough.load("stewart")


@cache
def delta():
    return gough.load("delta")


@cache
def own_delta():
    return gough.loads(delta().to_toml().replace('"delta"', '"mine"'))


@cache
def trig3():
    return choose_motion(stewart(), "trig3")


nan = float("nan")
t, x = np.arange(5.0), np.zeros((5, 3))

CASES = {
    "unknown-motion": lambda: choose_motion(stewart(), "trig"),
    "unknown-motion-far": lambda: choose_motion(stewart(), "elephant"),
    "empty-motion": lambda: choose_motion(stewart(), ""),
    "no-file": lambda: choose_motion(stewart(), "walk.csv"),
    "no-file-in-folder": lambda: choose_motion(stewart(), "data/walk"),
    "folder": lambda: choose_motion(stewart(), "folder.csv"),
    "folder-no-suffix": lambda: choose_motion(stewart(), "folder"),
    "nul": lambda: choose_motion(stewart(), "a\0.csv"),
    "motion-and-waypoints": lambda: choose_motion(stewart(), "trig3", waypoints="w.csv"),
    "motion-and-to": lambda: choose_motion(stewart(), "trig3", to="z=2.2"),
    "motion-and-from": lambda: choose_motion(stewart(), "trig3", from_="z=2.2", to="z=2.1", duration=1),
    "motion-and-duration": lambda: choose_motion(stewart(), "trig3", duration=2),
    "motion-and-law": lambda: choose_motion(stewart(), "trig3", law="cos"),
    "waypoints-and-duration": lambda: choose_motion(stewart(), waypoints="w.csv", duration=2),
    "waypoints-and-to": lambda: choose_motion(stewart(), waypoints="w.csv", to="z=2"),
    "to-without-duration": lambda: choose_motion(stewart(), to="z=2.2"),
    "from-without-to": lambda: choose_motion(stewart(), from_="z=2.2", duration=1),
    "from-alone": lambda: choose_motion(stewart(), from_="z=2.2"),
    "duration-alone": lambda: choose_motion(stewart(), duration=1),
    "law-alone": lambda: choose_motion(stewart(), law="cos"),
    "duration-zero": lambda: choose_motion(stewart(), to="z=2.2", duration="0"),
    "duration-negative": lambda: choose_motion(stewart(), to="z=2.2", duration=-1.5),
    "duration-text": lambda: choose_motion(stewart(), to="z=2.2", duration="long"),
    "duration-nan": lambda: choose_motion(stewart(), to="z=2.2", duration=nan),
    "duration-inf": lambda: choose_motion(stewart(), to="z=2.2", duration="inf"),
    "law-unknown": lambda: choose_motion(stewart(), to="z=2.2", duration=1, law="trig5"),
    "law-far": lambda: choose_motion(stewart(), to="z=2.2", duration=1, law="bang"),
    "pose-short": lambda: choose_motion(stewart(), to="0,0,2", duration=1),
    "pose-one": lambda: choose_motion(stewart(), to="2", duration=1),
    "pose-empty": lambda: choose_motion(stewart(), to="", duration=1),
    "pose-long": lambda: choose_motion(stewart(), to="0,0,2,0,0,0,0", duration=1),
    "pose-name": lambda: choose_motion(stewart(), to="psy=2", duration=1),
    "pose-foreign": lambda: choose_motion(stewart(), to="alpha=2", duration=1),
    "pose-twice": lambda: choose_motion(stewart(), to="z=2,z=3", duration=1),
    "pose-mixed": lambda: choose_motion(stewart(), to="z=2,3", duration=1),
    "pose-text": lambda: choose_motion(stewart(), to="z=high", duration=1),
    "pose-no-value": lambda: choose_motion(stewart(), to="z=", duration=1),
    "pose-nan": lambda: choose_motion(stewart(), from_="0,0,nan,0,0,0", to="z=2", duration=1),
    "pose-inf": lambda: choose_motion(stewart(), to="z=inf", duration=1),
    "pose-unit": lambda: choose_motion(stewart(), to="psi=15mm", duration=1),
    "no-default": lambda: choose_motion(own_delta()),
    "mine-unknown": lambda: choose_motion(own_delta(), "pick-and-place"),
    "waypoints-no-file": lambda: choose_motion(stewart(), waypoints="w.csv"),
    "units-unknown": lambda: choose_motion(stewart(), units="furlong"),
    "units-near": lambda: choose_motion(stewart(), units="mms"),
    "units-twice": lambda: choose_motion(stewart(), units="mm,deg,cm"),
    "units-mass": lambda: choose_motion(stewart(), units="kg"),
    "time-late": lambda: trig3()(4.5),
    "time-early": lambda: trig3()([0, -0.1]),
    "time-nan": lambda: trig3()(nan),
    "time-text": lambda: trig3()("now"),
    "time-matrix": lambda: trig3()([[1, 2]]),
    "wrench-late": lambda: trig3().with_wrench(np.zeros(6)).wrench(5),
    "samples-one": lambda: trig3().sample(1),
    "samples-negative": lambda: trig3().sample(-3),
    "samples-none": lambda: trig3().sample(None),
    "samples-bool": lambda: trig3().sample(True),
    "wrench-short": lambda: trig3().with_wrench([1, 2, 3]),
    "wrench-nan": lambda: trig3().with_wrench([1, 2, 3, 4, 5, nan]),
    "p2p-duration": lambda: point_to_point(delta(), "x=0.1", 0),
    "p2p-bool": lambda: point_to_point(delta(), "x=0.1", True),
    "p2p-law": lambda: point_to_point(delta(), "x=0.1", 1, law="cosine"),
    "p2p-pose": lambda: point_to_point(delta(), [1, 2], 1),
    "p2p-from": lambda: point_to_point(delta(), [0, 0, -0.9], 1, from_={"w": 1}),
    "p2p-none": lambda: point_to_point(delta(), [0, 0, None], 1),
    "fn-x-only": lambda: from_function(delta(), lambda t: [0, 0, -0.9], 0, 1),
    "fn-two": lambda: from_function(delta(), lambda t: ([0, 0, -0.9], [0, 0, 0]), 0, 1),
    "fn-size": lambda: from_function(delta(), lambda t: ([0, 0], [0, 0], [0, 0]), 0, 1),
    "fn-ragged": lambda: from_function(delta(), lambda t: ([0, 0, 0], [0, 0], [0, 0, 0]), 0, 1),
    "fn-none": lambda: from_function(delta(), lambda t: None, 0, 1),
    "fn-nan": lambda: from_function(delta(), lambda t: ([0, 0, -0.9], [0, nan, 0], [0, 0, 0]), 0, 1),
    "fn-later": lambda: from_function(
        delta(), lambda t: ([0, 0, 1 / (t - 0.5) if t != 0.5 else nan], [0, 0, 0], [0, 0, 0]), 0, 1
    )(0.5),
    "fn-wrench": lambda: from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1, wrench=lambda t: [0, 0, 1]),
    "fn-wrench-nan": lambda: from_function(
        delta(), lambda t: np.zeros((3, 3)), 0, 1, wrench=lambda t: [0, 0, 1, 0, 0, nan]
    ),
    "fn-interval": lambda: from_function(delta(), lambda t: np.zeros((3, 3)), 1, 1),
    "fn-inf": lambda: from_function(delta(), lambda t: np.zeros((3, 3)), 0, float("inf")),
    "arr-shape": lambda: from_arrays(delta(), t, x.T),
    "arr-columns": lambda: from_arrays(delta(), t, x[:, :2]),
    "arr-t": lambda: from_arrays(delta(), x, x),
    "arr-text": lambda: from_arrays(delta(), t, "abc"),
    "arr-none": lambda: from_arrays(delta(), t, None),
    "arr-complex": lambda: from_arrays(delta(), t, x + 1j),
    "arr-ragged": lambda: from_arrays(delta(), t, [[1, 2, 3], [1, 2]]),
    "arr-xdd": lambda: from_arrays(delta(), t, x, xdd=x),
    "arr-xd-shape": lambda: from_arrays(delta(), t, x, x[:4]),
    "arr-nan": lambda: from_arrays(delta(), t, np.where(np.arange(15).reshape(5, 3) == 7, nan, x)),
    "arr-time": lambda: from_arrays(delta(), [0, 1, 2, 2, 3], x),
    "arr-back": lambda: from_arrays(delta(), [0, 1, 2, 1.5, 3], x),
    "arr-one": lambda: from_arrays(delta(), [0], x[:1]),
    "arr-empty": lambda: from_arrays(delta(), [], x[:0]),
    "arr-wrench": lambda: from_arrays(delta(), t, x, wrench=x),
    "arr-rates": lambda: from_arrays(delta(), t, x, x + 1),
    "arr-accel": lambda: from_arrays(delta(), t, x, x, x + 1),
    "through-one": lambda: through(delta(), [0], x[:1]),
    "through-turn": lambda: through(spatial3(), [0, 1], [[0, 0, 0], [0, 0, 4]]),
    "motion-of-another-robot": lambda: choose_motion(delta(), trig3()),
    "units-read-csv": lambda: read_csv(spatial3(), "walk.csv", "parsec"),
    "units-parse": lambda: choose_motion(stewart(), units="mm,,deg,bananas"),
    "wrench-text": lambda: trig3().with_wrench("down"),
}


def test_every_call_has_its_line():
    assert sorted(CASES) == sorted(LINES)
    assert len(CASES) >= 90


def message_of(name, folder, monkeypatch):
    """The line of a bad call."""
    monkeypatch.chdir(folder)
    (folder / "folder.csv").mkdir()
    (folder / "folder").mkdir()
    with pytest.raises(GoughError) as caught:
        CASES[name]()
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, InputError)
    assert sorted(entry.name for entry in folder.iterdir()) == ["folder", "folder.csv"]
    return str(caught.value)


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_bad_call_is_reported_with_what_it_is_about(name, tmp_path, monkeypatch):
    """The option, argument or file that the line begins with, exact; the words behind are the next test's."""
    assert message_of(name, tmp_path, monkeypatch).partition(": ")[0] == LINES[name].partition(": ")[0]


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_bad_call_is_reported_in_these_words(name, tmp_path, monkeypatch):
    """As they are now; they may improve, in the table."""
    assert message_of(name, tmp_path, monkeypatch) == LINES[name]


def test_errors_carry_their_data():
    with pytest.raises(MotionError) as caught:
        choose_motion(stewart(), to="z=2.1", duration="long")
    error = caught.value
    assert (error.place, error.what, error.value, error.allowed) == (
        "--duration",
        "",
        "long",
        "must be a positive number",
    )


def test_a_users_own_exception_passes_through():
    with pytest.raises(ZeroDivisionError):
        from_function(delta(), lambda t: 1 / 0, 0, 1)


def test_a_file_too_large(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(200_000_001)
    with pytest.raises(MotionError, match=r"huge.csv: too large: 200.0 MB, at most 200 MB \(sample it"):
        read_csv(spatial3(), path)
