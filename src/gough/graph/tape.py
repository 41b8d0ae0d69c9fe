"""The tape: where operations are recorded, each distinct one once.

Identities used while recording, none of which changes a finite, non-zero result by a bit (but for division):

- constants fold; `x + 0`, `x - 0`, `x * 1` are `x`; `x * -1` is `-x`; `x * 0` is 0 (also for an infinite or NaN `x`);
- signs move outwards: `x + (-y)` is `x - y`, `(-x) * y` is `-(x * y)`, `-(x - y)` is `y - x`, `1 / (-x)` is `-(1 / x)`;
- `+`, `*`, `==`, `and`, `or` do not care about the order of their operands;
- `x / y` is always `x * (1 / y)`: everything divided by `y` shares one reciprocal, and the bits of a result do not
  depend on what else is computed. That rounds twice, and overflows where `1 / y` does (`|y|` below 5.6e-309);
- an absolute value is never below zero;
- a select between equal branches, or on a constant or a negated condition, simplifies; so do `and`, `or` of equal,
  opposite or constant conditions.

The sign of a zero and the payload of a NaN are not kept by these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gough.graph import ieee, ops
from gough.graph.ops import ADD, AND, BOOL, CONST, EQ, ITEM, MUL, NE, NEG, NOT, OR, RECIP, ROOT, SELECT, SUB, Node

if TYPE_CHECKING:
    from gough.graph.root import Inner

_ARITHMETIC = frozenset((ADD, SUB, MUL))
_TRIGGERS = frozenset((CONST, NEG))
_COMMUTATIVE = frozenset((ADD, MUL, EQ, NE, AND, OR))
_ZEROS = (ieee.bits(0.0), ieee.bits(-0.0))
_ONE, _TWO = ieee.bits(1.0), ieee.bits(2.0)


class Tape:
    """An append-only, hash-consed list of nodes.

    Attributes:
        nodes: Tuples `(op, *head, *operands)`.
        labels: For each node the label that was current when it was first recorded.
        label: The current one.
        inners: Inner graphs of roots, referred to by place.
    """

    __slots__ = ("_constants", "_index", "_unknowns", "inners", "label", "labels", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.labels: list[str] = []
        self.label = ""
        self.inners: list[Inner] = []
        self._index: dict[Node, int] = {}
        self._constants: dict[float, int] = {}
        self._unknowns = 0

    def node(self, node: Node) -> int:
        """Index of this node, which is appended if it is new."""
        index = self._index.get(node)
        if index is None:
            index = self._index[node] = len(self.nodes)
            self.nodes.append(node)
            self.labels.append(self.label)
        return index

    def const(self, value: float) -> int:
        """Index of a constant."""
        index = self._constants.get(value) if value else None  # 0.0 and -0.0 are the same key, but two constants
        if index is None:
            index = self._constants[value] = self.node((CONST, ieee.bits(value)))
        return index

    def boolean(self, value: bool) -> int:
        """Index of a constant truth value."""
        return self.node((BOOL, int(value)))

    def unknown(self) -> int:
        """Index of a new unknown, an input that no graph will have."""
        self._unknowns += 1
        return self.node((ops.INPUT, -self._unknowns))

    def inner(self, inner: Inner) -> int:
        """Place of an inner graph among `inners`."""
        for place, known in enumerate(self.inners):
            if known is inner or known.digest == inner.digest:
                return place
        self.inners.append(inner)
        return len(self.inners) - 1

    def value(self, index: int) -> float | bool | None:
        """The constant at `index`, or None."""
        op = self.nodes[index][0]
        if op == CONST:
            return ieee.from_bits(self.nodes[index][1])
        return bool(self.nodes[index][1]) if op == BOOL else None

    def is_bool(self, index: int) -> bool:
        """Whether the node is a truth value."""
        node = self.nodes[index]
        op = node[0]
        if op in ops.BOOLEAN:
            return True
        if op == ITEM:
            bundle = self.nodes[node[2]]
            return bundle[0] == ROOT and node[1] == self.inners[bundle[1]].size
        return False

    def apply(self, op: int, *args: int) -> int:
        """Index of `op` on these operands, simplified."""
        if op in _ARITHMETIC:
            return self.arithmetic(op, *args)
        rule = _RULES.get(op)
        if rule is not None:
            simpler = rule(self, *args)
            if simpler is not None:
                return simpler
        return self._plain(op, args)

    def arithmetic(self, op: int, a: int, b: int) -> int:
        """Index of a + b, a - b or a * b, simplified. Most of a recording goes through here, so it is kept short."""
        nodes = self.nodes
        if nodes[a][0] in _TRIGGERS or nodes[b][0] in _TRIGGERS:
            simpler = _RULES[op](self, a, b)
            return self._plain(op, (a, b)) if simpler is None else simpler
        node = (op, b, a) if a > b and op != SUB else (op, a, b)
        index = self._index.get(node)
        if index is None:
            index = self._index[node] = len(nodes)
            nodes.append(node)
            self.labels.append(self.label)
        return index

    def _plain(self, op: int, args: Node) -> int:
        """Index of `op` with constants folded and operands in order, no other rule."""
        nodes = self.nodes
        for i in args:
            if nodes[i][0] > BOOL or nodes[i][0] == ops.INPUT:
                break
        else:
            result = ieee.FUNCTIONS[op](*[self.value(i) for i in args])
            return self.boolean(result) if isinstance(result, bool) else self.const(result)
        if op in _COMMUTATIVE and args[0] > args[1]:
            args = (args[1], args[0])
        return self.node((op, *args))

    def add(self, a: int, b: int) -> int:
        """Index of a + b."""
        return self.arithmetic(ADD, a, b)

    def sub(self, a: int, b: int) -> int:
        """Index of a - b."""
        return self.arithmetic(SUB, a, b)

    def mul(self, a: int, b: int) -> int:
        """Index of a * b."""
        return self.arithmetic(MUL, a, b)

    def neg(self, a: int) -> int:
        """Index of -a."""
        return self.apply(NEG, a)

    def select(self, condition: int, a: int, b: int) -> int:
        """Index of a where the condition holds, else b."""
        return self.apply(SELECT, condition, a, b)

    def bundle(self, op: int, head: int, args: Node) -> int:
        """Index of a compound node."""
        return self.node((op, head, *args) if ops.FIRST_OPERAND[op] == 2 else (op, *args))

    def items(self, bundle: int, count: int) -> list[int]:
        """Indices of the items of a bundle."""
        return [self.node((ITEM, k, bundle)) for k in range(count)]


def _negated(tape: Tape, i: int) -> int | None:
    """Index of y where node i is -y."""
    node = tape.nodes[i]
    return node[1] if node[0] == NEG else None


def _is_zero(tape: Tape, i: int) -> bool:
    node = tape.nodes[i]
    return node[0] == CONST and node[1] in _ZEROS


def _add(tape: Tape, a: int, b: int) -> int | None:
    if _is_zero(tape, a):
        return b
    if _is_zero(tape, b):
        return a
    minus_b = _negated(tape, b)
    if minus_b is not None:
        return tape.apply(SUB, a, minus_b)
    minus_a = _negated(tape, a)
    if minus_a is not None:
        return tape.apply(SUB, b, minus_a)
    return None


def _sub(tape: Tape, a: int, b: int) -> int | None:
    if _is_zero(tape, b):
        return a
    if _is_zero(tape, a):
        return tape.apply(NEG, b)
    minus_b = _negated(tape, b)
    if minus_b is not None:
        return tape.apply(ADD, a, minus_b)
    minus_a = _negated(tape, a)
    if minus_a is not None:
        return tape.apply(NEG, tape.apply(ADD, minus_a, b))
    return None


def _mul(tape: Tape, a: int, b: int) -> int | None:
    for c, x in ((a, b), (b, a)):
        node = tape.nodes[c]
        if node[0] == CONST:
            if node[1] in _ZEROS:
                return tape.const(0.0)
            if node[1] == _ONE:
                return x
            if node[1] == _TWO:
                return tape.apply(ADD, x, x)
            if node[1] >> 63:
                return tape.apply(NEG, tape.apply(MUL, tape.apply(NEG, c), x))
    minus_a, minus_b = _negated(tape, a), _negated(tape, b)
    if minus_a is None and minus_b is None:
        return None
    product = tape.apply(MUL, a if minus_a is None else minus_a, b if minus_b is None else minus_b)
    return product if minus_a is not None and minus_b is not None else tape.apply(NEG, product)


def _div(tape: Tape, a: int, b: int) -> int | None:
    return tape.apply(MUL, a, tape.apply(RECIP, b))


def _neg(tape: Tape, a: int) -> int | None:
    node = tape.nodes[a]
    if node[0] == NEG:
        return node[1]
    if node[0] == SUB:
        return tape.apply(SUB, node[2], node[1])
    return None


def _recip(tape: Tape, a: int) -> int | None:
    minus_a = _negated(tape, a)
    return None if minus_a is None else tape.apply(NEG, tape.apply(RECIP, minus_a))


def _abs(tape: Tape, a: int) -> int | None:
    minus_a = _negated(tape, a)
    if minus_a is not None:
        return tape.apply(ops.ABS, minus_a)
    return a if tape.nodes[a][0] == ops.ABS else None


def _same(tape: Tape, a: int, b: int) -> int | None:
    return a if a == b else None


def _opposite(tape: Tape, a: int, b: int) -> bool:
    return tape.nodes[a] == (NOT, b) or tape.nodes[b] == (NOT, a)


def _and(tape: Tape, a: int, b: int) -> int | None:
    for c, x in ((a, b), (b, a)):
        if tape.nodes[c][0] == BOOL:
            return x if tape.nodes[c][1] else c
    return tape.boolean(False) if _opposite(tape, a, b) else _same(tape, a, b)


def _or(tape: Tape, a: int, b: int) -> int | None:
    for c, x in ((a, b), (b, a)):
        if tape.nodes[c][0] == BOOL:
            return c if tape.nodes[c][1] else x
    return tape.boolean(True) if _opposite(tape, a, b) else _same(tape, a, b)


def _less(tape: Tape, a: int, b: int) -> int | None:
    never = tape.nodes[a][0] == ops.ABS and _is_zero(tape, b)
    return tape.boolean(False) if never else None


def _not(tape: Tape, a: int) -> int | None:
    return tape.nodes[a][1] if tape.nodes[a][0] == NOT else None


def _select(tape: Tape, condition: int, a: int, b: int) -> int | None:
    if a == b:
        return a
    node = tape.nodes[condition]
    if node[0] == BOOL:
        return a if node[1] else b
    return tape.apply(SELECT, node[1], b, a) if node[0] == NOT else None


_RULES: dict[int, Callable[..., int | None]] = {
    ADD: _add,
    SUB: _sub,
    MUL: _mul,
    ops.DIV: _div,
    NEG: _neg,
    RECIP: _recip,
    ops.ABS: _abs,
    ops.MIN: _same,
    ops.MAX: _same,
    ops.LT: _less,
    AND: _and,
    OR: _or,
    NOT: _not,
    SELECT: _select,
}
