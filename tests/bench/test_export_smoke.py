"""The race of exported C code says in one line what it leaves out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("casadi", reason="CasADi is not installed: its race is not checked")

from benchmarks import export


@pytest.mark.parametrize(
    ("attribute", "value", "line"),
    [
        ("EIGEN", Path("/nowhere"), "left out: Pinocchio in C++, Eigen (Debian: libeigen3-dev) is not installed\n"),
        ("prefix", lambda: None, "left out: Pinocchio in C++, Pinocchio (pip: pin) is not installed\n"),
    ],
)
def test_what_is_missing_is_told(attribute, value, line, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(export.pinocchio_cpp.shutil, "which", lambda _: "/usr/bin/g++")
    if attribute == "prefix":
        monkeypatch.setattr(export.pinocchio_cpp, "EIGEN", tmp_path)
    monkeypatch.setattr(export.pinocchio_cpp, attribute, value)
    assert export.pinocchio_program(tmp_path) is None
    assert capsys.readouterr().out == line


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_a_compiler_that_fails_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(export.pinocchio_cpp, "missing", lambda: "")
    monkeypatch.setattr(export.pinocchio_cpp, "prefix", lambda: tmp_path)  # no headers there
    monkeypatch.setattr(export.pinocchio_cpp, "EIGEN", tmp_path)
    assert export.pinocchio_program(tmp_path) is None
    assert capsys.readouterr().out.splitlines()[-1].startswith("left out: Pinocchio in C++, g++ ended with")
