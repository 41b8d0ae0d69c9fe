"""A graph's values in many digits, by mpmath, with a bound on what doubles may lose on the way.

Shares nothing with `gough.graph.evaluate` but the node layout. Every number is a `Known`: its value, and a bound on the
error of the same computation in doubles, carried along to first order and widened where that is not safe. What such a
bound cannot decide (a comparison of equals up to round-off, a square root next to zero, overflow, a singular matrix)
is None, "not known", and so is all that depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mpmath import mp, mpf

from gough.graph import Graph, ops
from gough.graph.ieee import from_bits

DIGITS = 60
EPS = mpf(2) ** -53
LARGEST, SMALLEST = mpf("1e290"), mpf("1e-290")
NEWTON_TRUNCATION = 100 * EPS
"""A root stops once its step is below 2^-26; what is left is the square of that times the curvature (here below 50)."""


class Known(NamedTuple):
    """A value and a bound on the error of its computation in doubles."""

    value: Any
    error: Any


Value = Any
"""A `Known` number, a bool, a list of them for a bundle, or None."""


def evaluate_mp(graph: Graph, inputs: Sequence[Any], digits: int = DIGITS) -> list[Value]:
    """Values of all output elements for the flattened inputs, taken as exact."""
    with mp.workdps(digits):
        given = [Known(mpf(v), mpf(0)) for v in inputs]
        return _values(graph, given)


def derivative_mp(graph: Graph, inputs: Sequence[Any], direction: Sequence[Any], digits: int = 90) -> list[Any]:
    """Derivative of all output elements along `direction`, by central differences good to some 40 digits."""
    with mp.workdps(digits):
        h = mpf(10) ** -25
        ends = []
        for sign in (1, -1):
            moved = [mpf(v) + sign * h * mpf(d) for v, d in zip(inputs, direction, strict=True)]
            ends.append(_values(graph, [Known(v, mpf(0)) for v in moved]))
        known = [isinstance(a, Known) and isinstance(b, Known) for a, b in zip(*ends, strict=True)]
        return [(a.value - b.value) / (2 * h) if k else None for k, a, b in zip(known, *ends, strict=True)]


def _values(graph: Graph, inputs: list[Value]) -> list[Value]:
    values: list[Value] = []
    for node in graph.nodes:
        args = [values[i] for i in ops.operands(node)]
        values.append(_node(graph, node, args, inputs))
    return [values[i] for i in graph.output_nodes]


def _node(graph: Graph, node: tuple[int, ...], args: list[Value], inputs: list[Value]) -> Value:
    op = node[0]
    if op == ops.INPUT:
        return inputs[node[1]]
    if op == ops.CONST:
        value = mpf(from_bits(node[1]))
        return Known(value, mpf(0)) if mp.isfinite(value) else None
    if op == ops.BOOL:
        return bool(node[1])
    if op == ops.ITEM:
        return None if args[0] is None else args[0][node[1]]
    if op in (ops.FACTOR, ops.FACTOR_SPD):
        return _matrix(node[1], args, op == ops.FACTOR_SPD)
    if op in (ops.SOLVE, ops.SOLVE_T):
        return _solve(args[0], args[1:], op == ops.SOLVE_T)
    if op == ops.ROOT:
        return _root(graph.inners[node[1]], args)
    if op in _TRUTH:
        return _TRUTH[op](*args)
    if any(a is None for a in args):
        return None
    result = _NUMBER[op](*args)
    if result is None:
        return None
    value, error = result
    error += _ULPS.get(op, 1) * EPS * abs(value)
    fits = abs(value) < LARGEST and (value == 0 or abs(value) > SMALLEST) and error < LARGEST
    return Known(value, error) if fits else None


def _mul(a: Known, b: Known) -> Known:
    return Known(a.value * b.value, abs(a.value) * b.error + abs(b.value) * a.error + a.error * b.error)


def _recip(a: Known) -> Known | None:
    size = abs(a.value)
    if size <= 2 * a.error:
        return None
    return Known(1 / a.value, a.error / (size * (size - a.error)))


def _div(a: Known, b: Known) -> Known | None:
    r = _recip(b)
    return None if r is None else _mul(a, r)


def _sqrt(a: Known) -> Known | None:
    if a == (0, 0):
        return a
    return Known(mp.sqrt(a.value), a.error / mp.sqrt(a.value - a.error)) if a.value > a.error else None


def _sign(a: Known) -> Known | None:
    return Known(mp.sign(a.value), mpf(0)) if abs(a.value) > a.error or a.error == 0 else None


def _floor(a: Known) -> Known | None:
    low, high = mp.floor(a.value - a.error), mp.floor(a.value + a.error)
    return Known(low, mpf(0)) if low == high else None


def _tan(a: Known) -> Known | None:
    slope = 1 + mp.tan(a.value) ** 2
    return Known(mp.tan(a.value), 2 * a.error * slope) if a.error * slope < 0.01 else None


def _inside(a: Known, function: Callable[[Any], Any]) -> Known | None:
    edge = 1 - abs(a.value) - a.error
    if edge < 0 or (edge == 0 and a.error > 0):
        return None
    return Known(function(a.value), a.error / mp.sqrt(edge) if a.error else mpf(0))


def _atan2(y: Known, x: Known) -> Known | None:
    distance = mp.hypot(x.value, y.value) - x.error - y.error
    on_cut = abs(y.value) <= y.error and x.value <= x.error
    return None if distance <= 0 or on_cut else Known(mp.atan2(y.value, x.value), (x.error + y.error) / distance)


def _exp(a: Known) -> Known | None:
    if abs(a.value) > 600 or a.error > 1:
        return None
    return Known(mp.exp(a.value), mp.exp(a.value) * mp.expm1(a.error))


def _log(a: Known) -> Known | None:
    return Known(mp.log(a.value), a.error / (a.value - a.error)) if a.value > a.error else None


_NUMBER: dict[int, Callable[..., Known | None]] = {
    ops.ADD: lambda a, b: Known(a.value + b.value, a.error + b.error),
    ops.SUB: lambda a, b: Known(a.value - b.value, a.error + b.error),
    ops.MUL: _mul,
    ops.DIV: _div,
    ops.RECIP: _recip,
    ops.NEG: lambda a: Known(-a.value, a.error),
    ops.SQRT: _sqrt,
    ops.ABS: lambda a: Known(abs(a.value), a.error),
    ops.SIGN: _sign,
    ops.FLOOR: _floor,
    ops.MIN: lambda a, b: Known(min(a.value, b.value), max(a.error, b.error)),
    ops.MAX: lambda a, b: Known(max(a.value, b.value), max(a.error, b.error)),
    ops.SIN: lambda a: Known(mp.sin(a.value), a.error),
    ops.COS: lambda a: Known(mp.cos(a.value), a.error),
    ops.TAN: _tan,
    ops.ASIN: lambda a: _inside(a, mp.asin),
    ops.ACOS: lambda a: _inside(a, mp.acos),
    ops.ATAN: lambda a: Known(mp.atan(a.value), a.error),
    ops.ATAN2: _atan2,
    ops.EXP: _exp,
    ops.LOG: _log,
}

_ULPS = {
    **dict.fromkeys((ops.NEG, ops.ABS, ops.SIGN, ops.FLOOR, ops.MIN, ops.MAX), 0),
    **dict.fromkeys(ops.TRANSCENDENTAL, 4),
    ops.DIV: 2,
}
"""Round-off of one operation, in units of 2^-53 of its result."""


def _compared(holds: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool | None]:
    def compare(a: Known | None, b: Known | None) -> bool | None:
        if a is None or b is None:
            return None
        error = a.error + b.error
        return None if error > 0 and abs(a.value - b.value) <= error else holds(a.value, b.value)

    return compare


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a


_TRUTH: dict[int, Callable[..., Value]] = {
    ops.LT: _compared(lambda a, b: bool(a < b)),
    ops.LE: _compared(lambda a, b: bool(a <= b)),
    ops.EQ: _compared(lambda a, b: bool(a == b)),
    ops.NE: _compared(lambda a, b: bool(a != b)),
    ops.AND: _and,
    ops.OR: lambda a, b: _not(_and(_not(a), _not(b))),
    ops.NOT: _not,
    ops.ISFINITE: lambda a: None if a is None else True,
    ops.SELECT: lambda condition, a, b: None if condition is None else a if condition else b,
}


def _matrix(n: int, entries: list[Value], lower: bool) -> Value:
    if any(e is None for e in entries):
        return None
    if not lower:
        return [entries[n * i : n * i + n] for i in range(n)]
    return [[entries[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(n)] for i in range(n)]


def _inverse(rows: list[list[Any]]) -> list[list[Any]] | None:
    """Inverse by Gauss-Jordan elimination, None if a pivot vanishes."""
    n = len(rows)
    work = [[*row, *[mpf(i == j) for j in range(n)]] for i, row in enumerate(rows)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(work[i][k]))
        work[k], work[best] = work[best], work[k]
        pivot = work[k][k]
        if pivot == 0:
            return None
        work[k] = [v / pivot for v in work[k]]
        for i in range(n):
            if i != k:
                m = work[i][k]
                work[i] = [v - m * w for v, w in zip(work[i], work[k], strict=True)]
    return [row[n:] for row in work]


def _solve(A: Value, b: list[Value], transposed: bool) -> Value:
    if A is None or any(v is None for v in b):
        return None
    n = len(b)
    rows = [list(column) for column in zip(*A, strict=True)] if transposed else A
    inverse = _inverse([[e.value for e in row] for row in rows])
    if inverse is None:
        return None
    x = [sum(inverse[i][k] * b[k].value for k in range(n)) for i in range(n)]
    size = max(abs(e.value) for row in A for e in row)
    backward = 16 * n * n * EPS * size  # of elimination with partial pivoting, its growth (4 for n <= 3) included
    loss = [[rows[i][j].error + backward for j in range(n)] for i in range(n)]
    if max(sum(abs(inverse[i][k]) * sum(loss[k]) for k in range(n)) for i in range(n)) > 0.01:
        return None
    residual = [b[i].error + 2 * sum(loss[i][j] * abs(x[j]) for j in range(n)) for i in range(n)]
    items = [Known(x[i], 2 * sum(abs(inverse[i][k]) * residual[k] for k in range(n))) for i in range(n)]
    return [e if abs(e.value) < LARGEST and (e.value == 0 or abs(e.value) > SMALLEST) else None for e in items]


def _root(inner: Any, args: list[Value]) -> Value:
    """Newton's method with a Jacobian by central differences, to all digits."""
    if any(a is None for a in args):
        return None
    n = inner.size
    u, parameters = [a.value for a in args[:n]], args[n:]
    h = mpf(10) ** (-mp.dps // 3)
    zero = mpf(0)

    def residual(at: list[Any]) -> list[Value]:
        return _values(inner.graph, [*[Known(v, zero) for v in at], *parameters])

    for _ in range(inner.max_iter + 10):
        r = residual(u)
        ends = [[residual([v + s * h * (j == k) for k, v in enumerate(u)]) for s in (1, -1)] for j in range(n)]
        if any(v is None for v in r) or any(v is None for pair in ends for end in pair for v in end):
            return None
        J = [[(plus[i].value - minus[i].value) / (2 * h) for plus, minus in ends] for i in range(n)]
        inverse = _inverse(J)
        if inverse is None:
            return None
        step = [sum(inverse[i][k] * r[k].value for k in range(n)) for i in range(n)]
        u = [v - d for v, d in zip(u, step, strict=True)]
        if max(abs(d) for d in step) < mpf(10) ** (-mp.dps + 8) * max(1, *[abs(v) for v in u]):
            break
    else:
        return None
    scale = max(1, *[abs(v) for v in u])
    left = NEWTON_TRUNCATION * scale
    loss = [2 * sum(abs(inverse[i][k]) * r[k].error for k in range(n)) + left for i in range(n)]
    worst = max(r[k].error + sum(abs(J[k][j]) * left for j in range(n)) for k in range(n))
    return [*[Known(u[i], loss[i]) for i in range(n)], True, Known(zero, worst)]
