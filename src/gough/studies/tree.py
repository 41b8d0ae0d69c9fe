"""Leaves merged in a fixed binary tree, whatever the stretches they came in.

Node (level, index) covers leaves index 2^level to (index + 1) 2^level. A stretch of leaves is a few whole nodes; all
nodes of all stretches together always merge to the same root, by the same operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Node = tuple[int, int]


class Merger(Generic[T]):
    """Nodes of the tree, merged as soon as both halves are there: as many stay as stretches are apart."""

    def __init__(self, merge: Callable[[T, T], T], leaves: int) -> None:
        self.merge, self.leaves = merge, leaves
        self.nodes: dict[Node, T] = {}

    def add(self, node: Node, state: T) -> None:
        """A node, once."""
        level, index = node
        while True:
            self.nodes[level, index] = state
            other = (level, index ^ 1)
            if other not in self.nodes or not self.whole(level, index | 1):
                return
            left, right = self.nodes.pop((level, index & ~1)), self.nodes.pop((level, index | 1))
            level, index, state = level + 1, index // 2, self.merge(left, right)

    def whole(self, level: int, index: int) -> bool:
        """Whether all leaves of a node exist."""
        return (index + 1) << level <= self.leaves

    def root(self) -> T:
        """The state of all leaves, which must all have been added."""
        found = self._at(max(self.leaves - 1, 0).bit_length(), 0)
        if found is None:
            raise ValueError("leaves are missing")
        return found

    def _at(self, level: int, index: int) -> T | None:
        if (index << level) >= self.leaves:
            return None
        if (level, index) in self.nodes:
            return self.nodes[level, index]
        if level == 0:
            raise ValueError(f"leaf {index} is missing")
        left, right = self._at(level - 1, 2 * index), self._at(level - 1, 2 * index + 1)
        assert left is not None
        return left if right is None else self.merge(left, right)
