"""The benchmark of calibration computes what it times."""

from __future__ import annotations

import json

import pytest

from benchmarks import calibration


@pytest.mark.slow
def test_figures_are_of_a_calibration_that_works(tmp_path, capsys):
    assert calibration.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    assert "calibrate, 60 measured poses" in capsys.readouterr().out
    values = json.loads((tmp_path / "figures.json").read_text())["values"]
    assert 2 <= values["steps"] <= 10
    assert values["pose"] < 5e-5
    assert values["plan over random"] < 1.0
