"""`gough new`: starter files that load, solve and draw; nothing is overwritten unasked."""

from __future__ import annotations

import os
import tomllib
from html import unescape

import pytest

from gough.cli.loading import machine_type
from gough.cli.new import KINDS, envelope_of, starter
from gough.design import read_envelope, size
from gough.kinematics import Status, inverse_kinematics, load
from tests.cli.running import outcome

TYPES = {
    "UPS": "6-UPS",
    "PUS": "6-PUS",
    "RUS": "6-RUS",
    "delta": "3-RPa",
    "SRU": "6-SRU",
    "UPU": "3-UPU",
    "RPS": "3-RPS",
    "PRS": "3-PRS",
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
    [("motor", "size stewart --motor"), ("envelope", "size stewart --envelope"), ("study", "study")],
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
    tables = tomllib.loads(path.read_text())
    own = [c.name for c in robot.platform.coordinates]
    assert list(tables["pose"]) == own
    assert [key for key in tables["velocity"] if key not in ("shape", "of")] == own == list(tables["acceleration"])
    read_envelope(robot, path)


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
    kinds = "UPS, PUS, RUS, SRU, delta, UPU, RPS, PRS, tricept, RRR, cable or joints"
    line = f"gough: error: --legs UPR: must be {kinds} (did you mean UPU?)\n"
    assert outcome(capsys, "new", "--legs", "UPR") == (2, "", line)


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
    found = size(heavy, read_envelope(heavy, str(envelope)))
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
