"""Answers that are known to be wrong: each test states what is right, and fails as long as the answer is wrong.

A test that begins to pass is an error (strict): remove its mark, keep the test. Only the assertion of the
property counts as the expected failure; any other exception is an error.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib.metadata
import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml

import gough
from gough import cli
from gough.motion.files import read_waypoints
from tests.crossing.known import known
from tests.support.robots import with_values

STEWART = """
name = "stewart6"
gravity = [0, 0, -9.81]

[units]
angle = "deg"

[platform]
coordinates = { x = "x", y = "y", z = "z", psi = "rz", theta = "ry", phi = "rx" }
home = [0, 0, 2, 0, 0, 0]
mass = 1.43
inertia = [0.2, 0.2, 0.4]

[legs]
type = "UPS"
base = { radius = 1.5, half_angle = 15 }
platform = { radius = 0.75, half_angle = 0 }
cylinder = { mass = 0.39, com = [0.5, 0, 0], inertia = [0, 0.1, 0.1] }
piston = { mass = 0.39, com = [-0.5, 0, 0], inertia = [0, 0.1, 0.1] }
actuator = { stroke = [1.8, 3.3], speed = 2, force = 100 }
radius = 0.04
"""
ELASTIC = '\n[stiffness]\nactuator = "20 N/um"\n'
HOME = np.array([0.0, 0.0, 2.0, 0.0, 0.0, 0.0])

FIVEBAR = """
name = "fivebar2"
gravity = [0, -9.81, 0]

[platform]
coordinates = { x = "x", y = "y" }
home = [0, 0.35]
mass = 0.3

[legs]
type = "RRS"
motor = { axis = [0, 0, 1], reference = [1, 0, 0] }
crank = { length = 0.22, mass = 0.8, com = [0.11, 0, 0], inertia = [0, 3e-3, 3e-3] }
rod = { length = 0.3, mass = 0.4, com = [0.15, 0, 0], inertia = [0, 3e-3, 3e-3] }
actuator = { stroke = [-0.5, 3.6], speed = 12, force = 20 }

[[leg]]
name = "A"
base = [-0.1, 0, 0]
platform = [0, 0, 0]
branch = 1

[[leg]]
name = "B"
base = [0.1, 0, 0]
platform = [0, 0, 0]
branch = -1
"""

DELTA = """
name = "delta3"
gravity = [0, 0, -9.81]

[platform]
coordinates = { x = "x", y = "y", z = "z" }
home = [0, 0, -0.85]
mass = 2.9

[legs]
type = "RPa"
base = { radius = 0.33 }
platform = { radius = 0.125 }
motor = { yaw = 0 }
crank = { length = 0.42, mass = 3.5, com = [0.2, 0, 0], inertia = [0.001, 0.06, 0.06] }
rod = { length = 1.055, mass = 0.5, com = [0.5, 0, 0], inertia = [5e-5, 0.04, 0.04] }
spread = 0.09

[stiffness]
link = "20 N/um"
"""

HEAD = """
name = "head"
gravity = [0, 0, -9.81]

[units]
angle = "deg"

[platform]
coordinates = { x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }
dependent = ["x", "y", "yaw"]
home = [0, 0, 0.6, 0, PITCH, 0]
mass = 5
com = [0, 0, 0.03]
inertia = [0.1, 0.1, 0.2]

[legs]
type = "RPS"
base = { radius = 0.35, angles = [0, 120, 240] }
platform = { radius = 0.2, angles = [0, 120, 240] }
cylinder = { mass = 2, com = [0.15, 0, 0], inertia = [0.001, 0.02, 0.02] }
piston = { mass = 1, com = [-0.15, 0, 0], inertia = [0.0005, 0.01, 0.01] }

[tolerances]
base = "0.1 mm"

[heat]
temperature = 5
expansion = 12e-6

[stiffness]
actuator = "20 N/um"
"""

# A platform that turns about z through the origin, driven by a crank of 0.4 m about (1, 0) and a rod of 1.1 m to its
# point at 0.2 m. The rod passes through the origin, and no longer moves the platform, where the crank's pin is 0.9 m
# from the origin: cos(angle of the pin) = (0.9^2 + 1 - 0.4^2) / (2 * 0.9).
FOURBAR = """
name = "fourbar"
gravity = [0, -9.81, 0]

[platform]
coordinates = { psi = "rz" }
home = [1.5]
mass = 2
com = [0.1, 0, 0]
inertia = [0.01, 0.01, 0.02]

[[leg]]
name = "hinge"

[[leg.joint]]
type = "R"
axis = [0, 0, 1]
start = 1.5

[leg.end]
type = "rigid"

[[leg]]
name = "drive"
type = "RSS"
base = [1.0, 0, 0]
platform = [0.2, 0, 0]
motor = { axis = [0, 0, 1], reference = [1, 0, 0] }
crank = { length = 0.4, mass = 0.5, com = [0.2, 0, 0], inertia = [0, 0.01, 0.01] }
rod = { length = 1.1, mass = 0.5, com = [0.5, 0, 0], inertia = [0, 0.01, 0.01] }
branch = 1
"""
DEAD = float(np.pi - np.arccos((0.9**2 + 1.0 - 0.4**2) / 1.8))
"""Dead point of the four-bar [rad]."""


def command(*arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `gough arguments`."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(arguments)
    return code, out.getvalue(), err.getvalue()


command_once = functools.cache(command)
"""The same for commands that several tests run alike."""


def must_run(*arguments: str) -> str:
    """Standard output of a command that ends with 0; anything else is an error of the test, not the expected one."""
    code, out, err = command(*arguments)
    if code != 0:
        raise RuntimeError(f"gough {' '.join(arguments)}: exit code {code}: {err}")
    return out


def is_refused(call: Callable[[], object]) -> bool:
    """Whether a call is refused as wrong input."""
    try:
        call()
    except gough.InputError:
        return True
    return False


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Robot files of this module."""
    path = tmp_path_factory.mktemp("known")
    texts = {
        "stewart6": STEWART,
        "elastic": STEWART + ELASTIC,
        "fivebar2": FIVEBAR,
        "delta3": DELTA,
        "head0": HEAD.replace("PITCH", "0"),
        "head5": HEAD.replace("PITCH", "5"),
        "fourbar": FOURBAR,
    }
    for name, text in texts.items():
        (path / f"{name}.toml").write_text(text)
    return path


# Motions through waypoints without times

WAYPOINTS = np.array([[0.06 * np.sin(1.1 * k), 0.35 + 0.05 * np.cos(1.7 * k)] for k in range(40)])
SQUARE = np.array([[-0.05, 0.3], [0.05, 0.3], [0.05, 0.4], [-0.05, 0.4], [-0.05, 0.3]])


def waypoint_file(path: Path, points: np.ndarray) -> str:
    """A file of waypoints in x and y."""
    rows = ["x,y", *(",".join(map(repr, map(float, row))) for row in points)]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def from_polyline(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(N,) distances of points from a polyline."""
    begin, step = corners[:-1], np.diff(corners, axis=0)
    squares = np.maximum((step**2).sum(axis=1), 1e-300)
    found = []
    for point in points:
        share = np.clip(((point - begin) * step).sum(axis=1) / squares, 0.0, 1.0)
        found.append(np.linalg.norm(begin + share[:, None] * step - point, axis=1).min())
    return np.array(found)


def planned(planner: str, path: str) -> gough.Motion:
    """The motion of a planner of the five-bar through the waypoints of a file."""
    robot = gough.loads(FIVEBAR)
    motion = read_waypoints(robot, path, timed=False, forces=False)
    return (gough.move if planner == "move" else gough.fastest)(robot, motion).motion


@known("move and fastest lay a spline through samples of the path, not through its waypoints: they miss them by 0.7 mm")
@pytest.mark.parametrize("planner", ["move", "fastest"])
def test_planned_motion_passes_through_its_waypoints(tmp_path, planner):
    motion = planned(planner, waypoint_file(tmp_path / "points.csv", WAYPOINTS))
    x = motion(np.linspace(motion.start, motion.end, 40001)).x
    # Between samples the path is taken as straight: with a radius of 50 mm and 0.5 mm a step, 1 um at most.
    assert from_polyline(WAYPOINTS, x).max() < 1e-6


@known("waypoints without times are joined by a spline, 33 mm from the straight lines between the corners")
@pytest.mark.parametrize("planner", ["move", "fastest"])
def test_waypoints_without_times_are_corners_of_a_polyline(tmp_path, planner):
    motion = planned(planner, waypoint_file(tmp_path / "square.csv", SQUARE))
    x = motion(np.linspace(motion.start, motion.end, 20001)).x
    assert from_polyline(x, SQUARE).max() < 1e-9


@known("move prints nothing about how far its motion is from the path that it was given")
def test_move_prints_the_deviation_from_its_path(tmp_path, folder):
    points = waypoint_file(tmp_path / "points.csv", WAYPOINTS[:5])
    out = must_run("move", str(folder / "fivebar2.toml"), "--waypoints", points)
    assert re.search(r"deviat\w*\D*\d|the motion's own to within \d", out), out


# One motor at its dead point


@known("a 1 x 1 K is compared with itself: condition 1 is fine, however small K is")
@pytest.mark.parametrize("function", ["inverse_kinematics", "inverse_dynamics"])
def test_dead_point_of_one_motor_is_near_singular(function):
    robot = gough.loads(FOURBAR)
    found = getattr(gough, function)(robot, np.array([[1.5], [DEAD + 1e-9]]))
    # At the second pose the motor's rate per rad/s of the platform is 4e-10, at home 0.48: far below the 1e-6 at which
    # a pose is near singular.
    assert found.status.tolist() == [gough.Status.FINE, gough.Status.NEAR_SINGULAR]


@known("bound functions call the dead point of one motor fine")
@pytest.mark.parametrize("function", ["ik", "inverse_dynamics"])
def test_bound_function_reports_the_dead_point_of_one_motor(function):
    call = gough.bind(gough.loads(FOURBAR), function)
    call.inputs["x"][:] = DEAD + 1e-9
    status = call()
    assert status == gough.Status.NEAR_SINGULAR, call.outputs


@known("ik prints condition 1, fine, where one motor is at its dead point")
def test_ik_command_reports_the_dead_point_of_one_motor(folder):
    code, out, err = command("ik", str(folder / "fourbar.toml"), "--pose", f"psi={DEAD + 1e-9!r}")
    if code not in (0, 3):
        raise RuntimeError(err)
    assert code == 3, out + err


@known("forces of 5e9 N m at the dead point of one motor are those of a fine sample")
def test_forces_at_the_dead_point_of_one_motor_are_not_fine():
    robot = gough.loads(FOURBAR)
    found = gough.inverse_dynamics(robot, np.array([[DEAD + 1e-9]]))
    fine = found.status == gough.Status.FINE
    # The weight has a moment of 2 N m: the largest force of a pose that is fine is 1e6 times that of home.
    assert np.abs(found.force[fine]).max(initial=0.0) < 1e7


# Natural frequencies and stiffness


@known("gough.modes takes 1e6 N/m although the robot's file states a stiffness: 70 Hz for 315 Hz")
def test_modes_take_the_stiffness_of_the_file():
    robot = gough.loads(STEWART + ELASTIC)
    right = gough.modes(robot, stiffness=20e6).frequency
    np.testing.assert_allclose(gough.modes(robot).frequency, right, rtol=1e-9)


@known("the page names 1e+06 N/m, while the frequencies are those of 20 N/um")
def test_page_of_modes_names_the_stiffness_that_it_uses(folder):
    out = must_run("modes", str(folder / "elastic.toml"))
    assert "Stiffness of actuators: 2e+07 N/m" in out, out


@known("the JSON of modes states 1e6 N/m, while the frequencies are those of 20 N/um")
def test_json_of_modes_names_the_stiffness_that_it_uses(folder):
    out = must_run("modes", str(folder / "elastic.toml"), "--format", "json")
    assert json.loads(out)["stiffness"] == pytest.approx([20e6] * 6)


@known("rotors behind the gear move with the platform, behind all compliance, and the page does not say so")
def test_braked_rotors_do_not_change_natural_frequencies_unless_the_page_says_so(tmp_path, folder):
    # 72 000 deg/m is 1257 rad/m, a lead of 5 mm: each rotor acts as 2e-5 * 1257^2 = 32 kg along its screw. With the
    # rotor locked by its brake, the platform swings on the stiffness alone.
    text = (STEWART + ELASTIC).replace("force = 100 }", "force = 100, rotor_inertia = 2e-5, gear = 72000 }")
    (tmp_path / "rotors.toml").write_text(text)
    first = re.compile(r"^1 +(\S+)", re.MULTILINE)
    braked, lumped = (must_run("modes", str(path)) for path in (folder / "elastic.toml", tmp_path / "rotors.toml"))
    frequencies = [float(first.findall(out)[0]) for out in (braked, lumped)]
    assert "rotor" in lumped or frequencies[1] == pytest.approx(frequencies[0], rel=1e-9), frequencies


@known("a parallelogram has the stiffness of one bar")
def test_parallelogram_has_the_stiffness_of_two_bars():
    k = 20e6
    base, wrist, crank, bar = np.array([0.33, 0.0]), np.array([0.125, -0.85]), 0.42, 1.055
    between = wrist - base
    length = np.linalg.norm(between)
    along = (crank**2 - bar**2 + length**2) / (2.0 * length)
    u = between / length
    elbow = base + along * u + np.sqrt(crank**2 - along**2) * np.array([-u[1], u[0]])
    n, c = (wrist - elbow) / bar, (elbow - base) / crank
    # Three legs carry f = 1 / (3 n_z) each along their bars, two of stiffness k in parallel; the crank, a link of
    # stiffness k as well, carries f n.c along itself.
    right = (1.0 / (2.0 * k) + (n @ c) ** 2 / k) / (3.0 * n[1] ** 2)
    found = gough.elasticity(gough.loads(DELTA)).compliance[2, 2]
    # One bar: 3.47e-8 m/N; two: 2.18e-8 m/N.
    assert found == pytest.approx(right, rel=1e-6)


@known("a delta's platform is rigid against tilt, though its bars are elastic")
def test_delta_with_elastic_bars_gives_way_to_a_moment(folder):
    # A couple of forces in the bars of a parallelogram, at a distance of 0.09 m, stretches one and shortens the other.
    out = must_run("accuracy", str(folder / "delta3.toml"))
    assert "rigid" not in out, out


# Options that are taken and ignored

SIMULATE = ("simulate", "stewart", "--controller", "none", "--for", "0.02")
WORKSPACE = ("compare", "fivebar2.toml", "fivebar2.toml", "--set", "platform.mass=1", "--workspace")
ACCURACY = ("accuracy", "elastic.toml")
STEPS = (*SIMULATE, "--step", "1ms")
FALLING = ("simulate", "stewart", "--controller", "none", "--for", "0.5")
TRAVEL = ("workspace", "fivebar2.toml", "--travel")
PLAN = ("calibrate", "fivebar2.toml", "--plan", "6")
LINE = ("--to", "x=0.05", "--duration", "1")
IGNORED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "accuracy at a pose, payload": ((*ACCURACY, "--wrench", "100,0,0,0,0,0"), ("--payload", "50")),
    "accuracy at a pose, relative": (ACCURACY, ("--relative",)),
    "accuracy at a pose, hold-missing": (ACCURACY, ("--hold-missing",)),
    "accuracy at a pose, smooth": (ACCURACY, ("--smooth", "0.1")),
    "accuracy at a pose, bridge": (ACCURACY, ("--bridge", "0.1")),
    "accuracy at a pose, columns": (ACCURACY, ("--columns", "a=x")),
    "accuracy at a pose, samples": (ACCURACY, ("--samples", "7")),
    "compare workspaces, payload": (WORKSPACE, ("--payload", "5")),
    "compare workspaces, wrench": (WORKSPACE, ("--wrench", "30,0,0,0,0,0")),
    "compare workspaces, relative": (WORKSPACE, ("--relative",)),
    "compare workspaces, smooth": (WORKSPACE, ("--smooth", "0.1")),
    "simulate by steps, wrench": (STEPS, ("--wrench", "0,0,1000,0,0,0")),
    "simulate an ensemble, wrench": ((*SIMULATE, "--ensemble", "2"), ("--wrench", "0,0,1000,0,0,0")),
    "simulate by steps, on-limit": ((*FALLING, "--step", "1ms"), ("--on-limit", "continue")),
    "simulate an ensemble, on-limit": ((*FALLING, "--ensemble", "2"), ("--on-limit", "continue")),
    "no controller, mismatch": (SIMULATE, ("--mismatch", "platform.mass=1.5x")),
    "no controller, noise": ((*SIMULATE, "--sample-time", "1ms"), ("--noise", "1e-3,1e-2")),
    "no controller, saturate": (SIMULATE, ("--saturate",)),
    "no controller, space": (SIMULATE, ("--space", "joint")),
    "no controller, bandwidth": (SIMULATE, ("--bandwidth", "50")),
    "no controller, sample-time": (SIMULATE, ("--sample-time", "5ms")),
    "no controller, delay": ((*SIMULATE, "--sample-time", "5ms"), ("--delay", "10ms")),
    "no controller, encoder": ((*SIMULATE, "--sample-time", "1ms"), ("--encoder", "0.1")),
    "PD, space": (("simulate", "stewart", "--for", "0.02", "--controller", "pd"), ("--space", "joint")),
    "feedforward, space": (
        ("simulate", "stewart", "--for", "0.02", "--controller", "feedforward"),
        ("--space", "joint"),
    ),
    "travel, cells": (TRAVEL, ("--cells", "20")),
    "travel, tilt": (TRAVEL, ("--tilt", "20deg")),
    "travel, aspect": (TRAVEL, ("--aspect", "2,1,1")),
    "travel, height": (TRAVEL, ("--height", "3")),
    "travel, anywhere": (TRAVEL, ("--anywhere",)),
    "plan of measurements, folds": (PLAN, ("--folds", "3")),
    "plan of measurements, validate": (PLAN, ("--validate", "none.csv")),
    "inverse of a straight move, hold-missing": (("inverse", "fivebar2.toml", *LINE), ("--hold-missing",)),
    "check of a straight move, hold-missing": (("check", "fivebar2.toml", *LINE), ("--hold-missing",)),
    "size of a straight move, hold-missing": (("size", "fivebar2.toml", *LINE), ("--hold-missing",)),
    "compare along a straight move, hold-missing": ((*WORKSPACE[:-1], *LINE), ("--hold-missing",)),
    "fastest to a pose, hold-missing": (("fastest", "fivebar2.toml", "--to", "x=0.05"), ("--hold-missing",)),
    "fastest to a pose, duration": (("fastest", "fivebar2.toml", "--to", "x=0.05"), ("--duration", "3")),
    "move to a pose, hold-missing": (
        ("move", "fivebar2.toml", "--to", "x=0.05", "--jerk", "500"),
        ("--hold-missing",),
    ),
    "move to a pose, duration": (("move", "fivebar2.toml", "--to", "x=0.05", "--jerk", "500"), ("--duration", "3")),
}


@known("the command takes the option and ignores it")
@pytest.mark.parametrize("case", IGNORED)
def test_option_changes_the_answer_or_is_refused(monkeypatch, folder, case):
    monkeypatch.chdir(folder)
    given, option = IGNORED[case]
    found = command(*given, *option)
    if found[0] == 2:
        return
    plain = command_once(*given)
    if plain[0] not in (0, 1):
        raise RuntimeError(f"gough {' '.join(given)}: exit code {plain[0]}: {plain[2]}")
    assert found != plain


@known("--samples has no effect with a fixed step")
def test_samples_of_a_run_by_steps_are_written_or_refused(tmp_path):
    arguments = ("simulate", "stewart", "--controller", "none", "--for", "0.02", "--step", "1ms")
    texts = []
    for samples in ("201", "5"):
        out = tmp_path / samples
        code, _, err = command(*arguments, "--samples", samples, "--out", str(out))
        if code == 2:
            return
        if code != 0:
            raise RuntimeError(err)
        texts.append({path.name: path.read_text() for path in out.glob("*.csv")})
    assert texts[0] != texts[1]


# Limits of a bound call


@known("exceeded() leaves out cones of joints")
@pytest.mark.parametrize("function", ["ik", "inverse_dynamics"])
def test_exceeded_names_the_cones_that_the_ik_command_names(tmp_path, function):
    text = STEWART.replace("radius = 0.04\n", "radius = 0.04\ncone = 20\nend_cone = 20\n")
    (tmp_path / "cones.toml").write_text(text)
    code, _, err = command("ik", str(tmp_path / "cones.toml"), "--pose", "x=0.8")
    if code != 1 or "joint 1.U is 0.2988 deg beyond its cone" not in err:
        raise RuntimeError(err)
    call = gough.bind(gough.loads(text), function)
    call.inputs["x"][:] = HOME + [0.8, 0.0, 0.0, 0.0, 0.0, 0.0]
    call()
    assert call.exceeded()


@known("with a leg out of reach, exceeded() lists a stroke of nan for every actuator")
@pytest.mark.parametrize("rows", [None, 3])
def test_exceeded_lists_no_limit_of_a_value_that_does_not_exist(rows):
    robot = gough.load("hexapod")
    call = gough.bind(robot, "ik", rows)
    call.inputs["x"][:] = robot.platform.home
    call.inputs["x"][(..., 2) if rows is None else (1, 2)] += 3.0
    status = np.atleast_1d(call())
    if gough.Status.OUT_OF_REACH not in status:
        raise RuntimeError(f"status {status}")
    assert not [limit for limit in call.exceeded() if np.isnan(limit.value)]


# Names of coordinates

NAMES = ("status", "q_A", "force_A", "xd_y", "base_fx")


def named(name: str) -> str:
    """The five-bar with another name of x."""
    return FIVEBAR.replace('{ x = "x"', f'{{ {name} = "x"')


@pytest.mark.parametrize("name", NAMES)
def test_columns_of_csv_keep_their_values_whatever_coordinates_are_called(name):
    if is_refused(lambda: gough.loads(named(name))):
        return
    robot = gough.loads(named(name))
    pose = np.array([[0.02, 0.35]])
    plain = gough.inverse_dynamics(gough.loads(FIVEBAR), pose).to_csv()
    header, row = (line.split(",") for line in gough.inverse_dynamics(robot, pose).to_csv().splitlines())
    assert len(set(header)) == len(header)
    assert sorted(row) == sorted(plain.splitlines()[1].split(","))


def test_first_column_along_a_motion_is_the_time_whatever_coordinates_are_called(tmp_path):
    (tmp_path / "named.toml").write_text(named("t"))
    arguments = ("--to", "y=0.37", "--duration", "1", "--samples", "3", "--format", "csv")
    code, out, _ = command("inverse", str(tmp_path / "named.toml"), *arguments)
    assert code == 2 or [float(line.split(",")[0]) for line in out.splitlines()[1:]] == [0.0, 0.5, 1.0], out


@pytest.mark.parametrize("name", ["status", "q_A", "force_A", "time"])
def test_variables_of_an_fmu_are_unique_whatever_coordinates_are_called(tmp_path, name):
    path = tmp_path / "named.fmu"
    if is_refused(lambda: gough.export_fmu(gough.loads(named(name)), path)):
        return
    with zipfile.ZipFile(path) as file:
        description = ElementTree.fromstring(file.read("modelDescription.xml"))
    names = [variable.attrib["name"] for variable in description.find("ModelVariables")]
    assert sorted(set(names)) == sorted(names)


# Studies that are resumed

STUDY = """
robot = "stewart"
machines = 8
seed = 1
measure = ["mine:value"]

[[vary]]
number = "platform.mass"
bounds = [1, 2]

[[reduce]]
kind = "moments"
"""
MINE = """
import study_helper


def value(machine):
    return study_helper.FACTOR * machine.numbers["platform.mass"]
"""


@pytest.fixture
def study(tmp_path, monkeypatch) -> Path:
    """A study with a function of the user that uses another module of the user; its modules are forgotten."""
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "study_helper.py").write_text("FACTOR = 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in [key for key in sys.modules if key == "study_helper" or key.startswith("_gough_study")]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path / "study.toml"


def forget(*names: str) -> None:
    """Forget imported modules of the user."""
    for name in [key for key in sys.modules if key in names or key.startswith("_gough_study")]:
        del sys.modules[name]


@known("a study is resumed with results of another version of gough")
def test_resumed_study_takes_no_results_of_another_version(study, monkeypatch):
    gough.Study.read(study).run(out=study.parent / "out")
    own = importlib.metadata.version
    monkeypatch.setattr(gough, "__version__", "99.0.0")
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "99.0.0" if name == "gough" else own(name))
    resumed: list[int] = []
    refused = is_refused(
        lambda: resumed.append(gough.Study.read(study).run(out=study.parent / "out", resume=True).resumed)
    )
    assert refused or resumed == [0]


@known("a study is resumed with results of a user's module that has changed since")
def test_resumed_study_takes_no_results_of_another_helper_module(study):
    out = str(study.parent / "out")
    before = must_run("study", str(study), "--out", out, "--format", "json")
    (study.parent / "study_helper.py").write_text("FACTOR = 1000.0\n")
    forget("study_helper")
    code, after, _ = command("study", str(study), "--out", out, "--resume", "--format", "json")
    forget("study_helper")
    assert code == 2 or after != before


@known("a study is resumed with results of another function that has the same name")
def test_resumed_study_takes_no_results_of_another_function(tmp_path):
    def study_of(value: float) -> gough.Study:
        def measure(machine: Any) -> float:
            return value * float(machine.numbers["platform.mass"])

        vary = [{"number": "platform.mass", "bounds": [1, 2]}]
        return gough.Study.of(robot="stewart", machines=8, vary=vary, measure=[measure])

    study_of(1.0).run(out=tmp_path / "out")
    resumed: list[int] = []
    refused = is_refused(lambda: resumed.append(study_of(1000.0).run(out=tmp_path / "out", resume=True).resumed))
    assert refused or resumed == [0]


# Texts of statuses; texts of robots


@known("the text of the status of an input that is not finite is that of the last status")
def test_text_of_every_status_is_its_own():
    from gough.kinematics.status import status_texts

    every = np.array([int(status) for status in gough.Status])
    assert status_texts(every).tolist() == [status.text for status in gough.Status]


def test_loads_refuses_what_load_refuses(tmp_path):
    text = STEWART.replace(', psi = "rz", theta = "ry", phi = "rx"', "").replace("2, 0, 0, 0]", "2]")
    text = text.replace("radius = 1.5, half_angle = 15", "radius = 1.5, angles = [0, 120, 240]")
    text = text.replace("radius = 0.75, half_angle = 0", "radius = 0.75, angles = [0, 120, 240]")
    (tmp_path / "free.toml").write_text(text)
    with pytest.raises(gough.RobotError, match="the legs leave the machine 6 motions"):
        gough.load(tmp_path / "free.toml")
    assert is_refused(lambda: gough.loads(text))


def test_loads_gives_the_same_home_as_load(folder):
    loaded = gough.load(folder / "head5.toml")
    # At 5 deg of pitch the spindle of the head moves by -0.38 mm along x.
    assert gough.loads(HEAD.replace("PITCH", "5")).platform.start == pytest.approx(loaded.platform.start, abs=1e-12)


# Other programs' files

ORDER = ["C.R", "A.R", "B.R"]


@known("imported actuators are in the order of the legs, not in that of `actuated`, and no remark says so")
@pytest.mark.parametrize("ending", ["urdf", "xml", "sdf"])
def test_imported_actuators_are_in_the_stated_order(tmp_path, ending):
    file = tmp_path / f"robot.{ending}"
    gough.export_robot(gough.load("planar3rrr"), file)
    found = gough.import_robot(file, "platform", actuated=ORDER, compare=False)
    assert found.robot.actuator_names == ("C", "A", "B") or any("order" in remark for remark in found.remarks)


@known("imported actuators are in the order of the legs, not in that of the file, and no remark says so")
@pytest.mark.parametrize("ending", ["urdf", "xml"])
def test_imported_actuators_are_in_the_order_of_the_file(tmp_path, ending):
    file = tmp_path / f"robot.{ending}"
    gough.export_robot(gough.load("planar3rrr"), file)
    if ending == "urdf":
        other = file.with_suffix(".yaml")
        text, count = re.subn(r"name_mot: .*", f"name_mot: {ORDER}", other.read_text())
        other.write_text(text)
    else:
        motors = re.findall(r"\n *<motor [^>]*>", file.read_text())
        text, count = file.read_text().replace("".join(motors), motors[2] + motors[0] + motors[1]), len(motors) // 3
        file.write_text(text)
    if count != 1:
        raise RuntimeError(f"the file names no motors: {text[:500]}")
    found = gough.import_robot(file, "platform", compare=False)
    assert found.robot.actuator_names == ("C", "A", "B") or any("order" in remark for remark in found.remarks)


@known("numbers such as 1e-05 are written without a point, which YAML reads as text")
def test_numbers_of_exported_loops_are_numbers_in_yaml(tmp_path):
    robot = gough.loads(FIVEBAR.replace("[0, -9.81, 0]", "[1e-05, -9.81, 0]"))
    gough.export_robot(robot, tmp_path / "robot.urdf")
    content = yaml.safe_load((tmp_path / "robot.yaml").read_text())
    assert content["gravity"] == [1e-05, -9.81, 0.0]


# Calibration


@functools.cache
def calibrated() -> tuple[Any, np.ndarray, np.ndarray]:
    """A calibration of offsets alone, and its true errors of position and rotation at the poses of its uncertainty.

    Joints of the true machine are up to 0.1 mm from the file's, its offsets are right.
    """
    text = STEWART + '\n[tolerances]\nbase = "0.1 mm"\nplatform = "0.1 mm"\nzero = "0.1 mm"\n'
    robot, rng = gough.loads(text), np.random.default_rng(1)
    changes = {}
    for leg in robot.legs:
        for part, point in (("base", leg.position), ("platform", leg.end.platform_point)):
            for axis, value in zip("xyz", point, strict=True):
                changes[f"leg.{leg.name}.{part}.{axis}"] = float(value + rng.uniform(-1e-4, 1e-4))
    truth = robot.replace(changes)
    x = HOME + rng.uniform(-1.0, 1.0, (40, 6)) * [0.3, 0.3, 0.3, 0.2, 0.2, 0.2]
    q = gough.inverse_kinematics(truth, x).q
    names = [*robot.coordinate_names, *(f"q_{name}" for name in robot.actuator_names)]
    read = np.concatenate([x + 2e-5 * rng.normal(size=x.shape), q + 5e-6 * rng.normal(size=q.shape)], axis=1)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "measured.csv"
        file.write_text("\n".join([",".join(names), *(",".join(map(repr, row)) for row in read.tolist())]) + "\n")
        found = gough.calibrate(robot, file, parameters=["zero"], folds=0)
    at = found.uncertainty.x
    solved = gough.forward_kinematics(found.corrected, gough.inverse_kinematics(truth, at).q, at)
    off = (solved.x - at)[solved.status == gough.Status.FINE]
    return found, np.linalg.norm(off[:, :3], axis=1), np.linalg.norm(off[:, 3:], axis=1)


@known("the uncertainty after a calibration of offsets alone leaves out the tolerances of everything else")
@pytest.mark.parametrize("what", ["position", "rotation"])
def test_stated_pose_uncertainty_covers_parameters_that_are_not_calibrated(what):
    found, position, rotation = calibrated()
    stated = found.uncertainty.rms()[what == "rotation"]
    true = float(np.sqrt(((position if what == "position" else rotation) ** 2).mean()))
    # One machine drawn from the tolerances: its error is about the standard deviation; it is 9 times what is stated.
    assert stated > true / 2.0, (stated, true)


# Tables of heads with dependent coordinates


@pytest.mark.parametrize("table", ["tolerances", "heat", "stiffness", "units"])
def test_head_with_inexact_home_keeps_its_tables(folder, table):
    exact, inexact = (gough.load(folder / name) for name in ("head0.toml", "head5.toml"))

    def content(robot: gough.Robot) -> Any:
        errors = robot.errors
        if table == "units":
            return robot.units
        values = {"tolerances": (errors.by_form,), "heat": (errors.temperature, errors.expansion)}
        return values.get(table, (errors.stiffness,))

    assert content(inexact) == content(exact)


def test_head_at_an_inexact_home_has_the_frequencies_of_that_pose(folder):
    first = re.compile(r"^1 +(\S+)", re.MULTILINE)
    right = must_run("modes", str(folder / "head0.toml"), "--pose", "pitch=5deg")
    found = must_run("modes", str(folder / "head5.toml"))
    # 408 Hz, printed with six digits; without the file's stiffness 91 Hz.
    assert float(first.findall(found)[0]) == pytest.approx(float(first.findall(right)[0]), rel=1e-5)


def test_head_at_an_inexact_home_has_the_accuracy_of_that_pose(folder):
    code, _, err = command("accuracy", str(folder / "head5.toml"))
    assert code == 0, err


def test_calibrated_head_keeps_its_tables_when_loaded(tmp_path, folder):
    robot, rng = gough.load(folder / "head0.toml"), np.random.default_rng(2)
    x = np.array(robot.platform.home) + rng.uniform(-1.0, 1.0, (12, 3)) * [0.05, 0.1, 0.1]
    rows = np.concatenate([x, gough.inverse_kinematics(robot, x).q + 1e-4], axis=1)
    header = ",".join([*robot.coordinate_names, *(f"q_{name}" for name in robot.actuator_names)])
    (tmp_path / "measured.csv").write_text("\n".join([header, *(",".join(map(repr, row)) for row in rows.tolist())]))
    noise = "position=20um,rotation=20urad,encoder=5um"
    found = gough.calibrate(robot, tmp_path / "measured.csv", parameters=["base"], folds=0, noise=noise)
    found.write(tmp_path / "corrected.toml")
    if "[stiffness]" not in (tmp_path / "corrected.toml").read_text():
        raise RuntimeError("the written file has no [stiffness]")
    assert gough.load(tmp_path / "corrected.toml").errors.stiffness == robot.errors.stiffness


# Motions made for other coordinates


def controlled(law: str) -> Callable[[gough.Robot, gough.Motion], object]:
    """A short simulation with a controller that follows the motion."""

    def run(robot: gough.Robot, motion: gough.Motion) -> object:
        return gough.simulate(robot, None, gough.Controller(getattr(gough, law)(bandwidth=5), motion), 0.01)

    return run


TAKES_MOTION: dict[str, Callable[[gough.Robot, gough.Motion], object]] = {
    "simulate, computed torque": controlled("ComputedTorque"),
    "simulate, PD": controlled("PD"),
    "simulate, feedforward": controlled("Feedforward"),
    "simulate_many": lambda robot, motion: gough.simulate_many(
        robot, None, gough.Controller(gough.PD(bandwidth=5), motion), 0.01, count=1
    ),
    "tube": lambda robot, motion: gough.tube(robot, motion),
    "deflection_along": lambda robot, motion: gough.deflection_along(robot, motion),
}


@pytest.mark.parametrize("function", TAKES_MOTION)
def test_motion_of_other_coordinates_is_refused(function):
    text = STEWART + ELASTIC
    robot = gough.loads(text)
    other = gough.loads(text.replace('psi = "rz", theta = "ry", phi = "rx"', 'phi = "rx", theta = "ry", psi = "rz"'))
    motion = gough.Motion.to(other, "psi=20deg", 0.2)
    assert is_refused(lambda: TAKES_MOTION[function](robot, motion))


# Simulation


def run_table(folder: Path, out: Path, *arguments: str) -> dict[str, np.ndarray]:
    """Columns of run.csv of a simulation of the Stewart platform."""
    code, _, err = command("simulate", str(folder / "stewart6.toml"), *arguments, "--out", str(out))
    if code not in (0, 1):
        raise RuntimeError(err)
    lines = (out / "run.csv").read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if line.startswith("t,"))
    values = np.array([[float(cell) for cell in line.split(",")] for line in lines[at + 1 :]])
    return dict(zip(lines[at].split(","), values.T, strict=True))


@known("a constant wrench ends with the motion, although the simulation continues")
@pytest.mark.parametrize("controller", ["none", "pd", "feedforward", "computed-torque"])
def test_constant_wrench_acts_after_the_end_of_the_motion(tmp_path, folder, controller):
    still = ("--to", "z=2.0", "--duration", "0.05", "--wrench", "0,0,-50,0,0,0", "--controller", controller)
    found = run_table(folder, tmp_path / "out", *still, "--for", "0.1", "--samples", "11")
    if controller == "none":
        # The platform falls freely, from rest: its acceleration changes by less than 1 % in 0.1 s.
        rate = np.diff(found["xd_z"]) / np.diff(found["t"])
        assert rate[-1] == pytest.approx(rate[0], rel=0.05)
    else:
        # The controllers know the wrench and hold the platform where it is.
        assert found["force_1"][-1] == pytest.approx(found["force_1"][0], rel=1e-6)


def test_work_of_a_wrench_at_a_point_is_that_of_its_force_along_the_path_of_the_point(tmp_path, folder):
    load = ("--wrench", "0,0,-200,0,0,0", "--tool", "0.5,0,0")
    arguments = ("--to", "z=2.0", "--duration", "0.1", "--controller", "none", "--for", "0.09", "--samples", "10")
    found = run_table(folder, tmp_path / "out", *arguments, *load)
    energy = found["kinetic"] + found["potential"]
    height = found["z"] - 0.5 * np.sin(found["theta"])  # of the point, with R = Rz Ry Rx
    work = -200.0 * (height - height[0])
    assert energy[-1] - energy[0] == pytest.approx(work[-1], rel=1e-6)


@known("runs with a fixed step go through the ends of strokes")
@pytest.mark.parametrize("option", [("--step", "1ms"), ("--ensemble", "2")], ids=["step", "ensemble"])
def test_run_by_steps_stops_at_the_end_of_a_stroke(option):
    code, _, err = command_once(*FALLING)
    if code != 1 or "reaches the lower end of its stroke" not in err:
        raise RuntimeError(f"{code}: {err}")
    code, out, err = command(*FALLING, *option)
    assert code == 1, out + err


@known("where two samples of a force history are closer than 1e-12 of the run, one is integrated, the other reported")
def test_reported_force_history_is_the_one_that_is_integrated():
    robot = gough.loads(STEWART)
    hold = gough.inverse_dynamics(robot, HOME).force
    history = gough.Forces([0.0, 0.05 - 1e-14, 0.05], np.array([hold, 0.0 * hold, hold]), hold=True)
    if is_refused(lambda: gough.simulate(robot, None, history, 0.1, samples=11)):
        return
    found = gough.simulate(robot, None, history, 0.1, samples=11)
    reported = np.abs(found.force - hold).max() < 1e-9
    still = abs(found.x[-1][2] - 2.0) < 1e-6
    assert reported == still, (found.force[:, 0], found.x[-1])


# Workspace with a payload


def farthest(robot: gough.Robot, step: np.ndarray) -> float:
    """How far from home along a direction all forces at rest are within 100 N and all strokes are kept."""

    def kept(share: float) -> bool:
        found = gough.inverse_dynamics(robot, HOME + share * step)
        return bool(np.abs(found.force).max() <= 100.0 and found.q.min() >= 1.8 and found.q.max() <= 3.3)

    low, high = 0.0, 0.0
    while kept(high):
        high += 0.01
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


@known("the workspace of a robot with a payload is that without it, unless a wrench is given: 1.74 m for 0.16 m")
def test_travel_of_a_robot_with_a_payload_ends_at_its_force_limits():
    robot = gough.loads(STEWART).with_payload(40)
    found = gough.workspace(robot, travel_only=True).travel[0]
    assert found.high == pytest.approx(farthest(robot, np.eye(6)[0]), abs=1e-6)


@known("the workspace of a robot with a payload has the size of that without it")
def test_size_of_the_workspace_of_a_robot_with_a_payload_is_that_under_no_further_wrench():
    robot = gough.loads(FIVEBAR).with_payload(5)
    right = gough.workspace(robot, wrench=[0.0] * 6, cells=16).volume
    assert gough.workspace(robot, cells=16).volume.measure == pytest.approx(right.measure, rel=1e-9)


@known("the weight of the platform counts in the workspace only where some payload is given")
def test_workspace_of_a_heavy_platform_is_that_of_the_same_mass_as_payload(folder):
    arguments = ("workspace", str(folder / "stewart6.toml"), "--travel", "--format", "csv")
    heavy = must_run(*arguments, "--set", "platform.mass=41.43")
    laden = must_run(*arguments, "--payload", "40")
    rows = [re.search(r"^x,m,(.*)", out, re.MULTILINE) for out in (heavy, laden)]
    if None in rows:
        raise RuntimeError(heavy)
    ends = [[float(cell) for cell in row[1].split(",")[:2]] for row in rows]
    np.testing.assert_allclose(*ends, rtol=1e-9)


# Numbers of one leg, and what else the file states


def deviation(out: str) -> str:
    """Row of z on the page of accuracy."""
    return re.search(r"^z +.*", out, re.MULTILINE)[0]


RADIUS = '\n[tolerances]\n"legs.base.radius" = "0.1 mm"\nzero = "20 um"\n'


def test_setting_a_stroke_of_one_leg_keeps_the_pose_error(tmp_path):
    (tmp_path / "robot.toml").write_text(STEWART + RADIUS)
    arguments = ("accuracy", str(tmp_path / "robot.toml"))
    # No pose error depends on a stroke.
    assert deviation(must_run(*arguments, "--set", "leg.1.actuator.stroke.0=1.81m")) == deviation(must_run(*arguments))


def test_replacing_a_stroke_of_one_leg_keeps_the_tolerances():
    robot = gough.loads(STEWART + RADIUS)
    changed = robot.replace({"leg.1.actuator.stroke.0": 1.81})
    before, after = (gough.pose_errors(each).sd for each in (robot, changed))
    np.testing.assert_allclose(after, before, rtol=1e-9)


def test_written_robot_keeps_tolerances_of_legs(tmp_path):
    (tmp_path / "robot.toml").write_text(STEWART + RADIUS)
    gough.load(tmp_path / "robot.toml").write(tmp_path / "written.toml")
    found, right = (must_run("accuracy", str(tmp_path / name)) for name in ("written.toml", "robot.toml"))
    assert deviation(found) == deviation(right)


def test_numbers_of_legs_can_be_replaced_on_a_robot_with_a_motor():
    motor = gough.motor_of({"gear": 20, "peak": {"speed": [0, 400], "torque": [0.4, 0.4]}})
    robot = gough.loads(FIVEBAR).with_motor(motor)
    assert robot.replace({"legs.crank.length": 0.23}).legs[0].joints[0].gear == 20


# Motors with losses


@known("on one side of a jump of the acceleration the load is taken with the loss of the other side")
def test_time_optimal_motion_fits_the_motor_that_it_was_planned_for():
    curve = {"speed": [0, 200, 400], "torque": [0.4, 0.4, 0.1]}
    motor = gough.motor_of({"gear": 20, "rotor_inertia": 2e-5, "efficiency": 0.9, "peak": curve})
    robot = gough.load("fivebar").with_motor(motor)
    motion = gough.fastest(robot, gough.Motion.to(robot, "x=100mm", 1.0), {"force": 1e3, "speed": 1e3}).motion
    # At rest, at both ends, the load is neither driven nor braked: the first and the last sample are left out.
    at = motion(np.linspace(motion.start, motion.end, 20001)[1:-1])
    x, xd, xdd = at.x, at.xd, at.xdd
    found, rates = (
        gough.inverse_dynamics(robot, gough.State(x, xd, xdd)),
        gough.inverse_kinematics(robot, gough.State(x, xd, xdd)),
    )
    rotor = 2e-5 * 20.0**2 * rates.qdd
    load = found.force - rotor
    factor = np.where(load * rates.qd > 0.0, 1.0 / 0.9, np.where(load * rates.qd < 0.0, 0.9, 1.0))
    torque = (rotor + factor * load) / 20.0
    excess = float((np.abs(torque) - np.interp(20.0 * np.abs(rates.qd), curve["speed"], curve["torque"])).max())
    if excess > 1e-4:
        raise RuntimeError(f"the motion exceeds the curve by {excess} N m")
    margins = [fit.peak_margin for fit in gough.demand(robot, motion).fits]
    assert min(margins) > -1e-4, margins


# Values of a robot that are changed in Python

CHANGES: dict[str, Any] = {"gravity": (0.0, 0.0, -1.62), "name": "other", "length": 3.0, "platform": None}


@pytest.mark.parametrize("field", CHANGES)
def test_later_replace_keeps_changed_values(field):
    robot = gough.loads(STEWART)
    value = CHANGES[field] or dataclasses.replace(robot.platform, home=(0.0, 0.0, 2.1, 0.0, 0.0, 0.0))
    with pytest.raises(TypeError, match=r"a robot is changed by robot\.replace"):
        dataclasses.replace(robot, **{field: value})
    changed = with_values(robot, **{field: value})
    assert getattr(changed, field) == value
    assert getattr(changed.replace({"leg.1.actuator.force": 120.0}), field) == value


# Robots of results


def identified(robot: gough.Robot) -> Any:
    """Identification of a robot with two coordinates, by its own forces."""
    t, size = np.linspace(0.0, 2.0, 401), 0.03
    w, phase = 2.0 * np.pi * np.array([1.0, 1.5]), np.array([0.3, 1.1])
    angle = np.outer(t, w) + phase
    x, xd, xdd = [0.0, 0.35] + size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)
    force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    recording = gough.recorded_forces(robot, t, force, x, xd, xdd, smooth="none")
    return gough.identify(robot, recording, tied=False)


RESULTS: dict[str, Callable[[gough.Robot], Any]] = {
    "forward_kinematics": lambda robot: gough.forward_kinematics(robot, gough.inverse_kinematics(robot, HOME).q, HOME),
    "simulate": lambda robot: gough.simulate(robot, None, None, 0.01),
    "regressor": lambda robot: gough.regressor(robot),
    "identify": identified,
}


@pytest.mark.parametrize("function", RESULTS)
def test_robot_of_a_result_has_the_tables_of_the_one_of_the_call(function):
    text, table = (FIVEBAR, '\n[tolerances]\nbase = "0.1 mm"\n') if function == "identify" else (STEWART, ELASTIC)
    text = re.sub(r"name = .*", f'name = "of_{function}"', text, count=1)
    plain, tabled = gough.loads(text), gough.loads(text + table)
    RESULTS[function](plain)
    found = RESULTS[function](tabled).robot.errors
    assert (found.by_form, found.stiffness) == (tabled.errors.by_form, tabled.errors.stiffness)
