"""Reference values say where they come from, and are not called published: the papers print no results."""

import json
import subprocess

import pytest

from tests.support.lanes import ROOT

FILES = [*sorted((ROOT / "tests" / "data" / "papers").glob("*.json")), ROOT / "benchmarks" / "data" / "stewart.json"]
TRULY = {"tests/simulation/test_ensemble.py", "tests/assembly/test_published.py", "tests/papers/test_provenance.py"}
"""Files that may use the word: numbers of Philox and poses of a planar platform are published, with their sources."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_of_reference_values_says_who_computed_them(path):
    text = json.loads(path.read_text())["provenance"]
    assert text.startswith("Reference values")
    assert "Pinocchio" in text
    assert "none of them part of gough" in text


def test_nothing_else_is_called_published():
    folders = ["src", "tests", "examples", "benchmarks", "docs", "README.md"]
    command = ["git", "-C", str(ROOT), "grep", "-liI", "--untracked", "published", "--", *folders]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    assert set(found) - TRULY == set()
