"""Two computations of one number agree: command and Python, `bind` and public calls, limits at edges, study and loop.

Formulations are compared in test_formulations_agree.py; export and import are descriptions in test_invariance.py.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import gough
from gough import cli
from tests.support import snapshot_machines
from tests.support.lanes import FULL, SEED, size
from tests.support.questions import QUESTIONS, answers, failures

MACHINES = ("fivebar", "delta", "rps3", "random_PRR", "random_RPa", "dependent_prs", "planar3rrr_loaded", "stewart")
CHEAP = ("fivebar", "delta", "rps3", "random_PRR")
CONDITIONS = {
    "plain": ([], {}),
    "payload": (["--payload", "1.5"], {"payload": 1.5}),
    "wrench": (["--wrench", "3,-2,1,0.4,-0.3,0.2"], {"wrench": [3.0, -2.0, 1.0, 0.4, -0.3, 0.2]}),
    "ship": (["--base-motion", "ship"], {"base": "ship"}),
}
"""Operating conditions as options of a command and as arguments of Python."""
COMMANDS = ("check", "size", "inverse")
KNOWN: dict[tuple[str, str, str], str] = {}
"""Lane, pair and machine, with what is wrong: left out until the mark in test_known_lanes.py is removed."""


def draw(lane: str, every: list[Any], full: int, sample: int) -> list[Any]:
    return sorted(random.Random(f"{SEED} {lane}").sample(every, min(size(full, sample), len(every))))


@cache
def machine(name: str) -> tuple[gough.Robot, dict[str, Any]]:
    return gough.loads(snapshot_machines.text(name)), snapshot_machines.states(name, 4)


def described(robot: gough.Robot, states: dict[str, Any], given: dict[str, Any]) -> tuple[gough.Robot, gough.Motion]:
    """Robot and motion under an operating condition."""
    if "payload" in given:
        robot = robot.with_payload(given["payload"])
    motion = gough.Motion.to(robot, states["to"], 1.0)
    return robot, motion.with_wrench(given["wrench"]) if "wrench" in given else motion


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = cli.main(arguments)
    captured = capsys.readouterr()
    assert code in (0, 1), captured.err
    return captured.out


def arguments_of(command: str, file: Any, robot: gough.Robot, states: dict[str, Any], condition: str) -> list[str]:
    to = ",".join(f"{n}={float(v)!r}" for n, v in zip(robot.coordinate_names, states["to"], strict=True))
    limit = ["--limit", "force=600", "--limit", "condition=80"] if command == "check" else []
    return [command, str(file), "--to", to, "--duration", "1s", *limit, *CONDITIONS[condition][0]]


@pytest.mark.parametrize(
    "case",
    draw(
        "command",
        [(m, command, c) for m in (MACHINES if FULL else CHEAP) for command in COMMANDS for c in CONDITIONS],
        96,
        8,
    ),
    ids="-".join,
)
def test_command_writes_the_numbers_of_the_python_call(case, capsys, tmp_path):
    name, command, condition = case
    robot, states = machine(name)
    file = tmp_path / "robot.toml"
    file.write_text(snapshot_machines.text(name))
    written = json.loads(outcome(capsys, *arguments_of(command, file, robot, states, condition), "--format", "json"))
    given = CONDITIONS[condition][1]
    robot, motion = described(robot, states, given)
    if "base" in given:
        motion = motion.on_base(given["base"])
    if command == "check":
        found = gough.check(robot, motion, {"force": 600.0, "condition": 80.0})
        expected = json.loads(json.dumps(found.to_dict(), default=float))["findings"]
        assert [row["kind"] for row in written["findings"]] == [row["kind"] for row in expected]
        for row, other in zip(written["findings"], expected, strict=True):
            for key in ("value", "limit", "margin"):
                np.testing.assert_allclose(row[key], other[key], rtol=1e-12)
    elif command == "size":
        demand = gough.demand(robot, motion)
        for key in ("force", "rms_force", "qd", "rms_qd"):
            np.testing.assert_allclose(written[key], getattr(demand, key), rtol=1e-12)
    else:
        forces = gough.inverse_dynamics(robot, motion.sample(written["t"]))
        np.testing.assert_allclose(written["force"], forces.force, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(written["x"], motion(np.array(written["t"])).x, rtol=1e-12, atol=1e-14)


def _named(names: Any, values: Any) -> str:
    return ",".join(f"{name}={float(value)!r}" for name, value in zip(names, values, strict=True))


def _pose(robot: gough.Robot, states: dict[str, Any]) -> list[str]:
    return ["--pose", _named(robot.coordinate_names, states["to"])]


def _to(robot: gough.Robot, states: dict[str, Any]) -> list[str]:
    return ["--to", _named(robot.coordinate_names, states["to"]), "--duration", "0.1s"]


ERRORS = """[tolerances]
base = "0.1 mm"
platform = "0.05 mm"
"""
LIMITS = ["--limit", "force=600", "--limit", "speed=2"]


def _ik(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.inverse_kinematics(robot, states["to"])
    return [
        ([row["q"] for row in written["actuators"]], found.q),
        ([row["joint_q"] for row in written["joints"]], found.joint_q),
        (written["K"], found.K),
        (written["condition"], found.condition),
    ]


def _fk(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.forward_kinematics(robot, states["q"][2], np.array(robot.platform.home))
    return [([written["x"][name] for name in robot.coordinate_names], found.x)]


def _accuracy(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.pose_errors(robot.with_errors(tomllib.loads(ERRORS)), states["to"])
    return [(written[key], getattr(found, key)) for key in ("sd", "worst", "rms", "largest")]


def _modes(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.modes(robot, states["to"], stiffness=2e5)
    return [(written["modes"]["frequency"], found.frequency), (written["preload"], found.force)]


def _simulate(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    motion = gough.Motion.to(robot, states["to"], 0.1)
    controller = gough.Controller(gough.PD(bandwidth=5), motion, robot=robot)
    found = gough.simulate(robot, None, controller, 0.1, samples=5)
    columns = written["columns"]
    poses = np.array([columns[name] for name in robot.coordinate_names]).T
    forces = np.array([columns[f"force_{name}"] for name in robot.actuator_names]).T
    return [(poses, found.x), (forces, found.force)]


def _travel(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.workspace(robot, states["to"], travel_only=True)
    return [([[row["low"], row["high"]] for row in written["travel"]], [[a.low, a.high] for a in found.travel])]


def _fastest(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    motion = gough.Motion.to(robot, states["to"], 0.1)
    return [(written["duration"], gough.fastest(robot, motion, {"force": 600.0, "speed": 2.0}).duration)]


def _singularities(robot: gough.Robot, states: dict[str, Any], written: dict[str, Any]) -> list[tuple[Any, Any]]:
    found = gough.singularities(robot)
    assert [row["kind"] for row in written["nearest"]] == [one.kind for one in found.found]
    return [
        (written["singular_value_at_pose"], found.singular_value),
        (written["characteristic_length"], found.length),
        ([row["distance"] for row in written["nearest"]], [one.distance for one in found.found]),
    ]


MORE: dict[str, tuple[Callable[..., list[str]], Callable[..., list[tuple[Any, Any]]]]] = {
    "ik": (_pose, _ik),
    "fk": (lambda r, s: ["--displacement", _named(r.actuator_names, s["q"][2])], _fk),
    "accuracy": (lambda r, s: [*_pose(r, s), "--errors", "ERRORS"], _accuracy),
    "modes": (lambda r, s: [*_pose(r, s), "--stiffness", "2e5"], _modes),
    "simulate": (
        lambda r, s: [*_to(r, s), "--controller", "pd", "--bandwidth", "5", "--samples", "5", "--out", "RUN"],
        _simulate,
    ),
    "workspace": (lambda r, s: [*_pose(r, s), "--travel"], _travel),
    "singularities": (lambda r, s: [], _singularities),
    "fastest": (lambda r, s: [*_to(r, s), *LIMITS], _fastest),
}
"""Commands with their options, and pairs of what they write and what Python computes."""


@pytest.mark.parametrize(
    "case", draw("more commands", [(m, c) for m in (MACHINES if FULL else CHEAP) for c in MORE], 64, 5), ids="-".join
)
def test_more_commands_write_the_numbers_of_the_python_call(case, capsys, tmp_path):
    name, command = case
    robot, states = machine(name)
    file, errors, folder = tmp_path / "robot.toml", tmp_path / "errors.toml", tmp_path / "run"
    file.write_text(snapshot_machines.text(name))
    errors.write_text(ERRORS)
    options, pairs = MORE[command]
    words = [{"ERRORS": str(errors), "RUN": str(folder)}.get(word, word) for word in options(robot, states)]
    if command == "simulate":
        outcome(capsys, command, str(file), *words)
        written = json.loads((folder / "run.json").read_text())
    else:
        written = json.loads(outcome(capsys, command, str(file), *words, "--format", "json"))
    for one, other in pairs(robot, states, written):
        expected = np.asarray(other, dtype=float)
        found = np.asarray(one, dtype=float).reshape(expected.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def words_of(page: str) -> str:
    """A page without drawings, programs and styles."""
    return re.sub(r"<svg.*?</svg>|<script.*?</script>|<style.*?</style>", "", page, flags=re.S)


def numbers_of(text: str) -> list[tuple[float, float]]:
    """Numbers of a page with half a unit of their last digit."""
    found = []
    for mantissa, exponent in re.findall(r"(?<![\w.])-?(\d+\.?\d*)(e[-+]?\d+)?", text):
        digits = len(mantissa.partition(".")[2])
        power = float(f"1{exponent or 'e0'}")
        found.append((float(mantissa) * power, 0.5000001 * 10.0**-digits * power))
    return found


@pytest.mark.parametrize("name", draw("page", list(MACHINES if FULL else CHEAP), 8, 2))
def test_page_and_report_show_the_numbers_of_the_json(name, capsys, tmp_path):
    """Largest and rms force of every actuator, to the digits shown, in N and N m or in N mm."""
    robot, states = machine(name)
    file, report = tmp_path / "robot.toml", tmp_path / "report.html"
    file.write_text(snapshot_machines.text(name))
    arguments = arguments_of("size", file, robot, states, "plain")
    written = json.loads(outcome(capsys, *arguments, "--format", "json"))
    page = outcome(capsys, *arguments)
    outcome(capsys, "report", *arguments[1:], "--out", str(report))
    for text in (page, words_of(report.read_text())):
        shown = numbers_of(text)
        for key in ("force", "rms_force"):
            for value in np.abs(written[key]):
                sizes = (value, 1e3 * value)
                near = [n for n, half in shown for v in sizes if abs(n - v) <= half <= 0.01 * v]
                assert near, f"{key} {value} is not shown"


@pytest.mark.parametrize("name", draw("check page", list(MACHINES if FULL else CHEAP), 8, 1))
def test_check_page_and_report_show_the_worst_value_of_the_json(name, capsys, tmp_path):
    """Of the limits of force and condition, to the digits shown; torques also in N mm."""
    robot, states = machine(name)
    file, report = tmp_path / "robot.toml", tmp_path / "report.html"
    file.write_text(snapshot_machines.text(name))
    arguments = arguments_of("check", file, robot, states, "plain")
    written = json.loads(outcome(capsys, *arguments, "--format", "json"))
    page = outcome(capsys, *arguments)
    outcome(capsys, "report", *arguments[1:], "--out", str(report))
    for text in (page, words_of(report.read_text())):
        shown = numbers_of(text)
        for kind in ("force", "condition"):
            worst = min((row for row in written["findings"] if row["kind"] == kind), key=lambda row: row["margin"])
            value = abs(worst["value"])
            near = [n for n, half in shown for v in (value, 1e3 * value) if abs(n - v) <= half <= 0.01 * v]
            assert near, f"{kind} {value} is not shown"


BOUND = {
    "inverse_kinematics_q": ("inverse_kinematics", "q"),
    "inverse_kinematics_qd": ("inverse_kinematics", "qd"),
    "inverse_kinematics_qdd": ("inverse_kinematics", "qdd"),
    "inverse_kinematics_joint_q": ("inverse_kinematics", "joint_q"),
    "inverse_kinematics_K": ("inverse_kinematics", "K"),
    "inverse_kinematics_status": ("inverse_kinematics", "status"),
    "inverse_dynamics_force": ("inverse_dynamics", "force"),
    "inverse_dynamics_power": ("inverse_dynamics", "power"),
    "inverse_dynamics_status": ("inverse_dynamics", "status"),
    "inverse_dynamics_moving_base_force": ("moving_base", "force"),
    "forward_dynamics_xdd": ("forward_dynamics", "acceleration"),
    "forward_dynamics_status": ("forward_dynamics", "status"),
    "forward_kinematics_status": ("forward_kinematics", "status"),
}
"""Outputs of bound functions, and the answers of public calls whose bits they have."""


@pytest.mark.parametrize(
    "name",
    draw(
        "bind", [n for n in snapshot_machines.names() if n != "spindles"] if FULL else [*CHEAP, "redundant_RRR"], 33, 3
    ),
)
def test_bound_functions_have_the_bits_of_public_calls(name):
    robot, states = machine(name)
    bound = answers(QUESTIONS["bound_functions"], robot, states)
    assert "error" not in bound
    compared = 0
    public = {question: answers(QUESTIONS[question], robot, states) for question, _ in BOUND.values()}
    assert not [line for found in (bound, *public.values()) for line in failures(found)]
    for output, (question, field) in BOUND.items():
        if output not in bound or field not in public[question]:
            continue
        one, other = bound[output].value, public[question][field].value[: len(bound[output].value)]
        if one.dtype.kind == "f":
            fine = np.isfinite(other).reshape(len(other), -1).all(axis=1)
            one, other = one[fine], other[fine]
        assert np.array_equal(one, other), f"{output} is not {question}/{field}"
        compared += 1
    assert compared >= 6


EDGES = ("fivebar", "delta", "rps3", "planar3rrr", "tricept", "stewart", "hexapod")
OFF = 1e-6
"""Distance from the edge, relative to the travel: far above the tolerances of solvers and limits."""


@pytest.mark.parametrize("name", draw("edges", list(EDGES if FULL else EDGES[:3]), 7, 1))
def test_check_and_assembly_modes_agree_with_the_ends_of_travel(name):
    """Where a stroke ends the travel of an axis, a pose just inside fits, and one just outside does not."""
    robot, _ = machine(name)
    home = np.array(robot.platform.home)
    found = gough.workspace(robot, travel_only=True)
    ends = [
        (k, value)
        for axis in found.travel
        for value, limits in ((axis.low, axis.low_limits), (axis.high, axis.high_limits))
        for k, coordinate in enumerate(robot.coordinate_names)
        if coordinate == axis.axis and {limit.kind for limit in limits} == {"stroke"}
    ]
    for k, value in ends:
        for share, inside in ((1 - OFF, True), (1 + OFF, False)):
            pose = home.copy()
            pose[k] += share * (value - home[k])
            strokes = [
                row for row in gough.check(robot, gough.Motion.to(robot, pose, 1.0)).every if row.kind == "stroke"
            ]
            assert all(row.fits for row in strokes) == inside, (k, value, share)
            if robot.dof <= 3 or FULL:
                modes = gough.assembly_modes(robot, gough.inverse_kinematics(robot, pose).q)
                near = np.abs(modes.x - pose).max(axis=1).argmin()
                np.testing.assert_allclose(modes.x[near], pose, atol=1e-7)
                assert bool(modes.within_limits[near]) == inside, (k, value, share)
    if name in ("delta", "rps3", "stewart", "hexapod"):
        assert ends, "no stroke ends a travel: nothing was compared"


STUDIED = ("random_PRR", "redundant_RRR", "dependent_prs", "planar3rrr_loaded", "random_RPa", "sprung")


@pytest.mark.parametrize("name", draw("study", list(STUDIED if FULL else STUDIED[:2]), 6, 1))
def test_study_measures_what_a_loop_over_its_machines_does(name):
    robot, states = machine(name)
    motion = gough.Motion.to(robot, states["to"], 1.0)
    study = gough.Study.of(
        robot=robot, vary=[{"number": "platform.mass", "normal": "5 %"}], machines=3, seed=2, motion=motion, samples=5,
        measure=["peak_force", "rms_force", "peak_speed", "stroke"],
    )  # fmt: skip
    found = study.block(0, 3).values
    at = motion(np.linspace(0.0, 1.0, 5))
    x, xd, xdd = at.x, at.xd, at.xdd
    masses = set()
    for k in range(3):
        one = gough.loads(study.machine(k).to_toml())
        masses.add(one.platform.body.mass)
        own = gough.inverse_dynamics(one, gough.State(x, xd, xdd))
        expected = {
            "peak_force": np.abs(own.force).max(),
            "rms_force": np.sqrt((own.force**2).mean(axis=0)).max(),
            "peak_speed": np.abs(own.qd).max(),
            "stroke": np.ptp(own.q, axis=0).max(),
        }
        for key, value in expected.items():
            assert found[key][k] == pytest.approx(value, rel=1e-10), (key, k)
    assert len(masses) == 3
