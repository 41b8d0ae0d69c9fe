"""Home of an imported robot: joints stay where the file gives them, as far as the loops close there."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.formats import export_robot, import_robot
from gough.formats.xml_text import FormatError

PAGE = (Path(__file__).parents[2] / "docs" / "import.md").read_text("utf-8")
LOOPS = 'closed_loop: [[rod_end, pin]]\ntype: ["3d"]\nname_mot: [motor]\nhome: {}\n'


@pytest.fixture
def plate(tmp_path):
    """The URDF of the page on imports with another home."""
    (tmp_path / "plate.urdf").write_text(re.search(r"```xml\n(.*?)```", PAGE, re.DOTALL)[1])

    def imported(home):
        (tmp_path / "plate.yaml").write_text(LOOPS.format(home))
        return import_robot(tmp_path / "plate.urdf", "plate", compare=False)

    return imported


def at_home(robot):
    return gough.inverse_kinematics(robot, robot.platform.home).q


@pytest.mark.parametrize(
    ("home", "motor", "pitch", "remark"),
    [
        ("{motor: 0.2}", 0.2, None, ""),
        ("{hinge: 0.1}", None, 0.1, ""),
        ("{motor: 0.2, ball_1: 0.1}", 0.2, None, "ball_1 is"),
        ("{hinge: 0.1, motor: 1.0}", 1.0, None, "hinge is -0.32356 rad, given is 0.1"),
        ("{motor: 2.9}", None, None, "motor is 1.44679 rad, given is 2.9"),
    ],
)
def test_given_joints_of_the_loops_file(plate, home, motor, pitch, remark):
    """All that are given; where they do not go together the driven ones; a note names what had to move."""
    found = plate(home)
    if motor is not None:
        np.testing.assert_allclose(at_home(found.robot), [motor], rtol=0, atol=1e-13)
    if pitch is not None:
        np.testing.assert_allclose(found.robot.platform.home, [pitch], rtol=0, atol=1e-13)
    told = [
        line for line in found.remarks if line.startswith("home: the loops do not close at the coordinates given: ")
    ]
    assert len(told) == bool(remark)
    assert remark in "".join(told)


def test_home_of_a_joint_that_is_not_there_is_refused(plate):
    with pytest.raises(FormatError, match=r"home\.motr: no such hinge or slide; did you mean motor\?"):
        plate("{motr: 0.1}")


def test_keyframes_of_few_digits_hold_their_motors(tmp_path):
    """Passive joints close the loops; the motors stand where the keyframe has them, to round-off."""
    path = tmp_path / "delta.xml"
    robot = gough.load("delta")
    q = at_home(robot)
    export_robot(robot.replace({"platform.home.0": 0.05, "platform.home.1": -0.02}), path)
    moved = at_home(robot.replace({"platform.home.0": 0.05, "platform.home.1": -0.02}))
    assert np.abs(moved - q).min() > 1e-3
    text = path.read_text()
    rounded = re.sub(r'qpos="([^"]*)"', lambda m: f'qpos="{" ".join(f"{float(v):.3f}" for v in m[1].split())}"', text)
    assert rounded != text
    path.write_text(rounded)
    found = import_robot(path, compare=False).robot
    np.testing.assert_allclose(at_home(found), np.round(moved, 3), rtol=0, atol=1e-13)


def test_home_beside_an_sdf(tmp_path):
    """Coordinates count from the pose of the file; those of --loops apply to it too."""
    robot = gough.load("planar3rrr")
    path, loops = tmp_path / "planar.sdf", tmp_path / "home.yaml"
    export_robot(robot, path)
    driven = re.findall(r'<joint name="([^"]*)"', path.read_text())
    first = import_robot(path, compare=False).robot
    name = next(n for n in driven if n.split(".")[0] == first.legs[0].name)
    loops.write_text(f"closed_loop: []\nhome: {{{name}: 0.05}}\n")
    found = import_robot(path, loops=loops, compare=False).robot
    assert at_home(found)[0] - at_home(first)[0] == pytest.approx(0.05, abs=1e-13)
