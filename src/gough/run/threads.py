"""Splitting rows over threads. The kernels release the interpreter's lock, so threads run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from gough.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

FROM_ROWS = 100_000
"""Rows from which a call is split by default."""

_MOST = 256
"""Threads of a process at most."""
_CHUNK = 64
"""Each part but the last has a multiple of so many rows: only the last one has a tail."""


def available() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> None:
    """Refuses what is not a number of threads."""
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or threads < 1):
        raise InputError(f"threads: {threads!r} given, expected a whole number from 1 on")


def run_rows(run: Callable[[int, int], None], rows: int, threads: int | None) -> None:
    """Calls `run(begin, end)` over all rows, on several threads where it pays or where `threads` says so."""
    if threads is None:
        threads = available() if rows >= FROM_ROWS else 1
    count = max(1, min(threads, rows // _CHUNK, _MOST))
    if count == 1:
        run(0, rows)
        return
    edges = [rows * k // count // _CHUNK * _CHUNK for k in range(count)] + [rows]
    left = list(pairwise(edges))
    under_way = []
    try:
        while len(left) > 1:
            under_way.append(_pool().submit(run, *left[-1]))
            left.pop()
    except RuntimeError:
        pass  # no more threads can be had, or the interpreter is shutting down: this one does the rest
    try:
        for part in left:
            run(*part)
    finally:
        for done in under_way:
            done.result()


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads of this process; they start when they are first needed, and as many as are."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_MOST, thread_name_prefix="gough")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
