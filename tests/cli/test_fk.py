"""`gough fk`: tables, JSON, CSV, verdicts."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gough import load
from gough.kinematics import inverse_kinematics
from tests.cli.running import ROBOTS, outcome


def asked(name):
    robot = load(name)
    x = np.array(robot.platform.home) + 0.004
    q = inverse_kinematics(robot, x).q
    return robot, x, ",".join(map(repr, q.tolist()))


@pytest.mark.parametrize("name", ROBOTS)
def test_json_gives_back_the_pose_of_the_displacements(capsys, name):
    robot, x, q = asked(name)
    code, out, err = outcome(capsys, "fk", name, "--displacement", q, "--format", "json")
    shown = json.loads(out)
    assert (code, err) == (0, "")
    assert list(shown["x"]) == [c.name for c in robot.platform.coordinates]
    assert np.abs(np.array(list(shown["x"].values())) - x).max() <= 1e-13
    assert list(shown["q"].values()) == [float(v) for v in q.split(",")]
    assert (shown["robot"], shown["status"]) == (name, "fine")


def test_the_table_is_in_the_units_asked_for_and_the_guess_too(capsys):
    line = ["fk", "hexapod", "--displacement", "A=10mm", "--units", "mm,deg", "--guess", "z=610"]
    code, out, err = outcome(capsys, *line)
    assert (code, err) == (0, "")
    head, how, _, header, *rows, _, verdict = out.splitlines()
    assert head == "hexapod, from x = 0, y = 0, z = 610 mm; a1 = 0, a2 = 0, a3 = 0 deg"
    assert how.startswith("Pose by the robot's own coordinates")
    assert header.split() == ["coordinate", "unit", "x"]
    assert [row.split()[:2] for row in rows][:1] == [["x", "mm"]]
    assert verdict.startswith("fine, 1 step along the way from the guess")
    csv = outcome(capsys, *line, "--format", "csv")[1].splitlines()
    assert csv[0] == "coordinate,unit,x"
    for row, shown in zip(rows, csv[1:], strict=True):
        name, unit, value = shown.split(",")
        factor = 1e3 if unit == "m" else 180.0 / np.pi
        assert row.split()[0] == name
        assert float(row.split()[2]) == pytest.approx(float(value) * factor, rel=1e-7, abs=1e-9)


def test_the_pose_is_stated_in_the_convention_asked_for(capsys):
    _, _, q = asked("stewart")
    code, out, _ = outcome(capsys, "fk", "stewart", "--displacement", q, "--convention", "uvw", "--format", "json")
    assert code == 0
    assert list(json.loads(out)["convention"]["pose"]) == ["x", "y", "z", "u", "v", "w"]


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (
            ["stewart", "--displacement", "0.1 0.1 0.1 0.1 0.1 0.1"],
            3,
            "the platform is singular at",
        ),
        (["hexapod", "--displacement", "A=0", "--guess", "x=1.2"], 3, "the guess is out of reach: leg B by 0.8188 m ("),
        (["delta", "--displacement", "D=1"], 2, "--displacement D=1: no actuator D"),
        (["delta", "--displacement", "1,2"], 2, "--displacement 1,2: 2 values for 3 actuators; give A, B, C"),
        (["delta", "--displacement", "A=1mm"], 2, "A turns, so its unit must be"),
        (
            ["delta", "--displacement", "A=10"],
            2,
            "--displacement A=10: more than a turn; for degrees write 10deg (or 10rad)",
        ),
        (["delta"], 2, "fk: --displacement VALUES is missing: actuator displacements"),
    ],
)
def test_what_is_wrong_is_told_in_a_line(capsys, arguments, code, line):
    found, out, err = outcome(capsys, "fk", *arguments)
    assert (found, out) == (code, "")
    assert line in err
    assert err.count("\n") == 1
