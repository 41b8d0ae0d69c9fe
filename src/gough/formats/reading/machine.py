"""The machine that is in a linkage: on a base that stands still, assembled, with its platform and its legs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gough.formats.linkage import WORLD, Connection, Linkage, Rope
from gough.formats.placement import Placement
from gough.formats.reading.assembly import Assembly, Motions, closed, closed_at_home, coordinate, size_of, start_of
from gough.formats.reading.merge import composite, merged, without_idle
from gough.formats.reading.parallelograms import with_parallelograms
from gough.formats.reading.plausible_links import refuse_odd_sizes
from gough.formats.reading.span import spanned
from gough.formats.reading.structure import Branch, branches, possible_platforms, with_base
from gough.formats.xml_text import FormatError
from gough.robot.names import did_you_mean

_CLOSED = 1e-9
"""Largest gap, in sizes of the machine or rad, of a loop that counts as closed."""
_TOLD = 1e-5
"""How far a joint may be from where it is given without a word, in sizes or rad: files have few digits."""

_MOST_TRIED = 40
"""Most links of which each is tried as the platform: a trial assembles the machine, a tenth of a second."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A linkage of which only joints are left, where it is assembled.

    Attributes:
        linkage: Its links and joints, without what does not reach the platform.
        assembly: Its coordinates at home.
        platform: Name of the platform's link.
        legs: What leads from the base to it.
        changed: Hinges that the file has otherwise, with their values at home.
        size: Size of the machine [m].
    """

    linkage: Linkage
    assembly: Assembly
    platform: str
    legs: Sequence[Branch]
    changed: dict[str, float]
    size: float

    @property
    def cables(self) -> list[Rope]:
        """Ropes that pull; the others are springs."""
        return [rope for rope in self.linkage.ropes if rope.tension is not None]


def machine_of(linkage: Linkage, platform: str | None, actuated: Sequence[str] | None, base: str | None) -> Machine:
    """The machine in a linkage; arguments as those of `robot_of`.

    Raises:
        FormatError: There is none, or it does not close.
    """
    refuse_odd_sizes(linkage)
    linkage = _based(linkage, base, platform)
    linkage = _driven(linkage, actuated)
    return _held(linkage, _platform(linkage, platform))


def _held(linkage: Linkage, platform: str) -> Machine:
    """The machine with this platform, which at least two legs or cables hold."""
    linkage, assembly, size = _assembled(linkage, platform)
    linkage, assembly, changed = _without_inner_loops(linkage, assembly, platform, size)
    legs, idle = branches(linkage, platform)
    linkage, assembly = _without_idle_ends(linkage, assembly, platform, idle)
    machine = Machine(linkage, assembly, platform, legs, changed, size)
    if len(legs) + len(machine.cables) < 2:
        raise FormatError(
            f"link {platform}: only {len(legs)} leg holds it, so there is no loop; gough is for parallel robots, and "
            "a URDF needs --loops FILE.yaml to say where its branches meet"
        )
    return machine


def _based(linkage: Linkage, base: str | None, platform: str | None) -> Linkage:
    """The linkage on a base that stands still."""
    names = [link.name for link in linkage.links]
    if base is not None:
        if base not in names:
            raise FormatError(f"--base {base}: no such link; {did_you_mean(base, names)}")
        if base in linkage.free:
            return with_base(linkage, base)
        return linkage
    stands = any(WORLD in (c.parent, c.child) for c in linkage.connections)
    stands = stands or any(WORLD in (r.first.link, r.second.link) for r in linkage.ropes)
    roots = [name for name in linkage.free if name != platform]
    if stands or not roots:
        return linkage
    return with_base(linkage, roots[0])


def _driven(linkage: Linkage, actuated: Sequence[str] | None) -> Linkage:
    """The linkage with just these joints driven."""
    if actuated is None:
        return linkage
    joints = [c.name for c in linkage.connections if c.kind in ("R", "P")]
    for name in actuated:
        if name not in joints:
            raise FormatError(f"--actuated {name}: no such hinge or slide; {did_you_mean(name, joints)}")
    connections = [replace(c, driven=c.name in actuated) for c in linkage.connections]
    return replace(linkage, connections=tuple(connections))


def _platform(linkage: Linkage, stated: str | None) -> str:
    names = [link.name for link in linkage.links]
    if stated is not None:
        if stated not in names:
            raise FormatError(f"--platform {stated}: no such link; {did_you_mean(stated, names)}")
        return stated
    if not any(c.closes for c in linkage.connections) and not any(r.tension for r in linkage.ropes):
        raise FormatError(
            "no loop: its joints make a tree, and a parallel robot has loops; if they are left out, name the frames "
            "that meet with --loops FILE.yaml"
        )
    held, where = merged(linkage, next(iter(linkage.free), names[0]))
    found = possible_platforms(held) or _beside_parallelograms(linkage, held)
    floating = [name for name in found if name in held.free]
    if len(floating) == 1:
        return floating[0]
    if len(found) == 1:
        return _named(linkage, [name for name, (root, _) in where.items() if root == found[0]], found[0])
    if found:
        raise FormatError(
            f"{len(found)} links could be the platform: {', '.join(found)}; name it: --platform {found[-1]}"
        )
    try:
        branches(held, next(iter(held.free), names[-1]))
    except FormatError as error:
        raise FormatError(f"no platform found: {error}") from None
    raise FormatError("no link is held by two legs or more; name the platform: --platform LINK")


def _named(linkage: Linkage, parts: Sequence[str], otherwise: str) -> str:
    """Which of links that are fixed to each other is the platform: the one on which loops end, or that is called so."""
    ends = Counter(c.child for c in linkage.connections if c.closes and c.kind == "fixed" and c.child in parts)
    heavy = {name: count for name, count in ends.items() if not linkage.link(name).massless}
    if heavy:
        return max(heavy, key=lambda name: heavy[name])
    return next((name for name in parts if name.lower() == "platform"), otherwise)


def _beside_parallelograms(linkage: Linkage, held: Linkage) -> list[str]:
    """Links of `held` that legs hold once loops within these, parallelograms, are joints that follow others."""
    if len(held.links) > _MOST_TRIED:
        return []
    size = size_of(linkage)
    assembly, gap = closed_at_home(linkage, size)
    if gap > _CLOSED:
        raise FormatError(_open_loop(assembly, gap, size))
    linkage = replace(_homed(linkage, assembly), free=assembly.linkage.free)
    found = []
    for link in held.links:
        if sum(link.name in (c.parent, c.child) for c in held.connections) < 2:
            continue
        try:
            _held(linkage, link.name)
        except FormatError:
            continue
        found.append(link.name)
    return found


def _assembled(linkage: Linkage, platform: str) -> tuple[Linkage, Assembly, float]:
    """The linkage with only joints left, assembled, and its size."""
    size = size_of(linkage)
    assembly, gap = closed_at_home(linkage, size)
    if gap > _CLOSED:
        raise FormatError(_open_loop(assembly, gap, size))
    names = {link.name for link in linkage.links}
    linkage = replace(linkage, free=assembly.linkage.free, remarks=(*linkage.remarks, *_moved(assembly, size)))
    held, where = merged(linkage, platform)
    if where[platform][0] != platform:
        raise FormatError(f"link {platform}: is fixed to the base, so it is no platform; there are {', '.join(names)}")
    slack = without_idle(held, platform, assembly.values)
    if slack is not held:
        held, _ = merged(slack, platform)
    again = _closed(_homed(held, assembly), size)
    return again.linkage, again, size


def _moved(assembly: Assembly, size: float) -> list[str]:
    """A line on joints that are not where the file gives them, because its loops do not close there; else nothing."""
    places, moved = assembly.places(), []
    for c in assembly.linkage.connections:
        if c.given:
            at = coordinate(c, places) if c.closes else assembly.values[c.name]
            way = abs(at - c.home) / (size if c.kind == "P" else 1.0)
            moved.append((way, f"{c.name} is {at:.6g} {'m' if c.kind == 'P' else 'rad'}, given is {c.home:.6g}"))
    far = [line for way, line in sorted(moved, reverse=True) if way > _TOLD]
    if not far:
        return []
    more = f" ({len(far) - 1} more moved)" if len(far) > 1 else ""
    return [f"home: the loops do not close at the coordinates given: {far[0]}{more}"]


def _without_inner_loops(
    linkage: Linkage, assembly: Assembly, platform: str, size: float
) -> tuple[Linkage, Assembly, dict[str, float]]:
    """The machine with its parallelograms as joints that follow others, and hinges that the file has otherwise."""
    whole, _ = merged(linkage, platform, ends=False)
    made, changed = with_parallelograms(_closed(_homed(whole, assembly), size), platform, size)
    if not changed:
        return linkage, assembly, {}
    again = _closed(replace(made, connections=tuple(spanned(made.connections, list(made.free)))), size)
    return again.linkage, again, changed


def _closed(linkage: Linkage, size: float) -> Assembly:
    """The linkage assembled, from where it starts.

    Raises:
        FormatError: A loop stays open.
    """
    again, gap = closed(start_of(linkage), size)
    if gap > _CLOSED:
        raise FormatError(_open_loop(again, gap, size))
    linkage = replace(linkage, free=again.linkage.free)
    return Assembly(linkage, again.values, again.turns)


def _homed(linkage: Linkage, assembly: Assembly) -> Linkage:
    """The linkage whose coordinates start where it is assembled; balls are turned so that they stand at zero there."""
    made = []
    for c in linkage.connections:
        if c.closes:
            made.append(c)
        elif c.kind == "ball":
            made.append(replace(c, at=c.at @ Placement(rotation=assembly.turns[c.name])))
        else:
            made.append(replace(c, home=assembly.values.get(c.name, c.home)))
    return replace(linkage, connections=tuple(made))


def _open_loop(assembly: Assembly, gap: float, size: float) -> str:
    """The line of a machine whose loops do not close: the worst of them and how far it stays open."""
    worst, at, rigid = 0.0, "", False
    for c in assembly.linkage.connections:
        if c.closes:
            only = replace(
                assembly.linkage, connections=tuple(o for o in assembly.linkage.connections if o is c or not o.closes)
            )
            found = np.abs(Motions(Assembly(only, assembly.values, assembly.turns), size).loops()[0]).max(initial=0.0)
            if found > worst:
                worst, at, rigid = float(found), c.name, c.kind == "fixed"
    hint = "give the file more digits" if gap < 1e-4 else "is it assembled in the file's own pose?"
    kind = ", taken as rigid (6d, weld; ball joints are 3d, connect)," if rigid else ""
    return f"{at}: the loop{kind} stays open by {gap * size:.3g} m (or {gap:.3g} rad); {hint}"


def _without_idle_ends(
    linkage: Linkage, assembly: Assembly, platform: str, idle: Sequence[Connection]
) -> tuple[Linkage, Assembly]:
    """The linkage without links that do not reach the platform; what hangs on the platform is fixed to it at home."""
    if not idle:
        return linkage, assembly
    names = {name for c in idle for name in (c.parent, c.child)} - {WORLD, platform}
    places, parts, remarks = assembly.places(), [], list(linkage.remarks)
    on_platform = {c.name for c in idle if platform in (c.parent, c.child)}
    hanging = _reached(idle, platform) if on_platform else set()
    for name in sorted(names & hanging):
        parts.append((linkage.link(name), places[platform].inverse() @ places[name]))
        remarks.append(f"{name}: hangs on the platform; fixed to it where it is at home")
    for name in sorted(names - hanging):
        remarks.append(f"{name}: left out, it does not reach the platform")
    whole = composite([(linkage.link(platform), Placement()), *parts], platform)
    links = tuple(whole if link.name == platform else link for link in linkage.links if link.name not in names)
    lost = {c.name for c in idle}
    kept = tuple(c for c in linkage.connections if c.name not in lost)
    ropes = tuple(r for r in linkage.ropes if not {r.first.link, r.second.link} & names)
    free = {name: place for name, place in linkage.free.items() if name not in names}
    linkage = replace(linkage, links=links, connections=kept, ropes=ropes, free=free, remarks=tuple(remarks))
    values = {name: value for name, value in assembly.values.items() if name not in lost}
    turns = {name: R for name, R in assembly.turns.items() if name not in lost}
    return linkage, Assembly(linkage, values, turns)


def _reached(connections: Sequence[Connection], start: str) -> set[str]:
    found, grown = {start}, True
    while grown:
        more = {n for c in connections if {c.parent, c.child} & found for n in (c.parent, c.child)} - found - {WORLD}
        found |= more
        grown = bool(more)
    return found - {start}
