"""A finished recording: named inputs, named outputs, and the nodes between them."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from numbers import Integral
from typing import Any, Literal

import numpy as np

from gough.graph import ieee, ops
from gough.graph.expr import Expr, is_truth, number_index, tape_of, truth_index
from gough.graph.inline import inline
from gough.graph.ops import Node
from gough.graph.scalars import Vector
from gough.graph.tape import Tape

Dtype = Literal["float", "int", "bool"]

_recording: ContextVar[Tape | None] = ContextVar("recording", default=None)


@dataclass(frozen=True, slots=True)
class Input:
    """A named input: its shape per sample, its type, and whether one value serves a whole call (`shared`)."""

    shape: tuple[int, ...] = ()
    dtype: Dtype = "float"
    shared: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        given: Any = self.shape
        shape = (given,) if isinstance(given, Integral) else tuple(given)
        if not all(isinstance(n, Integral) and int(n) >= 0 for n in shape):
            raise ValueError(f"shape {given!r} of an input: a tuple of sizes is needed")
        if self.dtype not in ("float", "int", "bool"):
            raise ValueError(f'dtype {self.dtype!r} of an input: choose "float", "int" or "bool"')
        object.__setattr__(self, "shape", tuple(int(n) for n in shape))

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Output:
    """A named output: its shape per sample, its type and the nodes of its elements."""

    name: str
    shape: tuple[int, ...]
    dtype: Dtype
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Integer:
    """Marks an output as whole numbers: `return {"status": Integer(code)}`."""

    value: Vector


@dataclass(frozen=True, eq=False)
class Graph:
    """Straight-line equations, recorded. Immutable; only what the outputs need is kept.

    Calling it with recorded values writes it into their recording, like a function call.
    """

    nodes: tuple[Node, ...]
    labels: tuple[str, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    inners: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        """Its size, inputs and outputs."""
        names = [", ".join(entry.name for entry in entries)[:300] for entries in (self.inputs, self.outputs)]
        return f"Graph({len(self.nodes)} nodes, from {names[0]} to {names[1]})"

    @cached_property
    def digest(self) -> str:
        """Hex digest of everything that decides its values; labels do not."""
        signature = (
            self.nodes,
            tuple((i.name, i.shape, i.dtype, i.shared) for i in self.inputs),
            tuple((o.name, o.shape, o.dtype, o.nodes) for o in self.outputs),
            tuple(inner.digest for inner in self.inners),
        )
        return hashlib.sha256(marshal.dumps(signature, 2)).hexdigest()

    @property
    def output_nodes(self) -> list[int]:
        """Nodes of all outputs, one after the other."""
        return [i for output in self.outputs for i in output.nodes]

    def __call__(self, /, **values: Vector) -> dict[str, Vector]:
        """Outputs by name, recorded on the tape of the given values."""
        names = [spec.name for spec in self.inputs]
        if set(values) != set(names):
            raise TypeError(f"the graph takes the inputs {', '.join(names)}; given were {', '.join(values) or 'none'}")
        tape = tape_of(*values.values()) or _recording.get()
        if tape is None:
            raise TypeError("a graph is called with recorded values; make a gough.run.Program to compute numbers")
        given: list[int] = []
        for spec in self.inputs:
            value = np.asarray(values[spec.name], dtype=object)
            if value.shape != spec.shape:
                raise ValueError(f"input {spec.name} has shape {value.shape}, expected {spec.shape}")
            given += [_raw_input(tape, element, spec) for element in value.flat]
        new = inline(self, tape, given)
        return {o.name: _shaped([Expr(tape, new[i]) for i in o.nodes], o.shape, o.dtype) for o in self.outputs}

    def __str__(self) -> str:
        return text(self)


def record(function: Callable[..., Vector], /, **inputs: Input | int | tuple[int, ...]) -> Graph:
    """The graph of `function`, called once with recorded arrays.

    Args:
        function: Equations. Takes the inputs by name; returns a number, an array or nested lists of them (one output
            called "out"), or a dict of such by name, where `Integer(...)` marks whole numbers.
        inputs: For each input its shape: a number of elements, a tuple, or an `Input` for other types and for inputs
            shared by all samples of a call. The shape () gives a scalar.
    """
    tape = Tape()
    specs: list[Input] = []
    values: dict[str, Any] = {}
    slot = 0
    for name, given in inputs.items():
        spec = given if isinstance(given, Input) else Input(given)  # type: ignore[arg-type]
        spec = replace(spec, name=name)
        elements = [Expr(tape, tape.node((ops.INPUT, slot + k))) for k in range(spec.size)]
        slot += spec.size
        specs.append(spec)
        values[name] = _shaped(elements, spec.shape, spec.dtype)
    token = _recording.set(tape)
    try:
        result = function(**values)
    finally:
        _recording.reset(token)
    named = result if isinstance(result, dict) else {"out": result}
    return finish(tape, tuple(specs), [_output(tape, name, value) for name, value in named.items()])


@contextmanager
def label(name: str) -> Iterator[None]:
    """Labels what is recorded inside, for `count`; has no effect on plain floats."""
    tape = _recording.get()
    if tape is None:
        yield
        return
    before, tape.label = tape.label, name
    try:
        yield
    finally:
        tape.label = before


def _shaped(elements: list[Expr], shape: tuple[int, ...], dtype: Dtype) -> Vector:
    if dtype == "bool":
        elements = [Expr(e.tape, e.tape.apply(ops.NE, e.index, e.tape.const(0.0))) for e in elements]
    if shape == ():
        return elements[0]
    out = np.empty(len(elements), dtype=object)
    out[:] = elements
    return out.reshape(shape)


def _raw_input(tape: Tape, value: Vector, spec: Input) -> int:
    if spec.dtype == "bool":
        return tape.select(truth_index(tape, value), tape.const(1.0), tape.const(0.0))
    return number_index(tape, value)


def _output(tape: Tape, name: str, value: Vector) -> Output:
    """The output `name`; truth values leave as 1.0 and 0.0."""
    dtype: Dtype = "float"
    if isinstance(value, Integer):
        dtype, value = "int", value.value
    elements = np.asarray(value, dtype=object)
    truths = [is_truth(e) for e in elements.flat]
    if truths and all(truths):
        dtype = "bool" if dtype == "float" else dtype
        one, zero = tape.const(1.0), tape.const(0.0)
        nodes = [tape.select(truth_index(tape, e), one, zero) for e in elements.flat]
    else:
        nodes = [number_index(tape, e) for e in elements.flat]
    return Output(name, elements.shape, dtype, tuple(nodes))


def live_nodes(nodes: list[Node] | tuple[Node, ...], roots: list[int]) -> list[int]:
    """Indices of all nodes that `roots` need, in order."""
    needed = bytearray(len(nodes))
    for i in roots:
        needed[i] = 1
    for i in range(max(roots, default=-1), -1, -1):
        if needed[i]:
            for k in ops.operands(nodes[i]):
                needed[k] = 1
    return [i for i, mark in enumerate(needed) if mark]


def finish(tape: Tape, inputs: tuple[Input, ...], outputs: list[Output]) -> Graph:
    """A graph of what the outputs need, renumbered."""
    kept = live_nodes(tape.nodes, [i for output in outputs for i in output.nodes])
    if any([tape.nodes[i][0] == ops.INPUT and tape.nodes[i][1] < 0 for i in kept]):
        raise ValueError("an output uses the unknowns of a root outside its residual; use the root's solution")
    new = [-1] * len(tape.nodes)
    for place, i in enumerate(kept):
        new[i] = place
    used = sorted({tape.nodes[i][1] for i in kept if tape.nodes[i][0] in (ops.ROOT, ops.LOOP)})
    nodes: list[Node] = []
    for i in kept:
        node = ops.renumbered(tape.nodes[i], new)
        if node[0] in (ops.ROOT, ops.LOOP):
            node = (node[0], used.index(node[1]), *node[2:])
        nodes.append(node)
    return Graph(
        tuple(nodes),
        tuple([tape.labels[i] for i in kept]),
        inputs,
        tuple([Output(o.name, o.shape, o.dtype, tuple([new[i] for i in o.nodes])) for o in outputs]),
        tuple([tape.inners[k] for k in used]),
    )


def text(graph: Graph) -> str:
    """One line per node: its number, operation, operands and label; then the outputs."""
    names = [spec.name + (f"[{k}]" if spec.shape else "") for spec in graph.inputs for k in range(spec.size)]
    lines = []
    for i, (node, label) in enumerate(zip(graph.nodes, graph.labels, strict=True)):
        remark = f"    # {label}" if label else ""
        lines.append(f"%{i} = {_operation(node, names)}{remark}")
    for output in graph.outputs:
        elements = " ".join(f"%{i}" for i in output.nodes)
        lines.append(f"{output.name}{list(output.shape)} {output.dtype} = {elements}")
    return "\n".join(lines)


def _operation(node: Node, names: list[str]) -> str:
    op, name = node[0], ops.NAMES[node[0]]
    if op == ops.INPUT:
        return names[node[1]]
    if op == ops.CONST:
        return repr(ieee.from_bits(node[1]))
    if op == ops.BOOL:
        return str(bool(node[1]))
    head = f" {node[1]}" if ops.FIRST_OPERAND[op] == 2 else ""
    return name + head + "".join(f" %{i}" for i in ops.operands(node))
