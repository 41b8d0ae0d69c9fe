"""The benchmark of simulation computes what it times."""

import json

import pytest

pytest.importorskip("pinocchio")
pytest.importorskip("mujoco")

from benchmarks import simulation

pytestmark = pytest.mark.oracle


def test_a_quick_run_agrees_with_its_peers_and_writes_its_figures(tmp_path, capsys):
    assert simulation.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["forward"]["apart"] <= 1e-12
    assert [row["robots"] for row in figures["ensemble"]] == [20, 20, 4, 4]
    errors = {row["variant"]: row["error"] for row in figures["ensemble"]}
    assert errors["gough, open loop"] <= 1e-13
    assert errors["gough, computed torque"] <= 1e-12
    assert errors["mujoco.rollout Euler"] <= 1e-4
    assert errors["mujoco.rollout RK4"] <= 1e-6
    assert {goal["name"] for goal in figures["goals"]} >= {"forward dynamics against Pinocchio"}
    assert "robot-steps/s" in capsys.readouterr().out
