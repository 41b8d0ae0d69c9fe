"""`gough paper`: files written, named, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import outcome


def test_files_are_written_and_listed(capsys, tmp_path):
    folder = tmp_path / "new" / "figures"
    code, out, err = outcome(capsys, "paper", "spatial3", "--out", str(folder))
    assert (code, err) == (0, "")
    *lines, method = out.splitlines()
    listed = [Path(line) for line in lines]
    assert sorted(listed) == sorted(folder.iterdir())
    assert {path.suffix for path in listed} == {".png", ".csv", ".txt"}
    assert method == "forces by virtual_work_full: recursion (18) over the links of legs A, B, C"
    assert (folder / "results.txt").read_text().splitlines()[3].split()[1] == "51.3056412"


def test_formats(capsys, tmp_path):
    code, _, err = outcome(capsys, "paper", "spatial3", "--out", str(tmp_path), "--formats", "pdf, .SVG,pdf")
    assert (code, err) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".txt") == [
        f"fig{3 + k}_force_{leg}{ending}" for k, leg in enumerate("ABC") for ending in (".pdf", ".svg")
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("paper", "delta"), "stewart, hexapod, spatial3, sru, lopes, sinatra, xi or angeles"),
        (("paper", "Staicu"), "PAPER staicu: is an author of two: choose hexapod or spatial3"),
        (("paper", "stewartt"), "stewart"),
        (("paper", "spatial3", "--formats", "gif"), "--formats gif: must be png, svg, pdf, csv or all"),
    ],
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
