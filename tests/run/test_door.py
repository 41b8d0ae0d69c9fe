"""What a program says when it is called wrongly: the exact line."""

from __future__ import annotations

import numpy as np
import pytest

from gough.errors import InputError
from gough.graph import Input, less, record
from gough.run import Program

GRAPH = record(
    lambda x, xd, t, p, k, on: {"y": x * t + xd * p[0], "near": less(x[0], t)},
    x=6,
    xd=6,
    t=(),
    p=Input((2,), shared=True),
    k=Input((), "int"),
    on=Input((2,), "bool"),
)
GOOD = {"x": np.zeros((4, 6)), "xd": np.zeros(6), "t": 1.0, "p": [1, 2], "k": 3, "on": [True, False]}
NAMES = "x, xd, t, p, k, on"


@pytest.fixture(scope="module")
def program():
    return Program(GRAPH, "blocks")


def message(program, **changes):
    """The line of the error for a good call with these changes; None removes an input."""
    arguments = {name: value for name, value in (GOOD | changes).items() if value is not None}
    with pytest.raises(InputError) as caught:
        program(**arguments)
    return str(caught.value)


WRONG = {
    "a name too many": ({"y": 1.0}, f"input y: no such input; expected {NAMES}"),
    "a name missing": ({"xd": None}, f"input xd: missing; expected {NAMES}"),
    "too short": ({"x": np.zeros(5)}, "input x: shape (5,) given, expected (6,) or (N, 6)"),
    "transposed": ({"x": np.zeros((6, 4))}, "input x: shape (6, 4) given, expected (6,) or (N, 6)"),
    "too deep": ({"x": np.zeros((2, 4, 6))}, "input x: shape (2, 4, 6) given, expected (6,) or (N, 6)"),
    "a number": ({"x": 1.0}, "input x: shape () given, expected (6,) or (N, 6)"),
    "rows of numbers": ({"t": np.zeros((4, 1))}, "input t: shape (4, 1) given, expected a number or (N,)"),
    "shared by rows": ({"p": np.zeros((4, 2))}, "input p: shape (4, 2) given, expected (2,)"),
    "another N": ({"t": np.zeros(5)}, "inputs with different numbers of samples: x has 4, t has 5"),
    "one row and four": ({"t": np.zeros(1)}, "inputs with different numbers of samples: x has 4, t has 1"),
    "complex": (
        {"x": np.zeros(6, complex)},
        "input x: complex values given, expected real numbers of shape (6,) or (N, 6)",
    ),
    "objects": ({"x": [None] * 6}, "input x: object values given, expected real numbers of shape (6,) or (N, 6)"),
    "huge integers": ({"t": 2**70}, "input t: object values given, expected real numbers of shape a number or (N,)"),
    "text": ({"t": "1.0"}, "input t: text values given, expected real numbers of shape a number or (N,)"),
    "bytes": ({"t": b"1.0"}, "input t: bytes values given, expected real numbers of shape a number or (N,)"),
    "dates": (
        {"t": np.datetime64("2024-01-01")},
        "input t: dates values given, expected real numbers of shape a number or (N,)",
    ),
    "records": (
        {"p": np.zeros(2, [("a", "f8")])},
        "input p: records values given, expected real numbers of shape (2,)",
    ),
    "masked": (
        {"p": np.ma.array([1.0, 2.0], mask=[False, True])},
        "input p: masked values given, expected real numbers of shape (2,)",
    ),
    "a fraction": ({"k": 1.5}, "input k: value 1.5 given, expected whole numbers up to 2^53"),
    "not a number": ({"k": np.nan}, "input k: value nan given, expected whole numbers up to 2^53"),
    "too large": ({"k": 2**53 + 1}, f"input k: value {2**53 + 1} given, expected whole numbers up to 2^53"),
    "too negative": ({"k": -(2**63)}, f"input k: value {-(2**63)} given, expected whole numbers up to 2^53"),
    "unsigned": (
        {"k": np.uint64(2**64 - 1)},
        f"input k: value {2**64 - 1} given, expected whole numbers up to 2^53",
    ),
    "neither true nor false": ({"on": [1, 2]}, "input on: value 2 given, expected true or false"),
    "half true": ({"on": [0.0, 0.5]}, "input on: value 0.5 given, expected true or false"),
    "no threads": ({"threads": 0}, "threads: 0 given, expected a whole number from 1 on"),
    "threads as text": ({"threads": "2"}, "threads: '2' given, expected a whole number from 1 on"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls(program, name):
    changes, line = WRONG[name]
    assert message(program, **changes) == line


def test_ragged_rows(program):
    line = message(program, x=[[1.0, 2.0], [3.0]])
    assert line.startswith("input x: not a rectangular array of numbers (")
    assert "\n" not in line


def test_recorded_values_are_no_numbers(program):
    def equations(x):
        with pytest.raises(InputError, match="input x: object values given, expected real numbers"):
            program(**(GOOD | {"x": x}))
        return x

    record(equations, x=6)


OUT = {
    "a plain array": (np.zeros((4, 6)), "out: a dict by output name is needed; there are y, near"),
    "another name": ({"z": np.zeros((4, 6))}, "out z: no such output; there are y, near"),
    "another shape": (
        {"y": np.zeros((6, 4))},
        "out y: a writeable real array of shape (4, 6) is needed, shape (6, 4) given",
    ),
    "a list": ({"y": [0.0] * 6}, "out y: a writeable real array of shape (4, 6) is needed, list given"),
    "integers for numbers": (
        {"y": np.zeros((4, 6), int)},
        "out y: a writeable real array of shape (4, 6) is needed, one of int64 given",
    ),
    "text for numbers": (
        {"y": np.zeros((4, 6), "U9")},
        "out y: a writeable real array of shape (4, 6) is needed, one of <U9 given",
    ),
    "read-only": (
        {"near": np.broadcast_to(np.array(True), (4,))},
        "out near: a writeable bool array of shape (4,) is needed, a read-only one given",
    ),
}


@pytest.mark.parametrize("name", OUT)
def test_wrong_out(program, name):
    out, line = OUT[name]
    assert message(program, out=out) == line


def test_wrong_out_of_one_number():
    program = Program(record(lambda x: x * x, x=()), "blocks")
    with pytest.raises(InputError) as caught:
        program(x=2.0, out=np.zeros(1))
    assert str(caught.value) == "out out: a writeable real array of shape () is needed, shape (1,) given"


def test_nothing_is_written_by_a_call_refused(program):
    out = {"y": np.full((4, 6), 5.0)}
    message(program, x=np.zeros((4, 5)), out=out)
    message(program, out=out | {"near": np.zeros(3)})
    assert (out["y"] == 5.0).all()


def test_one_sample_gives_one_and_rows_give_rows(program):
    one = program(**(GOOD | {"x": np.zeros(6)}))
    assert one["y"].shape == (6,)
    assert one["near"].shape == ()
    rows = program(**GOOD)
    assert rows["y"].shape == (4, 6)
    assert rows["near"].shape == (4,)
    assert program(**(GOOD | {"x": np.zeros((1, 6))}))["y"].shape == (1, 6)


def test_one_sample_beside_rows_serves_all():
    program = Program(record(lambda x, y: x + y, x=2, y=2), "llvm")
    x = np.arange(10.0).reshape(5, 2)
    assert (program(x=x, y=[1.0, 2.0]) == x + [1.0, 2.0]).all()
    assert (program(x=[1.0, 2.0], y=x) == x + [1.0, 2.0]).all()


def test_values_beyond_doubles_become_infinite():
    program = Program(record(lambda x: x, x=()), "llvm")
    assert program(x=np.longdouble("1e4000")) == np.inf


@pytest.mark.parametrize("name", ["out", "threads"])
def test_names_of_options_are_refused(name):
    graph = record(lambda **inputs: inputs[name], **{name: 2})
    with pytest.raises(InputError) as caught:
        Program(graph)
    assert str(caught.value) == f"input {name}: this name is an option of the call; choose another"


@pytest.mark.parametrize("name", ["self", "rows", "inputs", "graph", "executor", "x y"])
def test_any_other_name_will_do(name):
    program = Program(record(lambda **inputs: inputs[name] * 2.0, **{name: 2}), "blocks")
    assert program(**{name: [1.0, 2.0]}).tolist() == [2.0, 4.0]
    bound = program.bind(None, **{name: np.array([1.0, 2.0])})
    bound()
    assert bound.outputs["out"].tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"executor": "gpu"}, "executor 'gpu': choose one of auto, floats, blocks, llvm"),
        ({"width": 3}, "width 3, opt None: choose a width of 2, 4 or 8 and an opt of 0 to 3"),
        ({"opt": 4}, "width None, opt 4: choose a width of 2, 4 or 8 and an opt of 0 to 3"),
    ],
)
def test_wrong_options(options, line):
    with pytest.raises(InputError) as caught:
        Program(GRAPH, **options)
    assert str(caught.value) == line
