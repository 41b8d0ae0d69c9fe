"""Errors lane: bad calls and options, each with the exact line its reader gets (`bad_motions/calls.toml`)."""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from gough import CsvLayout, Motion, MotionError, State
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
    return Motion.named(stewart(), "trig3")


def raised_base(duration=4):
    """A motion of the coordinates of a base."""
    names = '{ x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }'
    base = gough.loads(
        f"""name = "raised"
[platform]
coordinates = {names}
home = [0, 0, 0.6, 0, 0, 0]
mass = 1
[legs]
type = "UPS"
base = {{ radius = 0.45, half_angle = 0.2 }}
platform = {{ radius = 0.3, half_angle = 0.2 }}
"""
    )
    return Motion.to(base, "z=0.7", duration)


nan = float("nan")
t, x = np.arange(5.0), np.zeros((5, 3))

CASES = {
    "unknown-motion": lambda: Motion.named(stewart(), "trig"),
    "unknown-motion-far": lambda: Motion.named(stewart(), "elephant"),
    "empty-motion": lambda: Motion.named(stewart(), ""),
    "no-file": lambda: Motion.read_csv(stewart(), "walk.csv"),
    "folder": lambda: Motion.read_csv(stewart(), "folder.csv"),
    "nul": lambda: Motion.read_csv(stewart(), "a\0.csv"),
    "duration-zero": lambda: Motion.to(stewart(), "z=2.2", "0"),
    "duration-negative": lambda: Motion.to(stewart(), "z=2.2", -1.5),
    "duration-text": lambda: Motion.to(stewart(), "z=2.2", "long"),
    "duration-nan": lambda: Motion.to(stewart(), "z=2.2", nan),
    "duration-inf": lambda: Motion.to(stewart(), "z=2.2", "inf"),
    "law-unknown": lambda: Motion.to(stewart(), "z=2.2", 1, law="trig5"),
    "law-far": lambda: Motion.to(stewart(), "z=2.2", 1, law="bang"),
    "pose-short": lambda: Motion.to(stewart(), "0,0,2", 1),
    "pose-one": lambda: Motion.to(stewart(), "2", 1),
    "pose-empty": lambda: Motion.to(stewart(), "", 1),
    "pose-long": lambda: Motion.to(stewart(), "0,0,2,0,0,0,0", 1),
    "pose-name": lambda: Motion.to(stewart(), "psy=2", 1),
    "pose-foreign": lambda: Motion.to(stewart(), "alpha=2", 1),
    "pose-twice": lambda: Motion.to(stewart(), "z=2,z=3", 1),
    "pose-mixed": lambda: Motion.to(stewart(), "z=2,3", 1),
    "pose-text": lambda: Motion.to(stewart(), "z=high", 1),
    "pose-no-value": lambda: Motion.to(stewart(), "z=", 1),
    "pose-nan": lambda: Motion.to(stewart(), "z=2", 1, start="0,0,nan,0,0,0"),
    "pose-inf": lambda: Motion.to(stewart(), "z=inf", 1),
    "pose-unit": lambda: Motion.to(stewart(), "psi=15mm", 1),
    "no-default": lambda: Motion.named(own_delta()),
    "mine-unknown": lambda: Motion.named(own_delta(), "pick-and-place"),
    "time-late": lambda: trig3()(4.5),
    "time-early": lambda: trig3()([0, -0.1]),
    "time-nan": lambda: trig3()(nan),
    "time-text": lambda: trig3()("now"),
    "time-matrix": lambda: trig3()([[1, 2]]),
    "wrench-late": lambda: trig3().with_wrench(np.zeros(6)).wrench(5),
    "samples-one": lambda: trig3().sample(1),
    "samples-negative": lambda: trig3().sample(-3),
    "samples-text": lambda: trig3().sample("many"),
    "samples-bool": lambda: trig3().sample(True),
    "wrench-short": lambda: trig3().with_wrench([1, 2, 3]),
    "wrench-nan": lambda: trig3().with_wrench([1, 2, 3, 4, 5, nan]),
    "p2p-duration": lambda: Motion.to(delta(), "x=0.1", 0),
    "p2p-bool": lambda: Motion.to(delta(), "x=0.1", True),
    "p2p-law": lambda: Motion.to(delta(), "x=0.1", 1, law="cosine"),
    "p2p-pose": lambda: Motion.to(delta(), [1, 2], 1),
    "p2p-from": lambda: Motion.to(delta(), [0, 0, -0.9], 1, start={"w": 1}),
    "p2p-none": lambda: Motion.to(delta(), [0, 0, None], 1),
    "fn-x-only": lambda: Motion.from_function(delta(), lambda t: [0, 0, -0.9], 0, 1),
    "fn-two": lambda: Motion.from_function(delta(), lambda t: ([0, 0, -0.9], [0, 0, 0]), 0, 1),
    "fn-size": lambda: Motion.from_function(delta(), lambda t: ([0, 0], [0, 0], [0, 0]), 0, 1),
    "fn-ragged": lambda: Motion.from_function(delta(), lambda t: ([0, 0, 0], [0, 0], [0, 0, 0]), 0, 1),
    "fn-none": lambda: Motion.from_function(delta(), lambda t: None, 0, 1),
    "fn-nan": lambda: Motion.from_function(delta(), lambda t: ([0, 0, -0.9], [0, nan, 0], [0, 0, 0]), 0, 1),
    "fn-later": lambda: Motion.from_function(
        delta(), lambda t: ([0, 0, 1 / (t - 0.5) if t != 0.5 else nan], [0, 0, 0], [0, 0, 0]), 0, 1
    )(0.5),
    "fn-wrench": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1, wrench=lambda t: [0, 0, 1]),
    "fn-wrench-nan": lambda: Motion.from_function(
        delta(), lambda t: np.zeros((3, 3)), 0, 1, wrench=lambda t: [0, 0, 1, 0, 0, nan]
    ),
    "fn-interval": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 1, 1),
    "fn-inf": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, float("inf")),
    "arr-shape": lambda: Motion.from_samples(delta(), State(x.T, t=t)),
    "arr-columns": lambda: Motion.from_samples(delta(), State(x[:, :2], t=t)),
    "arr-t": lambda: Motion.from_samples(delta(), State(x, t=x)),
    "arr-text": lambda: Motion.from_samples(delta(), State("abc", t=t)),
    "arr-none": lambda: Motion.from_samples(delta(), State(None, t=t)),
    "arr-complex": lambda: Motion.from_samples(delta(), State(x + 1j, t=t)),
    "arr-ragged": lambda: Motion.from_samples(delta(), State([[1, 2, 3], [1, 2]], t=t)),
    "arr-xdd": lambda: Motion.from_samples(delta(), State(x, xdd=x, t=t)),
    "arr-xd-shape": lambda: Motion.from_samples(delta(), State(x, x[:4], t=t)),
    "arr-nan": lambda: Motion.from_samples(delta(), State(np.where(np.arange(15).reshape(5, 3) == 7, nan, x), t=t)),
    "arr-time": lambda: Motion.from_samples(delta(), State(x, t=[0, 1, 2, 2, 3])),
    "arr-back": lambda: Motion.from_samples(delta(), State(x, t=[0, 1, 2, 1.5, 3])),
    "arr-one": lambda: Motion.from_samples(delta(), State(x[:1], t=[0])),
    "arr-empty": lambda: Motion.from_samples(delta(), State(x[:0], t=[])),
    "arr-wrench": lambda: Motion.from_samples(delta(), State(x, wrench=x, t=t)),
    "arr-no-times": lambda: Motion.from_samples(delta(), State(x)),
    "arr-no-state": lambda: Motion.from_samples(delta(), x),
    "arr-base": lambda: Motion.from_samples(delta(), State(x, t=t, base=gough.BaseState())),
    "arr-other-robot": lambda: Motion.from_samples(delta(), trig3().sample(3)),
    "arr-xd-columns": lambda: Motion.from_samples(delta(), State(x, x[:, :2], t=t)),
    "arr-max-gap": lambda: Motion.from_samples(delta(), State(x, t=t), max_gap="long"),
    "arr-smooth": lambda: Motion.from_samples(delta(), State(x, t=t), smooth="much"),
    "arr-rates": lambda: Motion.from_samples(delta(), State(x, x + 1, t=t)),
    "arr-accel": lambda: Motion.from_samples(delta(), State(x, x, x + 1, t=t)),
    "through-no-times": lambda: Motion.through(delta(), None, x),
    "through-columns": lambda: Motion.through(delta(), t, x[:, :2]),
    "through-one": lambda: Motion.through(delta(), [0], x[:1]),
    "through-turn": lambda: Motion.through(spatial3(), [0, 1], [[0, 0, 0], [0, 0, 4]]),
    "motion-of-another-robot": lambda: Motion.of(delta(), trig3()),
    "motion-by-name": lambda: gough.check(delta(), "circle"),
    "motion-none": lambda: gough.check(delta(), None),
    "motion-no-name": lambda: Motion.named(delta(), 5),
    "units-read-csv": lambda: Motion.read_csv(spatial3(), "walk.csv", CsvLayout(units="parsec")),
    "wrench-text": lambda: trig3().with_wrench("down"),
    "law-none": lambda: Motion.to(stewart(), "z=2.2", 1, law=None),
    "fn-no-function": lambda: Motion.from_function(delta(), [0, 0, -0.9], 0, 1),
    "fn-constant-wrench": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1, wrench=[0] * 6),
    "fn-start-text": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), "now", 1),
    "fn-end-none": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, None),
    "fn-breakpoint": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1, breakpoints=0.5),
    "fn-breakpoints": lambda: Motion.from_function(delta(), lambda t: np.zeros((3, 3)), 0, 1, breakpoints=["half"]),
    "scaled-zero": lambda: trig3().scaled(0),
    "scaled-text": lambda: trig3().scaled("2"),
    "scaled-none": lambda: trig3().scaled(None),
    "scaled-list": lambda: trig3().scaled([1, 2]),
    "base-name": lambda: trig3().on_base("shp"),
    "base-none": lambda: trig3().on_base(None),
    "base-number": lambda: trig3().on_base(3),
    "base-state": lambda: trig3().on_base(trig3().sample(3)),
    "base-other-coordinates": lambda: trig3().on_base(Motion.named(delta())),
    "base-on-base": lambda: trig3().on_base(raised_base().on_base("ship")),
    "base-wrench": lambda: trig3().on_base(raised_base().with_wrench([0, 0, 1, 0, 0, 0])),
    "base-short": lambda: trig3().on_base(raised_base(2)),
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
        Motion.to(stewart(), "z=2.1", "long")
    error = caught.value
    assert (error.place, error.what, error.value, error.allowed) == (
        "duration",
        "",
        "long",
        "must be a positive number",
    )


def test_a_users_own_exception_passes_through():
    with pytest.raises(ZeroDivisionError):
        Motion.from_function(delta(), lambda t: 1 / 0, 0, 1)


def test_a_file_too_large(tmp_path):
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(200_000_001)
    with pytest.raises(MotionError, match=r"huge.csv: too large: 200.0 MB, at most 200 MB \(sample it"):
        Motion.read_csv(spatial3(), path)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (lambda x: gough.State(x, base="ship"),
         "base: str given, must be a BaseState (a motion on a base that moves is Motion.on_base)"),
        (lambda x: np.asarray(gough.State(x)),
         "state: is no array of numbers; its parts are x, xd, xdd, wrench and base"),
        (lambda x: gough.State(x, base=gough.BaseState()).to_csv(),
         "state: its base moves, and CSV has no columns for that; write the states without base"),
        (lambda x: gough.State(x)[0], "state: of a single instant, has no rows; where an array is expected give its x"),
    ],
)  # fmt: skip
def test_a_state_is_not_taken_for_what_it_is_not(call, line):
    with pytest.raises(gough.InputError) as caught:
        call(delta().home)
    assert str(caught.value) == line
