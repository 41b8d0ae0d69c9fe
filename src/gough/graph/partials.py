"""Partial derivatives of the scalar operations, as recorded values: one table for forward and reverse."""

from __future__ import annotations

from collections.abc import Callable

from gough.graph import ops
from gough.graph.ops import Node
from gough.graph.tape import Tape


def takes_second(tape: Tape, node: Node) -> int:
    """Condition under which a minimum or maximum is its second operand."""
    op, a, b = node
    return tape.apply(ops.LT, b, a) if op == ops.MIN else tape.apply(ops.LT, a, b)


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
