"""The tool frame of a robot: its table, how it is changed, and what is refused."""

import numpy as np
import pytest

import gough
from gough.cli.new import starter
from gough.robot import Frame

TABLE = """
[tool]
position = [10, 0, -120]  # tip of the spindle
rotation = { axis = [0, 0, 1], angle = 30 }
"""


def text(table=TABLE):
    """A file in mm and degrees."""
    return starter("UPS") + table


def test_a_file_states_the_tool_in_its_units():
    robot = gough.loads(text())
    assert robot.tool.position == (0.01, 0.0, -0.12)
    c, s = np.cos(np.pi / 6), 0.5
    np.testing.assert_allclose(robot.tool.rotation, [[c, -s, 0], [s, c, 0], [0, 0, 1]], atol=1e-15)
    assert gough.loads(text("")).tool == Frame()
    assert gough.loads(text("")).tool.is_identity


def test_written_files_have_the_tool_and_read_back_equal(tmp_path):
    robot = gough.loads(text())
    for other in (
        robot,
        robot.with_tool(("5 mm", 0.0, -0.25)),
        gough.loads(text("")).with_tool(
            (0.01, 0.02, 0.03), {"sequence": "zyx", "angles": ["10 deg", "20 deg", "30 deg"]}
        ),
        gough.loads(text("")).with_tool((0.0, 0.0, 0.0), [[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
        robot.with_tool((0.0, 0.0, 0.0)),
    ):
        other.write(tmp_path / "other.toml")
        assert gough.load(tmp_path / "other.toml") == other
        assert gough.load(tmp_path / "other.toml").tool == other.tool
        made = gough.Robot(other.name, other.platform, other.legs, tool=other.tool)
        assert made.tool == other.tool
        assert gough.loads(made.to_toml()).tool == other.tool
    assert "# tip of the spindle" in robot.replace({"tool.position.z": "-130 mm"}).to_toml()
    assert "-130" in robot.replace({"tool.position.z": "-130 mm"}).to_toml()


def test_addresses_of_the_tool_are_like_any_other():
    robot = gough.loads(text())
    assert robot.replace({"tool.position.z": -0.2}).tool.position == (0.01, 0.0, -0.2)
    assert robot.replace({"tool.rotation.angle": "-30 deg"}).tool.rotation[0][1] == pytest.approx(0.5)
    bare = gough.load("stewart")
    assert bare.replace({"tool.position.x": "50 mm"}) == bare.with_tool((0.05, 0.0, 0.0))
    with pytest.raises(gough.PathError, match=r"did you mean tool\.position\.z\?"):
        robot.replace({"tool.postion.z": 0.1})


def test_the_tools_own_frame_takes_the_table_away():
    bare = gough.load("stewart")
    assert bare.with_tool((0.1, 0.0, 0.0)) != bare
    assert bare.with_tool((0.1, 0.0, 0.0)).with_tool((0, 0, 0)) == bare
    assert bare.with_tool((0.0, 0.0, 0.0), {"axis": [0, 0, 1], "angle": 0.0}) == bare


def test_the_tool_does_not_change_what_coordinates_position():
    bare, x = gough.load("stewart"), [0.05, 0.0, 2.1, 0.1, 0.2, 0.0]
    robot = bare.with_tool((0.1, 0.2, 0.3), {"axis": [0, 0, 1], "angle": 1.0})
    np.testing.assert_array_equal(gough.inverse_kinematics(robot, x).q, gough.inverse_kinematics(bare, x).q)


@pytest.mark.parametrize(
    ("position", "rotation", "line"),
    [
        ((0, 0), None, "hexapod: tool.position: [0, 0]: must be three numbers [x, y, z] (2 given)"),
        (5, None, "hexapod: tool.position: 5: must be three numbers [x, y, z]"),
        ((0, 0, "3 kg"), None, 'tool.position=3 kg: its unit must be mm, cm, m or in, not kg'),
        ((0, 0, np.nan), None, "hexapod: tool.position: [0, 0, nan]: must be three numbers [x, y, z] (nan and inf "
         "are not allowed)"),
        ((0, 0, 99), None, "hexapod: tool.position: [0, 0, 99]: is more than 50 times the robot's size from the "
         "platform's origin (millimetres? state the unit)"),
        ((0, 0, 0), {"axis": [0, 0, 1], "angle": "3 mm"},
         "tool.rotation.angle=3 mm: its unit must be deg or rad, not mm"),
        ((0, 0, 0), {"axis": [0, 0, 0], "angle": 1.0}, "hexapod: tool.rotation: {axis = [0, 0, 0], angle = 1.0}: "
         'must be 3 rows of 3, {axis = [x, y, z], angle = ..} or {sequence = "zyx", angles = [..]} '
         "(the axis has no length)"),
        ((0, 0, 0), [[1, 0, 0], [0, 1, 0], [0, 0, -1]], "hexapod: tool.rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]: "
         "must be a rotation: determinant 1, not -1 (a left-handed frame: reverse one axis)"),
    ],
)  # fmt: skip
def test_what_is_no_tool_gets_one_line(position, rotation, line):
    with pytest.raises(gough.InputError) as caught:
        gough.load("hexapod").with_tool(position, rotation)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[tool]\npositon = [0, 0, 1]\n", "tool.positon: unknown key (did you mean position?)"),
        ("[tool]\nposition = [0, 0]\n", "tool.position: [0, 0]: must be three numbers [x, y, z] (2 given)"),
        ("[tol]\nposition = [0, 0, 1]\n", "tol: unknown key (did you mean tool?)"),
        ("[tool]\nposition = [0, 0, 99000]\n", "tool.position: [0, 0, 99000]: is more than 50 times the robot's size"),
    ],
)
def test_faults_of_the_table_have_their_line(table, words):
    with pytest.raises(gough.RobotError) as caught:
        gough.loads(text("\n" + table))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
