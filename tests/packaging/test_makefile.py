"""`make test` fails if pytest or lint fails, and `make check` notes the commit that passed; programs are stand-ins."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ("python", "ruff", "mypy", "lint-imports")


def git(folder: Path, *words: str) -> str:
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with the Makefile, whose programs print their arguments and succeed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".gitignore").write_text(".venv\nbuild\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / ".dev-ready").touch()
    for name in PROGRAMS:
        stand_in(tmp_path, name, 0)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def stand_in(folder: Path, name: str, code: int) -> None:
    path = folder / ".venv" / "bin" / name
    path.write_text(f'#!/bin/sh\necho {name} "$@"\nexit {code}\n')
    path.chmod(0o755)


def make(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", target], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_what_lint_prints_follows_the_tests(folder):
    done = make(folder, "test")
    assert done.returncode == 0
    names = [line.split()[0] for line in done.stdout.splitlines() if line.startswith(PROGRAMS)]
    assert names == ["python", "ruff", "ruff", "mypy", "lint-imports"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_failure_of_either_is_a_failure(folder, name):
    stand_in(folder, name, 1)
    done = make(folder, "test")
    assert done.returncode != 0
    assert {"python", "ruff"} <= {line.split()[0] for line in done.stdout.splitlines() if line}


def test_the_commit_that_passed_is_noted(folder):
    assert make(folder, "check").returncode == 0
    commit = git(folder, "rev-parse", "HEAD")
    assert (folder / "build" / "passed").read_text() == commit
    (folder / "Makefile").write_text((folder / "Makefile").read_text() + "\n")
    git(folder, "commit", "-qam", "second")
    (folder / "new").touch()
    done = make(folder, "check")
    assert done.returncode == 0
    assert "not as a commit" in done.stdout
    assert (folder / "build" / "passed").read_text() == commit


def test_what_did_not_pass_is_not_noted(folder):
    stand_in(folder, "mypy", 1)
    assert make(folder, "check").returncode != 0
    assert not (folder / "build" / "passed").exists()
