"""Completion in shells: commands, options, robots, motions, coordinates; in bash as it is typed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gough.cli.completions import FILES, completions
from tests.cli.running import outcome

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["si"], ["singularities", "size", "simulate"]),
        (["export", "s"], ["sdf"]),
        (["ik", "ste"], ["stewart", FILES]),
        (["ik", "stewart", "--po"], ["--pose", "--poses"]),
        (["fk", "stewart", "--disp"], ["--displacement", "--displacements"]),
        (["fk", "stewart", "--displacements", ""], [FILES]),
        (["ik", "stewart", "--pose", "p"], ["psi=", "phi="]),
        (["ik", "stewart", "--pose", "x=1,t"], ["x=1,theta="]),
        (["inverse", "stewart", "--motion", "trig3-f"], ["trig3-fast", FILES]),
        (["new", "--legs", "R"], ["RUS", "RPS", "RRR"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["paper", "s"], ["stewart", "spatial3", "sru", "sinatra"]),
        (["simulate", "delta", "--controller", "p"], ["pd"]),
        (["inverse", "delta", "--formulation", "v"], ["virtual_work"]),
        (["check", "delta", "--limit", "sp"], ["speed="]),
        (["nothing", "x"], []),
    ],
)
def test_what_may_stand_next(words, expected):
    assert sorted(completions(words)) == sorted(expected)


def test_a_robot_that_cannot_be_read_has_no_coordinates(tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 1")
    assert completions(["ik", str(bad), "--pose", ""]) == [FILES]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [("gough sho", "show"), ("gough ik stewart --pose th", "theta="), ("gough fk delta --al", "--all")],
)
def test_in_bash(line, expected):
    words = line.split()
    script = (
        f'PATH="{BIN}:$PATH"; source <(gough completion bash); COMP_WORDS=({" ".join(words)}); '
        f'COMP_CWORD={len(words) - 1}; compopt() {{ :; }}; _gough; printf "%s\\n" "${{COMPREPLY[@]}}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [expected]


def test_other_shells_are_refused(capsys):
    line = "gough: error: SHELL csh: must be bash, zsh or fish (did you mean zsh?)\n"
    assert outcome(capsys, "completion", "csh") == (2, "", line)
