"""What may be written in equations, and what is refused with a clear line."""

from __future__ import annotations

import copy
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gough import graph as g
from gough.graph import ops
from tests.support.evaluated import computed, evaluated

TRUTH = "truth of a recorded value is not known while recording"
VALUE = "no float value while recording"


@pytest.mark.parametrize(
    ("equations", "message"),
    [
        (lambda x: x[0] == x[1], "use gough.graph.equal"),
        (lambda x: x[0] == 1.0, "use gough.graph.equal"),
        (lambda x: 1.0 == x[0], "use gough.graph.equal"),  # noqa: SIM300
        (lambda x: x[0] == None, "use gough.graph.equal"),  # noqa: E711
        (lambda x: x[0] != x[1], "use gough.graph.not_equal"),
        (lambda x: x == x, "use gough.graph.equal"),
        (lambda x: x != 0.0, "use gough.graph.not_equal"),
        (lambda x: np.equal(x, 0.0), "use gough.graph.equal"),
        (lambda x: 1.0 if x[0] else 2.0, TRUTH),
        (lambda x: 1.0 if x[0] > 0.0 else 2.0, TRUTH),
        (lambda x: x[0] and x[1], TRUTH),
        (lambda x: not x[0], TRUTH),
        (lambda x: min(x[0], x[1]), TRUTH),
        (lambda x: max(x), TRUTH),
        (lambda x: sorted(x), TRUTH),
        (lambda x: np.where(x > 0.0, x, 0.0), TRUTH),
        (lambda x: np.where(g.greater(x, 0.0), x, 0.0), TRUTH),
        (lambda x: np.where(x[0], 1.0, 0.0), TRUTH),
        (lambda x: np.maximum(x, 0.0), TRUTH),
        (lambda x: np.minimum(x[0], x[1]), TRUTH),
        (lambda x: np.max(x), TRUTH),
        (lambda x: np.clip(x, 0.0, 1.0), TRUTH),
        (lambda x: np.sort(x), TRUTH),
        (lambda x: np.argmax(x), TRUTH),
        (lambda x: np.sign(x), "."),
        (lambda x: np.isfinite(x), "."),
        (lambda x: np.linalg.solve(np.outer(x, x), x), "."),
        (lambda x: np.linalg.inv(np.outer(x, x)), "."),
        (lambda x: float(x[0]), VALUE),
        (lambda x: int(x[0]), VALUE),
        (lambda x: complex(x[0]), VALUE),
        (lambda x: [1, 2][x[0]], VALUE),
        (lambda x: range(x[0]), VALUE),
        (lambda x: math.sin(x[0]), VALUE),
        (lambda x: np.array([x[0]], dtype=float), VALUE),
        (lambda x: np.zeros(2).__setitem__(0, x[0]), VALUE),
        (lambda x: round(x[0]), "."),
        (lambda x: x[0] // 2, "."),
        (lambda x: x[0] % 2, "."),
        (lambda x: x[0] + 1j, "of type complex is not a real number"),
        (lambda x: 1j * x[0], "of type complex is not a real number"),
        (lambda x: x[0] + "a", "."),
        (lambda x: x[0] < "a", "."),
        (lambda x: x[0] + True, "True of type bool is not a real number"),
        (lambda x: x[0] * np.True_, "of type bool is not a real number"),
        (lambda x: x[0] + None, "None of type NoneType is not a real number"),
        (lambda x: x[0] + [1.0], "of type list is not a real number"),
        (lambda x: g.sin("1"), "not a real number"),
        (lambda x: g.minimum(x[0], "1"), "not a real number"),
        (lambda x: (x[0] > 0.0) + 1.0, "a recorded truth value is not a number"),
        (lambda x: -(x[0] > 0.0), "a recorded truth value is not a number"),
        (lambda x: g.sqrt(x[0] > 0.0), "a recorded truth value is not a number"),
        (lambda x: (x[0] > 0.0) < x[1], "a recorded truth value is not a number"),
        (lambda x: ~x[0], "a condition must be a truth value"),
        (lambda x: x[0] & x[1], "a condition must be a truth value"),
        (lambda x: (x[0] > 0.0) & 1, "1 of type int is not a truth value"),
        (lambda x: g.where(x[0], 1.0, 2.0), "a condition must be a truth value"),
        (lambda x: g.where(x[0] > 0.0, True, x[1]), "a condition must be a truth value"),
        (lambda x: g.logical_and(x[0] > 0.0, 1.0), "1.0 of type float is not a truth value"),
        (lambda x: x[0] ** 1.5, r"write exp\(y \* log\(x\)\)"),
        (lambda x: x[0] ** x[1], r"write exp\(y \* log\(x\)\)"),
        (lambda x: x[0] ** math.nan, r"write exp\(y \* log\(x\)\)"),
        (lambda x: x[0] ** math.inf, r"write exp\(y \* log\(x\)\)"),
        (lambda x: x[0] ** "2", r"write exp\(y \* log\(x\)\)"),
        (lambda x: x[0] ** True, r"write exp\(y \* log\(x\)\)"),
        (lambda x: 2.0 ** x[0], "."),
        (lambda x: None, "None of type NoneType is not a real number"),
        (lambda x: [x[0], x[0] > 0.0], "a recorded truth value is not a number"),
        (lambda x: [[x[0]], [x[0], x[1]]], "of type list is not a real number"),
    ],
)
def test_refused(equations: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        g.record(equations, x=2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "mixed",
    [
        lambda x, y: x + y,
        lambda x, y: g.minimum(x, y),
        lambda x, y: g.where(x > 0.0, y, 1.0),
        lambda x, y: (x > 0.0) & (y > 0.0),
        lambda x, y: g.array([x]) @ g.array([y]),
        lambda x, y: [x, y],
        lambda x, y: g.solve([[x]], [y]),
        lambda x, y: g.jvp(x, x, y),
        lambda x, y: g.root(lambda u: [u[0] - x], [y]).solution,
    ],
)
def test_values_of_two_recordings_are_not_mixed(mixed: Any) -> None:
    with pytest.raises(ValueError, match="two different recordings cannot be mixed"):
        g.record(lambda x: g.record(lambda y: mixed(x, y), y=()), x=())


def numpy_equations(a: Any, b: Any, A: Any) -> dict[str, Any]:
    return {
        "matmul": A @ a,
        "rmatmul": a @ A @ b,
        "dot": np.dot(a, b),
        "inner": np.inner(a, b),
        "outer": np.outer(a, b),
        "einsum": np.einsum("ij,j,i->", A, a, b),
        "cross": np.cross(a, b),
        "sum": np.sum(A, axis=0),
        "builtin sum": sum(a),
        "prod": np.prod(a),
        "trace": np.trace(A),
        "transpose": A.T[0],
        "sin": np.sin(a),
        "cos": np.cos(a[0]),
        "tan": np.tan(a),
        "arcsin": np.arcsin(a / 10.0),
        "arccos": np.arccos(a / 10.0),
        "arctan": np.arctan(a),
        "arctan2": np.arctan2(a, b),
        "sqrt": np.sqrt(a * a),
        "exp": np.exp(a),
        "log": np.log(a * a),
        "floor": np.floor(a),
        "floor of one": [math.floor(a[0]), np.floor(a[1])],
        "abs": np.abs(a),
        "square": np.square(a),
        "power": a**3,
        "negative": -A,
        "divide": np.array([1.0, 2.0, 3.0]) / a,
        "0-d": np.array(2.0) * a[0],
        "float64": np.float64(2.0) * a[0] - np.float64(1.0) / a[1],
        "int64": np.int64(2) + a[0] * np.int32(3),
        "float32": a[0] * np.float32(0.5),
        "fraction": a[0] * Fraction(1, 4) if isinstance(a[0], float) else a[0] * 0.25,
        "concatenate": np.concatenate([a, b])[2:4],
        "stack": np.stack([a, b])[1],
        "diag": np.diag(a) @ b,
        "kron": np.kron(a, b)[4],
        "norm": np.linalg.norm(a),
        "cumsum": np.cumsum(a),
        "conjugate": np.conjugate(a),
        "block": np.block([[A, A], [A, A]])[4, 4],
        "ours": [g.norm(a), g.dot(a, b), g.cross(a, b)[0], g.sign(a)[1], g.absolute(b)[2]],
        "broadcast": g.maximum(A, a),
        "compare": g.where(g.less(A, 0.0), A, 2.0 * A),
    }


def test_numpy_functions_that_work() -> None:
    rng = np.random.default_rng(3)
    a, b, A = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(3, 3))
    plain, recorded = numpy_equations(a, b, A), computed(numpy_equations, a=a, b=b, A=A)
    for name, value in plain.items():
        # sums of up to nine products in another order, and 1 ulp of NumPy's own elementary functions
        np.testing.assert_allclose(recorded[name], np.asarray(value), rtol=1e-14, atol=1e-14, err_msg=name)


def test_comparisons_with_numpy_scalars() -> None:
    one = np.float64(1.0)
    result = computed(lambda x: {"r": [one < x, one <= x, one > x, x >= one, x < one]}, x=2.0)
    assert result["r"].tolist() == [1.0, 1.0, 0.0, 1.0, 0.0]


def test_functions_on_plain_numbers() -> None:
    assert g.sin(0.5) == math.sin(0.5)
    assert g.sqrt(np.array([4.0, -1.0])).tolist()[0] == 2.0
    assert g.maximum([1, 5], 3).tolist() == [3.0, 5.0]
    assert g.less([1, 5], 3).dtype == bool
    assert g.where([True, False], 1.0, 2.0).tolist() == [1.0, 2.0]
    assert g.logical_not([True, False]).tolist() == [False, True]
    assert g.array([1, 2]).dtype == float
    with g.label("nothing"):
        assert g.exp(0.0) == 1.0


def test_input_types_and_shapes() -> None:
    def equations(n: Any, on: Any, flags: Any, p: Any, A: Any) -> dict[str, Any]:
        return {
            "chosen": g.where(on & ~flags[1], A[1, 2] * p, -A[0, 0]),
            "steps": g.Integer(2.0 * n),
            "flag": g.Integer(n > 1.0),
            "any": flags[0] | flags[1],
            "both": [on, True],
        }

    graph = g.record(
        equations,
        n=g.Input(dtype="int"),
        on=g.Input(dtype="bool"),
        flags=g.Input((2,), "bool"),
        p=g.Input(shared=True),
        A=(2, 3),
    )
    assert [(o.name, o.shape, o.dtype) for o in graph.outputs] == [
        ("chosen", (), "float"),
        ("steps", (), "int"),
        ("flag", (), "int"),
        ("any", (), "bool"),
        ("both", (2,), "bool"),
    ]
    assert [(i.name, i.shape, i.dtype, i.shared) for i in graph.inputs] == [
        ("n", (), "int", False),
        ("on", (), "bool", False),
        ("flags", (2,), "bool", False),
        ("p", (), "float", True),
        ("A", (2, 3), "float", False),
    ]
    A = np.arange(6.0).reshape(2, 3)
    result = evaluated(graph, n=3, on=True, flags=[True, False], p=10.0, A=A)
    assert (result["chosen"], result["steps"], result["flag"], result["any"]) == (50.0, 6.0, 1.0, 1.0)
    assert result["both"].tolist() == [1.0, 1.0]
    assert evaluated(graph, n=3, on=True, flags=[True, True], p=10.0, A=A)["chosen"] == 0.0


def test_odd_input_shapes() -> None:
    assert g.record(lambda x: x.shape[0], x=np.int64(3)).inputs[0].shape == (3,)
    assert g.record(lambda x: x, x=g.Input(2)).inputs[0].shape == (2,)  # type: ignore[arg-type]
    assert g.record(lambda x: x, x=0).outputs[0].shape == (0,)
    assert g.record(lambda: 1.0).inputs == ()
    odd_names = g.record(lambda function, self: function - self, function=(), self=())
    assert computed(lambda x: odd_names(function=x, self=2.0)["out"], x=5.0) == 3.0
    with pytest.raises(ValueError, match="shape -1 of an input"):
        g.record(lambda x: x, x=-1)
    with pytest.raises(ValueError, match=r"shape \(2\.5,\) of an input"):
        g.record(lambda x: x, x=(2.5,))
    with pytest.raises(ValueError, match="dtype 'complex' of an input"):
        g.Input(dtype="complex")  # type: ignore[arg-type]


def test_graph_called_inside_another_recording() -> None:
    inner = g.record(
        lambda x, on, s: {"y": g.where(on, g.sin(x), s * x), "on": ~on, "k": g.Integer(g.floor(s))},
        x=2,
        on=g.Input(dtype="bool"),
        s=(),
    )

    def outer(x: Any, t: Any) -> dict[str, Any]:
        first = inner(x=x, on=t > 0.0, s=3.5)
        second = inner(x=first["y"], on=first["on"], s=t)
        constants = inner(x=[1.0, 2.0], on=True, s=1.0)
        return {"y": second["y"], "k": first["k"], "c": constants["y"]}

    result = computed(outer, x=np.array([0.25, 0.5]), t=2.0)
    np.testing.assert_array_equal(result["y"], 2.0 * np.array([math.sin(0.25), math.sin(0.5)]))
    assert result["k"] == 3.0
    assert result["c"].tolist() == [math.sin(1.0), math.sin(2.0)]


def test_wrong_calls_of_a_graph() -> None:
    inner = g.record(lambda x, y: x + y, x=2, y=())
    with pytest.raises(TypeError, match="takes the inputs x, y; given were x"):
        g.record(lambda x: inner(x=x)["out"], x=2)
    with pytest.raises(TypeError, match="takes the inputs x, y; given were x, y, z"):
        g.record(lambda x: inner(x=x, y=1.0, z=2.0)["out"], x=2)
    with pytest.raises(ValueError, match=r"input x has shape \(3,\), expected \(2,\)"):
        g.record(lambda x: inner(x=x, y=1.0)["out"], x=3)
    with pytest.raises(TypeError, match=r"make a gough\.run\.Program to compute numbers"):
        inner(x=[1.0, 2.0], y=3.0)


def test_inlining_gives_the_graph_of_the_equations() -> None:
    inner = g.record(lambda x: g.sin(x[0]) * x[1] / x[0], x=2)
    direct = g.record(lambda x: g.sin(x[0] * x[1]) * x[1] / (x[0] * x[1]), x=2)
    assert g.record(lambda x: inner(x=g.array([x[0] * x[1], x[1]]))["out"], x=2).digest == direct.digest


def test_failing_equations_leave_no_recording_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        g.record(lambda x: 1 / 0, x=1)
    inner = g.record(lambda x: x, x=1)
    with pytest.raises(TypeError, match="called with recorded values"):
        inner(x=[1.0])


def everything(x: Any) -> dict[str, Any]:
    found = g.root(lambda u: [u[0] ** 3 + u[0] - x[0]], [0.0])
    y = g.solve(g.array([[x[0], 0.1], [x[1], 3.0]]), x) + found.solution[0]
    return {"y": y, "J": g.jacobian(y, x), "ok": found.converged}


def test_digest_is_the_same_in_every_process() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); from gough import graph as g; "
        "from tests.graph.test_recording import everything; print(g.record(everything, x=2).digest)"
    )
    here = g.record(everything, x=2).digest
    for seed in ("0", "1"):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == here


def test_digest_changes_with_all_that_decides_values() -> None:
    base = g.record(lambda x: x[0] * 2.0, x=2).digest
    others = [
        g.record(lambda x: x[0] * 3.0, x=2),
        g.record(lambda x: x[1] * 2.0, x=2),
        g.record(lambda x: x[0] * 2.0, x=3),
        g.record(lambda y: y[0] * 2.0, y=2),
        g.record(lambda x: {"y": x[0] * 2.0}, x=2),
        g.record(lambda x: [x[0] * 2.0], x=2),
        g.record(lambda x: g.Integer(x[0] * 2.0), x=2),
        g.record(lambda x: x[0] * 2.0, x=g.Input((2,), shared=True)),
        g.record(lambda x: x[0] * 2.0, x=g.Input((2,), "int")),
    ]
    roots = [
        g.record(lambda x, k=k, m=m: g.root(lambda u: [u[0] - k * x], [0.0], m).solution, x=()).digest
        for k, m in ((2.0, 5), (3.0, 5), (2.0, 6))
    ]
    assert len({base, *[o.digest for o in others]}) == 1 + len(others)
    assert len(set(roots)) == 3


def test_a_graph_survives_pickling_and_copying() -> None:
    graph = g.record(everything, x=2)
    x = [0.3, 0.4]
    for twin in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert twin.digest == graph.digest
        np.testing.assert_array_equal(evaluated(twin, x=x)["J"], evaluated(graph, x=x)["J"])


def test_representation_of_recorded_values() -> None:
    def equations(x: Any) -> Any:
        assert repr(x[0]) == "Expr(input %0)"
        assert repr(x[0] + x[1]).startswith("Expr(add %")
        assert repr(0.0 * x[0]) == "Expr(0.0)"
        return x

    g.record(equations, x=2)


def test_operation_names_are_complete() -> None:
    assert len(ops.NAMES) == len(set(ops.NAMES)) == ops.FMA + 1
