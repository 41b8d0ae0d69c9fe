"""The commands and the Python on the page about imports run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from gough import cli

PAGE = (Path(__file__).parents[2] / "docs" / "import.md").read_text("utf-8")


def test_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line in re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].splitlines():
        assert cli.main(shlex.split(line, comments=True)[1:]) == 0, line
    capsys.readouterr()
    exec(compile(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], "import.md", "exec"), {})
