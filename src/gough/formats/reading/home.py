"""A machine where it is assembled: what its legs are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gough.formats.linkage import Linkage
from gough.formats.placement import Placement
from gough.formats.reading.assembly import coordinate
from gough.formats.reading.couplings import Coupling, couplings_of
from gough.formats.reading.machine import Machine


@dataclass(frozen=True, eq=False)
class Home:
    """A linkage where it is assembled.

    Attributes:
        linkage: Merged, so that only joints are left.
        places: Of its links in the world.
        values: Coordinates of hinges and slides; of those that close loops too.
        couplings: By the name of the connection that follows another.
        platform: The platform's link, and P's placement in it.
        size: Of the machine [m].
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
