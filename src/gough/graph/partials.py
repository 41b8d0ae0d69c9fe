"""What the forward and the reverse sweep share: partial derivatives, branches and their conditions.

A derivative (tangent or adjoint) travels with the condition under which it is not zero by construction: below a branch
not taken, products with it are guarded by that condition, so that 0 * inf never appears.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gough.graph import ops
from gough.graph.inline import inline
from gough.graph.ops import Node
from gough.graph.tape import Tape

Derivative = tuple[int, int | None]
"""Index of a derivative and of the condition under which it is not zero by construction (None: always)."""

BRANCHES = frozenset((ops.SELECT, ops.MIN, ops.MAX))


def branches(tape: Tape, node: Node) -> tuple[int, int, int]:
    """Condition, value where it holds and value elsewhere, of a select, minimum or maximum."""
    op = node[0]
    if op == ops.SELECT:
        return node[1], node[2], node[3]
    a, b = node[1], node[2]
    return tape.apply(ops.LT, b, a) if op == ops.MIN else tape.apply(ops.LT, a, b), b, a


def guarded(tape: Tape, value: int, active: int | None) -> int:
    """`value`, or zero where it is not active."""
    return value if active is None else tape.select(active, value, tape.const(0.0))


def narrowed(tape: Tape, condition: int, active: int | None) -> int:
    """Condition under which a derivative that is active under `active` is so in a branch taken under `condition`."""
    return condition if active is None else tape.apply(ops.AND, active, condition)


def summed(tape: Tape, a: Derivative | None, b: Derivative) -> Derivative:
    """Sum of two derivatives."""
    return b if a is None else (tape.add(a[0], b[0]), _either(tape, a[1], b[1]))


def active_in_any(tape: Tape, derivatives: Iterable[Derivative | None]) -> int | None:
    """Condition under which any of these derivatives (None: zero) is not zero by construction."""
    conditions = [d[1] for d in derivatives if d is not None]
    either = conditions[0]
    for active in conditions[1:]:
        either = _either(tape, either, active)
    return either


def _either(tape: Tape, a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else tape.apply(ops.OR, a, b)


def triangle(row: int, col: int) -> int:
    """Place of an entry of a symmetric matrix in its lower triangle by rows."""
    return max(row, col) * (max(row, col) + 1) // 2 + min(row, col)


def root_factor(tape: Tape, i: int) -> int:
    """The factorised Jacobian of the root at node `i`, at its solution."""
    inner = tape.inners[tape.nodes[i][1]]
    n = inner.size
    at = inline(inner.jacobian, tape, tape.items(i, n) + list(tape.nodes[i][2 + n :]))
    return tape.bundle(ops.FACTOR, n, tuple([at[k] for k in inner.jacobian.output_nodes]))


def _recip(t: Tape, x: int) -> int:
    return t.apply(ops.RECIP, x)


def _square(t: Tape, x: int) -> int:
    return t.mul(x, x)


def _asin(t: Tape, i: int, n: Node) -> tuple[int, ...]:
    one = t.const(1.0)
    return (_recip(t, t.apply(ops.SQRT, t.mul(t.sub(one, n[1]), t.add(one, n[1])))),)


def _atan2(t: Tape, i: int, n: Node) -> tuple[int, ...]:
    y, x = n[1], n[2]
    r = _recip(t, t.add(_square(t, x), _square(t, y)))
    return t.mul(x, r), t.neg(t.mul(y, r))


PARTIALS: dict[int, Callable[[Tape, int, Node], tuple[int, ...]]] = {
    ops.ADD: lambda t, i, n: (t.const(1.0), t.const(1.0)),
    ops.SUB: lambda t, i, n: (t.const(1.0), t.const(-1.0)),
    ops.MUL: lambda t, i, n: (n[2], n[1]),
    ops.NEG: lambda t, i, n: (t.const(-1.0),),
    ops.RECIP: lambda t, i, n: (t.neg(_square(t, i)),),
    ops.SQRT: lambda t, i, n: (t.mul(t.const(0.5), _recip(t, i)),),
    ops.ABS: lambda t, i, n: (t.apply(ops.SIGN, n[1]),),
    ops.SIN: lambda t, i, n: (t.apply(ops.COS, n[1]),),
    ops.COS: lambda t, i, n: (t.neg(t.apply(ops.SIN, n[1])),),
    ops.TAN: lambda t, i, n: (t.add(t.const(1.0), _square(t, i)),),
    ops.ASIN: _asin,
    ops.ACOS: lambda t, i, n: (t.neg(_asin(t, i, n)[0]),),
    ops.ATAN: lambda t, i, n: (_recip(t, t.add(t.const(1.0), _square(t, n[1]))),),
    ops.ATAN2: _atan2,
    ops.EXP: lambda t, i, n: (i,),
    ops.LOG: lambda t, i, n: (_recip(t, n[1]),),
}
"""For each operation its partials by its operands, given the tape, the node's index and the node."""
