"""The loop at 1 kHz on the page about C code compiles and follows its motion."""

from __future__ import annotations

import re
from pathlib import Path

import gough
from tests.codegen.compiled import run, tool

PAGE = Path(__file__).parents[2] / "docs" / "export_c.md"


def test_loop(tmp_path):
    tool("tcc")
    gough.export_c(gough.load("stewart"), tmp_path, "ik,fk,forward,computed-torque")
    (tmp_path / "loop.c").write_text(re.search(r"^```c\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1])
    run("tcc", f"-I{tmp_path}", tmp_path / "loop.c", tmp_path / "stewart.c", "-lm", "-o", tmp_path / "loop")
    assert "largest error" in run(tmp_path / "loop")
