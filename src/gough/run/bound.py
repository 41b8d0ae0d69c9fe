"""A program on fixed buffers, for control loops, and single samples copied in and out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.graph import Graph
from gough.run.arrays import flattened, is_plain
from gough.run.executor import Buffer, Executor


class Bound:
    """Write into `inputs`, call, read from `outputs`: no checks, no allocation. Use one per thread.

    Attributes:
        inputs, outputs: float64 arrays by name. Truth values and whole numbers are 0.0, 1.0, ... in them.
        run: What a call runs, with nothing around it.
    """

    __slots__ = ("inputs", "outputs", "run")

    def __init__(self, call: Callable[[], Any], inputs: dict[str, Buffer], outputs: dict[str, Buffer]) -> None:
        self.run = call
        self.inputs = inputs
        self.outputs = outputs

    def __call__(self) -> None:
        """Computes the outputs from what the input buffers hold now."""
        self.run()


def bind(executor: Executor, graph: Graph, rows: int | None, given: dict[str, Any]) -> Bound:
    """A bound call on these buffers; those not given are made."""
    if rows is not None and (isinstance(rows, bool) or not isinstance(rows, int) or rows < 0):
        raise InputError(f"rows: {rows!r} given, expected a whole number, or None for one sample")
    front = () if rows is None else (rows,)
    input_shapes = {s.name: s.shape if s.shared else front + s.shape for s in graph.inputs}
    output_shapes = {o.name: front + o.shape for o in graph.outputs}
    for name in given:
        if name not in input_shapes and name not in output_shapes:
            known = ", ".join([*input_shapes, *output_shapes])
            raise InputError(f"buffer {name}: no such input or output; there are {known}")
        if name in input_shapes and name in output_shapes:
            raise InputError(f"buffer {name}: both an input and an output have this name; leave it to be made")
    inputs = {name: _buffer(name, shape, given.get(name), False) for name, shape in input_shapes.items()}
    outputs = {name: _buffer(name, shape, given.get(name), True) for name, shape in output_shapes.items()}
    _check_apart(inputs, outputs)
    count = 1 if rows is None else rows
    raw_inputs = [flattened(s, inputs[s.name], rows, count) for s in graph.inputs]
    raw_outputs = [outputs[o.name].reshape(count, len(o.nodes)) for o in graph.outputs]
    return Bound(executor.bind(raw_inputs, raw_outputs, count), inputs, outputs)


def _buffer(name: str, shape: tuple[int, ...], given: Buffer | None, written: bool) -> Buffer:
    if given is None:
        return np.zeros(shape)
    fit = isinstance(given, np.ndarray) and is_plain(given) and given.shape == shape
    if not fit or (written and not given.flags.writeable):
        what = "writeable float64 array" if written else "float64 array"
        raise InputError(f"buffer {name}: a {what} in C order of shape {shape} is needed")
    return given


def _check_apart(inputs: dict[str, Buffer], outputs: dict[str, Buffer]) -> None:
    seen = dict(inputs)
    for name, buffer in outputs.items():
        for other, memory in seen.items():
            if np.may_share_memory(buffer, memory):
                raise InputError(f"buffer {name}: shares memory with {other}")
        seen[name] = buffer


_DOUBLE, _ARRAY = np.dtype(np.float64), np.ndarray

_Buffers = tuple[Callable[[], Any], list[Any], Any]


class Singles:
    """Runs one sample at a time; safe from several threads."""

    __slots__ = ("_executor", "_graph", "_inputs", "_outputs", "_spare")

    def __init__(self, executor: Executor, graph: Graph) -> None:
        self._executor = executor
        self._graph = graph
        self._spare: list[_Buffers] = []
        self._inputs = [(spec.name, spec.shape) for spec in graph.inputs]
        self._outputs: list[tuple[str, Any, tuple[int, ...], bool]] = []
        start = 0
        for output in graph.outputs:
            stop = start + len(output.nodes)
            place: Any = slice(start, stop) if output.shape else start
            self._outputs.append((output.name, place, output.shape[1:] and output.shape, output.dtype == "bool"))
            start = stop

    def __call__(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Outputs by name, in memory of their own.

        None unless each input is there, as one sample of floats: what else it may be the general way finds out.
        """
        if len(given) != len(self._inputs):
            return None
        values = []
        for name, shape in self._inputs:
            value = given.get(name)
            if type(value) is not _ARRAY:
                value = _listed(value)
            if value is None or value.dtype is not _DOUBLE or value.shape != shape:
                return None
            values.append(value)
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = self._made()
        call, places, memory = buffers
        for place, value in zip(places, values, strict=True):
            place[...] = value
        call()
        found = memory.copy()
        self._spare.append(buffers)
        outputs = {}
        for name, place, shape, is_bool in self._outputs:
            output = found[place]
            if shape:
                output = output.reshape(shape)
            outputs[name] = output != 0.0 if is_bool else output
        return outputs

    def _made(self) -> _Buffers:
        """A bound call, its inputs, and the memory of all outputs, one after another."""
        graph = self._graph
        inputs = [np.zeros(spec.shape) for spec in graph.inputs]
        memory = np.zeros(sum(len(output.nodes) for output in graph.outputs))
        shapes = [(s.size,) if s.shared else (1, s.size) for s in graph.inputs]
        ends = np.cumsum([len(output.nodes) for output in graph.outputs])
        outputs = [part.reshape(1, -1) for part in np.split(memory, ends[:-1])]
        flat = [values.reshape(shape) for values, shape in zip(inputs, shapes, strict=True)]
        return self._executor.bind(flat, outputs, 1), inputs, memory


def _listed(value: object) -> NDArray[Any] | None:
    """A number, list or tuple as an array; None if it is none, or not of numbers."""
    if type(value) not in (list, tuple, float):
        return None
    try:
        return np.asarray(value)
    except ValueError:
        return None
