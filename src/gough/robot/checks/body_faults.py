"""Whether a body is physical, and a warning of inertias that are far too small.

An inertia a million times too small is legal, but most likely kg m^2 read as kg mm^2 where lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from typing import Any

from gough.graph.triples import add, apply
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.file.sources import Places
from gough.robot.file.units import parse
from gough.robot.inertia import body, steiner
from gough.robot.leg_values import Body, Inertia, tensor_of
from gough.robot.mechanism import Mechanism
from gough.robot.rotation import pose
from gough.robot.spec import Spec

SLACK = 1e-9
LARGEST_MASS = 1e5
LARGEST_GYRATION = 30.0

_HINT = "check [units] inertia, about, and the order xx, yy, zz, xy, xz, yz"


def body_faults(body: Body, path: Path, moving: bool = False, stated: Any = None) -> Iterator[Fault]:
    """Faults of a body, paths below `path`; a `moving` platform must have mass.

    `stated` is its table, if it has one.
    """
    about = stated.get("about", "com") if stated else "com"
    mass, scale = body.mass, () if about == "com" else ("mass", "length", "inertia")
    if mass < 0 or mass > LARGEST_MASS or (moving and mass == 0):
        allowed = f"must be {'greater than 0' if moving else 'at least 0'} and at most {LARGEST_MASS:g} kg"
        large = mass > LARGEST_MASS
        hint = 'g for kg? state [units] mass = "g"' if large else ""
        yield Fault((*path, "mass"), allowed, mass, hint, scale=("mass",) if large else ())
        mass = math.nan
    if not finite(body.inertia) or (math.isnan(mass) and about != "com"):
        return
    moments = principal(body.inertia)
    where = (*path, "inertia")
    shown = stated["inertia"] if stated and "inertia" in stated else list(body.inertia)
    size = max(abs(m) for m in moments)
    moved = max(steiner(mass, body.com)[:3])
    slack = SLACK * (max(size, moved) if math.isfinite(moved) else size)
    if mass == 0 and size > 0:
        yield Fault(where, "must be zero for a body without mass", shown, "state its mass")
    elif moments[0] < -slack:
        allowed = f"not physical: its central tensor has a negative moment, {moments[0]:.4g} kg m^2"
        yield Fault(where, allowed, shown, _HINT, scale=scale)
    elif moments[2] > moments[0] + moments[1] + slack:
        text = f"{moments[2]:.4g} > {moments[0]:.4g} + {moments[1]:.4g}"
        allowed = f"not physical: the largest principal moment exceeds the sum of the others, {text} kg m^2"
        yield Fault(where, allowed, shown, _HINT, scale=scale)
    elif size > mass * LARGEST_GYRATION**2:
        allowed = f"implausibly large for {mass:g} kg: radius of gyration {(size / mass) ** 0.5:.4g} m"
        yield Fault(where, allowed, shown, _HINT, scale=("mass", "inertia"))


def finite(value: Any) -> bool:
    """Whether all plain numbers in nested values are finite."""
    names = _attributes(value.__class__)
    if names:
        entries: Iterable[Any] = [getattr(value, name) for name in names]
    elif isinstance(value, Iterable) and not isinstance(value, str):
        entries = value
    else:
        return not isinstance(value, (int, float)) or math.isfinite(value)
    for entry in entries:  # without a call for each number: all of a robot come here whenever one is changed
        kind = type(entry)
        if kind is float:
            if not math.isfinite(entry):
                return False
        elif kind not in _WORDS and not finite(entry):
            return False
    return True


_WORDS = (str, bool, type(None))


@cache
def _attributes(kind: Any) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) else ()


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
    sizes = leg_sizes(robot)
    if not sizes:
        return []
    places = Places(spec)
    ends = [math.hypot(*leg.end.platform_point) for leg in robot.legs]
    faults: list[Fault] = []
    for key in ("platform", "payload"):
        if key in spec:
            faults += _doubt(body(spec[key], key), (key,), spec[key], max(ends) or max(sizes), "platform", units)
    for k, leg in enumerate(robot.legs):
        for i, joint in enumerate(leg.joints):
            path, table = places.body(k, i)
            faults += _doubt(joint.body, path, table, sizes[k], "leg", units)
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


def _doubt(body: Body, path: Path, stated: Any, size: float, of: str, units: Mapping[str, Any]) -> Iterator[Fault]:
    if not (stated and "inertia" in stated) or not body.mass > 0.0 or not size > 0.0:
        return
    radius = math.sqrt(max(principal(body.inertia)[2], 0.0) / body.mass)
    if 0.0 < radius < SMALLEST_GYRATION * size and SMALLEST_GYRATION * size <= GYRATION_FACTOR * radius <= size:
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
    best = min(larger, key=lambda unit: abs(math.log(share * math.sqrt(larger[unit]) / ROD_GYRATION)))
    return f'{best} read as {own}: state [units] inertia = "{best}"'
