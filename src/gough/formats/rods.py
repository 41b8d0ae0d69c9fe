"""What links look like: rods from each joint to the next, half a strut on either side of a slide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gough.formats.linkage import Link, Linkage, Rod
from gough.formats.placement import Floats, Placement
from gough.robot import Mechanism

_SHORT = 1e-9
_THIN = 0.01
"""Radius of a rod, in largest dimensions of the machine."""
_STRUT = 0.55
"""Part of a strut's length at home that its cylinder and its piston have each."""


def thickness_of(robot: Mechanism, home: Placement) -> float:
    """Radius of the rods of a robot whose platform stands at `home` [m]: a part of its largest dimension, as drawn."""
    ends = [home.point(leg.end.platform_point) for leg in robot.legs]
    points = [np.array(leg.position, dtype=float) for leg in robot.legs]
    return _THIN * float(np.ptp([*points, *ends, home.position], axis=0).max())


def platform_rods(robot: Mechanism, radius: float) -> tuple[Rod, ...]:
    """Rods from the platform's origin to each of its joints."""
    points = [np.array(leg.end.platform_point, dtype=float) for leg in robot.legs]
    return tuple(_rod(np.zeros(3), point, radius) for point in points)


def with_rods(bare: Linkage, radii: Mapping[str, float], given: Mapping[str, tuple[Rod, ...]]) -> Linkage:
    """The linkage with rods on its links; `radii` by the name of the leg that a link's name starts with."""
    links = [replace(link, rods=given.get(link.name) or _rods(bare, link, radii)) for link in bare.links]
    return replace(bare, links=tuple(links))


def _rods(bare: Linkage, link: Link, radii: Mapping[str, float]) -> tuple[Rod, ...]:
    radius = radii[link.name.split(".")[0]]
    ends: list[Floats] = []
    starts = [np.zeros(3)]
    for c in bare.connections:
        if c.parent == link.name:
            along = c.at.rotation @ c.axis * c.home * _STRUT if c.kind == "P" else np.zeros(3)
            ends.append(c.at.position + along)
        elif c.child == link.name and c.kind == "P":
            starts = [-c.axis * c.home * _STRUT]
    return tuple(_rod(starts[0], end, radius) for end in ends if np.linalg.norm(end - starts[0]) > _SHORT)


def _rod(start: Floats, stop: Floats, radius: float) -> Rod:
    return Rod(start, stop, radius)
