"""Memory of results: used again, but never while anything lives in it."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gough.graph import record
from gough.run import Program
from gough.run.arrays import empty

ROWS = 20_000


def program() -> Program:
    return Program(record(lambda x: {"twice": 2.0 * x, "square": x * x}, x=3))


def test_memory_is_used_again_once_its_array_is_gone() -> None:
    first = empty(ROWS, 3)
    address = first.ctypes.data
    del first
    gc.collect()
    assert empty(ROWS, 3).ctypes.data == address


def test_arrays_that_live_have_memory_of_their_own() -> None:
    alive = [empty(ROWS, columns) for columns in (3, 3, 6, 3, 6, 9)]
    for i, a in enumerate(alive):
        assert a.flags.writeable
        assert a.flags.carray
        assert a.dtype == np.float64
        assert not any(np.may_share_memory(a, b) for b in alive[i + 1 :])


def test_a_view_keeps_its_memory() -> None:
    run = program()
    x = np.arange(3.0 * ROWS).reshape(ROWS, 3)
    view = run(x=x)["square"][::7, 1]
    kept = view.copy()
    flat = memoryview(run(x=x)["twice"])
    for k in range(20):
        run(x=x + k)
    assert np.array_equal(view, kept)
    assert np.array_equal(np.asarray(flat), 2.0 * x)


def test_calls_from_many_threads_do_not_share() -> None:
    run = program()

    def work(k: int) -> bool:
        x = np.full((ROWS, 3), float(k))
        results = [run(x=x) for _ in range(5)]
        return all((r["twice"] == 2.0 * k).all() and (r["square"] == float(k * k)).all() for r in results)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(200)))


def test_small_and_huge_arrays_are_plain() -> None:
    for rows in (0, 1, 4_000_000):
        assert empty(rows, 1).shape == (rows, 1)
        assert empty(rows, 1).base is None
