"""Legs that are alike: operations that every leg has, on other numbers, found in a graph so that a loop computes them.

Two legs are alike as far as their operations have the same shape: the same operations on the same inputs, whatever the
constants, the signs and the order of what is added or multiplied. One operation of the loop then stands for one of
each leg, its lanes. Where legs differ in a sign, the lanes get it by a constant, or by a factor of 1 or -1: every lane
has the bits of the operation that was recorded, zeros and their signs too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from gough.graph import Graph, ieee, ops

LEAST = 2
"""Legs from which a loop pays."""
_LOOPED = frozenset(
    (ops.ADD, ops.SUB, ops.MUL, ops.RECIP, ops.SQRT, ops.ABS, ops.MIN, ops.MAX, ops.SELECT, ops.ISFINITE)
) | (ops.COMPARISONS)
"""Operations that compilers turn into operations on vectors."""
_SUMS = frozenset((ops.ADD, ops.SUB))
_COMMUTE = frozenset((ops.MUL, ops.EQ, ops.NE, ops.AND, ops.OR))
_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))
_PER_LEG = frozenset(("q", "qd", "force", "kp", "kd", "p"))
"""Inputs of which legs may have one each, as they have constants."""
_ONES = (ieee.bits(1.0), ieee.bits(-1.0))


@dataclass(frozen=True)
class Numbers:
    """Constants, one per lane, by their bits."""

    bits: tuple[int, ...]


@dataclass(frozen=True)
class Values:
    """Nodes, one per lane, and in which lanes their value is negated."""

    nodes: tuple[int, ...]
    minus: tuple[bool, ...]

    @property
    def shared(self) -> bool:
        """Whether all lanes have the same."""
        return len(set(self.nodes)) == 1 and not any(self.minus)


Lanes = Numbers | Values


def shapes_of(graph: Graph) -> list[int]:
    """For each node the number of its shape."""
    per_leg = {
        slot for slot, name in enumerate(s.name for s in graph.inputs for _ in range(s.size)) if name in _PER_LEG
    }
    numbers: dict[object, int] = {}
    shape: list[int] = []
    for node in graph.nodes:
        op = node[0]
        first = ops.FIRST_OPERAND[op]
        below = [shape[k] for k in node[first:]]
        if op == ops.CONST or (op == ops.INPUT and node[1] in per_leg):
            key: object = "a number"
        elif op == ops.NEG:
            shape.append(below[0])
            continue
        elif op in _SUMS or op in _COMMUTE:
            key = (ops.ADD if op in _SUMS else op, *sorted(below))
        else:
            key = (op, *node[1:first], "of", *below)
        shape.append(numbers.setdefault(key, len(numbers)))
    return shape


def _by_leg(graph: Graph, shape: list[int]) -> Iterator[dict[str, list[int]]]:
    """For each shape the nodes of each leg."""
    found: dict[int, dict[str, list[int]]] = {}
    for i, (node, label) in enumerate(zip(graph.nodes, graph.labels, strict=True)):
        if label.startswith("leg ") and node[0] not in _LEAVES:
            found.setdefault(shape[i], {}).setdefault(label, []).append(i)
    yield from found.values()


def groups_of(graph: Graph, shape: list[int]) -> list[tuple[str, ...]]:
    """Legs that are alike, each in one group: those that have most in common first."""
    common: Counter[tuple[str, ...]] = Counter()
    for own in _by_leg(graph, shape):
        if len(own) >= LEAST and len({len(nodes) for nodes in own.values()}) == 1:
            common[tuple(own)] += sum(map(len, own.values()))
    groups: list[tuple[str, ...]] = []
    for legs, _ in common.most_common():
        if not any(leg in group for group in groups for leg in legs):
            groups.append(legs)
    return groups


class AlikeLanes:
    """Operations that are alike in the legs of each group, looked for from results down to what they need.

    Attributes:
        made: For lanes that a loop computes the operation and what it takes.
        group: Of which group those are.
        place: By node the lanes that hold it, and which of them.
    """

    def __init__(
        self, graph: Graph, shape: list[int], groups: list[tuple[str, ...]], banned: set[tuple[int, ...]]
    ) -> None:
        self.graph, self.shape, self.groups, self.banned = graph, shape, groups, banned
        self.uses = Counter(k for node in graph.nodes for k in ops.operands(node)) + Counter(graph.output_nodes)
        self.group: dict[Values, int] = {}
        self.made: dict[Values, tuple[int, tuple[Lanes, ...]]] = {}
        self.place: dict[int, tuple[Values, int]] = {}
        for group, legs in enumerate(groups):
            for own in _by_leg(graph, shape):
                if set(own) >= set(legs) and len({len(own[leg]) for leg in legs}) == 1:
                    for nodes in zip(*[own[leg] for leg in legs], strict=True):
                        self._find(group, nodes)
        self.place = {i: (lanes, lane) for i, (lanes, lane) in self.place.items() if lanes in self.made}

    def _find(self, group: int, nodes: tuple[int, ...]) -> None:
        """Makes lanes of alike nodes, and of all they need as far as it is alike."""
        todo = [self._lanes(nodes)]
        while todo:
            lanes = todo.pop()
            if isinstance(lanes, Numbers) or lanes in self.made:
                continue
            operation = self._operation(lanes)
            if operation is not None:
                self.made[lanes] = operation
                self.group[lanes] = group
                todo += operation[1]

    def _lanes(self, nodes: tuple[int, ...], minus: tuple[bool, ...] | None = None) -> Lanes:
        """Lanes of these nodes, negated in some; numbers if they are constants."""
        signs = list(minus or [False] * len(nodes))
        plain = list(nodes)
        for lane, i in enumerate(plain):
            while self.graph.nodes[i][0] == ops.NEG:
                i = plain[lane] = self.graph.nodes[i][1]
                signs[lane] = not signs[lane]
        if all(self.graph.nodes[i][0] == ops.CONST for i in plain):
            values = [ieee.from_bits(self.graph.nodes[i][1]) for i in plain]
            return Numbers(tuple(ieee.bits(-v if s else v) for v, s in zip(values, signs, strict=True)))
        lanes = Values(tuple(plain), tuple(signs))
        for found, minus_of in ((nodes, minus or ()), (lanes.nodes, lanes.minus)):
            if not any(minus_of) and len(set(found)) > 1 and self._alike(lanes.nodes):
                for lane, i in enumerate(found):
                    self.place.setdefault(i, (lanes, lane))
        return lanes

    def _alike(self, nodes: tuple[int, ...]) -> bool:
        """Whether one operation of a loop can stand for these."""
        if len({self.shape[i] for i in nodes}) > 1 or len(set(nodes)) == 1 or nodes in self.banned:
            return False
        return all(self.graph.nodes[i][0] in _LOOPED for i in nodes)

    def _operation(self, lanes: Values) -> tuple[int, tuple[Lanes, ...]] | None:
        """What computes these lanes, or None if they are given to a loop."""
        nodes, minus = lanes.nodes, lanes.minus
        if any(minus):
            factors = self._factors(nodes) if self._alike(nodes) else None
            if factors is not None and not self._takes_signs(factors[0]):
                factors = self._signed_once(nodes, factors, minus)
            if factors is not None:
                return ops.MUL, (self._lanes(factors[0], minus), self._lanes(factors[1]))
            if all(minus):
                return ops.NEG, (self._lanes(nodes),)
            return ops.MUL, (Numbers(tuple(_ONES[sign] for sign in minus)), self._lanes(nodes))
        if not self._alike(nodes):
            return None
        op = self.graph.nodes[nodes[0]][0]
        if op in _SUMS:
            return self._sum(nodes)
        factors = self._factors(nodes)
        if factors is not None:
            return ops.MUL, (self._lanes(factors[0]), self._lanes(factors[1]))
        operands = zip(*[ops.operands(self.graph.nodes[i]) for i in nodes], strict=True)
        return op, tuple(self._lanes(own) for own in operands)

    def _pairs(self, nodes: tuple[int, ...]) -> list[tuple[tuple[int, bool], tuple[int, bool]]]:
        """For each node its two operands, those of one shape first, and whether they are subtracted."""
        pairs: list[tuple[tuple[int, bool], tuple[int, bool]]] = []
        for i in nodes:
            op, a, b = self.graph.nodes[i]
            pair = ((a, False), (b, op == ops.SUB))
            pairs.append(pair if not pairs or self.shape[a] == self.shape[pairs[0][0][0]] else (pair[1], pair[0]))
        return pairs

    def _sum(self, nodes: tuple[int, ...]) -> tuple[int, tuple[Lanes, ...]]:
        (a, a_minus), (b, b_minus) = [tuple(zip(*side, strict=True)) for side in zip(*self._pairs(nodes), strict=True)]
        if all(b_minus) and not any(a_minus):
            return ops.SUB, (self._lanes(a), self._lanes(b))
        if all(a_minus) and not any(b_minus):
            return ops.SUB, (self._lanes(b), self._lanes(a))
        return ops.ADD, (self._lanes(a, a_minus), self._lanes(b, b_minus))

    def _factors(self, nodes: tuple[int, ...]) -> list[tuple[int, ...]] | None:
        """The factors of products, those first that take signs for nothing; None if they are none."""
        if self.graph.nodes[nodes[0]][0] != ops.MUL:
            return None
        sides = [tuple(i for i, _ in side) for side in zip(*self._pairs(nodes), strict=True)]
        return sides if self._takes_signs(sides[0]) else sides[::-1]

    def _signed_once(
        self, nodes: tuple[int, ...], factors: list[tuple[int, ...]], minus: tuple[bool, ...]
    ) -> list[tuple[int, ...]] | None:
        """The factors with that one first whose signs are best changed, since more products use it; None if none is."""
        if any(self.uses[i] > 1 for i in nodes):
            return None
        known = [self._lanes(factor, minus) in self.made for factor in factors]
        often = [min(self.uses[i] for i in factor) for factor in factors]
        first = known.index(True) if any(known) else often.index(max(often))
        return [factors[first], factors[1 - first]]

    def _takes_signs(self, nodes: tuple[int, ...]) -> bool:
        """Whether these can be negated at no cost: constants, or products with them that nothing else uses."""
        if all(self.graph.nodes[i][0] == ops.CONST for i in nodes):
            return True
        if any(self.uses[i] > 1 for i in nodes) or not self._alike(nodes):
            return False
        factors = self._factors(nodes)
        return factors is not None and self._takes_signs(factors[0])
