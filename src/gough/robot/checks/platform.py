"""Faults of the platform's coordinates, of its home, and of gravity."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from gough.robot.checks.fault import Fault
from gough.robot.file import fields as f
from gough.robot.file.reader import out_of_bounds
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean


def platform_faults(platform: Mapping[str, Any], units: Units) -> Iterator[Fault]:
    """Faults of the platform's coordinates and home."""
    coordinates: Mapping[str, str] = platform["coordinates"]
    motions = [*coordinates.values()]
    if not motions:
        yield Fault(("coordinates",), "must have at least one coordinate", coordinates)
    for motion in sorted({m for m in motions if len(m) == 1 and motions.count(m) > 1}):
        yield Fault(("coordinates",), f"must move {motion} only once", coordinates)
    turns = [m for m in motions if len(m) == 2]
    if len(turns) > 3 or any(a == b for a, b in pairwise(turns)):
        allowed = "must have at most three turns, neighbours about different axes"
        yield Fault(("coordinates",), allowed, coordinates)
    dependent = platform.get("dependent", ())
    for k, name in enumerate(dependent):
        if name not in coordinates:
            yield Fault(("dependent", k), "must be the name of a coordinate", name, did_you_mean(name, [*coordinates]))
        elif name in dependent[:k]:
            yield Fault(("dependent", k), "must be listed once", name)
    if motions and {*coordinates} <= {*dependent}:
        hint = "list those that follow the others only"
        yield Fault(("dependent",), "must leave at least one coordinate that others depend on", list(dependent), hint)
    home = platform.get("home", motions)
    if len(home) != len(motions):
        yield Fault(("home",), f"must be {len(motions)} numbers, one per coordinate", home)
    elif "home" in platform:
        for k, (motion, value) in enumerate(zip(motions, home, strict=True)):
            if beyond := out_of_bounds(f.ANGLE if motion in turns else f.LENGTH, value, units):
                yield Fault(("home", k), beyond.allowed, value, beyond.hint)


def gravity_fault(gravity: list[float], units: Units) -> Iterator[Fault]:
    """A fault of gravity that is most likely in another unit, or a direction."""
    size = math.hypot(*gravity)
    if 0 < size <= 1.0 or size > 30.0:
        hint = "a direction? multiply it by 9.81" if size == 1.0 else ""
        for unit, one in (("m/s^2", 1.0), ("mm/s^2", 0.001)):
            if 1.0 < size / units.acceleration * one < 30.0:
                hint = f'in {unit}? state [units] acceleration = "{unit}"'
        yield Fault(("gravity",), f"must be 0 or between 1 and 30 m/s^2 long, not {size:.4g}", gravity, hint)
