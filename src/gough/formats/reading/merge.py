"""A linkage without what does not move: links fixed to each other become one, links that turn idly are fixed.

A link that sits between two hinges about one line turns idly: nothing decides its angle. If it is round about that
line, its own turning does not reach the others; it is fixed to one of them without its moment about the line.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.formats.linkage import WORLD, Connection, Hook, Link, Linkage
from gough.formats.placement import Floats, Placement, cross_matrix, moved
from gough.formats.reading.span import spanned
from gough.formats.xml_text import FormatError

_SAME = 1e-9


def merged(linkage: Linkage, platform: str, ends: bool = True) -> tuple[Linkage, dict[str, tuple[str, Placement]]]:
    """The linkage whose fixed links are one, and for each link of before the link it is in now and its place there.

    A body on the platform that one joint moves stays a link unless `ends` is false: it is the end of a leg.
    """
    fixed = [c for c in linkage.connections if c.kind == "fixed"]
    at: dict[str, tuple[str, Placement]] = {name: (name, Placement()) for name in _names(linkage)}
    rank = {link.name: 3 if link.massless else 2 for link in linkage.links} | {WORLD: 0, platform: 1}

    def join(c: Connection) -> None:
        (a, in_a), (b, in_b) = at[c.parent], at[c.child]
        if a == b:
            return
        b_in_a = in_a @ c.at @ c.child_at.inverse() @ in_b.inverse()
        if rank[b] < rank[a]:
            a, b, b_in_a = b, a, b_in_a.inverse()
        for name, (root, place) in at.items():
            if root == b:
                at[name] = a, b_in_a @ place

    for c in fixed:
        if platform not in (c.parent, c.child):
            join(c)
    kept = [c for c in fixed if ends and platform in (c.parent, c.child) and _ends_a_leg(linkage, c, platform, at)]
    for c in fixed:
        if c not in kept:
            join(c)
    roots = [name for name, (root, _) in at.items() if root == name and name != WORLD]
    links = tuple(_composite(linkage, root, at) for root in roots)
    connections = [_hung(c, at) for c in linkage.connections if c.kind != "fixed" or c in kept]
    ropes = [replace(rope, first=_hooked(rope.first, at), second=_hooked(rope.second, at)) for rope in linkage.ropes]
    free = {at[name][0]: place @ at[name][1].inverse() for name, place in linkage.free.items()}
    connections = spanned(connections, list(free))
    return replace(linkage, links=links, connections=tuple(connections), ropes=tuple(ropes), free=free), at


def _ends_a_leg(linkage: Linkage, c: Connection, platform: str, at: dict[str, tuple[str, Placement]]) -> bool:
    """Whether what is fixed to the platform by a connection is the last link of a leg: a body that one joint moves."""
    other = at[c.parent if c.child == platform else c.child][0]
    joints = [o for o in linkage.connections if o.kind != "fixed" and other in (at[o.parent][0], at[o.child][0])]
    heavy = any(at[link.name][0] == other and not link.massless for link in linkage.links)
    return heavy and other != WORLD and len(joints) == 1 and platform not in (joints[0].parent, joints[0].child)


def without_idle(linkage: Linkage, platform: str, values: dict[str, float]) -> Linkage:
    """The linkage with its idle links fixed at these coordinates, to be merged.

    Raises:
        FormatError: Such a link is not round.
    """
    links, connections, remarks = list(linkage.links), list(linkage.connections), list(linkage.remarks)
    for k, link in enumerate(linkage.links):
        own = [c for c in linkage.connections if link.name in (c.parent, c.child) and c.kind != "fixed"]
        hooked = any(link.name in (rope.first.link, rope.second.link) for rope in linkage.ropes)
        if len(own) != 2 or hooked or link.name == platform or any(c.kind != "R" or c.driven for c in own):
            continue
        (p, a), (q, b) = (_line(c, link.name) for c in own)
        if np.linalg.norm(np.cross(a, b)) > _SAME or np.linalg.norm(np.cross(a, q - p)) > _SAME:
            continue
        if not _round(link, p, a):
            raise FormatError(
                f"link {link.name}: turns idly between {own[0].name} and {own[1].name}, which have one axis, and is "
                "not round about it: what it does is not decided by the platform; remove one of the joints"
            )
        spin = float(a @ link.inertia @ a)
        links[k] = replace(link, inertia=link.inertia - spin * np.outer(a, a))
        held = next((c for c in own if not c.closes), own[0])
        if held not in connections:  # fixed already, with the link on its other side
            continue
        at = held.at @ moved("R", held.axis, values.get(held.name, held.home))
        connections[connections.index(held)] = replace(held, kind="fixed", at=at)
        lost = f", without its moment of {spin:.3g} kg m^2 about the axis" if spin else ""
        remarks.append(f"{link.name}: turns idly about one axis, so that {held.name} is taken as fixed{lost}")
    return replace(linkage, links=tuple(links), connections=tuple(connections), remarks=tuple(remarks))


def composite(parts: list[tuple[Link, Placement]], name: str) -> Link:
    """Links at their places in a frame as one link in that frame."""
    heavy = [(link, place) for link, place in parts if not link.massless]
    if len(heavy) == 1:
        link, place = heavy[0]
        return Link(name, link.mass, place.point(link.com), place.rotation @ link.inertia @ place.rotation.T)
    mass = sum(link.mass for link, _ in heavy)
    moments = [link.mass * place.point(link.com) for link, place in heavy]
    com = np.sum(moments, axis=0) / mass if mass else np.zeros(3)
    inertia = np.zeros((3, 3))
    for link, place in heavy:
        D = cross_matrix(place.point(link.com) - com)
        inertia += place.rotation @ link.inertia @ place.rotation.T - link.mass * (D @ D)
    return Link(name, mass, np.asarray(com), (inertia + inertia.T) / 2)


def _composite(linkage: Linkage, root: str, at: dict[str, tuple[str, Placement]]) -> Link:
    inside = [(linkage.link(name), place) for name, (owner, place) in at.items() if owner == root]
    if len(inside) == 1:
        return inside[0][0]
    return composite(inside, root)


def _names(linkage: Linkage) -> list[str]:
    return [WORLD, *(link.name for link in linkage.links)]


def _hung(c: Connection, at: dict[str, tuple[str, Placement]]) -> Connection:
    (parent, p), (child, q) = at[c.parent], at[c.child]
    if parent == c.parent and child == c.child:
        return c
    return replace(c, parent=parent, child=child, at=p @ c.at, child_at=q @ c.child_at)


def _hooked(hook: Hook, at: dict[str, tuple[str, Placement]]) -> Hook:
    link, place = at[hook.link]
    return Hook(link, place.point(hook.point))


def _line(c: Connection, link: str) -> tuple[Floats, Floats]:
    """A point and the direction of a hinge's axis, in the frame of one of its links."""
    frame = c.at if link == c.parent else c.child_at
    return frame.position, frame.rotation @ c.axis


def _round(link: Link, p: Floats, a: Floats) -> bool:
    """Whether a link is round about the line through p along a."""
    if link.massless:
        return True
    I, size = link.inertia, np.abs(link.inertia).max()
    across = np.linalg.svd(np.outer(a, a))[2][1:]
    part = across @ I @ across.T
    uneven = max(abs(part[0, 0] - part[1, 1]), abs(part[0, 1]), np.linalg.norm(across @ I @ a))
    return bool(link.mass * np.linalg.norm(np.cross(a, link.com - p)) <= 1e-9 * link.mass and uneven <= 1e-6 * size)
