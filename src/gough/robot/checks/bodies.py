"""Whether a body is physical, and a warning of inertias that are far too small.

An inertia a million times too small is legal, but most likely kg m^2 read as kg mm^2 where lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from gough.graph.triples import add, apply
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.file.sources import Places
from gough.robot.file.units import parse
from gough.robot.inertia import body, steiner
from gough.robot.leg_values import Inertia, tensor_of
from gough.robot.mechanism import Mechanism
from gough.robot.rotation import pose
from gough.robot.spec import Spec

SLACK = 1e-9
LARGEST_GYRATION = 30.0
"""Radius of gyration of a body [m] beyond which its inertia has another unit."""


def inertia_fault(stated: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """A fault where no body has the inertia that a table states, at this path."""
    own = body(stated, "")
    if not any(own.inertia):
        return
    low, middle, high = principal(own.inertia)
    size = max(abs(low), abs(high))
    slack = SLACK * max(size, *steiner(own.mass, own.com)[:3])
    hint = "check [units] inertia, about, and the order xx, yy, zz, xy, xz, yz"
    if own.mass == 0 and size > 0:
        allowed, hint = "must be zero for a body without mass", "state its mass"
    elif low < -slack:
        allowed = f"not physical: its central tensor has a negative moment, {low:.4g} kg m^2"
    elif high > low + middle + slack:
        allowed = "not physical: the largest principal moment exceeds the sum of the others, "
        allowed += f"{high:.4g} > {low:.4g} + {middle:.4g} kg m^2"
    elif size > own.mass * LARGEST_GYRATION**2:
        allowed = f"implausibly large for {own.mass:g} kg: radius of gyration {(size / own.mass) ** 0.5:.4g} m"
    else:
        return
    yield Fault(path, allowed, stated.get("inertia", list(own.inertia)), hint)


@lru_cache(1024)
def principal(inertia: Inertia) -> tuple[float, float, float]:
    """Principal moments, least first [kg m^2]."""
    import numpy as np

    a, b, c = np.linalg.eigvalsh(tensor_of(inertia))
    return float(a), float(b), float(c)


SMALLEST_GYRATION = 1 / 200
"""Of its leg's size: a body's largest radius of gyration, where its units are the right ones."""
ROD_GYRATION = 0.3
"""The radius of gyration of a straight rod as a share of its length."""
GYRATION_FACTOR = 1000.0
"""By which the radius would be too small."""


def small_inertias(robot: Mechanism, spec: Spec, units: Mapping[str, Any]) -> list[Fault]:
    """A fault for each body whose inertia is most likely a mistake; `units` is the file's table of them.

    Its largest radius of gyration is not zero, below 1/200 of its leg's size, and at 1000 times that between 1/200 of
    it and the whole. The platform is measured by the place of its farthest leg, or by that leg.
    """
    sizes, faults = leg_sizes(robot), list[Fault]()
    farthest = max(math.hypot(*leg.end.platform_point) for leg in robot.legs) or max(sizes)
    for leg, path, table in Places(spec).bodies():
        size, of = (farthest, "platform") if leg is None else (sizes[leg], "leg")
        faults += _small(path, table, size, of, units)
    return merged(faults)


def leg_sizes(robot: Mechanism) -> list[float]:
    """How long each leg is: from its base to its place on the platform at home, or its longest link [m]."""
    p_BP, R_BP = pose(robot.platform, robot.platform.home)
    found = []
    for leg in robot.legs:
        end = add(p_BP, apply(R_BP, leg.end.platform_point))
        links = [math.hypot(*joint.offset) for joint in leg.joints[1:]]
        found.append(max(math.dist(leg.position, end), math.hypot(*leg.end.point), *links, 0.0))
    return found


def _small(path: Path, stated: Mapping[str, Any], size: float, of: str, units: Mapping[str, Any]) -> Iterator[Fault]:
    if "inertia" not in stated or not stated.get("mass", 0.0) > 0.0:
        return
    radius = math.sqrt(max(principal(body(stated, "").inertia)[2], 0.0) / stated["mass"])
    if 0.0 < radius < SMALLEST_GYRATION * size and SMALLEST_GYRATION * size <= GYRATION_FACTOR * radius <= size:
        doubt = f"radius of gyration {radius:.3g} m, {of} of {size:.3g} m: far too small?"
        yield Fault(path, doubt, stated["inertia"], _likely(units, radius / size))


def _likely(units: Mapping[str, Any], share: float) -> str:
    """What to try: the unit of inertia that makes the radius, now this share of the size, most like that of a rod."""
    own = units.get("inertia", f"{units.get('mass', 'kg')} {units.get('length', 'm')}^2")
    now = parse(own)
    meant = {unit: parse(unit) for unit in (own.replace("mm^2", "m^2"), "kg m^2")}
    larger = {unit: size[1] / now[1] for unit, size in meant.items() if size and now and size[1] > now[1]}
    if not larger:
        return "in which unit is it?"
    best = min(larger, key=lambda unit: abs(math.log(share * math.sqrt(larger[unit]) / ROD_GYRATION)))
    return f'{best} read as {own}: state [units] inertia = "{best}"'
