"""Parallelograms that a file has as loops within a leg, as joints that follow others.

Four links A, B, C, D with four parallel hinges between them, A-B, B-C, C-D and D-A, make a parallelogram where both B
and D lead from A to C by the same way: then C keeps the direction of A, and D turns as B does. So one hinge of D can be
left out, and three coordinates become one. Hinges of several links on one line (a pin) may join them in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from gough.formats.linkage import WORLD, Connection, Follow, Linkage
from gough.formats.placement import Floats, Placement
from gough.formats.reading.assembly import Assembly, coordinate

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class _Pin:
    """Hinges about one line that hang together.

    Attributes:
        point, axis: (3,) of the line, in the world.
        hinges: Names of the connections.
        links: That turn about it.
    """

    point: Floats
    axis: Floats
    hinges: tuple[str, ...]
    links: frozenset[str]


@dataclass(frozen=True)
class _Four:
    """The links of a parallelogram, and the pins A-B, B-C, C-D and D-A."""

    links: tuple[str, str, str, str]
    pins: tuple[_Pin, _Pin, _Pin, _Pin]


def with_parallelograms(assembly: Assembly, platform: str, size: float) -> tuple[Linkage, dict[str, float]]:
    """The linkage without loops of parallelograms, and the hinges that are other ones now, with their coordinates."""
    linkage = assembly.linkage
    changed: dict[str, float] = {}
    places = assembly.places()
    while True:
        pins = _pins(linkage, places, size)
        for four in _fours(linkage, pins, platform, size):
            made = _opened(linkage, places, four, platform)
            if made is not None:
                linkage, names = made
                known = {c.name: c for c in assembly.linkage.connections}
                changed |= {name: coordinate(known[name], places) for name in names}
                break
        else:
            return linkage, changed


def _line(c: Connection, places: dict[str, Placement]) -> tuple[Floats, Floats]:
    frame = places[c.parent] @ c.at
    return frame.position, frame.rotation @ c.axis


def _pins(linkage: Linkage, places: dict[str, Placement], size: float) -> list[_Pin]:
    pins: list[_Pin] = []
    for c in linkage.connections:
        if c.kind != "R":
            continue
        point, axis = _line(c, places)
        hinges, links = [c.name], {c.parent, c.child}
        for pin in list(pins):
            apart = np.linalg.norm(np.cross(axis, pin.point - point))
            if links & pin.links and np.linalg.norm(np.cross(axis, pin.axis)) < _SAME and apart < _SAME * size:
                hinges, links = [*pin.hinges, *hinges], links | pin.links
                pins.remove(pin)
        pins.append(_Pin(point, axis, tuple(hinges), frozenset(links)))
    return pins


def _fours(linkage: Linkage, pins: list[_Pin], platform: str, size: float) -> Iterator[_Four]:
    """All parallelograms whose D is a passive rod between two hinges."""
    hooked = {hook.link for rope in linkage.ropes for hook in (rope.first, rope.second)}
    for link in reversed(linkage.links):
        own = [c for c in linkage.connections if link.name in (c.parent, c.child)]
        if len(own) != 2 or link.name in {platform, *hooked} or not all(_plain(c, linkage) for c in own):
            continue
        first, second = (next((pin for pin in pins if c.name in pin.hinges), None) for c in own)
        if first is None or second is None or first is second:
            continue
        for da, cd in ((first, second), (second, first)):
            for ab, bc in _beside(pins, da, cd, size):
                for a in sorted(da.links & ab.links - {link.name}):
                    for b in sorted(ab.links & bc.links - {link.name, a, WORLD, platform}):
                        for c in sorted(bc.links & cd.links - {link.name, a, b}):
                            if {a, c} != {WORLD, platform}:
                                yield _Four((a, b, c, link.name), (ab, bc, cd, da))


def _beside(pins: list[_Pin], da: _Pin, cd: _Pin, size: float) -> Iterator[tuple[_Pin, _Pin]]:
    """Pairs of pins that are as far apart as two others, in the same direction across their axes."""
    n = da.axis
    if np.linalg.norm(np.cross(n, cd.axis)) > _SAME:
        return
    way = np.cross(n, cd.point - da.point)
    level = [pin for pin in pins if pin not in (da, cd) and np.linalg.norm(np.cross(n, pin.axis)) < _SAME]
    for ab in level:
        for bc in level:
            same = np.linalg.norm(np.cross(n, bc.point - ab.point) - way) < _SAME * size
            if ab is not bc and same and np.linalg.norm(way) > _SAME * size:
                yield ab, bc


def _plain(c: Connection, linkage: Linkage) -> bool:
    """Whether a hinge just turns: nothing drives, brakes, springs or couples it."""
    led = any(o.follows is not None and o.follows.leader == c.name for o in linkage.connections)
    bare = not (c.viscous or c.coulomb or c.armature or c.spring or c.driven)
    return c.kind == "R" and bare and c.follows is None and not led


def _opened(
    linkage: Linkage, places: dict[str, Placement], four: _Four, platform: str
) -> tuple[Linkage, list[str]] | None:
    """The linkage with a parallelogram opened, and the names of hinges that are gone or other ones; None if not so."""
    (a, b, c, d), (ab, bc, cd, da) = four.links, four.pins
    held, pin, other = (c, cd, da) if a in (WORLD, platform) else (a, da, cd)
    changed: list[str] = []
    for where, near, far in ((ab, a, b), (bc, b, c), (pin, held, d)):
        joined = _joined(linkage, places, where, near, far)
        if joined is None:
            return None
        linkage, name = joined
        changed += name
    hinges = {o.name: o for o in linkage.connections}
    first, second = (_between(hinges, where, *ends) for where, ends in ((ab, (a, b)), (bc, (b, c))))
    side, gone = (
        _between(hinges, pin, held, d),
        next(n for n in other.hinges if d in (hinges[n].parent, hinges[n].child)),
    )
    if second.follows is not None or side.follows is not None or (first.driven and second.driven):
        return None
    turns = {o.name: _sense(o, near, places, ab.axis) for o, near in ((first, a), (second, b), (side, held))}
    leader, follower = (second, first) if second.driven else (first, second)
    if follower.follows is not None:
        return None
    spin = 1.0 if leader is first else -1.0
    made = []
    for o in linkage.connections:
        if o.name == gone:
            continue
        if o.name in (follower.name, side.name):
            ratio = (-1.0 if o.name == follower.name else spin) * turns[o.name] * turns[leader.name]
            offset = coordinate(o, places) - ratio * coordinate(leader, places)
            o = replace(o, follows=Follow(leader.name, ratio, offset))
        made.append(o)
    remark = (
        f"{d}: makes a parallelogram with {a}, {b} and {c}, so that {follower.name} and {side.name} follow "
        f"{leader.name}, and {gone} is left out"
    )
    changed.append(gone)
    return replace(linkage, connections=tuple(made), remarks=(*linkage.remarks, remark)), changed


def _between(hinges: dict[str, Connection], pin: _Pin, a: str, b: str) -> Connection:
    return next(hinges[name] for name in pin.hinges if {hinges[name].parent, hinges[name].child} == {a, b})


def _sense(c: Connection, near: str, places: dict[str, Placement], axis: Floats) -> float:
    """1 where the coordinate grows as the far link turns about the axis against the near one, -1 the other way."""
    forward = 1.0 if c.parent == near else -1.0
    return forward if _line(c, places)[1] @ axis > 0.0 else -forward


def _joined(
    linkage: Linkage, places: dict[str, Placement], pin: _Pin, a: str, b: str
) -> tuple[Linkage, list[str]] | None:
    """The linkage whose links a and b of a pin share a hinge; a plain one between them is moved there if need be."""
    hinges = [c for c in linkage.connections if c.name in pin.hinges]
    if any({c.parent, c.child} == {a, b} for c in hinges):
        return linkage, []
    for old in sorted(hinges, key=lambda c: not c.closes):
        rest = [c for c in hinges if c is not old]
        if _plain(old, linkage) and old.range is None and b not in _reached(rest, a):
            frame = Placement(_line(old, places)[0], (places[old.parent] @ old.at).rotation)
            at, child_at = (places[link].inverse() @ frame for link in (a, b))
            new = replace(old, parent=a, child=b, at=at, child_at=child_at, home=0.0, zero=0.0)
            connections = tuple(new if c is old else c for c in linkage.connections)
            return replace(linkage, connections=connections), [old.name]
    return None


def _reached(hinges: list[Connection], start: str) -> set[str]:
    found, grown = {start}, True
    while grown:
        more = {n for c in hinges if {c.parent, c.child} & found for n in (c.parent, c.child)} - found
        found |= more
        grown = bool(more)
    return found
