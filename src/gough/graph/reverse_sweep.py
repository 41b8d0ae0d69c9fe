"""Reverse sweep: adjoints of recorded values, from the outputs back."""

from __future__ import annotations

from collections.abc import Iterable

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


def reverse(tape: Tape, between: list[int], inputs: list[int], seeds: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Adjoint of each input and of each node on the way, absent where it is zero.

    Args:
        tape: Where to record.
        between: Nodes on the way from inputs to outputs, in order.
        inputs: The inputs.
        seeds: Outputs and their cotangents.
    """
    sweep = _Sweep(tape, {*between, *inputs})
    for i, seed in seeds:
        sweep.add(sweep.adjoint, i, seed, None)
    outer_label = tape.label
    for i in reversed(between):
        tape.label = tape.labels[i] or outer_label
        if tape.nodes[i][0] in ops.BUNDLES:
            sweep.bundle(i)
        elif i in sweep.adjoint:
            sweep.scalar(i, *sweep.adjoint[i])
    tape.label = outer_label
    return {i: value for i, (value, _) in sweep.adjoint.items()}


class _Sweep:
    """Adjoints of nodes, of the items of bundles, and of the entries of factorised matrices."""

    def __init__(self, tape: Tape, wanted: set[int]) -> None:
        self.tape = tape
        self.wanted = wanted
        self.zero = tape.const(0.0)
        self.adjoint: dict[int, Derivative] = {}
        self.items: dict[int, dict[int, Derivative]] = {}
        self.matrix: dict[int, dict[int, Derivative]] = {}

    def add(self, into: dict[int, Derivative], key: int, value: int, active: int | None) -> None:
        """Adds to an adjoint."""
        if value != self.zero:
            known = into.get(key)
            into[key] = (value, active) if known is None else summed(self.tape, known, (value, active))

    def scalar(self, i: int, value: int, active: int | None) -> None:
        """Hands the adjoint of a scalar node on to its operands."""
        tape = self.tape
        node = tape.nodes[i]
        op = node[0]
        if op == ITEM:
            self.add(self.items.setdefault(node[2], {}), node[1], value, active)
        elif op in BRANCHES:
            condition, a, b = branches(tape, node)
            self._branch(a, value, condition, active)
            self._branch(b, value, tape.apply(ops.NOT, condition), active)
        elif op in PARTIALS:
            for k, partial in zip(node[1:], PARTIALS[op](tape, i, node), strict=True):
                if k in self.wanted:
                    term = tape.mul(value, partial)
                    constant = tape.nodes[partial][0] == ops.CONST
                    self.add(self.adjoint, k, term if constant else guarded(tape, term, active), active)

    def _branch(self, k: int, value: int, condition: int, active: int | None) -> None:
        if k in self.wanted:
            narrow = narrowed(self.tape, condition, active)
            self.add(self.adjoint, k, self.tape.select(condition, value, self.zero), narrow)

    def bundle(self, i: int) -> None:
        """Hands the adjoints of a bundle's items on to its operands."""
        node = self.tape.nodes[i]
        op = node[0]
        bars = self.items.get(i, {})
        if op in (ops.FACTOR, ops.FACTOR_SPD):
            for place, (value, active) in self.matrix.get(i, {}).items():
                self.add(self.adjoint, node[2 + place], value, active)
        elif op == ROOT:
            self._root(i, bars)
        elif op not in (SOLVE, SOLVE_T):
            raise TypeError("an expanded graph has no derivative; differentiate first, then expand")
        elif bars:
            self._solve(i, bars)

    def _solve(self, i: int, bars: dict[int, Derivative]) -> None:
        """b += lambda, A -= lambda x^T with A^T lambda = xbar."""
        tape = self.tape
        op, f, *b = tape.nodes[i]
        n = len(b)
        x = tape.items(i, n)
        active = active_in_any(tape, bars.values())
        xbar = [bars[k][0] if k in bars else self.zero for k in range(n)]
        transposed = SOLVE_T if op == SOLVE else SOLVE
        lam = [guarded(tape, v, active) for v in tape.items(tape.bundle(transposed, 0, (f, *xbar)), n)]
        for k in range(n):
            if b[k] in self.wanted:
                self.add(self.adjoint, b[k], lam[k], active)
        if f not in self.wanted:
            return
        spd = tape.nodes[f][0] == ops.FACTOR_SPD
        entries = tape.nodes[f][2:]
        into = self.matrix.setdefault(f, {})
        for r in range(n):
            for c in range(n):
                row, col = (r, c) if op == SOLVE else (c, r)
                place = triangle(row, col) if spd else row * n + col
                if entries[place] in self.wanted:
                    self.add(into, place, guarded(tape, tape.neg(tape.mul(lam[r], x[c])), active), active)

    def _root(self, i: int, bars: dict[int, Derivative]) -> None:
        """pbar -= (dr/dp)^T lambda with J^T lambda = ubar, at the solution."""
        tape = self.tape
        inner = tape.inners[tape.nodes[i][1]]
        n = inner.size
        bars = {k: bar for k, bar in bars.items() if k < n}
        p = list(tape.nodes[i][2 + n :])
        if not inner.implicit or not bars or not any([k in self.wanted for k in p]):
            return
        active = active_in_any(tape, bars.values())
        ubar = [bars[k][0] if k in bars else self.zero for k in range(n)]
        lam = tape.items(tape.bundle(SOLVE_T, 0, (root_factor(tape, i), *ubar)), n)
        at = inline(inner.vjp, tape, [*tape.items(i, n), *p, *[tape.neg(v) for v in lam]])
        for k, place in zip(p, inner.vjp.output_nodes, strict=True):
            if k in self.wanted:
                self.add(self.adjoint, k, guarded(tape, at[place], active), active)
