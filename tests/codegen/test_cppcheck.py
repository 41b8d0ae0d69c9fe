"""cppcheck finds nothing in exported C code, and finds faults that are put there."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from pathlib import Path

import pytest

import gough
from gough.codegen.robot_functions import FUNCTIONS, why_not
from tests.codegen.compiled import run, tool
from tests.support.lanes import sample

CHECKS = (
    "--enable=warning,portability,performance --std=c99 --error-exitcode=1 --suppress=missingIncludeSystem -q".split()
)
FASTER = "--valueflow-max-iterations=1"
"""Follows values once through a function, not four times: faults are found all the same."""
CASES = list(product(gough.catalogue(), FUNCTIONS))


MACHINE = ["-D__GNUC__", "-D__AVX__"]
"""Where loops over legs go on to the ends of vectors. Unless told, cppcheck repeats all for each compiler and
processor, whose texts differ by pragmas and by how far such loops go."""


def command(file: Path) -> list[str]:
    return ["cppcheck", *CHECKS, FASTER, *MACHINE, str(file)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "function"), sample(CASES, 4, lane="cppcheck"), ids=lambda case: getattr(case, "name", case)
)
def test_every_function_is_clean_or_refused(name, function, tmp_path):
    tool("cppcheck")
    robot = gough.load(name)
    if reason := why_not(function, robot):
        with pytest.raises(gough.GoughError, match=re.escape(reason)):
            gough.export_c(robot, tmp_path, function.name, name="robot")
        return
    gough.export_c(robot, tmp_path, function.name, name="robot")
    run(*command(tmp_path / "robot.c"))


FAULTS = {
    "arrayIndexOutOfBounds": "double a[4]; a[0] = x; a[4] = x; return a[0] + a[4];",
    "uninitvar": "double a; if (x < 1.0) a = x; return a;",
    "zerodiv": "const int k = 0; return x + 3 / k;",
}


def found(file: Path) -> str:
    done = subprocess.run(command(file), capture_output=True, text=True, check=False)
    assert (done.returncode == 1) == bool(done.stderr), done.stderr
    return done.stderr


def test_faults_are_found(tmp_path):
    """With the option that makes it fast."""
    tool("cppcheck")
    file = tmp_path / "faulty.c"
    for fault, body in FAULTS.items():
        file.write_text(f"double f(double x)\n{{\n    {body}\n}}\n")
        assert fault in found(file)


@pytest.mark.slow
def test_faults_are_found_in_pieces(tmp_path):
    """An element beyond the array that pieces share, a value that is not set there, and one that is not set at all."""
    tool("cppcheck")
    gough.export_c(gough.load("stewart"), tmp_path, "reactions", name="robot")
    file = tmp_path / "robot.c"
    text = file.read_text()
    start = text.index("static void robot_reactions_2(")
    body = text.index("{\n", start) + 2
    size = re.search(r"double s\[(\d+)\]", text[start:])[1]
    assert text.count(f" s[{size}];\n") == 1
    place = text.index("    robot_reactions_1(")
    faults = {
        "arrayIndexOutOfBounds": (place, f"    s[{size}] = 0.0;\n"),
        "uninitvar": (body, "    double other;\n    s[0] = other;\n"),
        "zerodiv": (body, "    const int other = 0;\n    s[0] = 3 / other;\n"),
    }
    for fault, (at, lines) in faults.items():
        file.write_text(text[:at] + lines + text[at:])
        assert fault in found(file)
