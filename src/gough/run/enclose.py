"""Proved enclosures of a graph's outputs over boxes of inputs, many boxes at once, linear systems included.

The nodes of the graph are computed in Taylor forms (see `gough.run.taylor_forms`). A condition that is not decided
within a box makes a select the hull of its branches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Array, Graph, ieee, ops
from gough.run import taylor_forms as forms
from gough.run.taylor_forms import EPS, Form, add, constant, multiply, negative, rounded
from gough.run.unenclosed import unenclosed

Truth = tuple[Any, Any]
"""(B,) whether a condition may hold, and whether it may fail."""

_UNARY = {
    ops.NEG: forms.negative,
    ops.RECIP: forms.reciprocal,
    ops.SQRT: forms.root,
    ops.SIN: forms.sine,
    ops.COS: forms.cosine,
    ops.ABS: forms.absolute,
}


def enclose(graph: Graph, centre: Array, radius: Array) -> dict[str, Array]:
    """Forms of all outputs by name, (d + 2, *shape, B): centre, slopes, rest.

    Args:
        graph: Graph of one input (n,).
        centre: (B, n) middles of the boxes.
        radius: (B, n) half-widths. Each of the d inputs that has one is a variable t_i in [-1, 1] of the forms.

    Raises:
        InputError: An operation that has no enclosure here.
    """
    inputs = forms.variables(centre, radius)
    values: dict[int, Any] = {}
    last = _last_uses(graph)
    with np.errstate(all="ignore"):
        for i, node in enumerate(graph.nodes):
            values[i] = _value(node, values, inputs)
            for k in last.get(i, ()):
                del values[k]
    return {
        o.name: _straight([_form(values[k], inputs[0]) for k in o.nodes], o.shape, inputs[0]) for o in graph.outputs
    }


def _straight(found: list[Form], shape: tuple[int, ...], like: Form) -> Array:
    d, count = like.d, len(like.centre)
    rows = np.stack([form.rows for form in found], axis=1) if found else np.zeros((len(like.rows), 0, count))
    return forms.straightened(rows, d).reshape(d + 2, *shape, count)


def _value(node: ops.Node, values: dict[int, Any], inputs: list[Form]) -> Any:
    """A form, a float, a condition, a matrix or a list of forms."""
    op = node[0]
    if op == ops.INPUT:
        return inputs[node[1]]
    if op == ops.CONST:
        return ieee.from_bits(node[1])
    args = [values[k] for k in ops.operands(node)]
    if op == ops.MUL:
        return _product(*args)
    if op == ops.ADD:
        return _sum(*args)
    if op == ops.SUB:
        return _sum(args[0], -args[1] if isinstance(args[1], float) else forms.negative(args[1]))
    if op in _UNARY:
        return _UNARY[op](_form(args[0], inputs[0]))
    if op in (ops.MAX, ops.MIN):
        a, b = (_form(v, inputs[0]) for v in args)
        if op == ops.MAX:
            return forms.larger(a, b)
        return forms.negative(forms.larger(forms.negative(a), forms.negative(b)))
    if op == ops.ITEM:
        return args[0][node[1]]
    if op in (ops.FACTOR, ops.FACTOR_SPD):
        return precondition([_form(v, inputs[0]) for v in args], node[1], op == ops.FACTOR_SPD)
    if op in (ops.SOLVE, ops.SOLVE_T):
        matrix: Matrix = args[0]
        return solved(matrix, [_form(v, inputs[0]) for v in args[1:]], op == ops.SOLVE_T)
    return _logical(op, node, args, inputs[0])


def _logical(op: int, node: ops.Node, args: list[Any], like: Form) -> Any:
    if op == ops.BOOL:
        return bool(node[1]), not node[1]
    if op in (ops.LT, ops.LE):
        a, b = (_form(v, like) for v in args)
        below, above = (a.low < b.high, a.high >= b.low) if op == ops.LT else (a.low <= b.high, a.high > b.low)
        unknown = np.isnan(a.size + b.size)
        return below | unknown, above | unknown
    if op == ops.NOT:
        return args[0][1], args[0][0]
    if op == ops.AND:
        return args[0][0] & args[1][0], args[0][1] | args[1][1]
    if op == ops.OR:
        return args[0][0] | args[1][0], args[0][1] & args[1][1]
    if op == ops.SELECT:
        may, may_not = args[0]
        a, b = (_form(v, like) for v in args[1:])
        either = forms.choose(np.logical_and(may, may_not), forms.hull(a, b), b)
        return forms.choose(np.logical_not(may_not), a, either)
    raise unenclosed(op)


def _product(a: Form | float, b: Form | float) -> Form | float:
    if isinstance(a, float):
        return a * b if isinstance(b, float) else forms.scale(b, a)
    return forms.scale(a, b) if isinstance(b, float) else forms.multiply(a, b)


def _sum(a: Form | float, b: Form | float) -> Form | float:
    if isinstance(a, float):
        return a + b if isinstance(b, float) else forms.shift(b, a)
    return forms.shift(a, b) if isinstance(b, float) else forms.add(a, b)


def _form(value: Form | float, like: Form) -> Form:
    return value if isinstance(value, Form) else forms.constant(value, like)


def _last_uses(graph: Graph) -> dict[int, list[int]]:
    """For each node those that nothing after it reads."""
    last: dict[int, int] = {}
    for i, node in enumerate(graph.nodes):
        for k in ops.operands(node):
            last[k] = i
    for i in graph.output_nodes:
        last.pop(i, None)
    found: dict[int, list[int]] = {}
    for k, i in last.items():
        found.setdefault(i, []).append(k)
    return found


LARGEST = 0.9
"""Norm of E above which nothing is proved: the matrix may be singular."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix made ready: Y (B, n, n) and the forms of E by rows."""

    Y: Array
    E: list[list[Form]]


def precondition(entries: list[Form], n: int, spd: bool) -> Matrix:
    """From the entries of a matrix by rows, or of the lower triangle of a symmetric one."""
    if spd:
        entries = [entries[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for i in range(n) for j in range(n)]
    middle = np.stack([form.centre for form in entries], axis=1).reshape(-1, n, n)
    safe = np.flatnonzero(np.isfinite(middle).all(axis=(1, 2)))
    safe = safe[np.linalg.matrix_rank(middle[safe]) == n]
    Y = np.full(middle.shape, np.nan)
    Y[safe] = np.linalg.inv(middle[safe])
    minus_one = constant(-1.0, entries[0])
    E = []
    for i in range(n):
        row = [_weighted(Y[:, i], [entries[n * k + j] for k in range(n)]) for j in range(n)]
        row[i] = add(row[i], minus_one)
        E.append(row)
    return Matrix(Y, E)


def solved(matrix: Matrix, b: list[Form], transposed: bool) -> list[Form]:
    """z with A z = b, or A^T z = b; unbounded where the matrix may be singular."""
    n = len(b)
    if transposed:
        u = _series([[matrix.E[j][i] for j in range(n)] for i in range(n)], b)
        return [_weighted(matrix.Y[:, :, i], u) for i in range(n)]
    return _series(matrix.E, [_weighted(matrix.Y[:, i], b) for i in range(n)])


def _series(E: list[list[Form]], beta: list[Form]) -> list[Form]:
    """beta - E beta + E^2 beta with the bound of E^3 z in the rests."""
    size = np.array([[form.size for form in row] for row in E])
    row = size.sum(axis=1) * (1.0 + EPS)
    e = row.max(axis=0)
    e = np.where(e < LARGEST, e, np.nan)
    reach = np.einsum("ijb,jb->ib", size, np.array([form.size for form in beta])).max(axis=0) / (1.0 - e)
    left = row * e * reach * (1.0 + 8.0 * EPS)
    once = _applied(E, beta)
    twice = _applied(E, once)
    z = [add(add(b, negative(first)), second) for b, first, second in zip(beta, once, twice, strict=True)]
    for form, more in zip(z, left, strict=True):
        form.rows[-1] += more * (1.0 + EPS)
    return z


def _applied(E: list[list[Form]], beta: list[Form]) -> list[Form]:
    """Forms of E beta."""
    found = []
    for row in E:
        products = [multiply(entry, b).rows for entry, b in zip(row, beta, strict=True)]
        found.append(rounded(np.sum(products, axis=0), beta[0].d))
    return found


def _weighted(weights: Array, forms: list[Form]) -> Form:
    """Sum of forms, each times exact numbers: weights (B, n)."""
    rows = weights[:, 0] * forms[0].rows
    size = np.abs(weights[:, 0]) * forms[0].size
    rest = np.abs(weights[:, 0]) * forms[0].rest
    for k, form in enumerate(forms[1:], start=1):
        rows += weights[:, k] * form.rows
        rest += np.abs(weights[:, k]) * form.rest
        size += np.abs(weights[:, k]) * form.size
    rows[-1] = rest + EPS * size
    return Form(rows, forms[0].d)
