"""An order of operations that keeps the processor's units busy."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from gough.graph import Graph, ops

ISSUE = 2
"""Operations on the widest vectors that start in a cycle."""

LONGEST = 2300
"""Operations of the largest piece that is ordered. This order keeps many values in memory: the code of a larger piece
does not fit the instruction cache, and recorded order and LLVM's own, which save registers, are up to twice as fast."""

_CYCLES = {
    **dict.fromkeys((ops.ADD, ops.SUB, ops.MUL, ops.FMA), 4),
    **dict.fromkeys((ops.DIV, ops.RECIP), 22),
    ops.SQRT: 31,
    **dict.fromkeys(ops.TRANSCENDENTAL, 50),
    **dict.fromkeys(ops.COMPARISONS, 4),
    **dict.fromkeys((ops.MIN, ops.MAX, ops.SIGN, ops.FLOOR), 6),
}
"""Cycles until a result can be used; one for what is not listed."""

_DIVIDER = {**dict.fromkeys((ops.DIV, ops.RECIP), 16), ops.SQRT: 21}
"""Cycles until the divider, of which there is one, can start with the next vector."""


def by_latency(graph: Graph, nodes: Sequence[int]) -> tuple[int, ...]:
    """The nodes of a piece, reordered; operands still come before their users.

    Of the nodes whose operands are ready, the one with the longest chain of users, in cycles, goes first. A division
    is held back until the divider is free: its users would only fill the window from which the processor chooses.
    """
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
    later = [(0, -chain[i], i) for i in nodes if waiting_for[i] == 0]
    heapq.heapify(later)
    ready: list[tuple[int, int]] = []
    divisions: list[tuple[int, int]] = []
    order: list[int] = []
    cycle = divider_free = 0
    while later or ready or divisions:
        while later and later[0][0] <= cycle:
            _, priority, i = heapq.heappop(later)
            heapq.heappush(divisions if graph.nodes[i][0] in _DIVIDER else ready, (priority, i))
        started = []
        if divisions and divider_free <= cycle:
            started.append(heapq.heappop(divisions)[1])
            divider_free = cycle + _DIVIDER[graph.nodes[started[0]][0]]
        while ready and len(started) < ISSUE:
            started.append(heapq.heappop(ready)[1])
        for i in started:
            for k in users[i]:
                earliest[k] = max(earliest[k], cycle + takes[i])
                waiting_for[k] -= 1
                if waiting_for[k] == 0:
                    heapq.heappush(later, (earliest[k], -chain[k], k))
        order += started
        cycle += 1
    return tuple(order)
