"""The lowest versions that pyproject.toml declares are enough, and gough runs on every Python that it lists.

Pythons are those on the path, those of pyenv, and those that `GOUGH_PYTHONS` names (paths, separated by colons).
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.packaging.installed import DIRECT, PROJECT, built, environment, run, run_readme, versions

CLASSIFIER = re.compile(r"Programming Language :: Python :: (3\.\d+)")
LISTED = [match[1] for line in PROJECT["classifiers"] if (match := CLASSIFIER.fullmatch(line))]

OWN = ".".join(map(str, sys.version_info[:2]))
"""The Python that runs all other tests."""


def pythons() -> dict[str, str]:
    """Pythons from 3.11 on that run here, by version."""
    named = [path for path in os.environ.get("GOUGH_PYTHONS", "").split(":") if path]
    on_path = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    of_pyenv = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/3.*/bin/python3"))
    found: dict[str, str] = {}
    for path in [*named, *on_path, *map(str, of_pyenv), sys.executable]:
        if path and shutil.which(path):
            told = run(path, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])", folder=Path("/"))
            version = told.stdout.strip()
            if told.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 11):
                found.setdefault(version, path)
    return found


def shown(capsys, version: str, installed: dict[str, str]) -> None:
    with capsys.disabled():
        print(f"\nPython {version}: " + ", ".join(f"{name} {number}" for name, number in installed.items()))


def test_every_dependency_states_its_lowest_version():
    for line in DIRECT:
        assert re.fullmatch(r"[\w-]+>=[\d.]+", line), line


@pytest.mark.slow
def test_the_readme_runs_with_the_lowest_versions(tmp_path, capsys):
    oldest = min(LISTED, key=lambda version: int(version.partition(".")[2]))
    python = pythons().get(oldest)
    if python is None:
        pytest.skip(f"there is no Python {oldest} here")
    _, wheel = built(tmp_path)
    programs = environment(tmp_path, wheel, lowest=True, python=python)
    installed = versions(programs, tmp_path)
    shown(capsys, oldest, installed)
    for line in DIRECT:
        name, lowest = line.split(">=")
        assert installed[name].startswith(lowest), line
    assert run_readme(programs, tmp_path) >= 15


@pytest.mark.slow
@pytest.mark.parametrize("version", [version for version in LISTED if version != OWN])
def test_the_readme_runs_on_every_other_python_listed(tmp_path, capsys, version):
    python = pythons().get(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    _, wheel = built(tmp_path)
    programs = environment(tmp_path, wheel, python=python)
    shown(capsys, version, versions(programs, tmp_path))
    assert run_readme(programs, tmp_path) >= 15
