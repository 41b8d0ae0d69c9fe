"""The commands and the Python on the page about imports run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import gough
from gough import cli

PAGE = (Path(__file__).parents[2] / "docs" / "import.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for ending, language in ((".urdf", "xml"), (".yaml", "yaml")):
        Path(f"plate{ending}").write_text(blocks(language)[0])
    for line in "".join(blocks("sh")).splitlines():
        assert cli.main(shlex.split(line, comments=True)[1:]) == 0, line
    plate = gough.load("plate.toml")
    assert plate.actuator_names == ("motor",)
    assert plate.coordinate_names == ("pitch",)
    capsys.readouterr()
    exec(compile(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], "import.md", "exec"), {})
