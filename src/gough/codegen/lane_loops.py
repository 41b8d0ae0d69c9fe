"""Loops over alike legs, in an order in which they can run between all that is not alike."""

from __future__ import annotations

from dataclasses import dataclass

from gough.codegen.alike_lanes import AlikeLanes, Lanes, Numbers, Values, groups_of, shapes_of
from gough.graph import Count, Graph, Input, ops
from gough.graph.graph import Output
from gough.graph.operation_count import count_nodes
from gough.graph.ops import Node

FEWEST = 24
"""Operations of one lane from which a loop pays."""
WORTH = 5
"""Operations of one lane that pay for one array that passes values into loops or out of them."""

_CHOICES = frozenset((ops.MIN, ops.MAX, ops.SELECT))
_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))


@dataclass(frozen=True)
class LaneLoop:
    """A loop over legs.

    Attributes:
        legs: Their labels.
        graph: Operations of one lane.
        given: What its inputs are: constants, values of an earlier loop, or nodes.
        found: What its outputs are.
    """

    legs: tuple[str, ...]
    graph: Graph
    given: tuple[Lanes, ...]
    found: tuple[Values, ...]


@dataclass(frozen=True)
class Looped:
    """A graph with loops.

    Attributes:
        order: Nodes and loops, in an order in which they can run.
        place: By node the values of a loop that hold it, and in which lane.
        operations: How many there are, those of a loop counted once.
    """

    order: list[int | LaneLoop]
    place: dict[int, tuple[Values, int]]
    operations: int

    def count(self, graph: Graph) -> Count:
        """Operations of all lanes and of all else, without those of iterations."""
        total = count_nodes(graph.nodes[item] for item in self.order if isinstance(item, int))
        for loop in self.order:
            if isinstance(loop, LaneLoop):
                total += count_nodes(loop.graph.nodes) * len(loop.legs)
        return total


def looped(graph: Graph) -> Looped | None:
    """The graph with loops over alike legs, or None where none pays."""
    banned: set[tuple[int, ...]] = set()
    shape = shapes_of(graph)
    groups = groups_of(graph, shape)
    while groups:
        plan = _Plan(AlikeLanes(graph, shape, groups, banned))
        found = plan.found()
        paying = [legs for group, legs in enumerate(groups) if plan.pays(group)]
        if paying == groups and plan.small <= banned:
            return found
        banned |= plan.small
        groups = paying
    return None


class _Plan:
    """What runs when: loops, and nodes between them.

    Attributes:
        small: Nodes of loops that are too small to pay.
    """

    def __init__(self, lanes: AlikeLanes) -> None:
        self.lanes, self.graph = lanes, lanes.graph
        self.small: set[tuple[int, ...]] = set()
        self._cost = [0] * len(lanes.groups)
        self._gain = [0] * len(lanes.groups)

    def pays(self, group: int) -> bool:
        """Whether loops over a group save more than the arrays cost that pass values into them and out of them."""
        return self._gain[group] >= max(FEWEST, WORTH * self._cost[group])

    def found(self) -> Looped:
        """Nodes and loops in order; what does not pay is found on the way."""
        sequence, phase = self._phases()
        scalars: dict[int, list[int]] = {}
        loops: dict[tuple[int, int], list[Values]] = {}
        for item in sequence:
            if isinstance(item, Values):
                if item in self.lanes.made:
                    loops.setdefault((phase[item], self.lanes.group[item]), []).append(item)
            elif isinstance(item, int) and item not in self.lanes.place:
                scalars.setdefault(phase[item], []).append(item)
        leaving = self._leaving(sequence, phase)
        order: list[int | LaneLoop] = []
        for turn in range(max([*scalars, *(turn for turn, _ in loops)], default=0) + 1):
            order += sorted(scalars.get(turn, []))
            for group in range(len(self.lanes.groups)):
                if (turn, group) in loops:
                    order.append(self._loop(group, loops[turn, group], leaving))
        place = {i: self.lanes.place[i] for i in sequence if isinstance(i, int) and i in self.lanes.place}
        operations = sum(
            self.graph.nodes[item][0] not in _LEAVES if isinstance(item, int) else len(item.graph.nodes)
            for item in order
        )
        return Looped(order, place, operations)

    def _needs(self, item: int | Lanes) -> list[int | Lanes]:
        """What has to be computed before an item."""
        if isinstance(item, int):
            return (
                [self.lanes.place[item][0]] if item in self.lanes.place else list(ops.operands(self.graph.nodes[item]))
            )
        if isinstance(item, Numbers):
            return []
        return list(self.lanes.made[item][1]) if item in self.lanes.made else list(dict.fromkeys(item.nodes))

    def _phases(self) -> tuple[list[int | Lanes], dict[int | Lanes, int]]:
        """All that the outputs need, in order, and for each after how many loops it can run."""
        phase: dict[int | Lanes, int] = {}
        todo: list[int | Lanes] = list(reversed(self.graph.output_nodes))
        while todo:
            item = todo[-1]
            waiting = [k for k in self._needs(item) if k not in phase]
            if waiting and item not in phase:
                todo += waiting
                continue
            todo.pop()
            if item not in phase:
                phase[item] = max([phase[k] for k in self._needs(item)], default=0)
                if isinstance(item, int) and item in self.lanes.place:
                    phase[item] += 1
        return list(phase), phase

    def _leaving(self, sequence: list[int | Lanes], phase: dict[int | Lanes, int]) -> set[Values]:
        """Lanes that are read outside the loop that computes them."""
        leaving = {self.lanes.place[i][0] for i in sequence if isinstance(i, int) and i in self.lanes.place}
        for item in sequence:
            if isinstance(item, Values) and item in self.lanes.made:
                leaving |= {k for k in self.lanes.made[item][1] if isinstance(k, Values) and phase[k] < phase[item]}
        return {lanes for lanes in leaving if lanes in self.lanes.made}

    def _loop(self, group: int, lanes: list[Values], leaving: set[Values]) -> LaneLoop:
        """The loop of these lanes."""
        nodes: list[Node] = []
        given: list[Lanes] = []
        index: dict[Lanes | int, int] = {}
        for item in lanes:
            op, operands = self.lanes.made[item]
            keys = [_literal(op, k) for k in operands]
            for k in keys:
                if k not in index:
                    index[k] = len(nodes)
                    nodes.append((ops.CONST, k) if isinstance(k, int) else (ops.INPUT, len(given)))
                    given += [] if isinstance(k, int) else [k]
            index[item] = len(nodes)
            nodes.append((op, *[index[k] for k in keys]))
        found = tuple(item for item in lanes if item in leaving)
        self._gain[group] += len(lanes)
        self._cost[group] += len(found) + sum(isinstance(k, Values) and not k.shared for k in given)
        if len(lanes) < FEWEST:
            self.small |= {item.nodes for item in lanes}
        outputs = Output("found", (len(found),), "float", tuple(index[item] for item in found))
        inputs = Input((len(given),), name="given")
        body = Graph(tuple(nodes), ("",) * len(nodes), (inputs,), (outputs,))
        return LaneLoop(self.lanes.groups[group], body, tuple(given), found)


def _literal(op: int, lanes: Lanes) -> Lanes | int:
    """The bits of a constant that all lanes have, or the lanes.

    One that is chosen stays an array: compilers would compute ahead what follows from the choice, by a branch, and
    then make no vectors of the loop.
    """
    same = isinstance(lanes, Numbers) and len(set(lanes.bits)) == 1 and op not in _CHOICES
    return lanes.bits[0] if same and isinstance(lanes, Numbers) else lanes
