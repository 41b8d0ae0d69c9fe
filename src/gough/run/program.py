"""A graph made ready to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Graph
from gough.run.arrays import converted, finished, with_rows
from gough.run.choose import make_executor
from gough.run.executor import Buffer
from gough.run.threads import run_rows


class Program:
    """Computes a graph's outputs for one sample or for many.

    Per-sample inputs are given as one sample (shape as recorded) or as N of them (N in front); the outputs come the
    same way. One sample given beside N of another input serves all rows. Shared inputs are given once. Calls are safe
    from several threads, and the bits of a row do not depend on N, its place, the memory layout or the number of threads.

    Attributes:
        graph: What it computes.
        executor: Name of the executor: "floats", "blocks" or "llvm".
    """

    def __init__(
        self, graph: Graph, executor: str = "auto", *, opt: int | None = None, width: int | None = None
    ) -> None:
        """A program of `graph`.

        Args:
            graph: Recorded equations.
            executor: "auto" chooses from the operation count; or "floats", "blocks", "llvm".
            opt: LLVM's optimisation level, 0 to 3; by default chosen from the operation count.
            width: Samples per vector, 2, 4 or 8; by default this machine's.
        """
        reserved = [spec.name for spec in graph.inputs if spec.name in ("out", "threads")]
        if reserved:
            raise InputError(f"input {reserved[0]}: this name is an option of the call; choose another")
        self.graph = graph
        self._executor = make_executor(graph, executor, opt, width)
        self.executor = self._executor.name

    def __call__(self, *, out: Any = None, threads: int | None = None, **inputs: Any) -> Any:
        """The outputs: an array if there is one called "out", else a dict by name.

        Args:
            out: Array (or dict of arrays) to write into and return; any may be left out.
            threads: How many; by default one, and all cores from 100 000 samples on.
            inputs: By name.
        """
        buffers, rows = self._inputs(inputs)
        given = self._given_outputs(out)
        count = 1 if rows is None else rows
        raw = {o.name: np.empty((count, *o.shape)) for o in self.graph.outputs}
        shapes = {name: r.shape[1:] if rows is None else r.shape for name, r in raw.items()}
        for name, target in given.items():
            _check_target(name, target, shapes[name])
            if _usable(target) and not any(np.may_share_memory(target, b) for b in buffers):
                raw[name] = target.reshape(raw[name].shape)
        outputs = list(raw.values())
        run_rows(lambda begin, end: self._executor.run(buffers, outputs, begin, end), count, threads)
        results: dict[str, Any] = {}
        for o in self.graph.outputs:
            value = finished(raw[o.name], o.dtype).reshape(shapes[o.name])
            if o.name in given:
                if not np.may_share_memory(value, given[o.name]):
                    given[o.name][...] = value
                value = given[o.name]
            results[o.name] = value
        return results["out"] if list(results) == ["out"] else results

    def bind(self, rows: int | None = None, **buffers: Buffer) -> Bound:
        """A call on fixed buffers, for control loops: no checks, no allocation; use one per thread.

        Args:
            rows: Number of samples; None for a single one without the leading axis.
            buffers: float64 arrays in C order to read from and write to, by input and output name; those not given are
                made. Truth values and whole numbers are 0.0, 1.0, ... here.
        """
        front = () if rows is None else (rows,)
        inputs = {s.name: (s.shape if s.shared else front + s.shape) for s in self.graph.inputs}
        outputs = {o.name: front + o.shape for o in self.graph.outputs}
        unknown = sorted(buffers.keys() - inputs.keys() - outputs.keys())
        if unknown:
            raise InputError(
                f"buffer {unknown[0]}: no such input or output; there are {', '.join([*inputs, *outputs])}"
            )
        made: dict[str, Buffer] = {}
        for name, shape in (inputs | outputs).items():
            array = buffers.get(name)
            if array is None:
                array = np.zeros(shape)
            elif not (isinstance(array, np.ndarray) and _usable(array) and array.shape == shape):
                raise InputError(f"buffer {name}: a writeable float64 array in C order of shape {shape} is needed")
            made[name] = array
        count = 1 if rows is None else rows
        raw_inputs = [made[s.name] if s.shared else made[s.name].reshape(count, *s.shape) for s in self.graph.inputs]
        raw_outputs = [made[o.name].reshape(count, *o.shape) for o in self.graph.outputs]
        call = self._executor.bind(raw_inputs, raw_outputs, count)
        return Bound(call, {n: made[n] for n in inputs}, {n: made[n] for n in outputs})

    def _inputs(self, given: dict[str, Any]) -> tuple[list[Buffer], int | None]:
        """Buffers of all inputs and the number of rows, None for a single sample."""
        names = [spec.name for spec in self.graph.inputs]
        unknown = [name for name in given if name not in names]
        if unknown:
            raise InputError(f"input {unknown[0]}: no such input; expected {', '.join(names) or 'none'}")
        missing = [name for name in names if name not in given]
        if missing:
            raise InputError(f"input {missing[0]}: missing; expected {', '.join(names)}")
        ready = [converted(spec, given[spec.name]) for spec in self.graph.inputs]
        counts = {spec.name: n for spec, (_, n) in zip(self.graph.inputs, ready, strict=True) if n is not None}
        if len(set(counts.values())) > 1:
            listed = ", ".join(f"{name} has {n}" for name, n in counts.items())
            raise InputError(f"inputs with different numbers of samples: {listed}")
        rows = next(iter(counts.values()), None)
        buffers = []
        for spec, (array, own) in zip(self.graph.inputs, ready, strict=True):
            buffers.append(array if spec.shared or own is not None else with_rows(array, 1 if rows is None else rows))
        return buffers, rows

    def _given_outputs(self, out: Any) -> dict[str, Any]:
        if out is None:
            return {}
        names = [o.name for o in self.graph.outputs]
        given = dict(out) if isinstance(out, Mapping) else {names[0]: out}
        if not isinstance(out, Mapping) and len(names) > 1:
            raise InputError(f"out: a dict by output name is needed; there are {', '.join(names)}")
        unknown = [name for name in given if name not in names]
        if unknown:
            raise InputError(f"out {unknown[0]}: no such output; there are {', '.join(names)}")
        return given


def _usable(array: Any) -> bool:
    """Whether a kernel can read and write this array as it is."""
    return bool(
        array.dtype == np.float64 and array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    )


def _check_target(name: str, target: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(target, np.ndarray) or target.shape != shape or not target.flags.writeable:
        given = f"shape {target.shape}" if isinstance(target, np.ndarray) else type(target).__name__
        raise InputError(f"out {name}: a writeable array of shape {shape} is needed, {given} given")


class Bound:
    """A program on fixed buffers: write into `inputs`, call, read from `outputs`."""

    __slots__ = ("_call", "inputs", "outputs")

    def __init__(self, call: Callable[[], Any], inputs: dict[str, Buffer], outputs: dict[str, Buffer]) -> None:
        self._call = call
        self.inputs = inputs
        self.outputs = outputs

    def __call__(self) -> None:
        """Computes the outputs from what the input buffers hold now."""
        self._call()
