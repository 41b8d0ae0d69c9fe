"""A linkage whose tree starts at the world, of connections that a file lists in any direction and order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gough.formats.linkage import WORLD, Connection

_LATE = ("ball",)
"""Kinds that are part of the tree only where nothing else reaches a link."""


def spanned(connections: Sequence[Connection], free: Sequence[str] = ()) -> list[Connection]:
    """The connections in their order: those of the tree lead away from the world, the others close loops.

    Those that close a loop in the file, and balls, are taken into the tree only where nothing else reaches a link;
    links of `free` stand by themselves.
    """
    reached = {WORLD, *free}
    tree: dict[str, Connection] = {}
    for late in (False, True):
        grown = True
        while grown:
            grown = False
            for c in connections:
                if c.name in tree or ((c.closes or c.kind in _LATE) and not late):
                    continue
                inside = (c.parent in reached, c.child in reached)
                if inside in ((True, False), (False, True)):
                    tree[c.name] = replace(c if inside[0] else turned(c), closes=False)
                    reached |= {c.parent, c.child}
                    grown = True
                    if late:
                        break
    return [tree.get(c.name) or replace(c, closes=True) for c in connections]


def turned(c: Connection) -> Connection:
    """The connection from its child to its parent: about the opposite axis, with the same coordinate."""
    return replace(c, parent=c.child, child=c.parent, at=c.child_at, child_at=c.at, axis=-c.axis)
