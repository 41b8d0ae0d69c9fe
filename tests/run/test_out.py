"""Arrays to write into: any real kind, any layout, also on top of the inputs."""

from __future__ import annotations

import numpy as np
import pytest

from gough.graph import Integer, less, record
from gough.run import Program
from tests.run.same_bits import EXECUTORS, assert_same

X = np.random.default_rng(4).normal(size=(70, 3))


@pytest.fixture(params=EXECUTORS, ids=str)
def program(request):
    return Program(record(lambda x: [x[1] * 2.0, x[2] + 1.0, x[0]], x=3), **request.param)


EXPECTED = np.stack([X[:, 1] * 2.0, X[:, 2] + 1.0, X[:, 0]], axis=1)


def test_the_array_given_is_returned(program):
    out = np.empty((70, 3))
    assert program(x=X, out=out) is out
    assert_same(out, EXPECTED)


def test_a_dict_of_one(program):
    out = np.empty((70, 3))
    assert program(x=X, out={"out": out}) is out
    assert_same(out, EXPECTED)


@pytest.mark.parametrize(
    "view",
    [
        lambda: np.empty((70, 3), order="F"),
        lambda: np.empty((140, 3))[::2],
        lambda: np.empty((70, 3))[::-1],
        lambda: np.empty((70, 5))[:, 1:4],
        lambda: np.empty((70, 3), ">f8"),
        lambda: np.empty(70 * 24 + 1, np.uint8)[1:].view(float).reshape(70, 3),
    ],
)
def test_any_layout(program, view):
    out = view()
    assert program(x=X, out=out) is out
    assert_same(out, EXPECTED)


def test_other_precision(program):
    out = np.empty((70, 3), np.float32)
    program(x=X, out=out)
    assert (out == EXPECTED.astype(np.float32)).all()


def test_on_top_of_the_input(program):
    for shift in (0, 1, 5):
        memory = np.zeros((80, 3))
        memory[:70] = X
        program(x=memory[:70], out=memory[shift : shift + 70])
        assert_same(memory[shift : shift + 70], EXPECTED, shift)


def test_reversed_on_top_of_the_input(program):
    memory = X.copy()
    program(x=memory, out=memory[::-1])
    assert_same(memory[::-1], EXPECTED)


def test_one_sample(program):
    out = np.empty(3)
    assert program(x=X[0], out=out) is out
    assert_same(out, EXPECTED[0])


def test_only_some_outputs_given():
    graph = record(lambda x: {"y": x * 2.0, "k": Integer(x[0] * 0.0 + 3.0), "low": less(x[1], 0.0)}, x=3)
    for options in EXECUTORS:
        program = Program(graph, **options)
        out = {"k": np.zeros(70, np.int32), "low": np.zeros(70)}
        result = program(x=X, out=out)
        assert result["k"] is out["k"]
        assert result["low"] is out["low"]
        assert (out["k"] == 3).all()
        assert (out["low"] == (X[:, 1] < 0.0)).all()
        assert_same(result["y"], X * 2.0)


def test_outputs_on_top_of_each_other_come_in_order():
    program = Program(record(lambda x: {"a": x * 2.0, "b": x * 3.0}, x=3), "llvm")
    memory = np.zeros((71, 3))
    program(x=X, out={"a": memory[:70], "b": memory[1:]})
    assert_same(memory[0], X[0] * 2.0)
    assert_same(memory[1:], X * 3.0)
