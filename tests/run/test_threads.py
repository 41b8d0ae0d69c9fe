"""Splitting rows over threads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from itertools import pairwise

import numpy as np
import pytest

from gough.graph import record
from gough.run import Program, threads
from gough.run.threads import run_rows


def parts(rows, count):
    """The parts a call was split into, in order."""
    found = []
    run_rows(lambda begin, end: found.append((begin, end)), rows, count)
    return sorted(found)


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 127, 128, 129, 1000, 4096, 99_999])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 10_000])
def test_parts_cover_all_rows_once(rows, count):
    found = parts(rows, count)
    assert found[0][0] == 0
    assert found[-1][1] == rows
    assert all(end == begin for (_, end), (begin, _) in pairwise(found))
    assert len(found) <= max(1, min(count, rows // 64))


def test_only_large_calls_are_split_by_default(monkeypatch):
    monkeypatch.setattr(threads, "available", lambda: 3)
    assert len(parts(99_999, None)) == 1
    assert len(parts(100_000, None)) == 3


def test_cores_that_are_taken_away_are_not_counted(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 5}, raising=False)
    assert threads.available() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads.available() == 1


def test_failures_reach_the_caller():
    for bad in (0, 128):

        def run(begin, end, bad=bad):
            if begin == bad:
                raise ArithmeticError("no")

        with pytest.raises(ArithmeticError, match="no"):
            run_rows(run, 256, 4)


def test_threads_are_not_multiplied():
    before = threading.active_count()
    for count in (2, 3, 4, 2, 3, 4) * 5:
        parts(1000, count)
    assert threading.active_count() <= before + 3


def test_without_threads_to_be_had_the_caller_does_all(monkeypatch):
    def no_thread(self):
        raise RuntimeError("can't start new thread")

    threads._pool.cache_clear()
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    assert set(parts(1000, 4)) == {(0, 192), (192, 448), (448, 704), (704, 1000)}
    threads._pool.cache_clear()


FORK = """
import os
import numpy as np
from gough.graph import record, sin
from gough.run import Program
graph = record(lambda x: sin(x) * 0.5, x=3)
programs = [Program(graph, name) for name in ("blocks", "llvm")]
x = np.random.default_rng(0).normal(size=(1000, 3))
expected = [p(x=x, threads=3) for p in programs]
child = os.fork()
found = [p(x=x, threads=3) for p in programs]
found += [Program(graph, name)(x=x, threads=2) for name in ("blocks", "llvm")]
good = all((f == e).all() for f, e in zip(found, expected * 2))
if child == 0:
    os._exit(0 if good else 1)
_, status = os.waitpid(child, 0)
print(good, os.waitstatus_to_exitcode(status))
"""


if hasattr(os, "fork"):

    def test_forked_processes_have_their_own_threads():
        result = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", FORK], capture_output=True, text=True, check=True, timeout=60
        )
        assert result.stdout == "True 0\n"


def test_a_call_while_the_interpreter_shuts_down():
    script = """
import atexit
import numpy as np
from gough.graph import record
from gough.run import Program
program = Program(record(lambda x: x * 2.0, x=2), "blocks")
atexit.register(lambda: print(program(x=np.ones((1000, 2)), threads=3).sum()))
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout == "4000.0\n"
    assert result.stderr == ""


def test_large_calls_use_several_threads(monkeypatch):
    monkeypatch.setattr(threads, "available", lambda: 2)
    program = Program(record(lambda x: x * 2.0, x=()), "llvm")
    x = np.arange(100_003.0)
    assert (program(x=x) == 2.0 * x).all()
