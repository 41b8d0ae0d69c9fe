"""Units and conventions of poses at the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gough import load
from gough.kinematics import inverse_kinematics
from tests.cli.running import outcome


def test_units_are_for_numbers_in_and_out(capsys):
    code, plain, _ = outcome(capsys, "ik", "stewart", "--pose", "z=2.1,psi=5deg", "--velocity", "x=0.02")
    assert code == 0
    code, out, _ = outcome(capsys, "ik", "stewart", "--pose", "z=2100,psi=5", "--velocity", "x=20", "--units", "mm,deg")
    assert code == 0
    assert "z = 2100 mm; psi = 5" in out
    numbers = [[float(cell) for cell in line.split()[2:]] for line in out.splitlines()[4:10]]
    expected = [[float(cell) for cell in line.split()[2:]] for line in plain.splitlines()[4:10]]
    np.testing.assert_allclose(numbers, 1e3 * np.array(expected), rtol=1e-7)


def test_forces_are_shown_in_the_units_asked_for(capsys):
    _, plain, _ = outcome(capsys, "inverse", "stewart", "--times", "0.3")
    _, out, _ = outcome(capsys, "inverse", "stewart", "--times", "300", "--units", "mm,kN,ms")
    assert "t [ms]" in out
    assert "peak force [kN]" in out
    for line in ("peak speed", "shortest", "longest"):
        one, other = (next(row for row in text.splitlines() if row.startswith(line)) for text in (plain, out))
        values, larger = ([float(cell) for cell in row.split("]")[1].split()] for row in (one, other))
        np.testing.assert_allclose(larger, 1e3 * np.array(values), rtol=1e-3)


def test_a_pose_by_uvw_of_a_tool(capsys):
    arguments = [
        "ik",
        "stewart",
        "--convention",
        "uvw",
        "--tool",
        "0,0,150",
        "--units",
        "mm,deg",
        "--pose",
        "z=2150,u=5",
    ]
    code, out, _ = outcome(capsys, *arguments)
    assert code == 0
    assert "x = 0, y = 0, z = 2150 mm; u = 5, v = 0, w = 0 deg" in out
    assert "uvw: position of the tool at (0, 0, 150) mm of the platform; turns u, v, w about the tool's own x" in out
    code, out, _ = outcome(capsys, *arguments, "--format", "json")
    found = json.loads(out)
    assert found["convention"]["name"] == "uvw"
    assert "at (0, 0, 0.15) m of the platform" in found["convention"]["text"]
    assert found["convention"]["pose"]["z"] == pytest.approx(2.15, abs=1e-12)
    assert found["convention"]["pose"]["u"] == pytest.approx(np.deg2rad(5), abs=1e-12)
    robot = load("stewart")
    x = [found["x"][c.name] for c in robot.platform.coordinates]
    displacement = [entry["q"] for entry in found["actuators"]]
    np.testing.assert_allclose(displacement, inverse_kinematics(robot, x).q, atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--convention", "quat"], "--convention quat: must be robot, fixed-xyz, uvw or quaternion (did you mean"),
        (["--convention", "uvw", "--tool", "1,2"], "--tool 1,2: must be three numbers x,y,z, not 2"),
        (["--tool", "1,2,x"], "--tool 1,2,x: x is not a finite number; give x,y,z"),
        (["--tool", "0,0,150 kg"], "--tool 0,0,150 kg: 150 kg: its unit must be mm, cm, m or in, not kg"),
        (
            ["--tool", "0,0,-180"],
            "--tool 0,0,-180: implausibly large: at most 100 m (millimetres? say --units mm)",
        ),
        (["--convention", "uvw", "--pose", "psi=3"], "no coordinate psi"),
        (["--convention", "quaternion", "--pose", "qw=1deg"], "qw is a plain number, without a unit"),
        (["--units", "mm,dge"], "did you mean deg"),
    ],
)
def test_wrong_values_get_a_line(capsys, arguments, line):
    code, out, err = outcome(capsys, "ik", "stewart", *arguments)
    assert (code, out) == (2, "")
    assert line in err
    assert len(err.splitlines()) == 1
