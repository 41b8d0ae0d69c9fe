"""A program on fixed buffers, for control loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

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


def _buffer(name: str, shape: tuple[int, ...], given: Any, written: bool) -> Buffer:
    if given is None:
        return np.zeros(shape)
    fit = isinstance(given, np.ndarray) and is_plain(given) and given.shape == shape
    if not fit or (written and not given.flags.writeable):
        what = "writeable float64 array" if written else "float64 array"
        raise InputError(f"buffer {name}: a {what} in C order of shape {shape} is needed")
    return given  # type: ignore[no-any-return]


def _check_apart(inputs: dict[str, Buffer], outputs: dict[str, Buffer]) -> None:
    seen = dict(inputs)
    for name, buffer in outputs.items():
        for other, memory in seen.items():
            if np.may_share_memory(buffer, memory):
                raise InputError(f"buffer {name}: shares memory with {other}")
        seen[name] = buffer
