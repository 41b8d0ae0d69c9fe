"""Any number of a robot by its path: listing, replacing, settings of the command line."""

import json

import pytest

from gough import PathError, RobotError, load, loads
from tests.cli.running import outcome
from tests.support.robots import addresses


def test_short_form_paths_change_every_leg():
    robot = load("stewart").replace({"legs.piston.mass": 0.5, "legs.base.radius": 1.2})
    assert {leg.joints[2].body.mass for leg in robot.legs} == {0.5}
    assert robot.legs[0].position[0] == pytest.approx(1.2 * 0.9659258262890683)
    assert robot.replace({"legs.piston.mass": 0.39, "legs.base.radius": 1.5}) == load("stewart")


def test_addresses_of_a_leg_written_joint_by_joint_change_that_leg():
    robot = load("hexapod").explicit().replace({"leg.B.joint.3.body.mass": 0.5, "leg.C.joint.U1.viscous": 0.1})
    assert [leg.joints[2].body.mass for leg in robot.legs] == [0.398, 0.5, 0.398, 0.398, 0.398, 0.398]
    assert [leg.joints[1].viscous for leg in robot.legs] == [0, 0, 0.1, 0, 0, 0]


def test_addresses_of_one_leg_and_of_other_tables_together():
    robot = load("stewart").replace({"leg.2.piston.mass": 0.5, "platform.mass": 3.0, "gravity.2": -1.62})
    assert [leg.joints[2].body.mass for leg in robot.legs] == [0.39, 0.5, 0.39, 0.39, 0.39, 0.39]
    assert robot.platform.body.mass == 3.0
    assert robot.gravity == (0, 0, -1.62)
    assert robot.legs[1].joints[2].body.mass == 0.5


def test_vectors_and_their_entries():
    robot = load("spatial3")
    assert robot.replace({"platform.com.0": -0.03}).platform.body.com[0] == -0.03
    turned = robot.explicit().replace({"leg.A.joint.2.axis": [0, 0, -1]})
    assert turned.legs[0].joints[1].axis == (0, 0, -1)
    assert robot.replace({"leg.A.base": [0, -0.3, 0]}).legs[0].position == (0, -0.3, 0)


def test_keys_not_stated_can_be_set():
    robot = load("stewart").replace({"legs.cross.mass": 0.1, "length": 0.5, "legs.actuator.viscous": 3.0})
    assert robot.legs[3].joints[0].body.mass == 0.1
    assert robot.length == 0.5
    assert robot.legs[3].joints[2].viscous == 3.0


def test_the_robot_itself_stays():
    robot = load("stewart")
    text = robot.to_toml()
    robot.replace({"platform.mass": 9.0, "legs.base.radius": 1.0})
    assert robot.to_toml() == text
    assert robot.platform.body.mass == 1.43


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("platform.mas", "platform.mas: no such number in the robot (did you mean platform.mass?)"),
        ("legs.bas.radius", "legs.bas.radius: no such number in the robot (did you mean legs.base.radius?)"),
        ("leg.7.piston.mass", "leg.7.piston.mass: no such number in the robot (did you mean leg.6.piston.mass?)"),
        ("leg.1.base.3", "leg.1.base.3: no such number in the robot (did you mean leg.1.base.2?)"),
        ("leg.1.base.radius", "leg.1.base.radius: no such number in the robot (did you mean legs.base.radius?)"),
        (
            "leg.1.joint.3.start",
            "leg.1.joint.3.start: no such number in the robot (`gough show ROBOT --addresses` lists them all)",
        ),
        ("gravity.3", "gravity.3: no such number in the robot (did you mean gravity.2?)"),
        ("xyz", "xyz: no such number in the robot (`gough show ROBOT --addresses` lists them all)"),
        ("home.z", "home.z: no such number in the robot (did you mean platform.home.2?)"),
        ("Psi", "Psi: no such number in the robot (did you mean platform.home.3?)"),
        ("", ": no such number in the robot (`gough show ROBOT --addresses` lists them all)"),
    ],
)
def test_unknown_path(path, line):
    with pytest.raises(PathError) as caught:
        load("stewart").replace({path: 1.0})
    assert str(caught.value) == line
    assert caught.value.path == path
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("path", "near"),
    [("leg.7.joint.1.axis.0", "leg.6.joint.U1.axis.0"), ("leg.1.joint.4.viscous", "leg.1.joint.P.viscous")],
)
def test_unknown_path_of_a_leg_written_joint_by_joint(path, near):
    with pytest.raises(PathError) as caught:
        load("stewart").explicit().replace({path: 1.0})
    assert caught.value.nearest == near


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"platform.mass": -1.0}, "stewart: platform.mass: -1.0: must be greater than 0"),
        ({"platform.mass": "x"}, 'stewart: platform.mass: "x": must be a number'),
        (
            {"leg.1.actuator.stroke": [2, 1]},
            "stewart: leg.1.actuator.stroke: [2, 1]: must be [least, greatest], the least first",
        ),
        ({"legs.type": "SPR"}, None),
        ({"platform": 3}, "stewart: platform: 3: must be a table"),
    ],
)
def test_values_are_checked_again(changes, line):
    with pytest.raises(RobotError) as caught:
        load("stewart").replace(changes)
    assert line is None or str(caught.value) == line


def test_values_of_a_leg_written_joint_by_joint_are_checked_again():
    with pytest.raises(RobotError) as caught:
        load("stewart").explicit([0]).replace({"leg.1.joint.1.axis": [0, 2, 0]})
    allowed = "must be a unit vector, its length is 2 (try [0, 1, 0])"
    assert str(caught.value) == f"stewart: leg.1.joint.1.axis: [0, 2, 0]: {allowed}"


@pytest.mark.parametrize(
    ("setting", "path", "value"),
    [
        ("platform.mass=2.5", "platform.mass", 2.5),
        (" platform.mass = 2 ", "platform.mass", 2.0),
        ("gravity=[0, 0, -9.7]", "gravity.2", -9.7),
    ],
)
def test_settings(capsys, setting, path, value):
    _, out, err = outcome(capsys, "show", "stewart", "--set", setting, "--addresses", "--json")
    assert json.loads(out)[path] == value, err


def test_words_may_be_set_with_and_without_quotes(tmp_path, capsys):
    plain, quoted = (outcome(capsys, "show", "stewart", "--set", f"legs.type={word}") for word in ("PUS", '"PUS"'))
    assert plain == quoted
    assert "guide" in plain[2]
    path = tmp_path / "explicit.toml"
    load("stewart").explicit().write(path)
    assert outcome(capsys, "show", str(path), "--set", "leg.1.free_spin=true")[0] == 0


@pytest.mark.parametrize(
    ("setting", "line"),
    [
        ("platform.mass", "--set platform.mass: must be path=value (e.g. platform.mass=2.5)"),
        ("=2", "--set =2: must be path=value (e.g. platform.mass=2.5)"),
        ("platform.mass=", "--set platform.mass=: must be path=value (e.g. platform.mass=2.5)"),
        (
            "a=1,5",
            "--set a=1,5: 1,5: must be a number, a list or a name (e.g. platform.mass=300g, stroke=[740mm,1580mm])",
        ),
        ("a=1\nb=2", "--set a=1\\nb=2: must be path=value on one line (e.g. platform.mass=2.5)"),
    ],
)
def test_bad_settings(capsys, setting, line):
    assert outcome(capsys, "show", "stewart", "--set", setting) == (2, "", f"gough: error: {line}\n")


def test_explicit_file_has_paths_too():
    robot = loads(load("sru").explicit().to_toml())
    assert addresses(robot)["leg.1.joint.R.offset.2"] == 0.45
    assert robot.replace({"leg.1.joint.4.offset.2": 0.5}).legs[0].joints[3].offset == (0, 0, 0.5)
    left_out = {"leg.1.joint.S2.offset.x": 0.001, "leg.1.joint.U1.body.com.z": 0.002}
    assert all(addresses(robot)[path.replace("x", "0").replace("z", "2")] == 0.0 for path in left_out)
    changed = robot.replace(left_out).legs[0].joints
    assert (changed[1].offset, changed[4].body.com) == ((0.001, 0, 0), (0, 0, 0.002))
