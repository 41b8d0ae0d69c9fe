"""Splitting rows over threads. The kernels release the interpreter's lock, so threads run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

FROM_ROWS = 100_000
"""Rows from which a call is split by default."""

_CHUNK = 64

_pools: dict[int, ThreadPoolExecutor] = {}


def available() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_rows(run: Callable[[int, int], None], rows: int, threads: int | None) -> None:
    """Calls `run(begin, end)` over all rows, on several threads where it pays or where `threads` says so."""
    count = threads if threads is not None else (available() if rows >= FROM_ROWS else 1)
    count = max(1, min(count, rows // _CHUNK))
    if count == 1:
        run(0, rows)
        return
    edges = [rows * k // count // _CHUNK * _CHUNK for k in range(count)] + [rows]
    pool = _pools.get(count)
    if pool is None:
        pool = _pools.setdefault(count, ThreadPoolExecutor(count, thread_name_prefix="gough"))
    for done in [pool.submit(run, begin, end) for begin, end in pairwise(edges)]:
        done.result()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)
