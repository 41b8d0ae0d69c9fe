"""Splitting a graph into pieces that a compiler digests, and giving places to the values that cross between them.

A body of 150 000 operations compiles seven times slower whole than in pieces of about a thousand, and runs no faster.
Pieces of 1000 also run quickest in the order in which they were recorded; a graph that is small enough to stay whole is
quicker, and a yet smaller one is ordered by latency (`gough.run.llvm.order`).
"""

from __future__ import annotations

from dataclasses import dataclass

from gough.graph import Graph, ops

PIECE = 1000
"""Operations a piece holds."""

WHOLE = 4000
"""Operations up to which a graph is not split."""

_LEAVES = frozenset((ops.INPUT, ops.CONST, ops.BOOL, ops.ITEM))


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive nodes, or a single loop.

    Attributes:
        nodes: Indices, leaves left out: constants, inputs and items of loops are read where they are used.
        loop: Index of the loop node this piece is, or -1.
        stores: Node to slot, for values that later pieces read.
        outputs: Places among the outputs with the node to be put there.
    """

    nodes: tuple[int, ...]
    loop: int
    stores: dict[int, int]
    outputs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Pieces in the order in which they run, and the slots they need.

    Attributes:
        pieces: See `Piece`.
        slots: How many values are kept between pieces at most.
        slot_of: For each value kept its slot.
        whole: Nothing but loops splits the graph.
    """

    pieces: tuple[Piece, ...]
    slots: int
    slot_of: dict[int, int]
    whole: bool


def schedule(graph: Graph) -> Schedule:
    """The pieces of an expanded graph."""
    whole = sum(node[0] not in _LEAVES for node in graph.nodes) <= WHOLE
    groups = _groups(graph, WHOLE if whole else PIECE)
    where = {i: place for place, group in enumerate(groups) for i in group}
    last_use = _last_uses(graph, groups, where)
    slot_of, stores, slots = _slots(groups, last_use, where)
    outputs = _outputs(graph, where, len(groups))
    pieces = []
    for place, group in enumerate(groups):
        loop = group[0] if group and graph.nodes[group[0]][0] == ops.LOOP else -1
        pieces.append(Piece(tuple(group), loop, stores[place], tuple(outputs[place])))
    return Schedule(tuple(pieces), slots, slot_of, whole)


def _groups(graph: Graph, piece: int) -> list[list[int]]:
    """Nodes by piece; a loop stands alone; the last piece is never a loop, so that it can place outputs."""
    groups: list[list[int]] = [[]]
    for i, node in enumerate(graph.nodes):
        if node[0] in _LEAVES:
            continue
        if node[0] == ops.LOOP:
            groups += [[i], []]
            continue
        if len(groups[-1]) >= piece:
            groups.append([])
        groups[-1].append(i)
    return [group for place, group in enumerate(groups) if group or place == len(groups) - 1]


def _last_uses(graph: Graph, groups: list[list[int]], where: dict[int, int]) -> dict[int, int]:
    """For each node that a later piece reads, the last such piece."""
    last: dict[int, int] = {}
    for place, group in enumerate(groups):
        for i in group:
            for k in ops.operands(graph.nodes[i]):
                if k in where and where[k] != place:
                    last[k] = place
    return last


def _slots(
    groups: list[list[int]], last_use: dict[int, int], where: dict[int, int]
) -> tuple[dict[int, int], list[dict[int, int]], int]:
    """Slot of each kept node, the stores of each piece, and the number of slots; a slot is used again when free."""
    slot_of: dict[int, int] = {}
    stores: list[dict[int, int]] = [{} for _ in groups]
    free: list[int] = []
    expires: dict[int, list[int]] = {}
    count = 0
    for place, group in enumerate(groups):
        for i in group:
            if i not in last_use:
                continue
            if free:
                slot = free.pop()
            else:
                slot, count = count, count + 1
            slot_of[i] = stores[place][i] = slot
            expires.setdefault(last_use[i], []).append(slot)
        free += expires.pop(place, [])
    return slot_of, stores, count


def _outputs(graph: Graph, where: dict[int, int], pieces: int) -> list[list[tuple[int, int]]]:
    """For each piece the outputs it places: those it computes; the last one also what are leaves."""
    outputs: list[list[tuple[int, int]]] = [[] for _ in range(pieces)]
    for place, i in enumerate(graph.output_nodes):
        outputs[where.get(i, pieces - 1)].append((place, i))
    return outputs
