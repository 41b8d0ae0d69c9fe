"""Tests run each in a process of its own that has imported gough and run nothing of it: no cache is filled.

`Fresh` starts this file as a process. For each request it forks: the child changes a function's code if it is told to,
runs the test with the calls of functions traced if it is told to, and answers with one line of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
IMPORTED = ("pytest", "numpy", "scipy.linalg", "llvmlite.binding", "matplotlib.figure")
PACKAGES = (
    "gough.robot",
    "gough.motion",
    "gough.kinematics",
    "gough.kinematics.closure",
    "gough.dynamics",
    "gough.simulation",
    "gough.analysis",
    "gough.assembly",
    "gough.accuracy",
    "gough.design",
    "gough.identification",
    "gough.workspaces",
    "gough.singular",
    "gough.calibration",
    "gough.timing",
    "gough.optimisation",
    "gough.reports",
)
QUIET = ("-n", "0", "-p", "no:cacheprovider", "-p", "no:hypothesispytest")
LONGEST = 300
"""Seconds of processor time after which a test is stopped: a function that is wrong may not come to an end. By the
clock ten times that, for machines that are busy."""


class Fresh:
    """A process that forks for each test."""

    def __init__(self, cache: Path) -> None:
        """Starts it; compiled programs are kept below `cache`."""
        environment = os.environ | {"XDG_CACHE_HOME": str(cache), "OMP_NUM_THREADS": "1"}
        environment |= {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        environment |= {
            "GOUGH_TESTS": "sample"
        }  # a full run would leave out tests that passed before: none would be run
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.fresh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )

    def run(
        self,
        *tests: str,
        trace: Sequence[str] = (),
        lines: Sequence[str] = (),
        change: Any = None,
        longest: float = LONGEST,
        marks: str = "",
    ) -> dict[str, Any]:
        """Exit code of pytest, the tests that failed, processor time [s], and what was run.

        Args:
            tests: Identities of tests, run in this order until one fails; and options of pytest.
            trace, lines: Dotted names of functions: which of `trace` were called, which lines of `lines` were run.
            change: See `tests.support.mutants.applied`, or None.
            longest: Processor time after which the tests are stopped, with the code "died" [s].
            marks: Which tests to run by their marks; all by default.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {"tests": tests, "trace": list(trace), "lines": list(lines), "change": change}
        request |= {"longest": longest, "marks": marks}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def serve() -> None:
    """Answer requests until the input ends."""
    from importlib import import_module
    from pkgutil import iter_modules

    for name in IMPORTED:
        import_module(name)
    for package in PACKAGES:
        for module in iter_modules(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    for line in sys.stdin:
        request = json.loads(line)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            code = 0
            try:
                with os.fdopen(write, "w") as pipe:
                    pipe.write(json.dumps(answered(request)))
            except BaseException:
                code = 1
            os._exit(code)
        os.close(write)
        with os.fdopen(read) as pipe:
            text = pipe.read()
        _, _, used = os.wait4(child, 0)
        answer = json.loads(text) if text else {"code": "died", "called": [], "failed": []}
        print(json.dumps(answer | {"seconds": used.ru_utime + used.ru_stime}), flush=True)


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """Runs tests in this process."""
    import signal

    import pytest

    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, request["longest"])
    signal.setitimer(signal.ITIMER_REAL, 10 * LONGEST)
    if request["change"] is not None:
        from tests.support.mutants import applied

        applied(request["change"])
    called: list[str] = []
    if request["trace"]:
        from tests.support.rows import function_of

        waiting = {function_of(name).__code__: name for name in request["trace"]}

        def watch(frame: Any, event: str, argument: Any) -> None:
            if event == "call" and frame.f_code in waiting:
                called.append(waiting.pop(frame.f_code))
                if not waiting:
                    sys.setprofile(None)

        sys.setprofile(watch)
    run: dict[str, set[int]] = {name: set() for name in request["lines"]}
    if run:
        from tests.support.rows import function_of

        places = {function_of(name).__code__.co_filename: set[int]() for name in run}

        def step(frame: Any, event: str, argument: Any) -> Any:
            seen = places.get(frame.f_code.co_filename)
            if seen is None:
                return None
            seen.add(frame.f_lineno)
            return step

        sys.settrace(step)
        for name in run:
            run[name] = places[function_of(name).__code__.co_filename]
    failed: list[str] = []

    class Failures:
        """Notes the tests that fail."""

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            failed.extend([report.nodeid] if report.failed else [])

    outcome = pytest.main([*request["tests"], "-x", "-q", "-m", request["marks"], *QUIET], plugins=[Failures()])
    sys.setprofile(None)
    sys.settrace(None)
    lines = {name: sorted(seen) for name, seen in run.items()}
    return {"code": int(outcome), "failed": failed, "called": called, "lines": lines}


if __name__ == "__main__":
    serve()
