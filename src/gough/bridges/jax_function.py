"""A graph as a JAX function: a call into gough's own kernels, with derivative graphs as its rules.

Straight-line XLA of the same operations takes minutes to compile for large robots; the kernels are ready in a second
and are cached. The rule of differentiation is the Jacobian by the inputs that move, a graph of its own, recorded when
it is first asked for: so jvp, grad, jacobians and derivatives of derivatives work. A vmap is one call of the kernel on
all samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Graph, Vector, jacobian, record
from gough.run import Program


def to_jax(graph: Graph | Program) -> Callable[..., Any]:
    """A function of the graph's inputs by name that JAX can jit, vmap and differentiate, any number of times.

    It gives an array if there is one output called "out", else a dict by name. Truth values and whole numbers come as
    numbers, and have no derivative.

    Args:
        graph: Recorded equations: `gough.record`, `gough.graph_of(robot)`, or a `Program`.

    Raises:
        InputError: JAX is not installed, or computes in 32 bits.
    """
    try:
        jax: Any = import_module("jax")
    except ImportError:
        raise InputError("to_jax needs a package: pip install 'gough[jax]'") from None
    if not jax.config.jax_enable_x64:
        raise InputError(
            'to_jax: JAX computes in 32 bits, too few for robots; say jax.config.update("jax_enable_x64", True) first'
        )
    given = graph.graph if isinstance(graph, Program) else graph
    whole = replace(given, inputs=tuple(replace(spec, shared=False) for spec in given.inputs))
    call = _call(whole)
    names = [spec.name for spec in whole.inputs]
    shapes = {spec.name: spec.shape for spec in whole.inputs}
    bare = [o.name for o in whole.outputs] == ["out"]

    def function(**inputs: Any) -> Any:
        if set(inputs) != set(names):
            raise InputError(f"inputs are {', '.join(names)}; given were {', '.join(inputs) or 'none'}")
        jnp: Any = import_module("jax.numpy")
        values = []
        for name in names:
            value = jnp.asarray(inputs[name], dtype=jnp.float64)
            if value.shape != shapes[name]:
                raise InputError(f"input {name}: shape {value.shape}, expected {shapes[name]}; jax.vmap is for many")
            values.append(value)
        found = call(*values)
        return found[0] if bare else {o.name: v for o, v in zip(whole.outputs, found, strict=True)}

    return function


def _call(graph: Graph) -> Callable[..., Any]:
    """A function of the inputs in order to the list of outputs."""
    jax: Any = import_module("jax")
    jnp: Any = import_module("jax.numpy")
    results = [jax.ShapeDtypeStruct(o.shape, np.float64) for o in graph.outputs]
    program = cache(lambda: Program(graph))
    slopes = cache(lambda moving: _call(_slopes(graph, moving)))

    def compute(*values: Any) -> list[Any]:
        arrays = [np.asarray(v, dtype=float) for v in values]
        leading = [a.shape[: a.ndim - len(s.shape)] for a, s in zip(arrays, graph.inputs, strict=True)]
        shape = np.broadcast_shapes(*leading) if leading else ()
        rows: dict[str, Any] = {
            s.name: np.ascontiguousarray(np.broadcast_to(a, shape + s.shape)).reshape(-1, *s.shape)
            for a, s in zip(arrays, graph.inputs, strict=True)
        }
        found = program()(**rows)
        named = found if isinstance(found, dict) else {"out": found}
        return [np.asarray(named[o.name], dtype=float).reshape(shape + o.shape) for o in graph.outputs]

    def plain(*values: Any) -> Any:
        return jax.pure_callback(compute, results, *values, vmap_method="expand_dims")

    call = jax.custom_jvp(plain)

    def rule(values: Any, tangents: Any) -> Any:
        moving = tuple(k for k, t in enumerate(tangents) if not isinstance(t, jax.custom_derivatives.SymbolicZero))
        found = call(*values)
        J = iter(slopes(moving)(*values) if moving else ())
        out = []
        for o in graph.outputs:
            total: Any = jnp.zeros(o.shape)
            for k in moving:
                total = total + jnp.tensordot(next(J), tangents[k], axes=len(graph.inputs[k].shape))
            out.append(total)
        return found, out

    call.defjvp(rule, symbolic_zeros=True)

    wrapped: Callable[..., Any] = call
    return wrapped


def _slopes(graph: Graph, moving: tuple[int, ...]) -> Graph:
    """The graph of the derivatives of every output by those inputs, one output each."""

    def equations(**inputs: Vector) -> dict[str, Vector]:
        outputs = graph(**inputs)
        found = {}
        for o in graph.outputs:
            for spec in (graph.inputs[k] for k in moving):
                value = outputs[o.name]
                if o.dtype != "float" or not len(o.nodes) or not spec.size:
                    found[f"{o.name} by {spec.name}"] = np.zeros(o.shape + spec.shape)
                else:
                    found[f"{o.name} by {spec.name}"] = jacobian(value, inputs[spec.name])
        return found

    return record(equations, **{spec.name: replace(spec, dtype="float") for spec in graph.inputs})
