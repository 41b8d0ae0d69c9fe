"""Every numbered example runs, is short, and shows what it says."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("0*.py"))

SHOWN = {
    "01": ["leg lengths [m]", "out of reach by 1.532 m"],
    "02": ["leg 4 works hardest", "their sum is the force"],
    "03": ["faults: none", "[21.72 21.72 21.72 21.72 21.72 21.72]"],
    "04": ["(101, 6, 6)", "finite differences agree to"],
    "05": ["lagrange", "used by default: newton_euler"],
    "06": ["computed torque, right payload"],
    "07": ["fits the limits in its file", "violated: force", "energy [J]"],
    "08": ["the same forces as one call on all samples, to 0e+00 N"],
}


def test_there_are_eight_and_they_are_short():
    assert [path.name[:2] for path in EXAMPLES] == list(SHOWN)
    for path in EXAMPLES:
        assert 30 <= len(path.read_text("utf-8").splitlines()) <= 80, path.name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs(path, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    namespace = runpy.run_path(str(path))
    arguments = [tmp_path / "out" / "figure.png"] if "FIGURE" in namespace else []
    result = namespace["main"](*arguments)
    out = capsys.readouterr().out
    for words in SHOWN[path.name[:2]]:
        assert words in out
    if path.name.startswith("05"):
        assert result < 1e-12
    if path.name.startswith("06"):
        right, unknown, pd = result.values()
        assert right < 1e-6 < unknown < pd
