"""`gough ik`: tables, JSON, CSV, verdicts."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from gough import State, load
from gough.kinematics import inverse_kinematics
from tests.cli.running import ROBOTS, outcome


def moved(name):
    robot = load(name)
    x = np.array(robot.platform.home) + 0.004
    option = ",".join(f"{c.name}={value!r}" for c, value in zip(robot.platform.coordinates, x.tolist(), strict=True))
    return robot, x, option


@pytest.mark.parametrize("name", ROBOTS)
def test_table_at_home(capsys, name):
    code, out, err = outcome(capsys, "ik", name)
    assert (code, err) == (0, "")
    robot = load(name)
    head, how, _, header, *rows, _, verdict = out.splitlines()
    assert head.startswith(f"{name} at ")
    assert how.startswith("Pose by the robot's own coordinates")
    assert header.split() == ["actuator", "unit", "q"]
    driven = [leg.name for leg in robot.legs for joint in leg.joints if joint.actuated]
    assert [row.split()[0] for row in rows] == driven
    assert verdict.endswith(", fine")
    assert "\x1b" not in out


@pytest.mark.parametrize("name", ROBOTS)
def test_json_holds_the_solution_to_the_last_digit(capsys, name):
    robot, x, pose = moved(name)
    first = robot.platform.coordinates[0].name
    rates = ["--velocity", f"{first}=0.1", "--acceleration", f"{first}=-0.2"]
    code, out, _ = outcome(capsys, "ik", name, "--pose", pose, *rates, "--format", "json")
    shown = json.loads(out)
    assert code == 0
    xd, xdd = np.zeros(len(x)), np.zeros(len(x))
    xd[0], xdd[0] = 0.1, -0.2
    expected = inverse_kinematics(robot, State(x, xd, xdd))
    assert [entry["q"] for entry in shown["actuators"]] == expected.q.tolist()
    assert [entry["qd"] for entry in shown["actuators"]] == expected.qd.tolist()
    assert [entry["qdd"] for entry in shown["actuators"]] == expected.qdd.tolist()
    assert [entry["joint_q"] for entry in shown["joints"]] == expected.joint_q.tolist()
    assert [entry["name"] for entry in shown["joints"]] == list(expected.joints)
    assert shown["K"] == expected.K.tolist()
    assert (shown["robot"], shown["status"], shown["beyond"]) == (name, "fine", [])
    assert shown["x"] == dict(zip([c.name for c in robot.platform.coordinates], x.tolist(), strict=True))


@pytest.mark.parametrize("name", ROBOTS)
def test_csv(capsys, name):
    robot, x, pose = moved(name)
    expected = inverse_kinematics(robot, State(x, 0 * x))
    for extra, first, names, values in (
        ([], ["actuator", "unit", "q", "qd"], expected.actuators, expected.q),
        (["--joints"], ["joint", "unit", "joint_q", "joint_qd"], expected.joints, expected.joint_q),
    ):
        arguments = ["--pose", pose, "--velocity", f"{robot.platform.coordinates[0].name}=0", "--format", "csv"]
        code, out, _ = outcome(capsys, "ik", name, *arguments, *extra)
        header, *rows = csv.reader(io.StringIO(out))
        assert code == 0
        assert header == [*first, *robot.dependent_names]
        assert [row[0] for row in rows] == list(names)
        assert [float(row[2]) for row in rows] == values.tolist()


def test_table_is_in_degrees_for_people(capsys):
    _, out, _ = outcome(capsys, "ik", "delta", "--pose", "z=-800mm", "--velocity", "z=0.1", "--acceleration", "z=1")
    assert out.splitlines()[3].split() == ["actuator", "unit", "q", "qd", "qdd"]
    assert out.splitlines()[4].split()[:3] == ["A", "deg", "7.1586109"]


def test_acceleration_alone_is_from_rest(capsys):
    _, alone, _ = outcome(capsys, "ik", "delta", "--acceleration", "z=1", "--format", "csv")
    _, both, _ = outcome(capsys, "ik", "delta", "--velocity", "z=0", "--acceleration", "z=1", "--format", "csv")
    assert alone == both


def test_settings_change_the_robot(capsys):
    _, out, _ = outcome(capsys, "ik", "stewart", "--set", "legs.base.radius=1.6", "--format", "json")
    expected = inverse_kinematics(load("stewart").replace({"legs.base.radius": 1.6}), load("stewart").platform.home)
    assert [entry["q"] for entry in json.loads(out)["actuators"]] == expected.q.tolist()


def test_beyond_the_stroke_is_solved_and_said(capsys):
    code, out, err = outcome(capsys, "ik", "stewart", "--pose", "z=4")
    assert code == 1
    assert out.splitlines()[-1].endswith(", solved, but beyond limits")
    assert err.splitlines()[0] == "gough: actuator 1 is 0.8499 m beyond its stroke (3.3 m)"
    assert len(err.splitlines()) == 6


def test_too_fast_is_said(capsys):
    code, _, err = outcome(capsys, "ik", "delta", "--velocity", "z=6")
    assert code == 1
    assert err.splitlines()[0].startswith("gough: actuator A is 4")
    assert err.splitlines()[0].endswith(" deg/s too fast (at most 400)")


def test_near_singular_is_exit_3_with_values(capsys):
    code, out, err = outcome(capsys, "ik", "stewart", "--pose", "psi=90deg")
    assert code == 3
    assert out.splitlines()[-1].endswith("near singular")
    assert err.startswith("gough: near singular: condition number ")
    assert err.count("\n") == 1
