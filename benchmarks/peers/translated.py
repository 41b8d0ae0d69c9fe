"""The same recorded equations in CasADi and in JAX: the expanded graph, carried over node by node.

Both packages are optional. CasADi writes into a given array through its own buffers; JAX gives an array of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.stewart_states import Array, States
from gough.graph import Graph, expand, ieee, ops

Call = Callable[[], Any]

_ARITHMETIC = {
    ops.ADD: operator.add,
    ops.SUB: operator.sub,
    ops.MUL: operator.mul,
    ops.DIV: operator.truediv,
    ops.NEG: operator.neg,
    ops.RECIP: lambda a: 1.0 / a,
    ops.LT: operator.lt,
    ops.LE: operator.le,
}
_NAMED = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.SIN: "sin", ops.COS: "cos"}


def translate(graph: Graph, inputs: Sequence[Any], module: Any, select: Callable[[Any, Any, Any], Any]) -> list[Any]:
    """The outputs of a graph in another package.

    Args:
        graph: Recorded equations, with the operations of the two tables above and selects.
        inputs: One scalar of the package for each element of the inputs.
        module: Has `sqrt`, `fabs`, `sin` and `cos` of such scalars.
        select: (condition, a, b) to a where the condition holds, else b.
    """
    functions = _ARITHMETIC | {op: getattr(module, name) for op, name in _NAMED.items()} | {ops.SELECT: select}
    flat = expand(graph)
    values: list[Any] = []
    for node in flat.nodes:
        if node[0] == ops.INPUT:
            values.append(inputs[node[1]])
        elif node[0] == ops.CONST:
            values.append(ieee.from_bits(node[1]))
        else:
            values.append(functions[node[0]](*[values[i] for i in ops.operands(node)]))
    return [values[i] for i in flat.output_nodes]


def casadi_call(graph: Graph, motion: States, out: Array, compiler: bool = False) -> Call:
    """A call of CasADi's virtual machine, or of its C code through the C compiler, for all samples.

    Args:
        graph: tau(x, xd, xdd).
        motion: x, xd, xdd (N, 6).
        out: (N, 6), where the forces go.
        compiler: Whether to compile the C code.
    """
    import casadi

    columns = [casadi.SX.sym(name, 6) for name in ("x", "xd", "xdd")]
    outputs = translate(graph, [c[k] for c in columns for k in range(6)], casadi, casadi.if_else)
    flags = {"flags": ["-O3", "-march=native"], "verbose": False}
    options = {"jit": True, "compiler": "shell", "jit_options": flags} if compiler else {}
    mapped = casadi.Function("tau", columns, [casadi.vertcat(*outputs)], options).map(len(out))
    buffer, evaluate = mapped.buffer()
    for k, values in enumerate(motion):
        buffer.set_arg(k, memoryview(values))
    buffer.set_res(0, memoryview(out))

    def call() -> Array:
        evaluate()
        return out

    call.keep = (mapped, buffer)  # type: ignore[attr-defined]
    return call


def jax_call(graph: Graph, motion: States) -> Call:
    """A call of `jax.jit(jax.vmap(tau))` in double precision, for all samples."""
    import jax

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    from jax import numpy as jnp

    def tau(x: Any, xd: Any, xdd: Any) -> Any:
        return jnp.stack(translate(graph, [*x, *xd, *xdd], jnp, jnp.where))

    compiled = jax.jit(jax.vmap(tau))
    given = [jnp.asarray(values) for values in motion]
    return lambda: np.asarray(compiled(*given).block_until_ready())
