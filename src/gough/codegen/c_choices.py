"""Numbers that change places if a condition holds, such as rows of a matrix for a pivot: C does it by one branch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gough.codegen.alike_lanes import Values
from gough.codegen.lane_loops import LaneLoop
from gough.graph import Graph, ops


class CommonChoices:
    """Operations in an order in which choices by the same condition follow each other.

    What the later ones need moves ahead: the right-hand side of equations changes its rows with the matrix.

    Attributes:
        order: Nodes and loops over legs.
        branches: For the first of several choices, two of which exchange numbers, all of them.

    Args:
        graph: Any.
        order: Its nodes and loops over legs, in an order in which they can run.
        place: By node that such a loop computes the values that hold it, and in which lane.
    """

    def __init__(self, graph: Graph, order: Sequence[int | LaneLoop], place: Mapping[int, tuple[Values, int]]) -> None:
        self.order: list[int | LaneLoop] = []
        self.branches: dict[int, list[int]] = {}
        self._graph, self._place = graph, place
        self._turn: dict[int | Values, int] = {}
        choices: dict[int, list[int]] = {}
        for turn, item in enumerate(order):
            for own in item.found if isinstance(item, LaneLoop) else (item,):
                self._turn[own] = turn
            if isinstance(item, int) and graph.nodes[item][0] == ops.SELECT:
                choices.setdefault(graph.nodes[item][1], []).append(item)
        self._done: set[int | Values] = set()
        for item in order:
            if isinstance(item, LaneLoop):
                self.order.append(item)
                self._done.update(item.found)
            elif item not in self._done:
                if graph.nodes[item][0] == ops.SELECT:
                    self._gather(choices[graph.nodes[item][1]])
                else:
                    self._add([item])

    def _add(self, nodes: Sequence[int]) -> None:
        self.order += nodes
        self._done.update(nodes)

    def _gather(self, choices: list[int]) -> None:
        """Adds all choices that can be made with the first that is left, and before them what they need."""
        missing = {choice: self._missing(choice) for choice in choices if choice not in self._done}
        found = [choice for choice, needs in missing.items() if needs is not None]
        self._add(sorted(set().union(*(missing[choice] or () for choice in found)), key=self._turn.__getitem__))
        self._add(found)
        sides = {self._graph.nodes[choice][2:] for choice in found}
        if any((b, a) in sides for a, b in sides):
            self.branches[found[0]] = found

    def _missing(self, choice: int) -> set[int] | None:
        """What a choice takes that is not done yet; None if that includes a loop or a choice by the same condition."""
        condition = self._graph.nodes[choice][1]
        found: set[int] = set()
        todo = [*self._graph.nodes[choice][2:]]
        while todo:
            i = todo.pop()
            if self._graph.nodes[i][0] == ops.ITEM:
                i = self._graph.nodes[i][2]
            own: int | Values = self._place[i][0] if i in self._place else i
            if own in self._done or own not in self._turn or i in found:
                continue
            if isinstance(own, Values) or self._graph.nodes[i][:2] == (ops.SELECT, condition):
                return None
            found.add(i)
            todo += ops.operands(self._graph.nodes[i])
        return found
