"""Every file, command and piece of Python on the pages about the best motion and the best machine runs."""

import re
from pathlib import Path

import pytest

from gough import cli

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fastest", "optimise"])
def test_page_runs(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / f"{name}.md").read_text()
    blocks = re.findall(r"^```(sh|python|toml)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert {"sh", "python"} <= {kind for kind, _ in blocks}
    for kind, content in blocks:
        if kind == "toml":
            Path(content.split()[1]).write_text(content)
        elif kind == "sh":
            for line in content.splitlines():
                assert cli.main(line.split()[1:]) == 0, line
        else:
            exec(compile(content, name, "exec"), {})
