"""What single precision costs: a graph run on float32 numbers, as C code with floats runs it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.codegen.c_numbers import as_single
from gough.graph import Graph, expand, ieee, ops
from gough.graph.root import SMALL_STEP, TINY_STEP
from gough.run.routine import UFUNCS

TOLERANCE = 1e-3
"""Largest error of self-test results in single precision, relative to the largest number of each result."""
LEAST = 1e-2
"""Smaller results are compared with this instead of their own size."""

COARSE = {SMALL_STEP: 2.0**-11, TINY_STEP: 2.0**-18, 2.0**-48: 2.0**-20, 2.0**-53: 2.0**-24, 1e-6: 1e-4}
"""Bounds of iterations that single precision reaches, by those of double precision."""


def coarse(graph: Graph) -> Graph:
    """A graph whose iterations end where single precision can tell no more."""
    bits = {ieee.bits(a): ieee.bits(b) for a, b in COARSE.items()}
    nodes = tuple([(ops.CONST, bits.get(node[1], node[1])) if node[0] == ops.CONST else node for node in graph.nodes])
    return Graph(nodes, graph.labels, graph.inputs, graph.outputs, tuple(_Coarse(inner) for inner in graph.inners))


class _Coarse:
    """What a loop repeats, in single precision."""

    def __init__(self, inner: Any) -> None:
        self.size, self.max_iter = inner.size, inner.max_iter
        self.digest = f"{inner.digest}:coarse"
        self.flat_step = coarse(inner.flat_step)


def errors(graph: Graph, inputs: dict[str, Any], wanted: dict[str, Any]) -> dict[str, float]:
    """By output its largest error in single precision, relative to the largest number of each row.

    Args:
        graph: Any.
        inputs: (N, k) by name.
        wanted: Outputs by name in double precision.
    """
    flat = coarse(expand(graph))
    values = np.hstack(
        [np.asarray(inputs[spec.name]).reshape(len(next(iter(inputs.values()))), -1) for spec in flat.inputs]
    )
    with np.errstate(all="ignore"):
        found = _run(flat, values.astype(np.float32))
    at, told = 0, {}
    for output in flat.outputs:
        size = len(output.nodes)
        got = np.stack(found[at : at + size], axis=1).astype(float)
        want = np.asarray(wanted[output.name], dtype=float).reshape(len(got), -1)
        at += size
        if output.dtype == "float":
            scale = np.maximum(np.abs(want).max(axis=1, keepdims=True), LEAST)
            told[output.name] = float(np.max(np.abs(got - want) / scale))
    return told


def _run(graph: Graph, columns: Any) -> list[Any]:
    """Outputs, one array of float32 numbers per element."""
    rows = len(columns)
    values: list[Any] = []
    for node in graph.nodes:
        op, rest = node[0], node[1:]
        if op == ops.INPUT:
            value: Any = columns[:, rest[0]]
        elif op == ops.CONST:
            value = np.full(rows, as_single(ieee.from_bits(rest[0])), dtype=np.float32)
        elif op == ops.BOOL:
            value = np.full(rows, bool(rest[0]))
        elif op == ops.ITEM:
            value = values[rest[1]][rest[0]]
        elif op == ops.LOOP:
            value = _loop(graph.inners[rest[0]], [values[k] for k in rest[1:]])
        else:
            value = _OPERATIONS[op](*[values[k] for k in rest])
        values.append(value)
    return [values[i] for i in graph.output_nodes]


def _loop(inner: Any, given: list[Any]) -> list[Any]:
    states = inner.size + 2
    state, rest = np.stack(given[:states], axis=1), given[states:]
    for _ in range(inner.max_iter):
        if not (state[:, inner.size] != 0.0).any():
            break
        state = np.stack(_run(inner.flat_step, np.column_stack([state, *rest])), axis=1)
    return [*state.T]


_ONE = np.float32(1.0)
_OPERATIONS: dict[int, Any] = {
    **UFUNCS,
    ops.RECIP: lambda a: _ONE / a,
    ops.SIGN: np.sign,
    ops.MIN: lambda a, b: np.where((b < a) | (b != b), b, a),
    ops.MAX: lambda a, b: np.where((b > a) | (b != b), b, a),
    ops.SELECT: np.where,
    ops.SIN: np.sin,
    ops.COS: np.cos,
    ops.TAN: np.tan,
    ops.ASIN: np.arcsin,
    ops.ACOS: np.arccos,
    ops.ATAN: np.arctan,
    ops.ATAN2: np.arctan2,
    ops.EXP: np.exp,
    ops.LOG: np.log,
}
