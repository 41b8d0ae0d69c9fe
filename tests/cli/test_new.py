"""`gough new`: starter files that load, solve and draw; nothing is overwritten unasked."""

from __future__ import annotations

import os
import re
import tomllib
from html import unescape

import numpy as np
import pytest

from gough import SHORT_FORMS, load, loads
from gough.cli.envelope_starter import envelope_of, scaled_envelope
from gough.cli.loading import machine_type
from gough.cli.new import HOLDS, KINDS, starter
from gough.design import envelope_of as read
from gough.design import read_envelope, size
from gough.design.limited_forces import WithinLimits, freely_shared
from gough.design.worst import Worst
from gough.kinematics import Status, inverse_kinematics
from gough.optimisation.read import wanted_of
from tests.cli.running import outcome
from tests.support.robots import value_at

TYPES = {
    "UPS": "6-UPS",
    "PUS": "6-PUS",
    "RUS": "6-RUS",
    "delta": "3-RPa",
    "SRU": "6-SRU",
    "UPU": "3-UPU",
    "RPS": "3-RPS",
    "PRS": "3-PRS",
    "PPa": "3-PPa",
}
TYPES |= {"tricept": "1-UP + 3-UPS", "RRR": "3-RRR", "cable": "8-cable", "joints": "1-RR + 2-RSS"}


@pytest.mark.parametrize("kind", KINDS)
def test_starters_load_and_solve_within_their_strokes(capsys, tmp_path, kind):
    path = tmp_path / "robot.toml"
    code, out, err = outcome(capsys, "new", "--legs", kind, "--out", str(path))
    assert (code, out, err) == (0, f"wrote {path}; next: gough show {path}\n", "")
    robot = load(path)
    assert machine_type(robot) == TYPES[kind]
    solution = inverse_kinematics(robot, robot.platform.home)
    assert solution.status == Status.FINE
    assert solution.condition < 20
    driven = [joint for leg in robot.legs for joint in leg.joints if joint.actuated]
    for joint, q in zip(driven, solution.q, strict=True):
        low, high = joint.limits.stroke
        assert low + 0.1 * (high - low) < q < high - 0.1 * (high - low)
    assert outcome(capsys, "show", str(path))[0] == 0
    first = robot.coordinate_names[0]
    assert outcome(capsys, "ik", str(path), "--pose", f"{first}={robot.platform.home[0] + 0.02}")[0] == 0


@pytest.mark.parametrize(
    ("kind", "command"),
    [
        ("motor", "size stewart --motor"),
        ("envelope", "size stewart --envelope"),
        ("study", "study"),
        ("optimise", "optimise"),
    ],
)
def test_other_files_work_as_they_are(capsys, tmp_path, kind, command):
    path = tmp_path / f"{kind}.toml"
    told = f"wrote {path}; next: gough {command} {path}\n"
    assert outcome(capsys, "new", f"--{kind}", "--out", str(path)) == (0, told, "")
    code, out, err = outcome(capsys, *command.split(), str(path))
    assert (code, err) == (0, "")
    assert "DOES NOT FIT" not in out


@pytest.mark.parametrize("name", ["delta", "planar3rrr"])
def test_an_envelope_in_a_robots_own_coordinates(capsys, tmp_path, name):
    path = tmp_path / "envelope.toml"
    code, out, err = outcome(capsys, "new", "--envelope", "--robot", name, "--out", str(path))
    assert (code, out, err) == (0, f"wrote {path}; next: gough size {name} --envelope {path}\n", "")
    robot = load(name)
    assert "e+" not in path.read_text()
    tables = tomllib.loads(path.read_text())
    own = [c.name for c in robot.platform.coordinates]
    assert list(tables["pose"]) == own
    assert [key for key in tables["velocity"] if key not in ("shape", "of")] == own == list(tables["acceleration"])
    read_envelope(robot, path)


@pytest.mark.parametrize("name", ["delta", "cable8", "spatial3"])
def test_an_optimisation_in_a_robots_own_coordinates_and_numbers(capsys, tmp_path, name):
    path = tmp_path / "best.toml"
    assert outcome(capsys, "new", "--optimise", "--robot", name, "--out", str(path))[0] == 0
    text = path.read_text()
    tables = tomllib.loads(text)
    robot = load(name)
    own = [c.name for c in robot.platform.coordinates]
    assert (
        list(tables["poses"]["box"]) == own == list(tables["task"]["velocity"]) == list(tables["task"]["acceleration"])
    )
    assert all(value_at(robot, entry["number"]) for entry in tables["vary"])
    assert "e+" not in text
    assert wanted_of(path, {}).objectives == ("peak force",)


def test_an_optimisation_names_a_file_from_where_it_is(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tasks").mkdir()
    assert outcome(capsys, "new", "--legs", "delta", "--out", "mine.toml")[0] == 0
    assert outcome(capsys, "new", "--optimise", "--robot", "mine.toml", "--out", "tasks/best.toml")[0] == 0
    assert tomllib.loads((tmp_path / "tasks/best.toml").read_text())["robot"] == "../mine.toml"


def test_two_files_at_once_are_refused(capsys):
    line = "gough: error: --motor and --envelope are two files; ask for one at a time\n"
    assert outcome(capsys, "new", "--motor", "--envelope") == (2, "", line)


@pytest.mark.parametrize("kind", KINDS)
def test_starters_are_commented_and_printed_as_they_are_written(capsys, kind):
    assert outcome(capsys, "new", "--legs", kind.lower()) == (0, starter(kind), "")
    assert starter(kind).count("#") >= 10
    assert all(len(line) <= 120 for line in starter(kind).splitlines())


def test_the_default_is_ups(capsys):
    assert outcome(capsys, "new")[1] == starter("UPS")


def test_a_file_is_replaced_only_by_force(capsys, tmp_path):
    path = tmp_path / "robot.toml"
    path.write_text("mine")
    line = f"gough: error: --out {path}: exists already (--force replaces it)\n"
    assert outcome(capsys, "new", "--out", str(path)) == (2, "", line)
    assert path.read_text() == "mine"
    assert outcome(capsys, "new", "--out", str(path), "--force")[0] == 0
    assert path.read_text() == starter("UPS")
    assert [entry.name for entry in tmp_path.iterdir()] == ["robot.toml"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()


def test_unknown_kinds_are_refused(capsys):
    kinds = "UPS, PUS, RUS, SRU, delta, PPa, UPU, RPS, PRS, tricept, RRR, cable, joints, "
    kinds += "SPS, PSS, RSS, PRU, RRU, PRR, RRS, UCU, PUU or RUU"
    line = f"gough: error: --legs UPQ: must be {kinds} (did you mean UPU?)\n"
    assert outcome(capsys, "new", "--legs", "UPQ") == (2, "", line)


@pytest.mark.parametrize(
    ("legs", "line"),
    [
        ("RPa", "these are in the starter of --legs delta"),
        ("pa", "these are in the starter of --legs delta"),
        ("3-RPa", "these are in the starter of --legs delta"),
        ("stewart", "these are in the starter of --legs UPS"),
    ],
)
def test_other_leg_types_say_what_to_start_from(capsys, legs, line):
    assert outcome(capsys, "new", "--legs", legs) == (2, "", f"gough: error: --legs {legs}: {line}\n")


@pytest.mark.parametrize("name", [name for name in SHORT_FORMS if name not in (*KINDS, *HOLDS)])
def test_starters_of_the_leg_types_that_are_not_in_the_help_solve(capsys, name):
    status, text, errors = outcome(capsys, "new", "--legs", name)
    assert (status, errors) == (0, "")
    robot = loads(text)
    assert machine_type(robot)
    assert f'type = "{name}"' in text
    found = inverse_kinematics(robot, robot.home)
    assert np.isfinite(found.q).all()
    assert loads(robot.explicit().to_toml()).mechanism == robot.mechanism


def test_every_leg_type_has_a_starter():
    for name in SHORT_FORMS:
        assert f'type = "{name}"' in starter(HOLDS.get(name, name))


def test_no_file_has_a_negative_zero(capsys):
    zero = re.compile(r"-0(\.0*)?(?![.\d])")
    assert zero.search("x = -0.0, y")
    for name in ("ankle", "delta", "rps3", "spatial3"):
        assert not zero.search(load(name).to_toml())
        assert not zero.search(outcome(capsys, "new", "--measurements", "--robot", name)[1].replace("e-0", "e_"))


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_envelope_is_scaled_to_the_machine(capsys, tmp_path):
    """A platform of 420 kg whose legs are slow: loads by its weight, speeds within its limits."""
    heavy = load("stewart").replace({"platform.mass": 420.0, "legs.actuator.speed": 0.1})
    text = envelope_of(heavy)
    assert 'mass = ["0 kg", "84 kg"]' in text
    assert 'fz = ["-412 N", "0 N"]' in text
    envelope = tmp_path / "envelope.toml"
    envelope.write_text(text)
    found = size(heavy, read_envelope(heavy, str(envelope)), seeds=(1,), power=6)
    assert "speed" not in {excess.kind for excess in found.exceeded}


def test_files_and_reports_call_a_robot_by_its_file(capsys, tmp_path):
    """Its name, another, is nothing that a command takes."""
    robot, page = tmp_path / "my mill.toml", tmp_path / "page.html"
    robot.write_text(starter("UPS"))
    _, template, _ = outcome(capsys, "new", "--measurements", "--robot", str(robot))
    assert f"gough calibrate '{robot}' --plan 30\n" in template
    quick = ("--to", "z=0.41", "--duration", "1", "--states", "0", "--no-animation", "--out", str(page))
    assert outcome(capsys, "report", str(robot), *quick)[0] == 0
    assert f"gough verify '{robot}'." in unescape(page.read_text("utf-8"))


def test_cables_can_do_all_of_the_envelope_that_is_written_for_them():
    """States in the corners of all ranges; with twice of everything, some have no forces within the limits."""
    robot = load("cable8")
    rng = np.random.default_rng(5)

    def without(text):
        envelope = read(robot, text)
        limits = WithinLimits(robot, envelope, Worst(freely_shared(robot), envelope))
        u = rng.integers(0, 2, (4000, len(limits._varied))).astype(float)
        return ~np.isfinite(limits.values(u)).all(axis=1)

    text = envelope_of(robot)
    assert not without(text).any()
    assert without(scaled_envelope(robot, 1.0)).any()
    assert text == scaled_envelope(robot, 0.5)


def test_a_linear_delta_has_a_starter_with_tangential_hinges():
    from gough import loads

    robot = loads(starter("PPa"))
    text = starter("PPa")
    stated = text + "".join(
        f'\n[[leg]]\nname = "{name}"\nhinge = {hinge}\n'
        for name, hinge in zip("ABC", ([0, 1, 0], [-(0.75**0.5), -0.5, 0], [0.75**0.5, -0.5, 0]), strict=True)
    )
    other = loads(stated)
    for one, two in zip(robot.legs, other.legs, strict=True):
        for a, b in zip(one.joints, two.joints, strict=True):
            assert a.axis == pytest.approx(b.axis, abs=1e-15)
