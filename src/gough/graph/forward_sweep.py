"""Forward sweep: tangents of recorded values, from the inputs on."""

from __future__ import annotations

from gough.graph import ops
from gough.graph.inline import inline
from gough.graph.ops import ITEM, ROOT, SOLVE, SOLVE_T
from gough.graph.partials import (
    BRANCHES,
    PARTIALS,
    Derivative,
    active_in_any,
    branches,
    guarded,
    narrowed,
    root_factor,
    summed,
    triangle,
)
from gough.graph.tape import Tape

_STEEP = frozenset((ops.RECIP, ops.SQRT, ops.ASIN, ops.ACOS, ops.ATAN2, ops.LOG))
"""Operations with an infinite slope somewhere: 0 times it must stay 0 where the tangent is zero by construction."""


def forward(tape: Tape, between: list[int], seeds: dict[int, int]) -> dict[int, int]:
    """Tangent of each node on the way, absent where it is zero.

    Args:
        tape: Where to record.
        between: Nodes on the way from inputs to outputs, in order.
        seeds: Tangents of the inputs.
    """
    zero = tape.const(0.0)
    tangent: dict[int, Derivative] = {i: (t, None) for i, t in seeds.items() if t != zero}
    bundles: dict[int, list[Derivative | None]] = {}
    outer_label = tape.label
    for i in between:
        node = tape.nodes[i]
        op = node[0]
        tape.label = tape.labels[i] or outer_label
        total: Derivative | None = None
        if op == ITEM:
            items = bundles.get(node[2])
            total = items[node[1]] if items is not None else None
        elif op in ops.BUNDLES:
            args = [tangent.get(k) for k in ops.operands(node)]
            matrix = bundles.get(node[1]) if op in (SOLVE, SOLVE_T) else None
            if matrix is not None or any([t is not None for t in args]):
                bundles[i] = _bundle(tape, i, args, matrix)
            continue
        elif op in BRANCHES:
            condition, a, b = branches(tape, node)
            if a in tangent or b in tangent:
                total = _selected(tape, condition, tangent.get(a), tangent.get(b))
        elif op in PARTIALS and any([k in tangent for k in node[1:]]):
            for k, partial in zip(node[1:], PARTIALS[op](tape, i, node), strict=True):
                if k in tangent:
                    t, active = tangent[k]
                    term = tape.mul(partial, t)
                    total = summed(tape, total, (guarded(tape, term, active) if op in _STEEP else term, active))
        if total is not None and total[0] != zero:
            tangent[i] = total
    tape.label = outer_label
    return {i: t for i, (t, _) in tangent.items()}


def _selected(tape: Tape, condition: int, a: Derivative | None, b: Derivative | None) -> Derivative:
    """Tangent of a select: that of the branch taken, zero by construction where that branch is constant."""
    zero = tape.const(0.0)
    value = tape.select(condition, a[0] if a else zero, b[0] if b else zero)
    active_a = (value, narrowed(tape, condition, a[1])) if a else None
    active_b = (value, narrowed(tape, tape.apply(ops.NOT, condition), b[1])) if b else None
    return value, active_in_any(tape, [active_a, active_b])


def _bundle(
    tape: Tape, i: int, args: list[Derivative | None], matrix: list[Derivative | None] | None
) -> list[Derivative | None]:
    """Tangents of a bundle's items; of a factorisation those of the matrix itself, row by row."""
    node = tape.nodes[i]
    op = node[0]
    if op == ops.FACTOR:
        return args
    if op == ops.FACTOR_SPD:
        return [args[triangle(r, c)] for r in range(node[1]) for c in range(node[1])]
    if op == ROOT:
        return _root(tape, i, args)
    if op not in (SOLVE, SOLVE_T):
        raise TypeError("an expanded graph has no derivative; differentiate first, then expand")
    n = len(node) - 2
    x = tape.items(i, n)
    rhs = list(args[1:])
    for r in range(n if matrix is not None else 0):
        for c in range(n):
            entry = matrix[r * n + c if op == SOLVE else c * n + r]  # type: ignore[index]
            if entry is not None:
                rhs[r] = summed(tape, rhs[r], (tape.neg(tape.mul(entry[0], x[c])), entry[1]))
    return _solved(tape, op, node[1], rhs)


def _solved(tape: Tape, op: int, factor: int, rhs: list[Derivative | None]) -> list[Derivative | None]:
    zero = tape.const(0.0)
    active = active_in_any(tape, rhs)
    items = tape.items(tape.bundle(op, 0, (factor, *[zero if t is None else t[0] for t in rhs])), len(rhs))
    return [(guarded(tape, v, active), active) for v in items]


def _root(tape: Tape, i: int, args: list[Derivative | None]) -> list[Derivative | None]:
    """du = -J^-1 (dr/dp dp) at the solution."""
    inner = tape.inners[tape.nodes[i][1]]
    n = inner.size
    zero = tape.const(0.0)
    dp = args[n:]
    if not inner.implicit or all(t is None for t in dp):
        return [None] * (n + 2)
    active = active_in_any(tape, dp)
    p = list(tape.nodes[i][2 + n :])
    at = inline(inner.jvp, tape, tape.items(i, n) + p + [zero if t is None else t[0] for t in dp])
    dr = [tape.neg(at[k]) for k in inner.jvp.output_nodes]
    if all(v == zero for v in dr):
        return [None] * (n + 2)
    return [*_solved(tape, SOLVE, root_factor(tape, i), [(v, active) for v in dr]), None, None]
