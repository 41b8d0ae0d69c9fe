"""What `pip install gough` gives: the wheel made from the source archive, in an environment without the repository."""

from __future__ import annotations

import tarfile

import pytest

from tests.packaging.installed import built, done, environment, run_readme

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    return built(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def programs(archives, tmp_path_factory):
    return environment(tmp_path_factory.mktemp("installed"), archives[1])


def test_the_archive_holds_what_the_tests_need(archives):
    with tarfile.open(archives[0]) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    for needed in (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "Makefile",
        "tests/cli/test_readme.py",
        "benchmarks/tour.py",
        "tools/size.toml",
    ):
        assert needed in names


def test_the_readme_runs(programs, tmp_path):
    assert run_readme(programs, tmp_path) >= 15


def test_examples_are_in_the_wheel_and_run(programs, tmp_path):
    done(programs / "gough", "examples", "mine", folder=tmp_path)
    scripts = sorted((tmp_path / "mine").glob("0*.py"))
    assert len(scripts) == 8
    for script in scripts:
        assert done(programs / "python", script, folder=tmp_path)


def test_nothing_of_the_repository_is_used(programs, tmp_path):
    place = done(programs / "python", "-c", "import gough; print(gough.__file__)", folder=tmp_path)
    assert place.startswith(str(programs.parent))
    assert "gough 0" in done(programs / "gough", "--version", folder=tmp_path)
