"""The benchmarks of fastest motions and best machines compute what they time."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("pinocchio")
pytest.importorskip("casadi")

from benchmarks import fastest, optimise


@pytest.mark.slow
def test_figures_of_fastest_motions(tmp_path, capsys):
    assert fastest.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    assert "spline against ipopt" in capsys.readouterr().out
    values = json.loads((tmp_path / "figures.json").read_text())["values"]
    assert values["gough"][0] == pytest.approx(values["hand"][0], rel=3e-3)
    assert values["search"][0] == pytest.approx(values["ipopt"][0], rel=1e-2)


@pytest.mark.slow
def test_figures_of_best_machines(tmp_path, capsys):
    assert optimise.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    assert "largest gain of a draw" in capsys.readouterr().out
    gains = json.loads((tmp_path / "figures.json").read_text())["values"]["even"]
    assert -0.4 < gains[0] < -0.15
