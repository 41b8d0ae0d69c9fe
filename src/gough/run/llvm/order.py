"""The order of operations in a piece that keeps the processor's units busy.

Equations are recorded in the order in which people write them, which chains operations that wait for each other: an
elimination most of all. Taking first what the longest chain hangs on lets independent work fill the waits.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from gough.graph import Graph, ops

ISSUE = 1
"""Operations on the widest vectors that start in a cycle."""

_CYCLES = {
    **dict.fromkeys((ops.ADD, ops.SUB, ops.MUL), 4),
    **dict.fromkeys((ops.DIV, ops.RECIP), 14),
    ops.SQRT: 20,
    **dict.fromkeys(ops.TRANSCENDENTAL, 60),
    **dict.fromkeys(ops.COMPARISONS, 3),
    **dict.fromkeys((ops.MIN, ops.MAX, ops.SIGN, ops.FLOOR), 6),
}
"""Cycles until a result can be used; one for what is not listed."""


def by_latency(graph: Graph, nodes: Sequence[int]) -> tuple[int, ...]:
    """The nodes of a piece, in an order that is still one of definition before use."""
    inside = set(nodes)
    users: dict[int, list[int]] = {i: [] for i in nodes}
    waiting_for: dict[int, int] = {}
    for i in nodes:
        needed = {k for k in ops.operands(graph.nodes[i]) if k in inside}
        waiting_for[i] = len(needed)
        for k in needed:
            users[k].append(i)
    takes = {i: _CYCLES.get(graph.nodes[i][0], 1) for i in nodes}
    chain: dict[int, int] = {}
    for i in reversed(nodes):
        chain[i] = takes[i] + max([chain[k] for k in users[i]], default=0)
    earliest = dict.fromkeys(nodes, 0)
    later = [(0, i) for i in nodes if waiting_for[i] == 0]
    heapq.heapify(later)
    ready: list[tuple[int, int]] = []
    order: list[int] = []
    cycle = 0
    while later or ready:
        while later and later[0][0] <= cycle:
            i = heapq.heappop(later)[1]
            heapq.heappush(ready, (-chain[i], i))
        if not ready:
            cycle = later[0][0]
            continue
        for _ in range(min(ISSUE, len(ready))):
            i = heapq.heappop(ready)[1]
            order.append(i)
            for k in users[i]:
                earliest[k] = max(earliest[k], cycle + takes[i])
                waiting_for[k] -= 1
                if waiting_for[k] == 0:
                    heapq.heappush(later, (earliest[k], k))
        cycle += 1
    return tuple(order)
