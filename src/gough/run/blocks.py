"""The executor on NumPy: every operation over a block of samples, into buffers that are used again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Graph, ieee, ops
from gough.run.executor import Buffer

BLOCK = 4096
"""Rows per block: a working set of some hundred buffers stays in the second-level cache."""

_UFUNCS: dict[int, Any] = {
    ops.ADD: np.add,
    ops.SUB: np.subtract,
    ops.MUL: np.multiply,
    ops.DIV: np.divide,
    ops.NEG: np.negative,
    ops.SQRT: np.sqrt,
    ops.ABS: np.abs,
    ops.FLOOR: np.floor,
    ops.LT: np.less,
    ops.LE: np.less_equal,
    ops.EQ: np.equal,
    ops.NE: np.not_equal,
    ops.AND: np.logical_and,
    ops.OR: np.logical_or,
    ops.NOT: np.logical_not,
    ops.ISFINITE: np.isfinite,
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
_ONE, _MINUS_ONE = np.array(1.0), np.array(-1.0)


def _select(condition: Any, a: Any, b: Any, out: Any) -> None:
    np.copyto(out, b)
    np.copyto(out, a, where=condition)


def _sign(x: Any, out: Any) -> None:
    np.copyto(out, x)
    np.copyto(out, _ONE, where=x > 0.0)
    np.copyto(out, _MINUS_ONE, where=x < 0.0)


def _minimum(a: Any, b: Any, out: Any) -> None:
    _select((b < a) | (b != b), b, a, out)


def _maximum(a: Any, b: Any, out: Any) -> None:
    _select((b > a) | (b != b), b, a, out)


def _recip(x: Any, out: Any) -> None:
    np.divide(_ONE, x, out)


_OTHERS: dict[int, Callable[..., None]] = {
    ops.SELECT: _select,
    ops.SIGN: _sign,
    ops.MIN: _minimum,
    ops.MAX: _maximum,
    ops.RECIP: _recip,
}


class Blocks:
    """Runs a graph in blocks of samples on NumPy."""

    name = "blocks"

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._plans = threading.local()

    def run(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], begin: int, end: int) -> None:
        """Fills rows begin to end of the outputs."""
        flat_outputs = [out.reshape(out.shape[0], -1) for out in outputs]
        with np.errstate(all="ignore"):
            for first in range(begin, end, BLOCK):
                rows = slice(first, min(first + BLOCK, end))
                self._plan(rows.stop - rows.start).run(inputs, flat_outputs, rows)

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these buffers."""
        return lambda: self.run(inputs, outputs, 0, rows)

    def _plan(self, rows: int) -> _Plan:
        """This thread's plan for so many rows; the full block and the last other size are kept."""
        kept: dict[int, _Plan] = self._plans.__dict__.setdefault("by_rows", {})
        if rows not in kept:
            for other in [k for k in kept if k != BLOCK]:
                del kept[other]
            kept[rows] = _Plan(self._graph, rows)
        return kept[rows]


class _Plan:
    """The calls of a graph over a fixed number of rows, with their buffers."""

    def __init__(self, graph: Graph, rows: int) -> None:
        self.shared = [spec.shared for spec in graph.inputs]
        self.sizes = [spec.size for spec in graph.inputs]
        self.rows = rows
        self.columns: list[Any] = []
        for spec in graph.inputs:
            self.columns += [np.empty(() if spec.shared else rows) for _ in range(spec.size)]
        self.calls: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self._free: dict[bool, list[NDArray[Any]]] = {True: [], False: []}
        self.values = self._allocate(graph)
        self.results = [self.values[i] for i in graph.output_nodes]

    def run(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: slice) -> None:
        """Computes one block of rows."""
        column = 0
        for values, fixed, size in zip(inputs, self.shared, self.sizes, strict=True):
            flat = values.reshape(-1) if fixed else values.reshape(values.shape[0], -1)[rows]
            for k in range(size):
                self.columns[column + k][...] = flat[..., k]
            column += size
        for function, arguments in self.calls:
            function(*arguments)
        place = 0
        for out in outputs:
            for k in range(out.shape[1]):
                out[rows, k] = self.results[place + k]
            place += out.shape[1]

    def _allocate(self, graph: Graph) -> dict[int, Any]:
        """Values of all nodes as buffers; a buffer is used again after the last call that reads it."""
        last = {k: i for i, node in enumerate(graph.nodes) for k in ops.operands(node)}
        last |= dict.fromkeys(graph.output_nodes, len(graph.nodes))
        values: dict[int, Any] = {}
        for i, node in enumerate(graph.nodes):
            op = node[0]
            if op == ops.INPUT:
                values[i] = self.columns[node[1]]
                continue
            if op == ops.CONST:
                values[i] = np.array(ieee.from_bits(node[1]))
                continue
            if op == ops.BOOL:
                values[i] = np.array(bool(node[1]))
                continue
            if op == ops.ITEM:
                values[i] = values[node[2]][node[1]]
                continue
            arguments = tuple(values[k] for k in ops.operands(node))
            if op == ops.LOOP:
                loop = _Loop(graph.inners[node[1]], self.rows)
                values[i] = loop.state
                self.calls.append((loop.run, arguments))
                continue
            dying = [k for k in set(node[1:]) if last[k] == i and graph.nodes[k][0] > ops.BOOL]
            dying = [k for k in dying if graph.nodes[k][0] != ops.ITEM]
            if op in _UFUNCS:
                self._release(dying, values)
            is_bool = op in ops.BOOLEAN
            out = self._free[is_bool].pop() if self._free[is_bool] else np.empty(self.rows, bool if is_bool else float)
            if op not in _UFUNCS:
                self._release(dying, values)
            values[i] = out
            self.calls.append((_UFUNCS[op] if op in _UFUNCS else _OTHERS[op], (*arguments, out)))
        return values

    def _release(self, nodes: list[int], values: dict[int, Any]) -> None:
        for k in nodes:
            self._free[values[k].dtype == bool].append(values[k])


class _Loop:
    """A guarded Newton step, repeated while any row is active."""

    def __init__(self, inner: Any, rows: int) -> None:
        self.inner = inner
        self.step = _Plan(inner.flat_step, rows)
        self.state = [np.empty(rows) for _ in range(inner.size + 2)]

    def run(self, *arguments: Any) -> None:
        """Fills the state from the arguments (state..., parameters...)."""
        n = len(self.state)
        for mine, given in zip(self.state, arguments[:n], strict=True):
            mine[...] = given
        for mine, given in zip(self.step.columns[n:], arguments[n:], strict=True):
            mine[...] = given
        for _ in range(self.inner.max_iter):
            if not self.state[n - 2].any():
                break
            for mine, given in zip(self.step.columns, self.state, strict=False):
                mine[...] = given
            for function, call_arguments in self.step.calls:
                function(*call_arguments)
            for mine, given in zip(self.state, self.step.results, strict=True):
                mine[...] = given
