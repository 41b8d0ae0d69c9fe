"""The benchmark of calls runs, and what it times is right: each contestant is checked before the clock starts."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("pinocchio")

from benchmarks import calls


@pytest.mark.slow
def test_a_quick_run_has_all_figures(tmp_path, capsys):
    assert calls.main(["--quick", "--json", str(tmp_path / "calls.json")]) == 0
    figures = json.loads((tmp_path / "calls.json").read_text())
    names = [goal["name"] for goal in figures["goals"]]
    assert "inverse_kinematics, one sample" in names
    assert "bound: stewart inverse_dynamics" in names
    assert "arms: gough.bind against pin.lcaba" in names
    assert all(goal["figure"] > 0.0 for goal in figures["goals"])
    assert "joint_reactions, per sample of 50" in capsys.readouterr().out
