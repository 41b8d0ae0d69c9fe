"""The benchmark of the smoothing smooths what it says while it times it. Nothing timed is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import smoothing


def test_quick_run_prints_and_writes_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    target = tmp_path / "smoothing.json"
    assert smoothing.main(["--quick", "--json", str(target)]) == 0
    printed, figures = capsys.readouterr().out, json.loads(target.read_text())
    assert figures["errors"][smoothing.GOUGH] < smoothing.ALLOWED
    assert figures["errors"][smoothing.PEER] > 0.5, "SciPy's accelerations are zero at the ends"
    for goal in figures["goals"]:
        assert goal["name"] in printed
        assert np.isfinite(goal["figure"])


def test_a_wrong_smoothing_is_caught(monkeypatch: pytest.MonkeyPatch):
    right = smoothing.smoothed
    monkeypatch.setattr(smoothing, "smoothed", lambda t, values: 1.1 * right(t, values))
    with pytest.raises(ArithmeticError, match="are off by"):
        smoothing.measure(50, 1, True)
