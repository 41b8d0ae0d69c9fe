"""Mass for the massless ends of legs, taken from the platform that they are joined to: the machine stays the same.

MuJoCo lets loops give way in proportion to the inverse inertia of both their bodies: a loop that ends in a link without
mass holds nothing. A link welded to the platform is one body with it, so any part of that body may be counted to
either; at a ball joint both have the same point, so a point mass there may. A platform that never turns may have any
moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gough.formats.linkage import Connection, Link, Linkage
from gough.formats.placement import Floats

DISC = 0.25
"""Moment of a disc about its diameter, in masses times squared radii."""
POINTS = 0.25
"""Part of the platform's mass that point masses at ball joints take together at most."""
LEAST = 0.5
"""Part of the platform's least principal second moment that such point masses leave it."""


def with_shared_mass(linkage: Linkage) -> tuple[Linkage, list[str]]:
    """The same machine with mass in the links that loops end in, and a remark where the platform gave some."""
    links, remarks = {link.name: link for link in linkage.links}, []
    name = linkage.platform
    ends = [c for c in linkage.connections if c.closes and c.child == name and links[c.parent].massless]
    if linkage.slides and ends:
        links[name], remark = _with_moments(links[name], ends)
        remarks += remark
    balls = _with_points(links, [c for c in ends if c.kind == "ball"])
    welds = [c for c in ends if c.kind == "fixed" and links[name].mass > 0.0]
    part = 1.0 / (1 + len(welds))
    platform = links[name]
    for c in welds:
        place = c.at @ c.child_at.inverse()
        R = place.rotation
        links[c.parent] = replace(
            links[c.parent],
            mass=part * platform.mass,
            com=place.point(platform.com),
            inertia=part * (R @ platform.inertia @ R.T),
        )
    links[name] = replace(platform, mass=part * platform.mass, inertia=part * platform.inertia)
    if welds or balls:
        whole = linkage.link(name).mass
        given = ", ".join(f"{links[c.parent].mass:.6g} kg to {c.parent}" for c in (*balls, *welds))
        remarks.append(f"{name}: its {whole:.6g} kg are shared with massless links joined to it: {given}")
    remarks += [
        f"{c.parent}: a loop ends in this massless link: MuJoCo does not hold it, and the machine falls; the "
        "platform cannot share its mass with it, so state one in the robot's file"
        for c in ends
        if links[c.parent].massless
    ]
    return replace(linkage, links=tuple(links.values())), remarks


def _with_moments(platform: Link, ends: Sequence[Connection]) -> tuple[Link, list[str]]:
    """The platform with the moments of a disc through its joints, if it has less, and a remark."""
    radius = max(float(np.linalg.norm(c.child_at.position - platform.com)) for c in ends)
    least = DISC * platform.mass * radius**2
    missing = least - float(np.linalg.eigvalsh(platform.inertia)[0])
    if missing <= 0.0:
        return platform, []
    remark = f"{platform.name}: {missing:.6g} kg m^2 added to the moments; it never turns, so forces stay the same"
    return replace(platform, inertia=platform.inertia + missing * np.eye(3)), [remark]


def _with_points(links: dict[str, Link], balls: Sequence[Connection]) -> list[Connection]:
    """Those of these ball joints that get a point mass of the platform, which is put into the links."""
    if not balls or links[balls[0].child].mass == 0.0:
        return []
    platform, points = links[balls[0].child], [c.child_at.position for c in balls]
    mass, first, second = platform.mass, platform.mass * platform.com, _second(platform)
    for halvings in range(20):
        part = POINTS * 2.0**-halvings * mass / len(balls)
        rest = mass - part * len(balls)
        com = (first - part * np.sum(points, axis=0)) / rest
        about = second - part * sum(np.outer(p, p) for p in points) - rest * np.outer(com, com)
        left = about - LEAST * (second - np.outer(first, first) / mass)
        if np.linalg.eigvalsh(left)[0] >= -1e-12 * np.trace(second):  # a flat platform has no moments across
            break
    else:
        return []
    for c in balls:
        links[c.parent] = replace(links[c.parent], mass=part, com=c.at.position)
    links[platform.name] = replace(platform, mass=rest, com=com, inertia=np.trace(about) * np.eye(3) - about)
    return list(balls)


def _second(link: Link) -> Floats:
    """(3, 3) second moments of mass about the link's origin: of x x, x y, ... [kg m^2]."""
    I = link.inertia
    return np.asarray(0.5 * np.trace(I) * np.eye(3) - I + link.mass * np.outer(link.com, link.com))
