"""A machine where it is assembled, from which its legs are made: places, coordinates, and joints that follow others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gough.formats.linkage import Connection, Linkage
from gough.formats.placement import Placement
from gough.formats.reading.assembly import coordinate
from gough.formats.reading.machine import Machine
from gough.formats.xml_text import FormatError


@dataclass(frozen=True)
class Coupling:
    """coordinate = ratio times that of the connection `leader`, plus offset."""

    leader: str
    ratio: float
    offset: float


def couplings_of(connections: Sequence[Connection]) -> dict[str, Coupling]:
    """For each connection that follows another how it follows the first of its group, in the order given.

    Raises:
        FormatError: A connection follows one that is not there, or a driven one does not lead.
    """
    names = [c.name for c in connections]
    at = {name: Coupling(name, 1.0, 0.0) for name in names}
    for c in connections:
        f = c.follows
        if f is None:
            continue
        if f.leader not in at:
            raise FormatError(f"{c.name}: follows {f.leader}, which is not a joint that moves")
        own, other = at[c.name], at[f.leader]
        if own.leader == other.leader:
            raise FormatError(f"{c.name}: follows {f.leader}, which follows it")
        # own.ratio u + own.offset = f.ratio (other.ratio v + other.offset) + f.offset, of the leaders' u and v
        ratio = f.ratio * other.ratio / own.ratio
        offset = (f.ratio * other.offset + f.offset - own.offset) / own.ratio
        first, last = other.leader, own.leader
        if names.index(last) < names.index(first):
            if ratio == 0.0:
                raise FormatError(f"{c.name}: follows {f.leader} at ratio 0, so it does not move; make it fixed")
            first, last, ratio, offset = last, first, 1.0 / ratio, -offset / ratio
        for name, entry in at.items():
            if entry.leader == last:
                at[name] = Coupling(first, entry.ratio * ratio, entry.ratio * offset + entry.offset)
    found = {name: entry for name, entry in at.items() if entry.leader != name}
    for c in connections:
        if c.driven and c.name in found:
            raise FormatError(f"{c.name}: is driven, but follows {found[c.name].leader}; name that one by --actuated")
    return found


@dataclass(frozen=True, eq=False)
class Home:
    """A linkage where it is assembled.

    Attributes:
        linkage: Merged, so that only joints are left.
        places: Places of its links in the world.
        values: Coordinates of hinges and slides; of those that close loops too.
        couplings: By the name of the connection that follows another.
        platform: The platform's link, and P's placement in it.
        size: Size of the machine [m].
    """

    linkage: Linkage
    places: Mapping[str, Placement]
    values: Mapping[str, float]
    couplings: Mapping[str, Coupling]
    platform: str
    frame: Placement
    size: float


def home_of(machine: Machine, frame: Placement) -> Home:
    """The machine at home, with P at a frame of the platform's link."""
    linkage, assembly = machine.linkage, machine.assembly
    places = assembly.places()
    values = dict(assembly.values)
    for c in linkage.connections:
        if c.closes and c.kind in ("R", "P"):
            values[c.name] = coordinate(c, places)
    order = [step.connection for leg in machine.legs for step in (*leg.steps, *leg.side)]
    return Home(linkage, places, values, couplings_of(order), machine.platform, frame, machine.size)
