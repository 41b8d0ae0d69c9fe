"""The benchmark of workspaces computes what it times."""

import json

import numpy as np
import pytest

from benchmarks import workspace
from gough import load
from tests.workspaces.shells import exits


def test_a_quick_run_gives_rays_and_a_volume_that_are_right(tmp_path, capsys):
    assert workspace.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    figures = json.loads((tmp_path / "figures.json").read_text())
    rng = np.random.default_rng(0)
    rng.uniform(-1.0, 1.0, size=(20_000, 3))
    d = rng.normal(size=(100, 3))
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    right = exits(load("stewart"), [0.0, 0.0, 2.0], np.eye(3), d[:10], (1.8, 3.3))
    assert figures["values"]["rays"] == pytest.approx(right, abs=1e-10)
    low, high = figures["values"]["bracket"]
    assert low < 6.824 < high
    assert "a proved ray" in capsys.readouterr().out
