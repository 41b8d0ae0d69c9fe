"""Every command on every class of machine: an answer, or one clear line why there is none."""

from pathlib import Path

import pytest

import gough
from tests.cli.running import outcome
from tests.support.dependent_machines import random_machine
from tests.support.lanes import FULL, sample
from tests.support.screw_robots import spindles

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
POINT_MASS = """
name = "point"
gravity = [0, 0, -9.81]
[platform]
coordinates = { x = "x", y = "y", z = "z" }
home = [0, 0, 1]
mass = 2
[[leg]]
type = "cable"
base = [1, 0, 2]
platform = [0, 0, 0]
tension = [0.5, 60]
[[leg]]
type = "cable"
base = [-0.5, 0.8, 2]
platform = [0, 0, 0]
tension = [0.5, 60]
[[leg]]
type = "cable"
base = [-0.5, -0.8, 2]
platform = [0, 0, 0]
tension = [0.5, 60]
[[leg]]
type = "cable"
base = [0, 0, 0]
platform = [0, 0, 0]
tension = [0.5, 60]
"""
MACHINES = {
    "rps3": "rps3", "tricept": "tricept", "ankle": "ankle", "fivebar": "fivebar", "planar4rrr": "planar4rrr",
    "cable8": "cable8", "par4": str(EXAMPLES / "par4.toml"), "agile_eye": str(EXAMPLES / "agile_eye.toml"),
    "balanced3rrr": str(EXAMPLES / "balanced3rrr.toml"), "point": POINT_MASS, "spindles": spindles,
    "exechon": lambda: random_machine("exechon", 0),
}  # fmt: skip
"""By name: one of the catalogue, a file, the text of one, or what makes one."""
COMMANDS = {
    "show": ["show", "{robot}"],
    "ik": ["ik", "{robot}", "--format", "json"],
    "fk": ["fk", "{robot}", "--displacement", "{home}"],
    "fk all": ["fk", "{robot}", "--all"],
    "inverse": ["inverse", "{robot}", *"--to {move} --duration 1 --samples 5".split()],
    "base": ["inverse", "{robot}", *"--to {move} --duration 1 --samples 5 --base-motion ship".split()],
    "check": ["check", "{robot}", *"--to {move} --duration 1 --limit condition=1e6".split()],
    "size": ["size", "{robot}", *"--to {move} --duration 1".split()],
    "envelope": ["size", "{robot}", "--envelope", "{envelope}"],
    "prove": ["size", "{robot}", "--envelope", "{envelope}", "--prove"],
    "compare": ["compare", "{robot}", "{robot}", *"--to {move} --duration 1 --set platform.mass=3".split()],
    "simulate": ["simulate", "{robot}", *"--to {move} --duration 0.2 --samples 5".split()],
    "modes": ["modes", "{robot}", "--stiffness", "1e6"],
    "count": ["count", "{robot}"],
    "verify": ["verify", "{robot}", "--states", "2"],
    "png": ["view", "{robot}", "--png", "{out}.png"],
    "html": ["view", "{robot}", "--html", "{out}.html", *"--to {move} --duration 0.2".split()],
    "report": ["report", "{robot}", *"--to {move} --duration 1 --samples 11 --states 2 --out {out}.html".split()],
    "workspace": ["workspace", "{robot}"],
    "singularities": ["singularities", "{robot}"],
    "mjcf": ["export", "mjcf", "{robot}", "--out", "{out}.xml"],
    "urdf": ["export", "urdf", "{robot}", "--out", "{out}.urdf"],
    "sdf": ["export", "sdf", "{robot}", "--out", "{out}.sdf"],
}
DEAR = ("agile_eye", "spindles", "exechon")
LONG = ("workspace", "singularities", "simulate", "report", "verify")
"""Legs closed by iteration take these commands minutes: in full runs alone."""
CASES = [
    (machine, command)
    for machine in MACHINES
    for command in COMMANDS
    if FULL or not (machine in DEAR and command in LONG)
]


def file_of(machine, folder):
    """What a command is given for a machine: a name or a file."""
    given = MACHINES[machine]
    if callable(given) or "\n" in given:
        path = folder / f"{machine}.toml"
        path.write_text(given if isinstance(given, str) else given().to_toml())
        return str(path)
    return given


@pytest.mark.parametrize(("machine", "command"), sample(CASES, 12, lane="every machine"))
def test_an_answer_or_one_clear_line(machine, command, tmp_path, capsys):
    robot = file_of(machine, tmp_path)
    loaded = gough.load(robot)
    first, home = loaded.coordinate_names[0], loaded.platform.home[0]
    envelope = tmp_path / "envelope.toml"
    envelope.write_text(f"[pose]\n{first} = [{home}, {home + 0.005}]\n[acceleration]\n{first} = 0.1\n")
    words = {"robot": robot, "envelope": envelope, "out": tmp_path / "out", "move": f"{first}={home + 0.01!r}"}
    words["home"] = ",".join(map(repr, gough.inverse_kinematics(loaded, loaded.platform.home).q.tolist()))
    code, out, err = outcome(capsys, *(word.format(**words) for word in COMMANDS[command]))
    if code == 0:
        assert out.strip()
        assert err == "" or "Warning" in err or "warning" in err or "note" in err, err
    else:
        assert code in (1, 2, 3)
        assert out.strip() or code > 1
        lines = err.strip().splitlines()
        assert len(lines) == (1 if code > 1 else 0), err
        assert all(line.startswith("gough: error: ") and len(line) < 500 for line in lines)
