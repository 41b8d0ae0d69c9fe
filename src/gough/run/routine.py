"""A graph as instructions on registers, each an array over the rows of a block.

A register is used again after the last instruction that reads it, the latest first: it is still in the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Graph, ieee, ops
from gough.graph.elementary import BY_OPERATION, Elementary
from gough.run.executor import Buffer

NUMBERS, TRUTHS = "numbers", "truths"
"""Kinds of registers with a value per row. The others have one value for all rows: a 0-d array, or `SHARED`."""

SHARED = "shared"
"""Kind of a register that holds an element of a shared input."""


@dataclass(frozen=True, slots=True)
class Loop:
    """What repeats: a routine on (state..., parameters...) whose results are the next state."""

    step: Routine
    size: int
    max_iter: int


@dataclass(frozen=True, slots=True)
class Function:
    """An elementary function by its equations, and those of its values that are wanted."""

    elementary: Elementary
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Instruction:
    """An operation, a loop or a function on registers; the last one (the state's, all values') is written."""

    operation: Operation | Loop | Function
    registers: tuple[int, ...]


class Routine:
    """Instructions of an expanded graph.

    Attributes:
        kinds: For each register its kind: `NUMBERS`, `TRUTHS`, `SHARED` or a constant as a 0-d array.
        instructions: In order.
        results: Registers of the outputs.
    """

    def __init__(self, graph: Graph) -> None:
        self.kinds: list[Any] = []
        for spec in graph.inputs:
            self.kinds += [SHARED if spec.shared else NUMBERS] * spec.size
        self.instructions: list[Instruction] = []
        self._free: dict[str, list[int]] = {NUMBERS: [], TRUTHS: []}
        last = {k: i for i, node in enumerate(graph.nodes) for k in ops.operands(node)}
        last |= dict.fromkeys(graph.output_nodes, len(graph.nodes))
        self._place: dict[int, int] = {}
        self._bundles: dict[int, int] = {}
        self._nodes = set(graph.nodes)
        self._values: dict[ops.Node, int] = {}
        for i, node in enumerate(graph.nodes):
            dying = [k for k in set(ops.operands(node)) if last[k] == i and graph.nodes[k][0] in _RELEASED]
            self._add(graph, i, node, [self._place[k] for k in dying])
        self.results = [self._place[i] for i in graph.output_nodes]

    def count(self, kind: str) -> int:
        """Number of registers of this kind."""
        return sum(1 for k in self.kinds if isinstance(k, str) and k == kind)

    def _add(self, graph: Graph, i: int, node: ops.Node, dying: list[int]) -> None:
        op = node[0]
        if op == ops.INPUT:
            self._place[i] = node[1]
        elif op == ops.CONST:
            self._place[i] = self._register(np.array(ieee.from_bits(node[1])))
        elif op == ops.BOOL:
            self._place[i] = self._register(np.array(bool(node[1])))
        elif op == ops.ITEM:
            self._place[i] = self._bundles[node[2]] + node[1]
        elif op == ops.LOOP:
            self._add_loop(graph, i, node)
        elif op in BY_OPERATION:
            self._add_function(i, node, dying)
        else:
            self._add_operation(i, node, dying)

    def _add_operation(self, i: int, node: ops.Node, dying: list[int]) -> None:
        op = node[0]
        read = [self._place[k] for k in node[1:]]
        if op in ops.TRANSCENDENTAL:
            spread = {r: self._spread(r) for r in set(read) if self.kinds[r] not in (NUMBERS, TRUTHS)}
            read = [spread.get(r, r) for r in read]
            dying = [*dying, *spread.values()]
        kind = TRUTHS if op in ops.BOOLEAN else NUMBERS
        if op in IN_PLACE:
            self._release(dying)
        if op == ops.SELECT and read[2] in dying and read[2] != read[1]:
            out = read[2]  # only where the condition holds is there something to copy
            dying.remove(out)
        else:
            out = self._taken(kind)
        self._place[i] = out
        if op in APART:
            self._release(dying)
        operation = IN_PLACE[op] if op in IN_PLACE else APART[op]
        self.instructions.append(Instruction(operation, (*read, out)))

    def _add_function(self, i: int, node: ops.Node, dying: list[int]) -> None:
        """Of sine and cosine both are computed where the first is needed, if both are."""
        function = BY_OPERATION[node[0]]
        if node not in self._values:
            wanted = tuple(op for op in function.operations if (op, *node[1:]) in self._nodes)
            out = [self._taken(NUMBERS) for _ in wanted]
            self._values |= {(op, *node[1:]): r for op, r in zip(wanted, out, strict=True)}
            read = [self._place[k] for k in node[1:]]
            self.instructions.append(Instruction(Function(function, wanted), (*read, *out)))
        self._place[i] = self._values[node]
        self._release(dying)

    def _add_loop(self, graph: Graph, i: int, node: ops.Node) -> None:
        inner = graph.inners[node[1]]
        state = [self._register(NUMBERS) for _ in range(inner.size + 2)]
        self._bundles[i] = state[0]
        loop = Loop(Routine(inner.flat_step), inner.size, inner.max_iter)
        read = [self._place[k] for k in node[2:]]
        self.instructions.append(Instruction(loop, (*read, *state)))

    def _spread(self, register: int) -> int:
        """A register with a shared value in every row: NumPy's elementary functions may differ in bits by stride."""
        full = self._taken(NUMBERS)
        self.instructions.append(Instruction(copy, (register, full)))
        return full

    def _register(self, kind: str | Buffer) -> int:
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def _taken(self, kind: str) -> int:
        return self._free[kind].pop() if self._free[kind] else self._register(kind)

    def _release(self, registers: list[int]) -> None:
        for r in registers:
            self._free[self.kinds[r]].append(r)


_RELEASED = frozenset(range(len(ops.NAMES))) - ops.BUNDLES - {ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM}
"""Operations whose registers may be used again; those of inputs, constants and loops stay."""


Operation = Callable[..., Any]

_ONE, _MINUS_ONE = np.array(1.0), np.array(-1.0)


def copy(x: NDArray[Any], out: NDArray[Any]) -> None:
    """x in all rows."""
    np.copyto(out, x)


def _select(condition: NDArray[Any], a: NDArray[Any], b: NDArray[Any], out: NDArray[Any]) -> None:
    if out is not b:
        np.copyto(out, b)
    np.copyto(out, a, where=condition)


def _sign(x: NDArray[Any], out: NDArray[Any]) -> None:
    np.copyto(out, x)
    np.copyto(out, _ONE, where=x > 0.0)
    np.copyto(out, _MINUS_ONE, where=x < 0.0)


def _minimum(a: NDArray[Any], b: NDArray[Any], out: NDArray[Any]) -> None:
    _select((b < a) | (b != b), b, a, out)


def _maximum(a: NDArray[Any], b: NDArray[Any], out: NDArray[Any]) -> None:
    _select((b > a) | (b != b), b, a, out)


def _recip(x: NDArray[Any], out: NDArray[Any]) -> None:
    np.divide(_ONE, x, out)


UFUNCS: dict[int, np.ufunc] = {
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
}
"""Operations that NumPy has as they are meant, in any precision."""

IN_PLACE: dict[int, Operation] = {**UFUNCS, ops.RECIP: _recip}
"""Operations that may write over what they read."""

APART: dict[int, Operation] = {
    ops.SELECT: _select,
    ops.SIGN: _sign,
    ops.MIN: _minimum,
    ops.MAX: _maximum,
    ops.EXP: np.exp,
    ops.LOG: np.log,
}
"""Operations that must not, but for SELECT, which may write over its last operand. NumPy's elementary functions could,
but some then take another way to other bits."""
