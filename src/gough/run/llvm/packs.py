"""Calls of elementary functions that do not wait for each other, put side by side into one call on wider vectors.

Code for single samples runs on the narrowest vectors, where a sine or an angle takes as long as it does for a whole
register of them. Six legs have many such calls: four at a time take little longer than one.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from gough.graph import Graph, ops
from gough.graph.elementary import BY_OPERATION

Call = tuple[str, tuple[int, ...]]
"""Name of a function and its operands; of sine and cosine, which are one call, both nodes have the same."""

Unit = tuple[int, ...]
"""Nodes that are computed at once: a single one, or those of calls side by side."""


def call_of(node: ops.Node) -> Call | None:
    """What a node calls, if it is an elementary function with equations of our own."""
    function = BY_OPERATION.get(node[0])
    return None if function is None else (function.name, node[1:])


def calls_of(graph: Graph, unit: Unit) -> list[Call]:
    """What the nodes of a unit call, each call once."""
    calls = [call_of(graph.nodes[i]) for i in unit]
    return list(dict.fromkeys(call for call in calls if call is not None))


def packed(graph: Graph, nodes: Sequence[int], room: int) -> list[Unit]:
    """The nodes of a piece in an order of definition before use, up to `room` calls of a function in one unit.

    Calls are side by side only if equally many calls lead to them at most: then none waits for another, and no two
    units wait for each other.
    """
    inside = set(nodes)
    level: dict[int, int] = {}
    calls: dict[tuple[str, int], dict[Call, list[int]]] = {}
    for i in nodes:
        before = [k for k in ops.operands(graph.nodes[i]) if k in inside]
        level[i] = max([level[k] + (graph.nodes[k][0] in BY_OPERATION) for k in before], default=0)
        call = call_of(graph.nodes[i])
        if call is not None:
            calls.setdefault((call[0], level[i]), {}).setdefault(call, []).append(i)
    units: dict[int, Unit] = {i: (i,) for i in nodes}
    for family in calls.values():
        members = list(family.values())
        for first in range(0, len(members), room):
            unit = tuple(i for member in members[first : first + room] for i in member)
            units |= dict.fromkeys(unit, unit)
    return _in_order(graph, units)


def _in_order(graph: Graph, units: dict[int, Unit]) -> list[Unit]:
    """The units, each after those it needs, else as they were recorded."""
    users: dict[Unit, set[Unit]] = {unit: set() for unit in units.values()}
    waiting_for = dict.fromkeys(users, 0)
    for unit in users:
        for needed in {units[k] for i in unit for k in ops.operands(graph.nodes[i]) if k in units}:
            users[needed].add(unit)
            waiting_for[unit] += 1
    ready = [unit for unit, count in waiting_for.items() if count == 0]
    heapq.heapify(ready)
    order: list[Unit] = []
    while ready:
        unit = heapq.heappop(ready)
        order.append(unit)
        for user in users[unit]:
            waiting_for[user] -= 1
            if waiting_for[user] == 0:
                heapq.heappush(ready, user)
    return order
