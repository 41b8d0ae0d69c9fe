"""Exact derivatives of recorded values, as more recorded values.

Forward (`jvp`, `jacobian`) and reverse (`vjp`, `gradient`) share one table of partial derivatives. Any order comes by
repetition. Linear solves and roots are differentiated implicitly; value and derivatives share one factorisation.

At the edges the derivative is what mathematics says: `sqrt` at 0 and `asin`, `acos` at +-1 have an infinite slope;
`atan2` at the origin and anything outside its domain gives NaN. `abs` and `sign` have slope 0 at 0, `floor`,
comparisons and `isfinite` everywhere. `where` takes the derivative of the branch taken, whatever the other
one holds (inf and NaN included); `minimum` and `maximum` that of the first of equals.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gough.graph import ops
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.graph import live_nodes
from gough.graph.inline import inline
from gough.graph.ops import ITEM, MAX, MIN, ROOT, SELECT, SOLVE, SOLVE_T
from gough.graph.partials import PARTIALS, takes_second
from gough.graph.tape import Tape


def jvp(outputs: Any, inputs: Any, tangents: Any) -> Any:
    """Derivative of `outputs` along `tangents` of `inputs`, in the shape of the outputs.

    Args:
        outputs: A recorded value, or an array of them.
        inputs: Recorded values, inputs or intermediate; taken as independent of each other.
        tangents: A number per input.
    """
    tape = _tape(outputs, inputs)
    if tape is None:
        return _like(outputs, [0.0] * np.size(outputs))
    wrt, seeds = _indices(tape, inputs), _indices(tape, tangents)
    if len(wrt) != len(seeds):
        raise ValueError(f"jvp has {len(wrt)} inputs but {len(seeds)} tangents")
    out = _indices(tape, outputs)
    tangent = _forward(tape, _between(tape, out, wrt), dict(zip(wrt, seeds, strict=True)))
    return _like(outputs, [_expr_or_zero(tape, tangent.get(i)) for i in out])


def vjp(outputs: Any, inputs: Any, cotangents: Any) -> Any:
    """Product of `cotangents` with the derivative of `outputs` by `inputs`, in the shape of the inputs."""
    tape = _tape(outputs, inputs)
    if tape is None:
        return _like(inputs, [0.0] * np.size(inputs))
    out, wrt, seeds = _indices(tape, outputs), _indices(tape, inputs), _indices(tape, cotangents)
    if len(out) != len(seeds):
        raise ValueError(f"vjp has {len(out)} outputs but {len(seeds)} cotangents")
    adjoint = _Reverse(tape, out, wrt).sweep(seeds)
    return _like(inputs, [_expr_or_zero(tape, adjoint[i]) for i in wrt])


def gradient(output: Any, inputs: Any) -> Any:
    """Derivative of one recorded number by each of the inputs, in their shape."""
    return vjp(np.asarray(output, dtype=object).reshape(1), inputs, [1.0])


def jacobian(outputs: Any, inputs: Any, mode: str = "auto") -> Any:
    """Derivatives of every output by every input: shape of the outputs followed by shape of the inputs.

    Args:
        outputs, inputs: Recorded values or arrays of them.
        mode: "forward" by columns, "reverse" by rows, "auto" whichever is fewer.
    """
    shape = np.shape(outputs) + np.shape(inputs)
    tape = _tape(outputs, inputs)
    if tape is None:
        return np.zeros(shape)
    out, wrt = _indices(tape, outputs), _indices(tape, inputs)
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f'mode {mode!r}: choose "forward", "reverse" or "auto"')
    J = np.zeros((len(out), len(wrt)), dtype=object)
    one = tape.const(1.0)
    if mode == "forward" or (mode == "auto" and len(wrt) <= len(out)):
        between = _between(tape, out, wrt)
        for j, i in enumerate(wrt):
            tangent = _forward(tape, between, {i: one})
            J[:, j] = [_expr_or_zero(tape, tangent.get(k)) for k in out]
    else:
        reverse = _Reverse(tape, out, wrt)
        zero = tape.const(0.0)
        for row in range(len(out)):
            adjoint = reverse.sweep([one if k == row else zero for k in range(len(out))])
            J[row] = [_expr_or_zero(tape, adjoint[i]) for i in wrt]
    return J.reshape(shape)


def _tape(*values: Any) -> Tape | None:
    return tape_of(*values)


def _indices(tape: Tape, values: Any) -> list[int]:
    return [number_index(tape, v) for v in np.asarray(values, dtype=object).flat]


def _like(template: Any, values: list[Any]) -> Any:
    if np.shape(template) == ():
        return values[0]
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out.reshape(np.shape(template))


def _expr_or_zero(tape: Tape, index: int | None) -> Any:
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


def _forward(tape: Tape, between: list[int], seeds: dict[int, int]) -> dict[int, int]:
    """Tangent of each node on the way, absent where it is zero."""
    zero = tape.const(0.0)
    tangent = {i: t for i, t in seeds.items() if t != zero}
    bundles: dict[int, list[int | None]] = {}
    outer_label = tape.label
    for i in between:
        node = tape.nodes[i]
        op = node[0]
        tape.label = tape.labels[i]
        if op == ITEM:
            items = bundles.get(node[2])
            total = items[node[1]] if items is not None else None
        elif op in ops.BUNDLES:
            args = [tangent.get(k) for k in ops.operands(node)]
            if op in (SOLVE, SOLVE_T):
                args[0] = None
            if any(t is not None for t in args) or (op in (SOLVE, SOLVE_T) and node[1] in bundles):
                bundles[i] = _bundle_tangents(tape, i, args, bundles)
            continue
        elif op == SELECT:
            a, b = tangent.get(node[2]), tangent.get(node[3])
            both_zero = a is None and b is None
            total = None if both_zero else tape.select(node[1], zero if a is None else a, zero if b is None else b)
        elif op in (MIN, MAX):
            a, b = tangent.get(node[1]), tangent.get(node[2])
            both_zero = a is None and b is None
            second = zero if b is None else b
            total = None if both_zero else tape.select(takes_second(tape, node), second, zero if a is None else a)
        else:
            total = None
            rule = PARTIALS.get(op)
            if rule is not None and any([k in tangent for k in node[1:]]):
                for k, partial in zip(node[1:], rule(tape, i, node), strict=True):
                    if k in tangent:
                        term = tape.mul(partial, tangent[k])
                        total = term if total is None else tape.add(total, term)
        if total is not None and total != zero:
            tangent[i] = total
    tape.label = outer_label
    return tangent


def _bundle_tangents(
    tape: Tape, i: int, args: list[int | None], bundles: dict[int, list[int | None]]
) -> list[int | None]:
    """Tangents of a bundle's items; of a factorisation those of the matrix itself, row by row."""
    node = tape.nodes[i]
    op = node[0]
    if op == ops.FACTOR:
        return args
    if op == ops.FACTOR_SPD:
        return [args[max(r, c) * (max(r, c) + 1) // 2 + min(r, c)] for r in range(node[1]) for c in range(node[1])]
    zero = tape.const(0.0)
    if op == ROOT:
        return _root_tangents(tape, i, args)
    n = len(node) - 2
    x = tape.items(i, n)
    rhs = [zero if t is None else t for t in args[1:]]
    dA = bundles.get(node[1])
    if dA is not None:
        for r in range(n):
            for c in range(n):
                entry = dA[r * n + c] if op == SOLVE else dA[c * n + r]
                if entry is not None:
                    rhs[r] = tape.sub(rhs[r], tape.mul(entry, x[c]))
    return list(tape.items(tape.bundle(op, 0, (node[1], *rhs)), n))


def _root_tangents(tape: Tape, i: int, args: list[int | None]) -> list[int | None]:
    """du = -J^-1 (dr/dp dp) at the solution."""
    inner = tape.inners[tape.nodes[i][1]]
    n = inner.size
    zero = tape.const(0.0)
    u, p = tape.items(i, n), list(tape.nodes[i][2 + n :])
    dp = [zero if t is None else t for t in args[n:]]
    at = inline(inner.jvp, tape, u + p + dp)
    dr = [tape.neg(at[k]) for k in inner.jvp.output_nodes]
    if all(t == zero for t in dr):
        return [None] * (n + 2)
    return [*tape.items(tape.bundle(SOLVE, 0, (_root_factor(tape, i), *dr)), n), None, None]


def _root_factor(tape: Tape, i: int) -> int:
    """The factorised Jacobian of a root at its solution."""
    inner = tape.inners[tape.nodes[i][1]]
    n = inner.size
    at = inline(inner.jacobian, tape, tape.items(i, n) + list(tape.nodes[i][2 + n :]))
    return tape.bundle(ops.FACTOR, n, tuple(at[k] for k in inner.jacobian.output_nodes))


class _Reverse:
    """Reverse sweeps from fixed outputs to fixed inputs.

    An adjoint is a value and the condition under which it is not zero by construction (None: always). Below a branch
    not taken, products with it are guarded by that condition, so that 0 * inf never appears.
    """

    def __init__(self, tape: Tape, outputs: list[int], inputs: list[int]) -> None:
        self.tape = tape
        self.outputs = outputs
        self.inputs = inputs
        self.between = _between(tape, outputs, inputs)
        self.wanted = set(self.between) | set(inputs)
        self.zero = tape.const(0.0)

    def sweep(self, cotangents: list[int]) -> dict[int, int | None]:
        """Adjoint of each input, None where it is zero."""
        tape = self.tape
        self.adjoint: dict[int, tuple[int, int | None]] = {}
        self.items: dict[int, dict[int, tuple[int, int | None]]] = {}
        self.matrix: dict[int, dict[int, tuple[int, int | None]]] = {}
        for i, seed in zip(self.outputs, cotangents, strict=True):
            self._accumulate(self.adjoint, i, seed, None)
        outer_label = tape.label
        for i in reversed(self.between):
            tape.label = tape.labels[i]
            node = tape.nodes[i]
            if node[0] in ops.BUNDLES:
                self._bundle(i)
            elif i in self.adjoint:
                self._scalar(i, *self.adjoint[i])
        tape.label = outer_label
        return {i: self.adjoint[i][0] if i in self.adjoint else None for i in self.inputs}

    def _accumulate(self, into: dict[int, tuple[int, int | None]], key: int, value: int, active: int | None) -> None:
        if value == self.zero:
            return
        known = into.get(key)
        if known is None:
            into[key] = value, active
            return
        either = None if active is None or known[1] is None else self.tape.apply(ops.OR, known[1], active)
        into[key] = self.tape.add(known[0], value), either

    def _guarded(self, value: int, active: int | None) -> int:
        return value if active is None else self.tape.select(active, value, self.zero)

    def _scalar(self, i: int, value: int, active: int | None) -> None:
        tape = self.tape
        node = tape.nodes[i]
        op = node[0]
        if op == ITEM:
            self._accumulate(self.items.setdefault(node[2], {}), node[1], value, active)
        elif op in (SELECT, MIN, MAX):
            condition = node[1] if op == SELECT else takes_second(tape, node)
            taken, other = (node[2], node[3]) if op == SELECT else (node[2], node[1])
            self._branch(taken, value, condition, active)
            self._branch(other, value, tape.apply(ops.NOT, condition), active)
        elif op in PARTIALS:
            for k, partial in zip(node[1:], PARTIALS[op](tape, i, node), strict=True):
                if k in self.wanted:
                    term = tape.mul(value, partial)
                    constant = tape.nodes[partial][0] == ops.CONST
                    self._accumulate(self.adjoint, k, term if constant else self._guarded(term, active), active)

    def _branch(self, k: int, value: int, condition: int, active: int | None) -> None:
        if k in self.wanted:
            tape = self.tape
            both = condition if active is None else tape.apply(ops.AND, active, condition)
            self._accumulate(self.adjoint, k, tape.select(condition, value, self.zero), both)

    def _bundle(self, i: int) -> None:
        tape = self.tape
        node = tape.nodes[i]
        op = node[0]
        if op in (ops.FACTOR, ops.FACTOR_SPD):
            for place, (value, active) in self.matrix.get(i, {}).items():
                self._accumulate(self.adjoint, node[2 + place], value, active)
            return
        bars = self.items.get(i)
        if not bars:
            return
        if op == ROOT:
            self._root(i, bars, self._any_active(bars))
        else:
            self._solve(i, bars, self._any_active(bars))

    def _any_active(self, bars: dict[int, tuple[int, int | None]]) -> int | None:
        """Condition under which any of these adjoints is not zero by construction."""
        either: int | None = None
        for _, active in bars.values():
            if active is None:
                return None
            either = active if either is None else self.tape.apply(ops.OR, either, active)
        return either

    def _solve(self, i: int, bars: dict[int, tuple[int, int | None]], active: int | None) -> None:
        """b += lambda, A -= lambda x^T with A^T lambda = xbar."""
        tape = self.tape
        op, f, *b = tape.nodes[i]
        n = len(b)
        x = tape.items(i, n)
        xbar = [bars[k][0] if k in bars else self.zero for k in range(n)]
        transposed = SOLVE_T if op == SOLVE else SOLVE
        lam = [self._guarded(v, active) for v in tape.items(tape.bundle(transposed, 0, (f, *xbar)), n)]
        for k in range(n):
            if b[k] in self.wanted:
                self._accumulate(self.adjoint, b[k], lam[k], active)
        if f not in self.wanted:
            return
        spd = tape.nodes[f][0] == ops.FACTOR_SPD
        entries = tape.nodes[f][2:]
        into = self.matrix.setdefault(f, {})
        for r in range(n):
            for c in range(n):
                row, col = (r, c) if op == SOLVE else (c, r)
                place = max(row, col) * (max(row, col) + 1) // 2 + min(row, col) if spd else row * n + col
                if entries[place] in self.wanted:
                    term = self._guarded(tape.neg(tape.mul(lam[r], x[c])), active)
                    self._accumulate(into, place, term, active)

    def _root(self, i: int, bars: dict[int, tuple[int, int | None]], active: int | None) -> None:
        """pbar -= (dr/dp)^T lambda with J^T lambda = ubar, at the solution."""
        tape = self.tape
        inner = tape.inners[tape.nodes[i][1]]
        n = inner.size
        ubar = [bars[k][0] if k in bars else self.zero for k in range(n)]
        if all(v == self.zero for v in ubar):
            return
        lam = tape.items(tape.bundle(SOLVE_T, 0, (_root_factor(tape, i), *ubar)), n)
        p = list(tape.nodes[i][2 + n :])
        at = inline(inner.vjp, tape, [*tape.items(i, n), *p, *[tape.neg(v) for v in lam]])
        for k, place in zip(p, inner.vjp.output_nodes, strict=True):
            if k in self.wanted:
                self._accumulate(self.adjoint, k, self._guarded(at[place], active), active)
