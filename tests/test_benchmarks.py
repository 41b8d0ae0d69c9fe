"""Every benchmark computes what it times: a quick run of each, checked by its figures. Nothing timed is asserted."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from benchmarks import costs
from tests.workspaces.shells import exits

ROOT = Path(__file__).parents[1]
Check = Callable[[dict[str, Any], str], None]
"""What must hold of the figures that a quick run writes, and of what it prints."""


def assembly_modes(figures: dict[str, Any], printed: str) -> None:
    assert [(row["robot"], row["solutions"]) for row in figures["rows"]] == [("general", 40), ("stewart", 16)]
    assert all(row["complete"] >= 0.98 for row in figures["rows"])
    assert figures["elimination"]["apart"] < 1e-6
    assert "40 modes, batched, per pose" in printed


def calibration(figures: dict[str, Any], printed: str) -> None:
    assert "calibrate, 60 measured poses" in printed
    values = figures["values"]
    assert 2 <= values["steps"] <= 10
    assert values["pose"] < 5e-5
    assert values["plan over random"] < 1.0


def calls(figures: dict[str, Any], printed: str) -> None:
    names = [goal["name"] for goal in figures["goals"]]
    assert "inverse_kinematics, one sample" in names
    assert "bound: stewart inverse_dynamics" in names
    assert "arms: gough.bind against pin.lcaba" in names
    assert all(goal["figure"] > 0.0 for goal in figures["goals"])
    assert "joint_reactions, per sample of 50" in printed


def check(figures: dict[str, Any], printed: str) -> None:
    rows = figures["rows"]
    assert [row["share"] for row in rows] == [0.99, 1.01]
    assert [row["code"] for row in rows] == [1, 3]
    robot = gough.load("delta")
    for row in rows:
        result = gough.check(robot, gough.Motion.to(robot, {row["coordinate"]: row["value"]}, 1.0))
        assert row["violated"] == list(result.violated)
        assert row["largest_amplitude"] == result.advice.amplitude
        assert row["reachable_duration"] == result.advice.reachable_duration
    assert {goal["unit"] for goal in figures["goals"]} == {"s", "MB"}
    assert "most memory" in printed


def decisions(figures: dict[str, Any], printed: str) -> None:
    from benchmarks import decisions

    for table, title in decisions.TABLES.items():
        assert title in printed
        for row in figures[table]:
            assert row["name"] in printed
            assert row["times"] > 0.0
    assert f"left out, not installed: {'; '.join(figures['absent'])}" in printed
    assert decisions.JAX in figures["absent"]


def dynamics(figures: dict[str, Any], printed: str) -> None:
    from benchmarks import dynamics_race

    assert set(figures["race"]) == set(figures["formulations"]) == set(dynamics_race.ROBOTS)
    for rows in figures["race"].values():
        names = {row["contestant"] for row in rows}
        assert names == {*dynamics_race.PEERS, dynamics_race.PUBLIC, dynamics_race.READ, dynamics_race.GOUGH}
        for row in rows:
            assert row["contestant"] in printed
            assert row["error"] <= dynamics_race.AGREEMENT
    for rows in figures["formulations"].values():
        for row in rows:
            assert f"{row['formulation']:24}{row['operations']:>11}" in printed
    goals_are_printed(figures, printed)


def engine(figures: dict[str, Any], printed: str) -> None:
    from benchmarks.stewart_states import REFERENCE_TOLERANCE

    for row in figures["throughput"]:
        assert row["variant"] in printed
        assert row["error"] <= REFERENCE_TOLERANCE
    goals_are_printed(figures, printed)


def fastest(figures: dict[str, Any], printed: str) -> None:
    assert "spline against ipopt" in printed
    values = figures["values"]
    assert values["gough"][0] == pytest.approx(values["hand"][0], rel=3e-3)
    assert values["search"][0] == pytest.approx(values["ipopt"][0], rel=1e-2)


def forward_kinematics(figures: dict[str, Any], printed: str) -> None:
    assert [row["robot"] for row in figures["rows"]] == ["stewart", "planar3rrr"]
    for row in figures["rows"]:
        assert row["residual"] <= 1e-13
        assert row["same pose"] == 1.0
        assert row["one step"] == 1.0
        assert row["arrived from far"] > 0.9
    assert "on fixed buffers" in printed


def optimise(figures: dict[str, Any], printed: str) -> None:
    assert "largest gain of a draw" in printed
    gains = figures["values"]["even"]
    assert -0.4 < gains[0] < -0.15


def simulation(figures: dict[str, Any], printed: str) -> None:
    assert figures["forward"]["apart"] <= 1e-12
    assert [row["robots"] for row in figures["ensemble"]] == [20, 20, 4, 4]
    errors = {row["variant"]: row["error"] for row in figures["ensemble"]}
    assert errors["gough, open loop"] <= 1e-13
    assert errors["gough, computed torque"] <= 1e-12
    assert errors["mujoco.rollout Euler"] <= 1e-4
    assert errors["mujoco.rollout RK4"] <= 1e-6
    assert {goal["name"] for goal in figures["goals"]} >= {"forward dynamics against Pinocchio"}
    assert "robot-steps/s" in printed


def smoothing(figures: dict[str, Any], printed: str) -> None:
    from benchmarks import smoothing

    assert figures["errors"][smoothing.GOUGH] < smoothing.ALLOWED
    assert figures["errors"][smoothing.PEER] > 0.5, "SciPy's accelerations are zero at the ends"
    goals_are_printed(figures, printed)


def workspace(figures: dict[str, Any], printed: str) -> None:
    rng = np.random.default_rng(0)
    rng.uniform(-1.0, 1.0, size=(20_000, 3))
    d = rng.normal(size=(100, 3))
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    right = exits(gough.load("stewart"), [0.0, 0.0, 2.0], np.eye(3), d[:10], (1.8, 3.3))
    assert figures["values"]["rays"] == pytest.approx(right, abs=1e-10)
    low, high = figures["values"]["bracket"]
    assert low < 6.824 < high
    assert "a proved ray" in printed


def goals_are_printed(figures: dict[str, Any], printed: str) -> None:
    for goal in figures["goals"]:
        assert goal["name"] in printed
        assert np.isfinite(goal["figure"])


QUICK: tuple[Check, ...] = (assembly_modes, engine, forward_kinematics, smoothing, workspace)
PEERS: tuple[Check, ...] = (dynamics, simulation)
SLOW: tuple[Check, ...] = (calibration, calls, check, decisions, fastest, optimise)
OWN_CACHE: tuple[Check, ...] = (decisions, dynamics, engine)
"""They time what is compiled: in a folder of their own, that other tests did not fill."""


@pytest.mark.parametrize(
    "right",
    [
        *QUICK,
        *(pytest.param(each, marks=pytest.mark.oracle) for each in PEERS),
        *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW),
    ],
    ids=lambda right: right.__name__,
)
def test_a_quick_run_computes_what_it_times(right, tmp_path, capsys, monkeypatch):
    benchmark, target = import_module(f"benchmarks.{right.__name__}"), tmp_path / "deep" / "figures.json"
    if right is decisions:  # one peer, so that there is one that is left out
        available = bool(find_spec("casadi"))
        monkeypatch.setattr(benchmark, "available", lambda peer: peer == benchmark.MACHINE and available)
    with costs.cache_folder(str(tmp_path / "cache")) if right in OWN_CACHE else nullcontext():
        assert benchmark.main(["--quick", "--json", str(target)]) == 0
    right(json.loads(target.read_text()), capsys.readouterr().out)


def test_reach_is_where_a_leg_is_lost():
    from benchmarks.check import reach

    robot = gough.load("delta")
    far, home = reach(robot, 2), robot.platform.home[2]
    moves = [gough.Motion.to(robot, {"z": home + share * far}, 1.0) for share in (0.999, 1.001)]
    fine, lost = (gough.check(robot, move).lost for move in moves)
    assert fine is None
    assert lost is not None
    assert lost.t == pytest.approx(1.0, abs=0.1)


def test_near_guesses_are_as_near_as_they_say():
    from benchmarks.forward_kinematics import poses

    robot = gough.load("stewart")
    x, q, near, _ = poses(robot, 100)
    assert abs(near - x)[:, :3].max() <= 2e-3
    assert abs(near - x)[:, 3:].max() <= 4e-3
    assert abs(gough.forward_kinematics(robot, q, near).x - x).max() <= 1e-12


def test_a_wrong_smoothing_is_caught(monkeypatch):
    from benchmarks import smoothing

    right = smoothing.smoothed
    monkeypatch.setattr(smoothing, "smoothed", lambda t, values: 1.1 * right(t, values))
    with pytest.raises(ArithmeticError, match="are off by"):
        smoothing.measure(50, 1, True)


@pytest.fixture
def doubles() -> Iterator[None]:
    """JAX with doubles, and afterwards as it was."""
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def test_a_quick_run_of_bridges_prints_a_row_for_each_way(doubles, capsys):
    from benchmarks import bridges

    found = bridges.main(["--samples", "20", "fivebar"])
    assert set(found) == {("fivebar", "kernels")}
    assert all(np.isfinite(value) and value > 0.0 for value in found["fivebar", "kernels"].values())
    assert "fivebar   kernels" in capsys.readouterr().out


def test_wrong_forces_of_bridges_are_caught(doubles):
    from benchmarks import bridges

    def wrong(robot):
        right = bridges.kernels(robot)
        return lambda *given: 1.0000001 * right(*given)

    with pytest.raises(AssertionError):
        bridges.measured(gough.load("fivebar"), wrong, 2)


@pytest.mark.parametrize(
    ("attribute", "value", "line"),
    [
        ("EIGEN", Path("/nowhere"), "left out: Pinocchio in C++, Eigen (Debian: libeigen3-dev) is not installed\n"),
        ("prefix", lambda: None, "left out: Pinocchio in C++, Pinocchio (pip: pin) is not installed\n"),
    ],
)
def test_the_race_of_exported_code_says_what_it_leaves_out(attribute, value, line, tmp_path, monkeypatch, capsys):
    from benchmarks import export

    monkeypatch.setattr(export.pinocchio_cpp.shutil, "which", lambda _: "/usr/bin/g++")
    if attribute == "prefix":
        monkeypatch.setattr(export.pinocchio_cpp, "EIGEN", tmp_path)
    monkeypatch.setattr(export.pinocchio_cpp, attribute, value)
    assert export.pinocchio_program(tmp_path) is None
    assert capsys.readouterr().out == line


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_race_of_exported_code_says_that_a_compiler_failed(tmp_path, monkeypatch, capsys):
    from benchmarks import export

    monkeypatch.setattr(export.pinocchio_cpp, "missing", lambda: "")
    monkeypatch.setattr(export.pinocchio_cpp, "prefix", lambda: tmp_path)  # no headers there
    monkeypatch.setattr(export.pinocchio_cpp, "EIGEN", tmp_path)
    assert export.pinocchio_program(tmp_path) is None
    assert capsys.readouterr().out.splitlines()[-1].startswith("left out: Pinocchio in C++, g++ ended with")


def stated_errors() -> dict[str, tuple[float, float]]:
    """Per cent of soft and stiff loops by robot, on the page about them."""
    page = (ROOT / "docs" / "explanation" / "soft_constraints.md").read_text("utf-8")
    rows = re.findall(r"^(\w+) +([\d.]+)% +([\d.]+)%$", page, re.MULTILINE)
    return {name: (float(soft), float(stiff)) for name, soft, stiff in rows}


def test_the_page_on_soft_loops_has_a_row_of_every_robot():
    from benchmarks import soft_loops

    assert list(stated_errors()) == list(soft_loops.ROBOTS)


@pytest.mark.parametrize("name", ["stewart", "planar3rrr"])
def test_errors_of_soft_loops_are_those_of_the_page(name):
    from benchmarks import soft_loops

    soft, stiff = (100 * soft_loops.force_error(name, solimp) for solimp in (soft_loops.DEFAULTS, soft_loops.STIFFEST))
    assert soft == pytest.approx(stated_errors()[name][0], rel=0.1)
    assert stiff == pytest.approx(stated_errors()[name][1], abs=0.01)
