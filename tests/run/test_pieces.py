"""Graphs that do not fit into one piece, and outputs and inputs of every odd kind."""

from __future__ import annotations

import numpy as np
import pytest

from gough.graph import Input, Integer, expand, less, record, root, where
from gough.run import Program
from gough.run.schedule import PIECE, schedule
from tests.run.same_bits import EXECUTORS, assert_same


def chain(x, p, length):
    """Many operations none of which can be left out, each reading the one before and one far behind."""
    values = [x[0], x[1], p]
    for k in range(length):
        values.append(0.5 * values[-1] - values[len(values) // 3] * x[k % 3] + where(less(values[-2], 0.1), p, -0.25))
    return values


def equations(x, p, length=900):
    first = chain(x, p, length)
    a = first[-1] / (1.0 + first[-1] * first[-1])
    found = root(lambda u: [u[0] ** 3 + u[0] + u[1] - a, u[1] - 0.25 * u[0] * first[7]], [0.0, 0.1])
    second = chain([found.solution[0], x[1], first[20]], found.solution[1], length)
    return {
        "last": second[-1],
        "between": [first[length // 2], second[length // 2], first[length // 2]],
        "root": [found.solution[0], found.solution[1], found.residual],
        "converged": found.converged,
        "input": x[::-1],
        "parameter": p,
        "constant": [[1.5, -0.0], [np.inf, np.nan]],
        "true": True,
        "whole": Integer([3, x[0] * 0.0 + 2.0]),
    }


def test_many_pieces_with_a_root_in_the_middle():
    graph = record(equations, x=3, p=Input((), shared=True))
    pieces = schedule(expand(graph)).pieces
    assert len(pieces) > 6
    assert any(0 < k < len(pieces) - 1 for k, piece in enumerate(pieces) if piece.loop >= 0)
    assert all(len(piece.nodes) <= PIECE for piece in pieces)
    x = np.random.default_rng(2).uniform(-1, 1, (29, 3))
    results = [Program(graph, **options)(x=x, p=0.3) for options in EXECUTORS]
    expected = results[0]
    assert_same(results[1], expected)
    assert_same(results[2], expected)
    assert_same(expected["input"], x[:, ::-1])
    assert_same(expected["parameter"], np.full(29, 0.3))
    assert_same(expected["constant"], np.broadcast_to([[1.5, -0.0], [np.inf, np.nan]], (29, 2, 2)))
    assert_same(expected["between"][:, 0], expected["between"][:, 2])
    assert expected["converged"].all()
    assert expected["converged"].dtype == expected["true"].dtype == bool
    assert expected["true"].all()
    assert expected["whole"].dtype == np.int64
    assert (expected["whole"] == [3, 2]).all()
    assert np.isfinite(expected["last"]).all()


def test_a_root_inside_a_root():
    """The inner one is found anew at every step of the outer one; its start and its equations use outer values."""

    def equations(a, s):
        def residual(u):
            inner = root(lambda v: [v[0] * v[0] - u[0] - s], [u[0] + 1.0], max_iter=20)
            return [inner.solution[0] * u[0] - a]

        found = root(residual, [1.0])
        return [found.solution[0], found.residual, where(found.converged, 1.0, 0.0)]

    graph = record(equations, a=(), s=Input((), shared=True))
    a = np.array([0.5, 1.0, 7.0, np.nan, 2.0, -30.0, 1e3, 0.0, 3.0])
    results = [Program(graph, **options)(a=a, s=0.25) for options in EXECUTORS]
    assert_same(results[1], results[0])
    assert_same(results[2], results[0])
    u, _, converged = results[0].T
    good = converged == 1.0
    assert good.sum() >= 6
    np.testing.assert_allclose(np.sqrt(u[good] + 0.25) * u[good], a[good], rtol=1e-12, atol=1e-12)


def test_many_shared_inputs():
    program = Program(record(lambda x, p: x * p, x=(), p=Input((500,), shared=True)), "llvm")
    p = np.random.default_rng(1).normal(size=500)
    assert_same(program(x=[2.0, 3.0, 4.0], p=p), np.outer([2.0, 3.0, 4.0], p))


@pytest.mark.parametrize("piece", [1, 2, 7, 50])
def test_pieces_of_any_size_give_the_same_bits(piece, monkeypatch):
    graph = record(lambda x, p: equations(x, p, 60), x=3, p=Input((), shared=True))
    x = np.random.default_rng(3).uniform(-1, 1, (5, 3))
    expected = Program(graph, "blocks")(x=x, p=0.3)
    monkeypatch.setattr("gough.run.schedule.PIECE", piece)
    monkeypatch.setattr("gough.run.schedule.WHOLE", 0)
    assert max(len(p.nodes) for p in schedule(expand(graph)).pieces) == piece
    for name in ("floats", "llvm"):
        assert_same(Program(graph, name)(x=x, p=0.3), expected, name)


def test_values_between_pieces_share_slots():
    """A long chain keeps few values alive: slots are used again."""
    plan = schedule(expand(record(lambda x: chain_of_sums(x, 5000), x=())))
    assert len(plan.pieces) > 4
    assert plan.slots < 10


def chain_of_sums(x, length):
    for _ in range(length):
        x = x * 0.5 + 1.0
    return x


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
class TestOddGraphs:
    def test_scalars_in_and_out(self, options):
        program = Program(record(lambda a, b: a * b, a=(), b=()), **options)
        assert program(a=3, b=0.5) == 1.5
        assert np.shape(program(a=3, b=0.5)) == ()
        assert_same(program(a=[1, 2, 3], b=0.5), [0.5, 1.0, 1.5])
        assert_same(program(a=[1.0], b=[2.0]), [2.0])

    def test_no_samples(self, options):
        program = Program(record(lambda x: {"y": x * 2.0, "any": less(x[0], 1.0)}, x=3), **options)
        result = program(x=np.zeros((0, 3)))
        assert result["y"].shape == (0, 3)
        assert result["any"].shape == (0,)
        bound = program.bind(0)
        bound()
        assert bound.outputs["y"].shape == (0, 3)

    def test_inputs_without_elements(self, options):
        program = Program(record(lambda x, e: x + 1.0, x=2, e=(0, 3)), **options)
        assert_same(program(x=[1, 2], e=np.zeros((0, 3))), [2.0, 3.0])
        assert_same(program(x=np.zeros((5, 2)), e=np.zeros((5, 0, 3))), np.ones((5, 2)))
        assert_same(program(x=np.zeros((5, 2)), e=np.zeros((0, 3))), np.ones((5, 2)))

    def test_outputs_without_elements(self, options):
        program = Program(record(lambda x: {"none": [], "y": x}, x=2), **options)
        result = program(x=np.ones((4, 2)))
        assert result["none"].shape == (4, 0)
        assert_same(result["y"], np.ones((4, 2)))

    def test_only_shared_inputs(self, options):
        program = Program(record(lambda p: np.sin(p[0]) + p[1], p=Input((2,), shared=True)), **options)
        assert program(p=[0.0, 2.0]) == 2.0

    def test_no_inputs(self, options):
        assert_same(Program(record(lambda: [1.0, 2.0]), **options)(), [1.0, 2.0])

    def test_inputs_that_are_not_used(self, options):
        program = Program(record(lambda x, y: x[1], x=3, y=7), **options)
        assert_same(program(x=np.arange(6.0).reshape(2, 3), y=np.zeros((2, 7))), [1.0, 4.0])

    @pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 36, 100])
    def test_rows_of_any_length(self, options, size):
        program = Program(record(lambda x: {"back": x[::-1], "sum": x + x[0]}, x=size), **options)
        x = np.random.default_rng(size).normal(size=(21, size))
        for rows in (1, 2, 7, 8, 9, 21):
            result = program(x=x[:rows])
            assert_same(result["back"], x[:rows, ::-1], (size, rows))
            assert_same(result["sum"], x[:rows] + x[:rows, :1], (size, rows))

    def test_matrices(self, options):
        program = Program(record(lambda A, B: A @ B, A=(2, 3), B=Input((3, 4), shared=True)), **options)
        A, B = np.arange(12.0).reshape(2, 2, 3), np.arange(12.0).reshape(3, 4)
        assert_same(program(A=A, B=B), A @ B)
        assert_same(program(A=A[1], B=B), A[1] @ B)

    def test_whole_numbers_and_truth_values(self, options):
        graph = record(
            lambda k, on: {"next": Integer(where(on, k + 1.0, k)), "off": ~on},
            k=Input((), "int"),
            on=Input((), "bool"),
        )
        result = Program(graph, **options)(k=[1, 2**53 - 1, -5], on=[True, True, False])
        assert result["next"].dtype == np.int64
        assert result["next"].tolist() == [2, 2**53, -5]
        assert result["off"].dtype == bool
        assert result["off"].tolist() == [False, False, True]

    def test_whole_numbers_that_are_none(self, options):
        program = Program(record(lambda x: {"k": Integer(x)}, x=()), **options)
        least = np.iinfo(np.int64).min
        assert program(x=[np.nan, np.inf, -np.inf, 1e300, -3.0])["k"].tolist() == [least, least, least, least, -3]
        assert program(x=np.nan)["k"] == least


@pytest.mark.parametrize("width", [2, 4, 8])
def test_nothing_is_written_beside_the_rows(width):
    """Rows are stored vector by vector: a tail must not touch what follows, nor threads each other's rows."""
    for size in (1, 3, 6, 8, 11):
        program = Program(record(lambda x: x * 2.0, x=size), "llvm", width=width)
        for rows in range(1, 20):
            memory = np.full((rows + 16, size), 7.0)
            program(x=np.ones((rows, size)), out=memory[8 : 8 + rows])
            assert (memory[:8] == 7.0).all()
            assert (memory[8 + rows :] == 7.0).all()
            assert (memory[8 : 8 + rows] == 2.0).all()
