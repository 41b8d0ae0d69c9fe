"""The executor on NumPy: a graph as instructions on registers, each an array over the rows of a block.

A register is used again after the last instruction that reads it, the latest first: it is still in the cache.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Graph, ieee, ops
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
class Instruction:
    """An operation, or a loop, on registers; the last one (of a loop: the state's) is written."""

    operation: Operation | Loop
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
        out = self._place[i] = self._taken(kind)
        if op in APART:
            self._release(dying)
        operation = IN_PLACE[op] if op in IN_PLACE else APART[op]
        self.instructions.append(Instruction(operation, (*read, out)))

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


IN_PLACE: dict[int, Operation] = {
    ops.ADD: np.add,
    ops.SUB: np.subtract,
    ops.MUL: np.multiply,
    ops.DIV: np.divide,
    ops.NEG: np.negative,
    ops.RECIP: _recip,
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
"""Operations that may write over what they read."""

APART: dict[int, Operation] = {
    ops.SELECT: _select,
    ops.SIGN: _sign,
    ops.MIN: _minimum,
    ops.MAX: _maximum,
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
"""Operations that must not. NumPy's elementary functions could, but some then take another way to other bits."""


BLOCK = 4096
"""Most rows of a block. A call of NumPy costs 0.35 us, then 0.27 ns per row: half as many rows run 1.2 times as long,
twice as many 0.93 times, and need twice the memory (measured on 1600 operations, 77 registers)."""

SMALLEST = 16
"""Least rows of a block."""

_GAP = 8
"""Numbers between registers."""

_MEMORY = 64 * 2**20
"""Bytes of registers above which blocks are made smaller, down to 256 rows."""


class Blocks:
    """Runs a graph in blocks of samples on NumPy."""

    name = "blocks"

    def __init__(self, graph: Graph) -> None:
        self._shared = [spec.shared for spec in graph.inputs]
        self._routine = Routine(graph)
        self._block = BLOCK
        while self._block > 256 and self._routine.count(NUMBERS) * self._block * 8 > _MEMORY:
            self._block //= 2
        self._local = threading.local()

    def run(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], begin: int, end: int) -> None:
        """Fills rows begin to end of the outputs."""
        with np.errstate(all="ignore"):
            for first in range(begin, end, self._block):
                rows = slice(first, min(first + self._block, end))
                frame = self._frame(rows.stop - rows.start)
                samples = [v[None] if fixed else v[rows] for v, fixed in zip(inputs, self._shared, strict=True)]
                frame.fill([column for values in samples for column in values.T])
                frame.run()
                frame.read([column for out in outputs for column in out[rows].T])

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these buffers."""
        return lambda: self.run(inputs, outputs, 0, rows)

    def _frame(self, rows: int) -> Frame:
        """This thread's registers for at least so many rows: a power of two, so that there are few sizes."""
        size = max(SMALLEST, 1 << (rows - 1).bit_length())
        frames: dict[int, Frame] = self._local.__dict__.setdefault("frames", {})
        if size not in frames:
            frames[size] = Frame(self._routine, size)
        return frames[size]


class Frame:
    """A routine's registers over a fixed number of rows.

    The number is a multiple of any vector's lanes, registers are contiguous and do not touch: NumPy's elementary
    functions, which may give other bits in a tail, on strides, or where they suspect an overlap, never meet one.
    """

    def __init__(self, routine: Routine, rows: int) -> None:
        numbers = iter(np.zeros((routine.count(NUMBERS), rows + _GAP))[:, :rows])
        truths = iter(np.zeros((routine.count(TRUTHS), rows), dtype=bool))
        self.registers: list[NDArray[Any]] = []
        for kind in routine.kinds:
            if not isinstance(kind, str):
                self.registers.append(kind)
            elif kind == SHARED:
                self.registers.append(np.zeros(()))
            else:
                self.registers.append(next(numbers if kind == NUMBERS else truths))
        self._results = [self.registers[r] for r in routine.results]
        self._calls: list[tuple[Callable[..., Any], list[NDArray[Any]]]] = []
        for instruction in routine.instructions:
            operation: Any = instruction.operation
            call = _Repeated(operation, rows).run if isinstance(operation, Loop) else operation
            self._calls.append((call, [self.registers[r] for r in instruction.registers]))

    def fill(self, columns: Sequence[Buffer]) -> None:
        """Takes the inputs' columns; rows after their last repeat it."""
        for register, column in zip(self.registers, columns, strict=False):
            if register.ndim == 0:
                register[...] = column[0]
            else:
                register[: len(column)] = column
                register[len(column) :] = column[-1]

    def run(self) -> None:
        """Carries out the instructions."""
        for function, arguments in self._calls:
            function(*arguments)

    def read(self, columns: Sequence[Buffer]) -> None:
        """Hands the results out."""
        for result, column in zip(self._results, columns, strict=True):
            column[...] = result[: len(column)] if result.ndim else result

    def advance(self, state: Sequence[NDArray[Any]]) -> None:
        """Runs with this state, and puts the results in its place."""
        for register, value in zip(self.registers, state, strict=False):
            np.copyto(register, value)
        self.run()
        for value, result in zip(state, self._results, strict=True):
            np.copyto(value, result)


class _Repeated:
    """A guarded Newton step, repeated while any row is active."""

    def __init__(self, loop: Loop, rows: int) -> None:
        self._loop = loop
        self._frame = Frame(loop.step, rows)

    def run(self, *arguments: NDArray[Any]) -> None:
        """Fills the state, which is last among the arguments (start..., parameters..., state...)."""
        size = self._loop.size + 2
        given, state = arguments[:-size], arguments[-size:]
        for value, start in zip(state, given, strict=False):
            np.copyto(value, start)
        for register, parameter in zip(self._frame.registers[size:], given[size:], strict=False):
            np.copyto(register, parameter)
        for _ in range(self._loop.max_iter):
            if not state[-2].any():
                break
            self._frame.advance(state)
