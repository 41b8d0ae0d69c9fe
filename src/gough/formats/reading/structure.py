"""Which links of a linkage are a leg: what is left in one piece once base and platform are taken away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gough.formats.linkage import WORLD, Connection, Linkage
from gough.formats.placement import Floats, Placement
from gough.formats.xml_text import FormatError


@dataclass(frozen=True, eq=False)
class Step:
    """A connection on the way from the base outward: from the near link to the far one.

    Walked against its own direction it turns about the opposite axis, by the same coordinate.
    """

    connection: Connection
    forward: bool

    @property
    def near(self) -> str:
        """The link before it."""
        return self.connection.parent if self.forward else self.connection.child

    @property
    def far(self) -> str:
        """The link behind it."""
        return self.connection.child if self.forward else self.connection.parent

    @property
    def at_near(self) -> Placement:
        """The joint's frame in the near link."""
        return self.connection.at if self.forward else self.connection.child_at

    @property
    def at_far(self) -> Placement:
        """The moved joint's frame in the far link."""
        return self.connection.child_at if self.forward else self.connection.at

    @property
    def axis(self) -> Floats:
        """(3,) in the joint's frame."""
        return self.connection.axis if self.forward else -self.connection.axis


@dataclass(frozen=True, eq=False)
class Branch:
    """A leg of a linkage.

    Attributes:
        steps: From the base to the platform.
        side: What its links carry aside, each after what carries it.
    """

    steps: tuple[Step, ...]
    side: tuple[Step, ...] = ()

    @property
    def links(self) -> set[str]:
        """Names of its links."""
        return {step.far for step in (*self.steps[:-1], *self.side)}


class NotLegs(FormatError):
    """A linkage that does not fall into legs between base and platform."""


def branches(linkage: Linkage, platform: str) -> tuple[list[Branch], list[Connection]]:
    """The legs, in the order of the file, and the connections to links that do not reach the platform.

    Raises:
        NotLegs: A leg has a loop in itself, or the platform is fixed to the base.
    """
    found: list[Branch] = []
    idle: list[Connection] = []
    for piece in _pieces(linkage, platform):
        links = {name for c in piece for name in (c.parent, c.child)} - {WORLD, platform}
        on_base = [c for c in piece if WORLD in (c.parent, c.child)]
        on_platform = [c for c in piece if platform in (c.parent, c.child)]
        if len(links) == 0:
            if piece[0].kind == "fixed":
                raise NotLegs(f"link {platform}: is fixed to the base, so it is no platform")
            found.append(Branch((Step(piece[0], piece[0].parent == WORLD),)))
        elif not on_base or not on_platform:
            idle += piece
        elif len(on_base) == len(on_platform) == 1 and len(piece) == len(links) + 1:
            found.append(_branch(piece, platform))
        else:
            raise NotLegs(_why(links, on_base, on_platform, platform))
    return found, idle


def possible_platforms(linkage: Linkage) -> list[str]:
    """Links that at least two legs or cables hold, and nothing else."""
    found = []
    for link in linkage.links:
        try:
            legs, _ = branches(linkage, link.name)
        except NotLegs:
            continue
        ropes = sum(link.name in (r.first.link, r.second.link) for r in linkage.ropes if r.tension is not None)
        if len(legs) + ropes >= 2:
            found.append(link.name)
    return found


def _why(links: set[str], on_base: list[Connection], on_platform: list[Connection], platform: str) -> str:
    names = ", ".join(sorted(links)[:4]) + (", .." if len(links) > 4 else "")
    ends = [c.name for c in on_platform]
    if len(on_platform) > 1:
        where = f"meet the platform {platform} at {len(ends)} joints ({', '.join(ends[:4])})"
    elif len(on_base) > 1:
        where = f"stand on the base at {len(on_base)} joints ({', '.join(c.name for c in on_base[:4])})"
    else:
        where = "close a loop among themselves"
    return (
        f"links {names}: {where}; a leg is one chain from base to platform, with a loop in it only where its joints "
        "follow others at a fixed ratio, as in a parallelogram; is --platform the right link?"
    )


def _pieces(linkage: Linkage, platform: str) -> Iterator[list[Connection]]:
    """Connections that hang together without base and platform, in the order of the file."""
    left = list(linkage.connections)
    while left:
        piece = [left.pop(0)]
        seen = {piece[0].parent, piece[0].child} - {WORLD, platform}
        grown = True
        while grown:
            more = [c for c in left if {c.parent, c.child} & seen]
            grown = bool(more)
            for c in more:
                left.remove(c)
                piece.append(c)
                seen |= {c.parent, c.child} - {WORLD, platform}
        order = {c.name: k for k, c in enumerate(linkage.connections)}
        yield sorted(piece, key=lambda c: order[c.name])


def _branch(piece: list[Connection], platform: str) -> Branch:
    """The tree of a piece from the base on: the way to the platform, and the rest."""
    steps: list[Step] = []
    reached, todo = {WORLD}, list(piece)
    way: dict[str, Step] = {}
    while todo:
        for c in todo:
            if c.parent in reached and c.parent != platform:
                step = Step(c, True)
            elif c.child in reached and c.child != platform:
                step = Step(c, False)
            else:
                continue
            steps.append(step)
            way[step.far] = step
            reached.add(step.far)
            todo.remove(c)
            break
    chain = [way[platform]]
    while chain[0].near != WORLD:
        chain.insert(0, way[chain[0].near])
    return Branch(tuple(chain), tuple(step for step in steps if step not in chain))


def with_base(linkage: Linkage, base: str) -> Linkage:
    """The linkage with a free link held still as its base."""
    free = {name: place for name, place in linkage.free.items() if name != base}
    held = Connection(f"{base}.held", "fixed", WORLD, base, linkage.free[base])
    remark = f"{base}: is free to move in the file; taken as the base, which stands still"
    return replace(linkage, free=free, connections=(held, *linkage.connections), remarks=(*linkage.remarks, remark))
