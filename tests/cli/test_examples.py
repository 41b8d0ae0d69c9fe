"""`gough examples`: scripts are listed, copied and run from there, and nothing is overwritten unasked."""

from __future__ import annotations

import subprocess
import sys

from tests.cli.running import outcome


def test_they_are_listed_with_what_they_show(capsys):
    code, out, err = outcome(capsys, "examples")
    assert (code, err) == (0, "")
    assert "01_load_and_solve.py          Load a robot" in out
    assert "studies/tolerances.toml" in out
    assert "stewart_forces" not in out  # needs the repository
    assert max(map(len, out.splitlines())) <= 125


def test_they_are_copied_and_run(capsys, tmp_path):
    folder = tmp_path / "mine"
    code, out, err = outcome(capsys, "examples", str(folder))
    copied = [path for path in folder.rglob("*") if path.is_file()]
    assert (code, err) == (0, "")
    assert out == f"wrote {len(copied)} files to {folder}; next: python {folder}/01_load_and_solve.py\n"
    done = subprocess.run(
        [sys.executable, folder / "01_load_and_solve.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "leg lengths [m]" in done.stdout
    assert {path.name for path in folder.glob("calibration/*.csv")} >= {"full.csv", "validation.csv", "frames.csv"}


def test_nothing_is_overwritten_unasked(capsys, tmp_path):
    (tmp_path / "02_forces_of_a_paper.py").write_text("mine")
    line = f"gough: error: {tmp_path}/02_forces_of_a_paper.py: exists already (--force replaces it)\n"
    assert outcome(capsys, "examples", str(tmp_path)) == (2, "", line)
    assert [path.name for path in tmp_path.iterdir()] == ["02_forces_of_a_paper.py"]
    assert outcome(capsys, "examples", str(tmp_path), "--force")[0] == 0
    assert "Lopes" in (tmp_path / "02_forces_of_a_paper.py").read_text()
