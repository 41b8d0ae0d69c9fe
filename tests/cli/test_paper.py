"""`gough paper`: files written, named, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import outcome


def test_files_are_written_and_listed(capsys, tmp_path):
    folder = tmp_path / "new" / "figures"
    code, out, err = outcome(capsys, "paper", "spatial3", "--out", str(folder))
    assert (code, err) == (0, "")
    listed = [Path(line) for line in out.splitlines()]
    assert sorted(listed) == sorted(folder.iterdir())
    assert {path.suffix for path in listed} == {".png", ".txt"}
    assert (folder / "results.txt").read_text().splitlines()[3].split()[1] == "51.3056412"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [(("paper", "delta"), "stewart, hexapod, spatial3 or sru"), (("paper", "stewartt"), "stewart")],
)
def test_bad_calls(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert line in err
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_way(capsys, tmp_path):
    (tmp_path / "there").write_text("kept")
    code, _, err = outcome(capsys, "paper", "spatial3", "--out", str(tmp_path / "there"))
    assert code == 2
    assert "is a file" in err
    assert (tmp_path / "there").read_text() == "kept"
