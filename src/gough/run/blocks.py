"""The executor on NumPy: blocks of samples, an array for each register of a routine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Graph, ieee
from gough.graph.elementary import Elementary
from gough.graph.elementary_graph import elementary_graph
from gough.run.executor import Buffer, Copies, Outputs, copy_rows
from gough.run.routine import NUMBERS, SHARED, TRUTHS, Function, Loop, Operation, Routine

BLOCK = 4096
"""Most rows of a block. A call of NumPy costs 0.34 us, then 0.4 ns per row: half as many rows run 1.17 times as long,
twice as many 0.96 times, and need twice the memory (measured on 1600 operations, 77 registers)."""

SMALLEST = 16
"""Least rows of a block."""

_GAP = 8
"""Numbers between registers: a line of the cache, so that all begin with one."""

_LINE = 64
"""Bytes of a line of the cache: an operation on registers that begin between lines takes 1.7 times as long."""

_MEMORY = 64 * 2**20
"""Bytes of registers above which blocks are made smaller, down to 256 rows."""


class Blocks:
    """Runs a graph in blocks of samples on NumPy."""

    name = "blocks"

    def __init__(self, graph: Graph) -> None:
        self._shared = [spec.shared for spec in graph.inputs]
        self._widths = [len(output.nodes) for output in graph.outputs]
        self._routine = Routine(graph)
        self._block = BLOCK
        while self._block > 256 and self._routine.count(NUMBERS) * self._block * 8 > _MEMORY:
            self._block //= 2
        self._local = threading.local()

    def run(self, inputs: Sequence[Buffer], outputs: Outputs, begin: int, end: int, copies: Copies = ()) -> None:
        """Fills rows begin to end of the outputs and copies."""
        copy_rows(inputs, copies, begin, end)
        with np.errstate(all="ignore"):
            for first in range(begin, end, self._block):
                rows = slice(first, min(first + self._block, end))
                frame = self._frame(rows.stop - rows.start)
                samples = [v[None] if fixed else v[rows] for v, fixed in zip(inputs, self._shared, strict=True)]
                frame.fill([column for values in samples for column in values.T])
                frame.run()
                columns: list[Buffer | None] = []
                for out, width in zip(outputs, self._widths, strict=True):
                    columns += [None] * width if out is None else list(out[rows].T)
                frame.read(columns)

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


def _zeros(count: int, size: int, dtype: type) -> NDArray[Any]:
    """(count, size) zeros that begin with a line of the cache."""
    memory: NDArray[Any] = np.zeros(count * size + _LINE, dtype=dtype)
    first = -memory.ctypes.data % _LINE // memory.itemsize
    return memory[first : first + count * size].reshape(count, size)


class Frame:
    """A routine's registers over a fixed number of rows.

    The number is a multiple of any vector's lanes, registers are contiguous and do not touch: NumPy's elementary
    functions, which may give other bits in a tail, on strides, or where they suspect an overlap, never meet one.
    """

    def __init__(self, routine: Routine, rows: int) -> None:
        numbers = iter(_zeros(routine.count(NUMBERS), rows + _GAP, float)[:, :rows])
        truths = iter(_zeros(routine.count(TRUTHS), max(rows, _LINE), bool)[:, :rows])
        self.registers: list[NDArray[Any]] = []
        for kind in routine.kinds:
            if not isinstance(kind, str):
                self.registers.append(kind)
            elif kind == SHARED:
                self.registers.append(np.zeros(()))
            else:
                self.registers.append(next(numbers if kind == NUMBERS else truths))
        self._results = [self.registers[r] for r in routine.results]
        self._calls: list[tuple[Callable[..., Any], tuple[NDArray[Any], ...]]] = []
        self._functions: dict[Elementary, Frame] = {}
        for instruction in routine.instructions:
            call = self._call(instruction.operation, rows)
            self._calls.append((call, tuple(self.registers[r] for r in instruction.registers)))

    def _call(self, operation: Operation | Loop | Function, rows: int) -> Callable[..., Any]:
        if isinstance(operation, Loop):
            return _Repeated(operation, rows).run
        if isinstance(operation, Function):
            function = operation.elementary
            if function not in self._functions:
                self._functions[function] = Frame(_routine(function), rows)
            return _Evaluated(operation, self._functions[function]).run
        return operation

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

    def read(self, columns: Sequence[Buffer | None]) -> None:
        """Hands the results out that are wanted."""
        for result, column in zip(self._results, columns, strict=True):
            if column is not None:
                column[...] = result[: len(column)] if result.ndim else result

    def advance(self, state: Sequence[NDArray[Any]]) -> None:
        """Runs with this state, and puts the results in its place."""
        for register, value in zip(self.registers, state, strict=False):
            np.copyto(register, value)
        self.run()
        for value, result in zip(state, self._results, strict=True):
            np.copyto(value, result)

    def results(self) -> list[NDArray[Any]]:
        """The registers that hold them."""
        return self._results


@cache
def _routine(function: Elementary) -> Routine:
    return Routine(elementary_graph(function))


class _Evaluated:
    """An elementary function in all rows."""

    def __init__(self, function: Function, frame: Frame) -> None:
        self._function = function.elementary
        self._frame = frame
        self._wanted = [(function.elementary.operations.index(op), op) for op in function.wanted]

    def run(self, *arguments: NDArray[Any]) -> None:
        """Fills the values, which are last among the arguments."""
        count = self._function.arguments
        given, values = arguments[:count], arguments[count:]
        for register, value in zip(self._frame.registers, given, strict=False):
            np.copyto(register, value)
        self._frame.run()
        results = self._frame.results()
        for (k, _), value in zip(self._wanted, values, strict=True):
            if self._function.signed:
                np.copysign(results[k], given[0], out=value)
            else:
                np.copyto(value, results[k])
        if self._function.inside is not None and not results[-1].all():
            self._ask_library(np.flatnonzero(results[-1] == 0.0), values)

    def _ask_library(self, rows: NDArray[np.int64], values: Sequence[NDArray[Any]]) -> None:
        points = list(zip(*[r[rows].tolist() for r in self._frame.registers[: self._function.arguments]], strict=True))
        for (_, op), value in zip(self._wanted, values, strict=True):
            value[rows] = [ieee.LIBRARY[op](*point) for point in points]


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
