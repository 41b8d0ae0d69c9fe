"""Memory of results: the public call with results in pooled memory and in memory from the system.

What the C library does with freed memory depends on the process's past, so each row is measured in a process of its
own: a new one, and one that has once used and freed a large array, after which glibc keeps what is freed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks import stewart_numpy
from benchmarks.stewart_states import states, worst_error
from benchmarks.timing import Variant, interleaved
from gough import State
from gough.dynamics import inverse_dynamics
from gough.kinematics import load
from gough.run import arrays

POOLED, FRESH = "results in pooled memory", "results in memory from the system"
LARGE = 30 * 2**20
"""Bytes below glibc's greatest threshold for returning memory at once, 32 MiB."""


def rows(samples: int, rounds: int) -> list[dict[str, Any]]:
    """Median microseconds per sample, times the pooled call in a new process, and page faults per call."""
    kinds = [(name, used) for used in (False, True) for name in (POOLED, FRESH)]
    found = [_in_process(name, used, samples, rounds) for name, used in kinds]
    return [row | {"times": row["us"] / found[0]["us"]} for row in found]


def measure(name: str, used: bool, samples: int, rounds: int) -> dict[str, Any]:
    """One row, in this process."""
    robot, motion = load("stewart"), states(samples)
    if name == FRESH:
        arrays._SMALLEST = sys.maxsize
    if used:
        np.ones(LARGE // 8)
    last: list[Any] = [None]

    def call() -> Any:
        last[0] = inverse_dynamics(robot, State(*motion))
        return last[0].force

    timing = interleaved({name: Variant(call)}, rounds, clock=process_time)[name]
    faults = page_faults(call)
    if not worst_error(call(), stewart_numpy.inverse_dynamics(*motion)) <= 1e-11:
        raise ArithmeticError(f"{name}: the forces are wrong")
    title = f"{name}, {'after a large array' if used else 'new process'}"
    return {"name": title, "us": timing.median / samples * 1e6, "page_faults": faults}


def page_faults(call: Callable[[], Any], repeats: int = 20) -> float:
    """Page faults of one call; NaN where the system does not say."""
    if find_spec("resource") is None:
        return float("nan")
    from resource import RUSAGE_SELF, getrusage

    before = getrusage(RUSAGE_SELF).ru_minflt
    for _ in range(repeats):
        call()
    return (getrusage(RUSAGE_SELF).ru_minflt - before) / repeats


def _in_process(*arguments: Any) -> dict[str, Any]:
    script = f"import json; from benchmarks.result_memory import measure; print(json.dumps(measure(*{arguments!r})))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True)
    row: dict[str, Any] = json.loads(done.stdout)
    return row
