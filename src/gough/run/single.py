"""Single samples, quickly: copied in, computed, copied out.

Checks, conversions and the search for memory cost several times what the equations of one sample do. So a program keeps
bound buffers for them, as many as calls are under way at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gough.graph import Graph
from gough.run.executor import Executor

_DOUBLE = np.dtype(np.float64)

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
            if type(value) is not np.ndarray:
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


def _listed(value: Any) -> Any:
    """A number, list or tuple as an array; None if it is none, or not of numbers."""
    if type(value) not in (list, tuple, float):
        return None
    try:
        return np.asarray(value)
    except ValueError:
        return None
