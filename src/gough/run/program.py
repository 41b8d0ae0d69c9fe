"""`Program`: a graph compiled for an executor, called with arrays of one sample or of many."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Graph, Output
from gough.run.arrays import converted, empty, flattened, is_plain, owned
from gough.run.bound import Bound, Singles, bind
from gough.run.choose import make_executor
from gough.run.executor import Buffer
from gough.run.threads import check_threads, run_rows

_DTYPES = {"float": np.float64, "int": np.int64, "bool": np.bool_}


def targets_by_name(graph: Graph, out: Any, rows: int | None) -> dict[str, Any]:
    """The caller's arrays for the outputs by name, checked for name, shape and type.

    Raises:
        InputError: One that cannot take its output.
    """
    if out is None:
        return {}
    outputs = {o.name: o for o in graph.outputs}
    if isinstance(out, Mapping):
        targets = dict(out)
    elif len(outputs) == 1:
        targets = {next(iter(outputs)): out}
    else:
        raise InputError(f"out: a dict by output name is needed; there are {', '.join(outputs)}")
    for name, target in targets.items():
        if name not in outputs:
            raise InputError(f"out {name}: no such output; there are {', '.join(outputs)}")
        _check_target(outputs[name], target, rows)
    return targets


def _check_target(output: Output, target: object, rows: int | None) -> None:
    shape = _shape(output, rows)
    if not isinstance(target, np.ndarray):
        given = type(target).__name__
    elif target.shape != shape:
        given = f"shape {target.shape}"
    elif not target.flags.writeable:
        given = "a read-only one"
    elif target.dtype.kind not in "fiub" or not np.can_cast(_DTYPES[output.dtype], target.dtype, "same_kind"):
        given = f"one of {target.dtype}"
    else:
        return
    what = {"float": "real", "int": "integer", "bool": "bool"}[output.dtype]
    raise InputError(f"out {output.name}: a writeable {what} array of shape {shape} is needed, {given} given")


def _shape(output: Output, rows: int | None) -> tuple[int, ...]:
    return output.shape if rows is None else (rows, *output.shape)


def place_for(output: Output, target: Any, rows: int, taken: Sequence[Buffer | None]) -> Buffer:
    """A buffer of `rows` rows to compute an output in: the target itself if it is fit and apart from those taken."""
    if target is not None and output.dtype == "float" and is_plain(target):
        buffer: Buffer = target.reshape(rows, len(output.nodes))
        if not any(other is not None and np.may_share_memory(buffer, other) for other in taken):
            return buffer
    return empty(rows, len(output.nodes))


def delivered(output: Output, raw: Buffer, target: Any, rows: int | None) -> Any:
    """An output as the caller gets it: in the target if there is one."""
    value: Any = _shaped(raw, _shape(output, rows))[()]
    if output.dtype == "bool":
        value = value != 0.0
    elif output.dtype == "int":
        value = _whole(value)
    if target is None:
        return value
    if output.dtype != "float" or not np.may_share_memory(raw, target):
        target[...] = value
    return target


def _shaped(array: Buffer, shape: tuple[int, ...]) -> Buffer:
    """An array of this shape; the very same if it has it."""
    return array if array.shape == shape else array.reshape(shape)


def _whole(values: Array) -> Any:
    """Values as int64; NaN and values beyond 64 bits become the least int64, the same on every machine."""
    fits = np.abs(values) < 2.0**63
    return np.where(fits, np.where(fits, values, 0.0).astype(np.int64), np.iinfo(np.int64).min)[()]


class Program:
    """Computes a graph's outputs for one sample or for many.

    Per-sample inputs are given as one sample (shape as recorded) or as N of them (N in front); the outputs come the
    same way. One sample given beside N of another input serves all rows. Shared inputs are given once. Calls are safe
    from several threads, and the bits of a row do not depend on N, its place, the memory layout or the threads.

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
        self._names = [spec.name for spec in graph.inputs]
        self._wanted = {
            spec.name: spec.size if len(spec.shape) == 1 and spec.dtype == "float" and not spec.shared else None
            for spec in graph.inputs
        }
        for name in self._names:
            if name in ("out", "threads"):
                raise InputError(f"input {name}: this name is an option of the call; choose another")
        self.graph = graph
        self._executor = make_executor(graph, executor, opt, width)
        self.executor = self._executor.name
        self._returns_array = [o.name for o in graph.outputs] == ["out"]
        self._singles = None if any(o.dtype == "int" for o in graph.outputs) else Singles(self._executor, graph)

    def __repr__(self) -> str:
        """Its executor and graph."""
        return f"Program({self.graph!r}, {self.executor!r})"

    def __call__(self, /, *, out: Any = None, threads: int | None = None, **inputs: Any) -> Any:
        """The outputs: an array if there is one called "out", else a dict by name.

        Args:
            out: Array (or dict of arrays) to write into and return; any may be left out. It may overlap an input.
            threads: How many; by default one, and all cores from 100 000 samples on.
            inputs: By name.
        """
        if out is None and threads is None:
            found = self.single(inputs)
            if found is not None:
                return found["out"] if self._returns_array else found
        return self._results(inputs, out, threads)

    def with_inputs(
        self, inputs: dict[str, Any], without: Collection[str] = (), as_floats: Collection[str] = ()
    ) -> tuple[Any, dict[str, Buffer]]:
        """The outputs of many samples, and copies of the inputs by name that a result can keep, shapes as given.

        Rows are copied while the processor's cache holds them for the equations, which is far quicker than apart.

        Args:
            inputs: By name.
            without: Names of outputs that are not wanted; to store one of six numbers takes some 3 % of a call.
            as_floats: Names of outputs whose truth values may stay 1.0 and 0.0.
        """
        copies: dict[str, Buffer] = {}
        return self._results(inputs, None, None, copies, without, as_floats), copies

    def only(self, wanted: Collection[str], inputs: dict[str, Any]) -> dict[str, Any]:
        """Some of the outputs by name, with the bits they have in a call for all."""
        without = [o.name for o in self.graph.outputs if o.name not in wanted]
        found: dict[str, Any] = self._results(inputs, None, None, None, without)
        return found

    def _results(
        self,
        inputs: dict[str, Any],
        out: Any,
        threads: int | None,
        copies: dict[str, Buffer] | None = None,
        without: Collection[str] = (),
        as_floats: Collection[str] = (),
    ) -> Any:
        """The outputs; copies of the inputs are put into `copies` if it is given. Arguments as of the public calls."""
        check_threads(threads)
        buffers, own_rows = self._plain_rows(inputs) or self._inputs(inputs)
        rows = next((n for n in own_rows if n is not None), None)
        targets = targets_by_name(self.graph, out, rows)
        count = 1 if rows is None else rows
        raw: list[Buffer | None] = []
        for o in self.graph.outputs:
            raw.append(None if o.name in without else place_for(o, targets.get(o.name), count, [*buffers, *raw]))
        places: list[Buffer | None] = []
        if copies is not None:
            for spec, buffer, own in zip(self.graph.inputs, buffers, own_rows, strict=True):
                place = None if own is None else empty(own, buffer.shape[1])
                places.append(place)
                copies[spec.name] = (
                    owned(inputs[spec.name]) if place is None else _shaped(place, (len(place), *spec.shape))
                )
        run_rows(lambda begin, end: self._executor.run(buffers, raw, begin, end, places), count, threads)
        results = {
            o.name: _shaped(r, _shape(o, rows)) if o.name in as_floats else delivered(o, r, targets.get(o.name), rows)
            for o, r in zip(self.graph.outputs, raw, strict=True)
            if r is not None
        }
        return results["out"] if self._returns_array else results

    def single(self, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Outputs by name for one sample of floats, the quickest way; None if the inputs are anything else."""
        return None if self._singles is None else self._singles(inputs)

    def bind(self, rows: int | None = None, /, **buffers: Buffer) -> Bound:
        """A call on fixed buffers, for control loops: no checks, no allocation; use one per thread.

        Args:
            rows: Number of samples; None for a single one without the leading axis.
            buffers: float64 arrays in C order to read from and write to, by input and output name, apart from one
                another; those not given are made. Truth values and whole numbers are 0.0, 1.0, ... here.
        """
        return bind(self._executor, self.graph, rows, buffers)

    def _plain_rows(self, given: dict[str, Any]) -> tuple[list[Buffer], list[int | None]] | None:
        """The same as `_inputs` in a fraction of its time, where all are samples that a kernel can read as they are."""
        if given.keys() != self._wanted.keys():
            return None
        rows = None
        buffers: list[Buffer] = []
        for name, size in self._wanted.items():
            value = given[name]
            if size is None or type(value) is not np.ndarray or value.ndim != 2 or not is_plain(value):
                return None
            count, columns = value.shape
            if columns != size or rows not in (None, count):
                return None
            rows = count
            buffers.append(value)
        return buffers, [rows] * len(buffers)

    def _inputs(self, given: dict[str, Any]) -> tuple[list[Buffer], list[int | None]]:
        """Buffers of all inputs, and how many rows each was given, None for a single sample."""
        names = self._names
        for name in given:
            if name not in names:
                raise InputError(f"input {name}: no such input; expected {', '.join(names) or 'none'}")
        for name in names:
            if name not in given:
                raise InputError(f"input {name}: missing; expected {', '.join(names)}")
        ready = [converted(spec, given[spec.name]) for spec in self.graph.inputs]
        counts = {name: n for name, (_, n) in zip(names, ready, strict=True) if n is not None}
        if len(set(counts.values())) > 1:
            listed = ", ".join(f"{name} has {n}" for name, n in counts.items())
            raise InputError(f"inputs with different numbers of samples: {listed}")
        count = next(iter(counts.values()), 1)
        buffers = [
            flattened(spec, array, own, count) for spec, (array, own) in zip(self.graph.inputs, ready, strict=True)
        ]
        return buffers, [own for _, own in ready]
