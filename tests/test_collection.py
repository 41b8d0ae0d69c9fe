"""A module that makes a robot when it is imported is an error of collection, whichever call makes it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOADS = "import gough\nROBOT = gough.load('delta')\ndef test_it():\n    assert ROBOT\n"
LISTS = (
    "import gough, pytest\n@pytest.mark.parametrize('robot', [gough.load('delta')])\n"
    "def test_it(robot):\n    assert robot\n"
)
LATER = "import gough\ndef test_it():\n    assert gough.load('delta')\n"


@pytest.mark.parametrize(("text", "code"), [(LOADS, 2), (LISTS, 2), (LATER, 0)], ids=["module", "parameters", "test"])
def test_robots_are_made_in_tests_only(tmp_path, text, code):
    (tmp_path / "test_it.py").write_text(text)
    options = ["-c", os.devnull, "-p", "tests.support.imports", "-p", "no:cacheprovider", f"--rootdir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout
    assert ("a robot is made when this module is imported" in done.stdout) == (code != 0)
