"""Every command and every piece of Python on the page about calibration runs, and says what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gough import cli

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "calibration.md"
SAYS_NO = ("full.csv", "outliers.csv")
"""Files whose noise is understated: exit code 1."""


@pytest.mark.slow
def test_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    printed = ""
    for kind, block in re.findall(r"^```(sh|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if kind == "sh":
            for line in block.splitlines():
                program, *words = line.split()
                assert program == "gough"
                assert cli.main(words) == (1 if any(name in line for name in SAYS_NO) else 0), line
                printed += capsys.readouterr().out
        else:
            exec(compile(block, PAGE.name, "exec"), {})
    for shown in re.findall(r"^```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in shown.splitlines():
            assert line in printed
    assert (tmp_path / "acceptance.html").exists()
