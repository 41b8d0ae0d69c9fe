"""How much of a large lane runs: a seeded sample by default, everything with GOUGH_TESTS=full.

A lane is a test over many cases (states, files, mutants). It takes its size from here, so that one setting decides:
`make test` and `make test-slow` run samples, `make test-full` runs all. The seed is printed at the head of a run and
set by GOUGH_TEST_SEED.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")

ROOT = Path(__file__).parents[2]
FULL = os.environ.get("GOUGH_TESTS", "sample") == "full"
SEED = int(os.environ.get("GOUGH_TEST_SEED", "20261116"))


def size(full: int, sample: int) -> int:
    """Number of random cases to draw: `full` in a full run, otherwise `sample`."""
    return full if FULL else sample


def sample(
    cases: Iterable[Case], count: int, *, lane: str, files: Callable[[Case], Sequence[str]] | None = None
) -> list[Case]:
    """The cases to run, in their order: all in a full run, otherwise `count` drawn with the seed of the run.

    Args:
        cases: All cases of the lane.
        count: How many a sampled run takes.
        lane: Name of the lane; lanes draw independently.
        files: Paths in the repository that a case depends on. A case with a changed file is always taken.
    """
    everything = list(cases)
    if FULL or len(everything) <= count:
        return everything
    changed = changed_files() if files is not None else frozenset()
    kept = {k for k, case in enumerate(everything) if files is not None and changed.intersection(files(case))}
    rest = [k for k in range(len(everything)) if k not in kept]
    random.Random(f"{SEED} {lane}").shuffle(rest)
    kept.update(rest[: max(0, count - len(kept))])
    return [everything[k] for k in sorted(kept)]


LARGEST = ("rotary", "sru")
"""Machines of the catalogue whose largest programs take some ten seconds to compile."""


def slow_if(dear: bool) -> list[pytest.MarkDecorator]:
    """The mark of a case for the slow lane, or none."""
    return [pytest.mark.slow] if dear else []


def with_dear_ones_slow(names: Iterable[str]) -> list[Any]:
    """Names as parameters of a test, those of the largest machines in the slow lane."""
    return [pytest.param(name, marks=slow_if(name in LARGEST)) for name in names]


@cache
def changed_files() -> frozenset[str]:
    """Paths changed in the working tree or in the last commit (since GOUGH_TEST_BASE where it is set)."""
    base = os.environ.get("GOUGH_TEST_BASE", "HEAD~1")
    names: set[str] = set()
    for command in (["diff", "--name-only", base], ["ls-files", "--others", "--exclude-standard"]):
        done = subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True, check=False)
        names.update(done.stdout.split("\n") if done.returncode == 0 else [])
    return frozenset(names - {""})
