"""llvmlite absent or broken: everything works on NumPy, and nothing is said about it unless asked."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from gough.graph import record
from gough.run import Program

BLOCKER = """
import importlib.abc, sys, warnings
warnings.simplefilter("error")

class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "llvmlite":
            raise {error}

sys.meta_path.insert(0, Blocker())
"""

ERRORS = {
    "absent": "ModuleNotFoundError(\"No module named 'llvmlite'\", name='llvmlite')",
    "broken": "OSError('Could not find/load shared object file')",
}

PROGRAM = """
import json
from gough.errors import InputError
from gough.graph import record
from gough.run import Program
graph = record(lambda x: x[0] * x[1] - 0.1, x=2)
program = Program(graph)
line = ""
try:
    Program(graph, "llvm")
except InputError as error:
    line = str(error)
print(json.dumps([program.executor, program(x=[[0.1, 0.2], [0.3, 0.7]]).tolist(), line]))
"""


def run(error, script):
    result = subprocess.run(
        [sys.executable, "-c", BLOCKER.format(error=ERRORS[error]) + script], capture_output=True, text=True, check=True
    )
    assert result.stderr == ""
    return result.stdout


@pytest.mark.parametrize("error", ERRORS)
def test_programs_run_on_numpy(error):
    executor, values, line = json.loads(run(error, PROGRAM))
    assert executor == "blocks"
    expected = Program(record(lambda x: x[0] * x[1] - 0.1, x=2), "llvm")(x=np.array([[0.1, 0.2], [0.3, 0.7]]))
    assert values == expected.tolist()
    assert line == 'executor "llvm": llvmlite is not installed; install it, or choose "blocks"'


@pytest.mark.parametrize("error", ERRORS)
def test_info_says_so(error):
    facts = json.loads(run(error, 'from gough import cli\nassert cli.main(["info", "--json"]) == 0'))
    assert facts["llvmlite"] == "not installed: programs run on the NumPy executor"
    assert facts["executor"] == "blocks"


def test_info_with_llvmlite():
    import llvmlite

    from gough.run import info

    facts = info()
    assert facts["llvmlite"] == llvmlite.__version__
    assert facts["executor"] == "llvm"
    assert facts["CPU"].endswith("doubles per vector")
    assert facts["cache"] == "disabled (GOUGH_CACHE is empty)"
    assert int(facts["cores"]) >= 1
