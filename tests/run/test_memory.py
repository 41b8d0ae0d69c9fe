"""Memory of results: used again, but never while anything lives in it."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gough.graph import Input, record
from gough.run import Program, threads
from gough.run.arrays import empty
from gough.run.choose import EXECUTORS

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


def test_views_of_the_memory_itself_do_not_give_it_away() -> None:
    array = empty(ROWS, 3)
    for view in (array.base[5:], array.base.view(np.float64), array.base.copy(), array.base.view()):
        assert len(view)
        del view
    array[:] = 1.0
    others = [empty(ROWS, 3) for _ in range(3)]
    assert not any(np.may_share_memory(array, other) for other in others)


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


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("rows", [1, 7, 64, 1003])
def test_copies_of_inputs_are_made_on_the_way(executor: str, rows: int) -> None:
    graph = record(
        lambda x, y, R, S, p: R @ x * y[0] + S[0] + p, x=3, y=2, R=(3, 3), S=(3, 3), p=Input((3,), shared=True)
    )
    run = Program(graph, executor)
    rng = np.random.default_rng(rows)
    shapes = {"x": (rows, 3), "y": (2,), "R": (rows, 3, 3), "S": (3, 3), "p": (3,)}
    given = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    out, copies = run.with_inputs(given)
    assert np.array_equal(out, run(**given))
    for name, value in given.items():
        assert np.array_equal(copies[name], value)
        assert copies[name].shape == value.shape
        assert not np.may_share_memory(copies[name], value)


def test_copies_of_other_types_and_layouts_are_plain_numbers() -> None:
    run = program()
    for x in (np.arange(12, dtype=np.int32).reshape(4, 3), np.arange(24.0).reshape(4, 6)[:, ::2], [[1, 2, 3]] * 4):
        _, copies = run.with_inputs({"x": x})
        assert copies["x"].dtype == np.float64
        assert copies["x"].flags.carray
        assert np.array_equal(copies["x"], x)


def test_copies_by_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "FROM_ROWS", 100)
    monkeypatch.setattr(threads, "available", lambda: 3)
    x = np.random.default_rng(0).normal(size=(1001, 3))
    _, copies = program().with_inputs({"x": x})
    assert np.array_equal(copies["x"], x)
