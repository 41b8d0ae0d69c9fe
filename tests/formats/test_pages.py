"""Every command and every piece of Python on the pages about other programs runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gough import cli

PAGES = sorted((Path(__file__).parents[2] / "docs").glob("export_*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```(sh|python)(?: show)?\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    names: dict = {}
    assert "python" in {kind for kind, _ in blocks}
    for kind, text in blocks:
        if kind == "sh":
            for line in text.splitlines():
                program, *words = line.split()
                assert program == "gough"
                assert cli.main(words) == 0, line
        else:
            exec(compile(text, page.name, "exec"), names)
