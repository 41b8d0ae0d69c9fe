"""Machines whose numbers betray wrong units: refused with the unit that they are likely in."""

from __future__ import annotations

import numpy as np

from gough.formats.linkage import Link, Linkage
from gough.formats.reading.assembly import size_of
from gough.formats.xml_text import FormatError

_HEAVIEST = 1e5
"""A link of more than this [kg] is a mistake of units."""
_LARGEST = 100.0
"""A joint farther than this [m] from the frame of its link is a mistake of units."""
_LIGHTEST = 1e-4
"""Least mass of a machine without cables by the cube of its size [kg/m^3]; a steel frame has more than 1, with
millimetres for metres 1e-9 of that."""
_WIDEST = 100.0
"""Largest radius of gyration of a link, in sizes of the machine; kg mm^2 for kg m^2 make it 1000 times as large."""


def refuse_odd_sizes(linkage: Linkage) -> None:
    """Refuse masses, lengths and inertias that betray wrong units, and machines without any mass.

    Raises:
        FormatError: With the place, the value and the likely unit.
    """
    for link in linkage.links:
        if link.mass > _HEAVIEST:
            raise FormatError(
                f"link {link.name}: mass {link.mass:g} kg, at most {_HEAVIEST:g} is plausible: grams or another "
                "density for kg? correct it in the file"
            )
        if link.mass < 0.0:
            raise FormatError(f"link {link.name}: mass {link.mass:g} kg must not be negative")
    for c in linkage.connections:
        far = max(np.abs(c.at.position).max(), np.abs(c.child_at.position).max())
        if far > _LARGEST:
            raise FormatError(
                f"{c.name}: stands {far:g} m from its link's frame, at most {_LARGEST:g} is plausible: millimetres for "
                "metres? scale the file"
            )
    mass, size = sum(link.mass for link in linkage.links), size_of(linkage)
    if mass == 0.0 and all(link.mass == 0.0 for link in linkage.links):
        raise FormatError("no link has a mass: give the links <inertial> elements, forces need them")
    if mass < _LIGHTEST * size**3 and not linkage.ropes:
        raise FormatError(
            f"the machine is {size:.3g} m large and weighs {mass:.3g} kg, less than the air in it: millimetres for "
            "metres? multiply its lengths by 0.001"
        )
    for link in linkage.links:
        radius = _gyration(link)
        if link.mass > 1e-3 * mass and radius > _WIDEST * size:
            raise FormatError(
                f"link {link.name}: inertia {np.abs(link.inertia).max():.3g} kg m^2 with {link.mass:.3g} kg is that of "
                f"a ring of {radius:.3g} m, and the machine has {size:.3g} m: kg mm^2 for kg m^2? multiply by 1e-6"
            )


def _gyration(link: Link) -> float:
    """The largest radius of gyration [m]."""
    return float(np.sqrt(np.abs(link.inertia).max() / link.mass)) if link.mass > 0.0 else 0.0
