"""The loop at 1 kHz on the page about C code compiles, follows its motion, and stops when it must."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import gough
from tests.codegen.compiled import run, tool

PAGE = Path(__file__).parents[2] / "docs" / "export_c.md"
SENSED = "/* what the sensors say */\n"


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    tool("tcc")
    folder = tmp_path_factory.mktemp("stewart")
    gough.export_c(gough.load("stewart"), folder, "ik,fk,forward,computed-torque")
    run("tcc", f"-I{folder}", "-c", folder / "stewart.c", "-o", folder / "stewart.o")
    return folder


def compiled(folder: Path, sensed: str = "") -> Path:
    """The loop of the page, with a statement after the sensors are read."""
    text = re.search(r"^```c\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1]
    assert text.count(SENSED) == 1
    (folder / "loop.c").write_text(text.replace(SENSED, SENSED + sensed))
    run("tcc", f"-I{folder}", folder / "loop.c", folder / "stewart.o", "-lm", "-o", folder / "loop")
    return folder / "loop"


def test_loop(exported):
    assert "largest error" in run(compiled(exported))


@pytest.mark.parametrize(
    "fault", ["q[2] = NAN;", "q[2] = 100;", "rx[2] = NAN;", "qd[0] = INFINITY;", "guess[4] = NAN;"]
)
def test_loop_stops_before_it_drives(exported, fault):
    """A bad tick ends the loop: nothing reaches the drives, the machine is not moved any more."""
    done = subprocess.run(
        [compiled(exported, f"if (step == 1000) {fault}")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")


def test_no_page_compares_a_status_by_size():
    """NOT_FINITE is below FINE: a page that stops above NEAR_SINGULAR goes on with NaN."""
    for page in PAGE.parent.rglob("*.md"):
        assert not re.search(r">=? *[A-Z_]*(NEAR_SINGULAR|FINE)\b", page.read_text()), page
