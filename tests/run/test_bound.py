"""Calls on fixed buffers."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from gough.errors import InputError
from gough.graph import Input, less, record
from gough.run import Program
from tests.run.same_bits import EXECUTORS, assert_same

GRAPH = record(lambda x, p: {"y": x * p, "low": less(x[0], p)}, x=3, p=Input((), shared=True))


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
class TestBuffers:
    def test_made(self, options):
        bound = Program(GRAPH, **options).bind()
        assert {name: b.shape for name, b in bound.inputs.items()} == {"x": (3,), "p": ()}
        assert {name: b.shape for name, b in bound.outputs.items()} == {"y": (3,), "low": ()}
        bound.inputs["x"][:] = [1.0, 2.0, 3.0]
        bound.inputs["p"][()] = 2.0
        bound()
        assert bound.outputs["y"].tolist() == [2.0, 4.0, 6.0]
        assert bound.outputs["low"] == 1.0
        bound.inputs["x"][0] = 5.0
        bound()
        assert bound.outputs["y"].tolist() == [10.0, 4.0, 6.0]
        assert bound.outputs["low"] == 0.0

    def test_given(self, options):
        x, y = np.arange(15.0).reshape(5, 3), np.zeros((5, 3))
        x.flags.writeable = False
        bound = Program(GRAPH, **options).bind(5, x=x, y=y)
        assert bound.inputs["x"] is x
        assert bound.outputs["y"] is y
        bound.inputs["p"][()] = -1.0
        bound()
        assert_same(y, -x)

    def test_outlives_the_program_and_its_buffers(self, options):
        bound = Program(GRAPH, **options).bind(9, x=np.ones((9, 3)))
        call, y, p = bound.run, bound.outputs["y"], bound.inputs["p"]
        del bound
        gc.collect()
        rubbish = [np.full((9, 3), 5.0) for _ in range(50)]
        p[()] = 3.0
        call()
        assert (y == 3.0).all()
        assert len(rubbish) == 50

    def test_one_per_thread(self, options):
        program = Program(GRAPH, **options)
        wrong = []

        def work(number):
            bound = program.bind(4)
            for k in range(50):
                bound.inputs["x"][...] = number
                bound.inputs["p"][()] = k
                bound()
                if (bound.outputs["y"] != number * k).any():
                    wrong.append((number, k))

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert wrong == []


WRONG = [
    ({"z": np.zeros(3)}, None, "buffer z: no such input or output; there are x, p, y, low"),
    ({"x": np.zeros(4)}, None, "buffer x: a float64 array in C order of shape (3,) is needed"),
    ({"x": [1.0, 2.0, 3.0]}, None, "buffer x: a float64 array in C order of shape (3,) is needed"),
    ({"x": np.zeros(3, "f4")}, None, "buffer x: a float64 array in C order of shape (3,) is needed"),
    ({"x": np.zeros((3, 2)).T}, 2, "buffer x: a float64 array in C order of shape (2, 3) is needed"),
    ({"p": np.zeros(2)}, 2, "buffer p: a float64 array in C order of shape () is needed"),
    (
        {"y": np.broadcast_to(0.0, (1, 3))},
        1,
        "buffer y: a writeable float64 array in C order of shape (1, 3) is needed",
    ),
    ({}, -1, "rows: -1 given, expected a whole number, or None for one sample"),
    ({}, 1.0, "rows: 1.0 given, expected a whole number, or None for one sample"),
]


@pytest.mark.parametrize(("buffers", "rows", "line"), WRONG)
def test_wrong_buffers(buffers, rows, line):
    with pytest.raises(InputError) as caught:
        Program(GRAPH, "blocks").bind(rows, **buffers)
    assert str(caught.value) == line


def test_buffers_must_lie_apart():
    memory = np.zeros(6)
    program = Program(GRAPH, "blocks")
    with pytest.raises(InputError, match=r"^buffer y: shares memory with x$"):
        program.bind(x=memory[:3], y=memory[1:4])
    program.bind(x=memory[:3], y=memory[3:])


def test_a_name_both_of_an_input_and_an_output():
    program = Program(record(lambda x: {"x": x * 2.0}, x=2), "llvm")
    bound = program.bind()
    bound.inputs["x"][:] = [1.0, 2.0]
    bound()
    assert bound.outputs["x"].tolist() == [2.0, 4.0]
    with pytest.raises(InputError) as caught:
        program.bind(x=np.zeros(2))
    assert str(caught.value) == "buffer x: both an input and an output have this name; leave it to be made"
