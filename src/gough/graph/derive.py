"""Exact derivatives of recorded values, as more recorded values.

Forward (`jvp`, `jacobian`) and reverse (`vjp`, `gradient`) share one table of partial derivatives. Any order comes by
repetition. Linear solves and roots are differentiated implicitly; value and derivatives share one factorisation.

At the edges the derivative is what mathematics says: `sqrt` at 0 and `asin`, `acos` at +-1 have an infinite slope;
`atan2` at the origin and `sqrt`, `asin`, `acos` outside their domain give NaN; `log` has the slope 1 / x everywhere.
`abs` and `sign` have slope 0 at 0, `floor`, comparisons and `isfinite` everywhere. `where` takes the derivative of the
branch taken, whatever the other one holds (inf and NaN included), and what is constant there has derivative 0, whatever
slope follows; `minimum` and `maximum` take that of the first of equals.

A derivative by x includes everything that was recorded from x. Where a function takes further values, say rates v,
and differentiates by x at fixed v, `with_fixed` keeps that true also for rates that were themselves recorded from x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from gough.graph import ops
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.forward_sweep import forward
from gough.graph.graph import live_nodes
from gough.graph.inline import inline
from gough.graph.reverse_sweep import reverse
from gough.graph.root import extract
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape


def jvp(outputs: Vector, inputs: Vector, tangents: Vector) -> Vector:
    """Derivative of `outputs` along `tangents` of `inputs`, in the shape of the outputs.

    Args:
        outputs: A recorded value, or an array of them.
        inputs: Recorded values, inputs or intermediate; taken as independent of each other.
        tangents: A number per input.
    """
    tape = _tape_of_inputs(inputs)
    if tape is None:
        return _like(outputs, [0.0] * np.size(outputs))
    wrt, seeds = _independent(tape, inputs), _indices(tape, tangents)
    if len(wrt) != len(seeds):
        raise ValueError(f"jvp has {len(wrt)} inputs but {len(seeds)} tangents")
    out = _indices(tape, outputs)
    tangent = forward(tape, _between(tape, out, wrt), dict(zip(wrt, seeds, strict=True)))
    return _like(outputs, [_expr_or_zero(tape, tangent.get(i)) for i in out])


def vjp(outputs: Vector, inputs: Vector, cotangents: Vector) -> Vector:
    """Product of `cotangents` with the derivative of `outputs` by `inputs`, in the shape of the inputs."""
    tape = _tape_of_inputs(inputs)
    if tape is None:
        return np.zeros(np.shape(inputs))
    out, wrt, seeds = _indices(tape, outputs), _independent(tape, inputs), _indices(tape, cotangents)
    if len(out) != len(seeds):
        raise ValueError(f"vjp has {len(out)} outputs but {len(seeds)} cotangents")
    adjoint = reverse(tape, _between(tape, out, wrt), wrt, zip(out, seeds, strict=True))
    return _like(inputs, [_expr_or_zero(tape, adjoint.get(i)) for i in wrt])


def gradient(output: Scalar, inputs: Vector) -> Vector:
    """Derivative of one recorded number by each of the inputs, in their shape."""
    if np.size(output) != 1:
        raise ValueError(f"gradient is of one number, not of shape {np.shape(output)}; use jacobian")
    return vjp(np.asarray(output, dtype=object).reshape(1), inputs, [1.0])


def jacobian(outputs: Vector, inputs: Vector, mode: str = "auto") -> Vector:
    """Derivatives of every output by every input: shape of the outputs followed by shape of the inputs.

    Args:
        outputs, inputs: Recorded values or arrays of them.
        mode: "forward" by columns, "reverse" by rows, "auto" whichever is fewer.
    """
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f'mode {mode!r}: choose "forward", "reverse" or "auto"')
    shape = np.shape(outputs) + np.shape(inputs)
    tape = _tape_of_inputs(inputs)
    if tape is None:
        return np.zeros(shape)
    out, wrt = _indices(tape, outputs), _independent(tape, inputs)
    J = np.zeros((len(out), len(wrt)), dtype=object)
    one = tape.const(1.0)
    between = _between(tape, out, wrt)
    if mode == "forward" or (mode == "auto" and len(wrt) <= len(out)):
        for j, i in enumerate(wrt):
            tangent = forward(tape, between, {i: one})
            J[:, j] = [_expr_or_zero(tape, tangent.get(k)) for k in out]
    else:
        for row, i in enumerate(out):
            adjoint = reverse(tape, between, wrt, [(i, one)])
            J[row] = [_expr_or_zero(tape, adjoint.get(k)) for k in wrt]
    return J.reshape(shape)


def with_fixed(function: Callable[[Vector], Vector], values: Vector, inputs: Vector) -> Vector:
    """Result of `function(values)`, whose derivatives by `inputs` take the values as constants.

    Values that were recorded from the inputs are replaced by fresh unknowns while the function is recorded, and put in
    their places afterwards; later derivatives of the result go through them again. Others are passed as they are.

    Args:
        function: From values (m,) to an array of numbers, recorded or plain.
        values: (m,) recorded or plain.
        inputs: What the function differentiates by.
    """
    values = np.asarray(values, dtype=object)
    dependent = recorded_from(inputs, values)
    if not dependent:
        return function(values)
    tape = values[dependent[0]].tape
    unknowns = [tape.unknown() for _ in dependent]
    fresh = values.copy()
    fresh[dependent] = [Expr(tape, i) for i in unknowns]
    result = np.array(function(fresh), dtype=object)
    places = [k for k, value in enumerate(result.flat) if type(value) is Expr]
    if not places:
        return result
    graph, parameters = extract(tape, [result.flat[k].index for k in places], unknowns)
    nodes = inline(graph, tape, [*[value.index for value in values[dependent]], *parameters])
    for k, node in zip(places, graph.output_nodes, strict=True):
        result.flat[k] = Expr(tape, nodes[node])
    return result


def recorded_from(inputs: Vector, values: Vector) -> list[int]:
    """Places of those of the values (m,) that were recorded from any of the inputs."""
    traced = [(k, value.index) for k, value in enumerate(values) if type(value) is Expr]
    tape = tape_of(inputs)
    if not traced or tape is None:
        return []
    sources = _indices(tape, inputs)
    depends = {*sources, *_between(tape, [i for _, i in traced], sources)}
    return [k for k, i in traced if i in depends]


def _tape_of_inputs(inputs: Vector) -> Tape | None:
    """The tape of the inputs, None where there are no inputs."""
    tape = tape_of(inputs)
    if tape is None and np.size(inputs):
        raise ValueError("derivative by plain numbers: only recorded values can be differentiated by; use record")
    return tape


def _indices(tape: Tape, values: Vector) -> list[int]:
    return [number_index(tape, v) for v in np.asarray(values, dtype=object).flat]


def _independent(tape: Tape, inputs: Vector) -> list[int]:
    """Indices of what is differentiated by: no constants (one node serves all equal ones), none twice."""
    wrt = _indices(tape, inputs)
    for place, i in enumerate(wrt):
        if tape.value(i) is not None:
            raise ValueError(f"derivative by element {place} of the inputs, which is the constant {tape.value(i)!r}")
    if len(set(wrt)) < len(wrt):
        raise ValueError("derivative by inputs of which two are the same recorded value")
    return wrt


def _like(template: Vector, values: list[Scalar]) -> Vector:
    if np.shape(template) == ():
        return values[0]
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(np.shape(template))


def _expr_or_zero(tape: Tape, index: int | None) -> Scalar:
    return 0.0 if index is None else Expr(tape, index)


def _between(tape: Tape, outputs: list[int], inputs: Iterable[int]) -> list[int]:
    """Nodes that depend on the inputs and that the outputs need, in order."""
    depends = bytearray(len(tape.nodes))
    sources = set(inputs)
    for i in sources:
        depends[i] = 1
    between = []
    for i in live_nodes(tape.nodes, outputs):
        if not depends[i] and any([depends[k] for k in ops.operands(tape.nodes[i])]):
            depends[i] = 1
            between.append(i)
    return between
