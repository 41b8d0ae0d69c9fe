"""One motion from the options of a command: what they state together, and the line of each fault.

The lines are those of `bad_motions/options.toml`.
"""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from gough import Motion
from gough.cli.motion_options import MotionOptions
from gough.errors import GoughError, InputError

LINES = tomllib.loads((Path(__file__).parents[1] / "data" / "bad_motions" / "options.toml").read_text())


@cache
def stewart():
    return gough.load("stewart")


@cache
def own_delta():
    return gough.loads(gough.load("delta").to_toml().replace('"delta"', '"mine"'))


def test_a_name_comes_before_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trig3").write_text("not a motion")
    assert MotionOptions(motion="trig3").on(stewart()) == Motion.named(stewart(), "trig3")


def test_no_option_is_the_robots_default_motion():
    assert MotionOptions().on(stewart()) == Motion.named(stewart())


def test_a_straight_move():
    options = MotionOptions(from_="z=2.1", to="z=2.2,psi=0.1", duration="2", law="trig3", back=True)
    end = [0, 0, 2.2, 0.1, 0, 0]
    assert options.on(stewart()) == Motion.to(stewart(), end, 2.0, start="z=2.1", law="trig3", back=True)


def test_units_apply_to_poses_and_durations():
    motion = MotionOptions(to="z=2200,psi=90", duration="1500", units="mm,deg,ms").on(stewart())
    assert motion.end == 1.5
    np.testing.assert_allclose(motion(1.5).x, [0, 0, 2.2, np.pi / 2, 0, 0], atol=1e-15)


STEWART = {
    "unknown-motion": {"motion": "trig"},
    "unknown-motion-far": {"motion": "elephant"},
    "empty-motion": {"motion": ""},
    "no-file": {"motion": "walk.csv"},
    "no-file-in-folder": {"motion": "data/walk"},
    "folder": {"motion": "folder.csv"},
    "folder-no-suffix": {"motion": "folder"},
    "nul": {"motion": "a\0.csv"},
    "motion-and-waypoints": {"motion": "trig3", "waypoints": "w.csv"},
    "motion-and-to": {"motion": "trig3", "to": "z=2.2"},
    "motion-and-from": {"motion": "trig3", "from_": "z=2.2", "to": "z=2.1", "duration": "1"},
    "motion-and-duration": {"motion": "trig3", "duration": "2"},
    "motion-and-law": {"motion": "trig3", "law": "cos"},
    "waypoints-and-duration": {"waypoints": "w.csv", "duration": "2"},
    "waypoints-and-to": {"waypoints": "w.csv", "to": "z=2"},
    "waypoints-and-law": {"waypoints": "w.csv", "law": "trig3"},
    "waypoints-and-back": {"waypoints": "w.csv", "back": True},
    "waypoints-and-bridge": {"waypoints": "w.csv", "bridge": "1s"},
    "to-and-bridge": {"to": "z=2.2", "duration": "1", "bridge": "1s"},
    "hold-and-bridge": {"motion": "hold", "bridge": "1s"},
    "to-and-smooth": {"to": "z=2.2", "duration": "1", "smooth": "auto"},
    "name-and-smooth": {"motion": "trig3", "smooth": "auto"},
    "to-and-relative": {"to": "z=2.2", "duration": "1", "relative": True},
    "name-and-relative": {"motion": "trig3", "relative": True},
    "to-and-columns": {"to": "z=2.2", "duration": "1", "columns": "Heave=z"},
    "name-and-convention": {"motion": "trig3", "convention": "uvw"},
    "to-without-duration": {"to": "z=2.2"},
    "from-without-to": {"from_": "z=2.2", "duration": "1"},
    "from-alone": {"from_": "z=2.2"},
    "duration-alone": {"duration": "1"},
    "law-alone": {"law": "cos"},
    "back-alone": {"back": True},
    "duration-zero": {"to": "z=2.2", "duration": "0"},
    "duration-negative": {"to": "z=2.2", "duration": "-1.5"},
    "duration-text": {"to": "z=2.2", "duration": "long"},
    "duration-nan": {"to": "z=2.2", "duration": "nan"},
    "duration-inf": {"to": "z=2.2", "duration": "inf"},
    "law-unknown": {"to": "z=2.2", "duration": "1", "law": "trig5"},
    "law-far": {"to": "z=2.2", "duration": "1", "law": "bang"},
    "pose-short": {"to": "0,0,2", "duration": "1"},
    "pose-one": {"to": "2", "duration": "1"},
    "pose-empty": {"to": "", "duration": "1"},
    "pose-long": {"to": "0,0,2,0,0,0,0", "duration": "1"},
    "pose-name": {"to": "psy=2", "duration": "1"},
    "pose-foreign": {"to": "alpha=2", "duration": "1"},
    "pose-twice": {"to": "z=2,z=3", "duration": "1"},
    "pose-mixed": {"to": "z=2,3", "duration": "1"},
    "pose-text": {"to": "z=high", "duration": "1"},
    "pose-no-value": {"to": "z=", "duration": "1"},
    "pose-nan": {"from_": "0,0,nan,0,0,0", "to": "z=2", "duration": "1"},
    "pose-inf": {"to": "z=inf", "duration": "1"},
    "pose-unit": {"to": "psi=15mm", "duration": "1"},
    "waypoints-no-file": {"waypoints": "w.csv"},
    "units-unknown": {"units": "furlong"},
    "units-near": {"units": "mms"},
    "units-twice": {"units": "mm,deg,cm"},
    "units-mass": {"units": "kg"},
    "units-parse": {"units": "mm,,deg,bananas"},
    "units-of-a-pose": {"to": "z=2200", "duration": "1", "units": "furlong"},
}
MINE = {"no-default": {}, "mine-unknown": {"motion": "pick-and-place"}}
CASES = {name: (stewart, options) for name, options in STEWART.items()}
CASES |= {name: (own_delta, options) for name, options in MINE.items()}


def test_every_set_of_options_has_its_line():
    assert sorted(CASES) == sorted(LINES)


def message_of(name, folder, monkeypatch):
    """The line of a bad set of options."""
    monkeypatch.chdir(folder)
    (folder / "folder.csv").mkdir()
    (folder / "folder").mkdir()
    robot, options = CASES[name]
    with pytest.raises(GoughError) as caught:
        MotionOptions(**options).on(robot())
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, InputError)
    assert sorted(entry.name for entry in folder.iterdir()) == ["folder", "folder.csv"]
    return str(caught.value)


@pytest.mark.parametrize("name", sorted(CASES))
def test_bad_options_are_reported_with_what_it_is_about(name, tmp_path, monkeypatch):
    """The option or file that the line begins with, exact; the words behind are the next test's."""
    assert message_of(name, tmp_path, monkeypatch).partition(": ")[0] == LINES[name].partition(": ")[0]


@pytest.mark.parametrize("name", sorted(CASES))
def test_bad_options_are_reported_in_these_words(name, tmp_path, monkeypatch):
    """As they are now; they may improve, in the table."""
    assert message_of(name, tmp_path, monkeypatch) == LINES[name]
