"""The head of every run says how large its lanes are; a full run can be resumed.

No robot is made while tests are collected, and with CI=true no test is skipped.
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.imports import pytest_collection  # noqa: F401
from tests.support.lanes import FULL, ROOT, SEED
from tests.support.skips import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Before NumPy: two workers that both spin are many times slower.
LONGEST = (
    "tests/docs/test_site.py",
    "tests/test_benchmarks.py",
    "tests/dynamics/test_power.py",
    "tests/simulation/test_round_trip.py",
    "tests/dynamics/test_oracle.py",
    "tests/view/test_drawing.py",
    "tests/fuzz/test_fuzz.py",
    "tests/kinematics/test_derivatives.py",
    "tests/robot/test_errors_fuzz.py",
    "tests/analysis/test_check_peaks.py",
    "tests/test_shown_values.py",
    "tests/pages/test_live.py",
)
"""Files of 30 seconds and more: begun first, so that none of them is left to one worker at the end."""
_PASSED = ROOT / "build" / "test-full"


def pytest_report_header(config: pytest.Config) -> str:
    """One line: size and seed of the lanes, and what a resumed run leaves out."""
    if not FULL:
        return f"lanes: sampled, seed {SEED} (GOUGH_TEST_SEED; GOUGH_TESTS=full runs everything)"
    return f"lanes: full, seed {SEED}, {len(_passed_before())} tests passed before in {_record()}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest files come first; a full run leaves out what already passed on the same files."""
    place = {name: k for k, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.location[0], len(place)))
    passed = _passed_before() if FULL else frozenset()
    if left_out := [item for item in items if item.nodeid in passed]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in passed]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes each test that passed in a full run, as soon as it has."""
    if FULL and report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        _PASSED.mkdir(parents=True, exist_ok=True)
        with _record().open("a") as file:
            file.write(report.nodeid + "\n")


def _passed_before() -> frozenset[str]:
    path = _record()
    return frozenset(path.read_text().splitlines()) if path.exists() else frozenset()


@functools.cache  # a test may have taken git off the path by the time it is noted
def _record() -> Path:
    """The file for this very state of the repository's files: any change starts anew."""
    state = hashlib.sha256(str(SEED).encode())
    for command in (["rev-parse", "HEAD"], ["diff", "HEAD"]):
        done = subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, check=False)
        state.update(done.stdout)
    return _PASSED / f"{state.hexdigest()[:16]}.txt"
