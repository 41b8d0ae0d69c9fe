"""Poses and rates as they are written on the command line."""

from __future__ import annotations

import json
import math
from functools import cache

import numpy as np
import pytest

from gough import load, loads
from tests.cli.running import outcome
from tests.support.robots import pose_of


@cache
def stewart():
    return load("stewart")


HOME = (0, 0, 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "pose"),
    [
        ("home", HOME),
        ("x=0.1", (0.1, 0, 2, 0, 0, 0)),
        ("x=100mm, psi = 5 deg", (0.1, 0, 2, math.radians(5), 0, 0)),
        ("psi = 5 deg z=2.5", (0, 0, 2.5, math.radians(5), 0, 0)),
        ("y=-1e-2,z=10cm,phi=0.3rad", (0, -0.01, 0.1, 0, 0, 0.3)),
        ("x=+.5,theta=-3.", (0.5, 0, 2, 0, -3.0, 0)),
        ("x=1in", (0.0254, 0, 2, 0, 0, 0)),
        ("0.1,0,2,5deg,0,0", (0.1, 0, 2, math.radians(5), 0, 0)),
        ("0.1 -20mm 2 0 0 0", (0.1, -0.02, 2, 0, 0, 0)),
        ("-0.1,0,2,0,0,0", (-0.1, 0, 2, 0, 0, 0)),
        ("phi=400deg", (0, 0, 2, 0, 0, math.radians(400))),
    ],
)
def test_poses(capsys, text, pose):
    _, out, err = outcome(capsys, "ik", "stewart", f"--pose={text}", "--format", "json")
    assert list(json.loads(out)["x"].values()) == pytest.approx(pose, rel=1e-15, abs=0), err


def test_rates_have_their_own_units_and_rest(capsys):
    def told(*rates):
        return outcome(capsys, "ik", "stewart", "--pose", "home", *rates, "--format", "json")

    given = told("--velocity", "x=20mm/s,psi=90deg/s", "--acceleration", "z=1.5,phi=2rad/s^2")
    plain = told("--velocity", f"0.02,0,0,{math.pi / 2!r},0,0", "--acceleration", "0,0,1.5,0,0,2")
    assert given == plain
    assert given[0] == 0
    assert json.loads(given[1])["actuators"][0]["qd"] != 0.0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("psy=3", "--pose psy=3: no coordinate psy (did you mean psi?)"),
        ("Z=3", "--pose Z=3: no coordinate Z (did you mean z?)"),
        ("height=3", "--pose height=3: no coordinate height (did you mean z?)"),
        ("x=1,x=2", "--pose x=2: x is given twice"),
        ("x=", "--pose x=: nothing is not a number, with or without a unit (mm, cm, m or in)"),
        ("psi=five", "--pose psi=five: five is not a number, with or without a unit (deg or rad)"),
        ("x=5deg", "--pose x=5deg: x slides, so its unit must be mm, cm, m or in, not deg"),
        ("psi=5mm", "--pose psi=5mm: psi turns, so its unit must be deg or rad, not mm"),
        ("x=5 furlongs", "--pose x=5 furlongs: x slides, so its unit must be mm, cm, m or in, not furlongs"),
        ("x=nan", "--pose x=nan: nan is not a number, with or without a unit (mm, cm, m or in)"),
        ("x=1e999", "--pose x=1e999: must be finite"),
        ("psi=30", "--pose psi=30: more than a turn; for degrees write 30deg (or 30rad)"),
        ("z=2000", "--pose z=2000: z is more than 50 times the robot's size from home (millimetres? say --units mm)"),
        (
            "1,2,3",
            "--pose 1,2,3: 3 values for 6 coordinates; give x, y, z, psi, theta, phi in this order, or some by name "
            "(x=1)",
        ),
        ("", "--pose: is empty; give x, y, z, psi, theta, phi in this order, or some by name, or home"),
        ("x=1,2", "--pose 2: must be name=value like the others, e.g. x=2"),
        ("x=1,", "--pose : must be name=value like the others, e.g. x=0"),
    ],
)
def test_bad_poses_get_one_line(capsys, text, line):
    assert outcome(capsys, "ik", "stewart", "--pose", text) == (2, "", f"gough: error: {line}\n")


def test_bad_rates_name_their_option_and_units(capsys):
    code, _, err = outcome(capsys, "ik", "stewart", "--pose", "home", "--velocity", "x=5mm")
    line = "--velocity x=5mm: x slides, so its unit must be mm/s, cm/s, m/s or in/s, not mm"
    assert (code, err) == (2, f"gough: error: {line}\n")


def test_how_far_is_far_is_told_by_strokes_too(capsys):
    """A slide whose every point is its origin is as large as its stroke."""
    file = "tests/data/bad_robots/joints.toml"
    code, out, _ = outcome(capsys, "ik", file, "--pose", "y=0.1")
    assert code == 0
    assert "arm at y = 0.1 m" in out
    code, _, err = outcome(capsys, "ik", file, "--pose", "y=400")
    assert code == 2
    assert "y is more than 50 times the robot's size from home (millimetres? say --units mm)" in err


def test_poses_in_python():
    expected = (0.0, 0.0, 2.5, 0.0, 0.0, 0.25)
    for pose in ("0,0,2.5,0,0,0.25", "z=2.5, phi = 0.25", {"z": 2.5, "phi": 0.25}, np.array(expected), list(expected)):
        assert pose_of(stewart(), pose) == expected
    assert pose_of(stewart(), {}) == (0, 0, 2, 0, 0, 0)
    assert pose_of(stewart(), "x=5", "mm")[0] == 0.005
    assert pose_of(stewart(), "x=5", "mm")[2] == 2.0


def test_nothing_is_far_from_a_robot_without_any_size():
    text = 'name = "arm"\n[platform]\ncoordinates = { y = "y" }\nmass = 1\n[[leg]]\nname = "A"\n[[leg.joint]]\n'
    robot = loads(text + 'type = "P"\naxis = [0, 1, 0]\nactuated = true\n[leg.end]\ntype = "rigid"\n')
    assert pose_of(robot, "y=0.1") == (0.1,)
