"""A graph as a CasADi function: SX without roots, MX with a `rootfinder` for each root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from gough.errors import InputError
from gough.graph import Graph, ieee, ops
from gough.graph.expand import without_factors
from gough.graph.root import Inner
from gough.run import Program

_RESIDUAL = 1e-13


def to_casadi(graph: Graph | Program, name: str = "f") -> Any:
    """The `casadi.Function` of a graph, inputs and outputs by their names.

    A graph without roots becomes SX, expressions of scalars; roots become `rootfinder` nodes of MX, with CasADi's own
    implicit derivatives. Vectors are columns; arrays of more than two dimensions are columns by rows.

    Args:
        graph: Recorded equations: `gough.record`, `gough.graph_of(robot)`, or a `Program`.
        name: The function's.

    Raises:
        InputError: CasADi is not installed.
    """
    try:
        casadi: Any = import_module("casadi")
    except ImportError:
        raise InputError("to_casadi needs a package: pip install 'gough[casadi]'") from None
    given = graph.graph if isinstance(graph, Program) else graph
    flat = without_factors(given)
    kind = casadi.MX if flat.inners else casadi.SX
    symbols = [kind.sym(spec.name, *_matrix(spec.shape)) for spec in flat.inputs]
    elements = [e for spec, s in zip(flat.inputs, symbols, strict=True) for e in _elements(s, spec.shape)]
    found = walked(flat, elements, _functions(casadi), kind, kind, _Roots(casadi))
    outputs, at = [], 0
    for o in flat.outputs:
        outputs.append(_shaped(casadi, kind, found[at : at + len(o.nodes)], o.shape))
        at += len(o.nodes)
    return casadi.Function(name, symbols, outputs, [s.name for s in flat.inputs], [o.name for o in flat.outputs])


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    if len(shape) <= 2:
        rows, columns = (*shape, 1, 1)[:2]
        return rows, columns
    size = 1
    for n in shape:
        size *= n
    return size, 1


def _elements(symbol: Any, shape: tuple[int, ...]) -> list[Any]:
    rows, columns = _matrix(shape)
    return [symbol[i, j] for i in range(rows) for j in range(columns)]


def _shaped(casadi: Any, kind: Any, values: list[Any], shape: tuple[int, ...]) -> Any:
    rows, columns = _matrix(shape)
    if not values:
        return kind(rows, columns)
    return casadi.reshape(casadi.vertcat(*values), columns, rows).T


def _functions(casadi: Any) -> dict[int, Callable[..., Any]]:
    return {
        ops.ADD: lambda a, b: a + b,
        ops.SUB: lambda a, b: a - b,
        ops.MUL: lambda a, b: a * b,
        ops.NEG: lambda a: -a,
        ops.RECIP: lambda a: 1.0 / a,
        ops.SQRT: casadi.sqrt,
        ops.ABS: casadi.fabs,
        ops.SIGN: casadi.sign,
        ops.FLOOR: casadi.floor,
        ops.MIN: casadi.fmin,
        ops.MAX: casadi.fmax,
        ops.LT: lambda a, b: a < b,
        ops.LE: lambda a, b: a <= b,
        ops.EQ: lambda a, b: a == b,
        ops.NE: lambda a, b: a != b,
        ops.AND: casadi.logic_and,
        ops.OR: casadi.logic_or,
        ops.NOT: casadi.logic_not,
        ops.ISFINITE: lambda a: (a - a) == 0.0,
        ops.SELECT: lambda c, a, b: casadi.if_else(c, a, b),
        ops.SIN: casadi.sin,
        ops.COS: casadi.cos,
        ops.TAN: casadi.tan,
        ops.ASIN: casadi.asin,
        ops.ACOS: casadi.acos,
        ops.ATAN: casadi.atan,
        ops.ATAN2: casadi.atan2,
        ops.EXP: casadi.exp,
        ops.LOG: casadi.log,
    }


class _Roots:
    """Makes the items of roots: solution, converged, residual."""

    def __init__(self, casadi: Any) -> None:
        self.casadi, self.count = casadi, 0

    def __call__(self, inner: Inner, args: list[Any]) -> list[Any]:
        casadi, n = self.casadi, inner.size
        self.count += 1
        start, p = casadi.vertcat(*args[:n]), casadi.vertcat(*args[n:]) if args[n:] else casadi.MX(0, 1)
        if not inner.implicit:
            return self._repeated(inner, args[:n], p)
        residual = to_casadi(inner.graph, f"residual{self.count}")
        rename = casadi.Function(f"system{self.count}", *_as_system(casadi, residual, n, inner.parameters))
        options = {"abstol": _RESIDUAL, "max_iter": max(inner.max_iter, 50), "error_on_fail": False}
        found = casadi.rootfinder(f"root{self.count}", "newton", rename, options)(start, p)
        left = casadi.norm_inf(residual(u=found, p=p)["r"])
        return [*[found[k] for k in range(n)], left <= 1e-9, left]

    def _repeated(self, inner: Inner, start: list[Any], p: Any) -> list[Any]:
        """Where a path ends: its guarded steps, a fixed number of times; those that are done stay as they are."""
        casadi, n = self.casadi, inner.size
        idle = inner.idle_where_zero
        active = 1.0 if idle is None else casadi.if_else(start[idle] == 0.0, 0.0, 1.0)
        state = casadi.vertcat(*start, active, 0.0)
        step = to_casadi(inner.step, f"step{self.count}")
        last = step.fold(inner.max_iter)(state, casadi.repmat(p, 1, inner.max_iter))
        left = to_casadi(inner.graph, f"left{self.count}")(u=last[:n], p=p)["r"]
        return [*[last[k] for k in range(n)], last[n + 1] != 0.0, casadi.norm_inf(left)]


def _as_system(casadi: Any, residual: Any, n: int, parameters: int) -> tuple[list[Any], ...]:
    u, p = casadi.MX.sym("u", n), casadi.MX.sym("p", parameters)
    return [u, p], [residual(u=u, p=p)["r"]], ["x", "p"], ["r"]


def walked(
    graph: Graph,
    inputs: Sequence[Any],
    functions: Mapping[int, Callable[..., Any]],
    number: Callable[[float], Any],
    truth: Callable[[bool], Any],
    loop: Callable[[Any, list[Any]], list[Any]],
) -> list[Any]:
    """Values of all output elements, on any kind of number, node by node.

    Args:
        graph: In scalar operations and loops, or roots in their place.
        inputs: A value per element of the flattened inputs.
        functions: What computes each operation.
        number, truth: Make constants.
        loop: The items of a root or loop, from its inner system and its arguments.
    """
    values: list[Any] = []
    for node in graph.nodes:
        op = node[0]
        if op == ops.INPUT:
            values.append(inputs[node[1]])
        elif op == ops.CONST:
            values.append(number(ieee.from_bits(node[1])))
        elif op == ops.BOOL:
            values.append(truth(bool(node[1])))
        elif op == ops.ITEM:
            values.append(values[node[2]][node[1]])
        elif op in (ops.ROOT, ops.LOOP):
            values.append(loop(graph.inners[node[1]], [values[k] for k in node[2:]]))
        else:
            values.append(functions[op](*[values[k] for k in ops.operands(node)]))
    return [values[k] for k in graph.output_nodes]
