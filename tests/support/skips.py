"""With CI=true a test that is skipped fails: `.ci/run` installs what the tests need, so a skip would hide a gap."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

IN_CI = os.environ.get("CI", "").lower() in ("1", "true")


def _failed(report: Any) -> Any:
    """The report, failed if it is of a skip; expected failures are none."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        where = report.longrepr
        reason = where[2] if isinstance(where, tuple) else str(where)
        report.outcome = "failed"
        report.longrepr = f"no test is skipped in CI. {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """The report of a test."""
    return _failed((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    """The report of a module's collection, which `importorskip` may skip."""
    return _failed((yield))
