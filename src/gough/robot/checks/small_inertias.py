"""Inertias that are legal but a million times too small to be meant: kg m^2 read as kg mm^2 where lengths are in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from gough.graph.triples import add, apply
from gough.robot.checks.body import principal
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.file.sources import Places
from gough.robot.file.units import parse
from gough.robot.rotation import pose
from gough.robot.values import Body, Robot

SMALLEST = 1 / 200
"""Of its leg's size: a body's largest radius of gyration, where its units are the right ones."""
ROD = 0.3
"""The radius of gyration of a straight rod as a share of its length."""
FACTOR = 1000.0
"""By which the radius would be too small."""


def small_inertias(robot: Robot, units: Mapping[str, Any]) -> list[Fault]:
    """A fault for each body whose inertia cannot be meant; `units` is the file's table of them.

    Its largest radius of gyration is not zero, below 1/200 of its leg's size, and at 1000 times that between 1/200 of
    it and the whole. The platform is measured by the place of its farthest leg, or by that leg.
    """
    sizes = leg_sizes(robot)
    if not sizes:
        return []
    places = Places(robot.document)
    ends = [math.hypot(*leg.end.platform_point) for leg in robot.legs]
    stated = robot.document["platform"] if robot.document else None
    faults = [*_doubt(robot.platform.body, ("platform",), stated, max(ends) or max(sizes), "platform", units)]
    for k, leg in enumerate(robot.legs):
        for i, joint in enumerate(leg.joints):
            path, table = places.body(k, i)
            faults += _doubt(joint.body, path, table, sizes[k], "leg", units)
    return merged(faults)


def leg_sizes(robot: Robot) -> list[float]:
    """How long each leg is: from its base to its place on the platform at home, or its longest link [m]."""
    p_BP, R_BP = pose(robot.platform, robot.platform.home)
    found = []
    for leg in robot.legs:
        end = add(p_BP, apply(R_BP, leg.end.platform_point))
        links = [math.hypot(*joint.offset) for joint in leg.joints[1:]]
        found.append(max(math.dist(leg.position, end), math.hypot(*leg.end.point), *links, 0.0))
    return found


def _doubt(body: Body, path: Path, stated: Any, size: float, of: str, units: Mapping[str, Any]) -> Iterator[Fault]:
    if not (stated and "inertia" in stated) or not body.mass > 0.0 or not size > 0.0:
        return
    radius = math.sqrt(max(principal(body.inertia)[2], 0.0) / body.mass)
    if 0.0 < radius < SMALLEST * size and SMALLEST * size <= FACTOR * radius <= size:
        told = f"radius of gyration {radius:.3g} m, {of} of {size:.3g} m: far too small?"
        yield Fault((*path, "inertia"), told, stated["inertia"], _likely(units, radius / size))


def _likely(units: Mapping[str, Any], share: float) -> str:
    """What to try: the unit of inertia that makes the radius, now this share of the size, most like that of a rod."""
    own = units.get("inertia", f"{units.get('mass', 'kg')} {units.get('length', 'm')}^2")
    now = parse(own)
    meant = {unit: parse(unit) for unit in (own.replace("mm^2", "m^2"), "kg m^2")}
    larger = {unit: size[1] / now[1] for unit, size in meant.items() if size and now and size[1] > now[1]}
    if not larger:
        return "in which unit is it?"
    best = min(larger, key=lambda unit: abs(math.log(share * math.sqrt(larger[unit]) / ROD)))
    return f'{best} read as {own}: state [units] inertia = "{best}"'
