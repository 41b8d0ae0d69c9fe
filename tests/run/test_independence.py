"""A row's bits depend on the row alone: not on N, its place, the memory, threads or the calls before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

from gough.graph import record, root, where
from gough.run import Program
from tests.run.same_bits import EXECUTORS, assert_same, inputs
from tests.support.random_graphs import random_graph

ROWS = 4097


def only(graph, name):
    """The graph without its outputs of other names."""
    return record(lambda **given: {name: graph(**given)[name]}, **{spec.name: spec.shape for spec in graph.inputs})


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_an_output_has_the_same_bits_alone_and_with_others(options, seed):
    graph = random_graph(Random(seed), 60)
    given = inputs(Random(seed), 50, special=0.2)
    together = Program(graph, **options)(**given)
    for name in together:
        assert_same(Program(only(graph, name), **options)(**given), {name: together[name]}, name)


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_a_quotient_has_the_same_bits_alone_and_with_others(options):
    x = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    alone = Program(record(lambda x: {"a": x[0] / x[1]}, x=2), **options)(x=x)
    shared = Program(record(lambda x: {"a": x[0] / x[1], "b": 3.0 / x[1]}, x=2), **options)(x=x)
    assert_same(alone, {"a": shared["a"]})


def reference(options, seed=3, rows=ROWS):
    """A program over all operations, elementary functions and roots included, its inputs, and what it gives."""
    program = Program(random_graph(Random(seed), 60), **options)
    given = inputs(Random(seed), rows, special=0.2)
    return program, given, program(**given, threads=1)


def rows_of(results, rows):
    return {name: values[rows] for name, values in results.items()}


@pytest.mark.parametrize("options", EXECUTORS[1:], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_any_number_of_samples_at_any_place(options, seed):
    program, given, expected = reference(options, seed)
    rng = Random(seed)
    sizes = [*range(1, 201), ROWS - 2, ROWS - 1]
    rng.shuffle(sizes)
    for n in sizes:
        start = rng.randrange(ROWS - n + 1)
        rows = slice(start, start + n)
        assert_same(program(x=given["x"][rows], p=given["p"]), rows_of(expected, rows), n)


def test_floats_take_any_number_too():
    program, given, expected = reference({"executor": "floats"}, rows=200)
    for n in (1, 2, 7, 64, 199):
        rows = slice(200 - n, 200)
        assert_same(program(x=given["x"][rows], p=given["p"]), rows_of(expected, rows), n)


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_one_sample_alone(options):
    program, given, expected = reference(options, rows=40)
    for row in range(40):
        assert_same(program(x=given["x"][row], p=given["p"]), rows_of(expected, row), row)


def test_rows_may_be_mixed():
    for options in EXECUTORS[1:]:
        program, given, expected = reference(options, rows=500)
        order = np.random.default_rng(0).permutation(500)
        assert_same(program(x=given["x"][order], p=given["p"]), rows_of(expected, order))


LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "every second row": lambda x: np.repeat(x, 2, axis=0)[::2],
    "every third column": lambda x: np.repeat(x, 3, axis=1)[:, ::3],
    "rows reversed": lambda x: x[::-1].copy()[::-1],
    "columns reversed": lambda x: x[:, ::-1].copy()[:, ::-1],
    "transposed": lambda x: x.T.copy().T,
    "inside a larger array": lambda x: np.pad(x, 3)[3:-3, 3:-3],
    "other byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "unaligned": lambda x: np.frombuffer(b"." + x.tobytes(), np.uint8)[1:].view(float).reshape(x.shape),
    "read-only": lambda x: np.frombuffer(x.tobytes()).reshape(x.shape),
    "nested lists": lambda x: x.tolist(),
    "longer doubles": lambda x: x.astype(np.longdouble),
    "a matrix": lambda x: x.view(np.recarray),
}


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_any_memory_layout(options):
    program, given, expected = reference(options, rows=77)
    for name, laid_out in LAYOUTS.items():
        assert_same(program(x=laid_out(given["x"]), p=given["p"]), expected, name)


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f4", "<i8"])
def test_any_real_type(dtype):
    rng = np.random.default_rng(1)
    x = (rng.integers(0, 2, (33, 4)) if dtype == "?" else rng.integers(0, 100, (33, 4))).astype(dtype)
    p = x[0, :2]
    for options in EXECUTORS:
        program = Program(random_graph(Random(8), 40), **options)
        assert_same(program(x=x, p=p), program(x=x.astype(float), p=p.astype(float)), options)


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_any_number_of_threads(options):
    program, given, expected = reference(options, rows=300 if options["executor"] == "floats" else ROWS)
    for threads in (1, 2, 3, 4, 300):
        assert_same(program(**given, threads=threads), expected, threads)


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_bound_and_given_arrays_change_nothing(options):
    program, given, expected = reference(options, rows=130)
    out = {name: np.full(values.shape, 7, values.dtype) for name, values in expected.items()}
    result = program(**given, out=out)
    assert all(result[name] is out[name] for name in out)
    assert_same(out, expected)
    for rows in (1, 5, 130):
        bound = program.bind(rows)
        bound.inputs["x"][...] = given["x"][:rows]
        bound.inputs["p"][...] = given["p"]
        for _ in range(2):
            bound()
            assert_same(bound.outputs, rows_of(expected, slice(rows)), rows)
            for values in bound.outputs.values():
                values[...] = 3.0


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
def test_calls_from_many_threads_at_once(options):
    program, given, expected = reference(options, rows=600)
    rng = Random(0)
    parts = []
    for _ in range(60):
        start = rng.randrange(600)
        parts.append(slice(start, min(600, start + rng.choice([1, 3, 8, 65, 200]))))

    def call(rows):
        return rows, program(x=given["x"][rows], p=given["p"], threads=rng.choice([1, 2]))

    with ThreadPoolExecutor(4) as pool:
        for rows, found in pool.map(call, parts):
            assert_same(found, rows_of(expected, rows), rows)


def test_programs_may_be_made_from_many_threads_at_once():
    graphs = [random_graph(Random(seed), 30) for seed in range(12)]
    given = inputs(Random(1), 9)
    expected = [Program(g, "llvm")(**given) for g in graphs]
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(lambda g: Program(g, "llvm")(**given), graphs), expected, strict=True):
            assert_same(found, wanted)


def test_rows_do_not_wait_for_their_neighbours_roots():
    """A root that needs 40 steps beside one that needs 3, and beside one that never converges."""

    def equations(a):
        found = root(lambda u: [u[0] * u[0] - a], [1.0], max_iter=60)
        return [found.solution[0], where(found.converged, 1.0, 0.0), found.residual]

    graph = record(equations, a=())
    a = np.array([2.0, 1e30, -1.0, np.nan, 0.0, 4.0, 1e-20, np.inf, 9.0] * 3)
    results = []
    for options in EXECUTORS:
        program = Program(graph, **options)
        together = program(a=a)
        assert_same(together, [program(a=v) for v in a], options)
        results.append(together)
    assert_same(results[1], results[0])
    assert_same(results[2], results[0])
