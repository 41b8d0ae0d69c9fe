"""Whether a body is physical, the likely cause when it is not, and a warning of inertias that are far too small.

An inertia a million times too small is legal, but most likely kg m^2 read as kg mm^2 where lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

from gough.graph.triples import add, apply
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.file.sources import Places
from gough.robot.file.units import parse
from gough.robot.inertia import six, steiner
from gough.robot.leg_values import Body, Inertia, tensor_of
from gough.robot.rotation import pose
from gough.robot.values import Robot

SLACK = 1e-9
LARGEST_MASS = 1e5
LARGEST_GYRATION = 30.0

_UNIT_HINTS = (
    (1e-9, "g mm^2"),
    (1e-6, "kg mm^2"),
    (1e-7, "g cm^2"),
)


def body_faults(
    body: Body, path: Path, moving: bool = False, stated: Any = None, meant: str | None = None
) -> Iterator[Fault]:
    """Faults of a body, paths below `path`; a `moving` platform must have mass.

    For hints: `stated` is its table, `meant` the unit of inertia that suits all bodies of its robot: `inertia_meant`.
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
        cause = _cause(body, stated)
        allowed = f"not physical: its central tensor has a negative moment, {moments[0]:.4g} kg m^2"
        yield Fault(where, allowed, shown, cause, scale=scale)
    elif moments[2] > moments[0] + moments[1] + slack:
        text = f"{moments[2]:.4g} > {moments[0]:.4g} + {moments[1]:.4g}"
        allowed = f"not physical: the largest principal moment exceeds the sum of the others, {text} kg m^2"
        yield Fault(where, allowed, shown, _cause(body, stated), scale=scale)
    elif size > mass * LARGEST_GYRATION**2:
        allowed = f"implausibly large for {mass:g} kg: radius of gyration {(size / mass) ** 0.5:.4g} m"
        yield Fault(where, allowed, shown, _unit_hint(size, mass, meant), scale=("mass", "inertia"))


def finite(value: object) -> bool:
    """Whether all plain numbers in nested values are finite; a robot's document does not count."""
    if is_dataclass(value):
        return all(finite(getattr(value, entry.name)) for entry in fields(value) if entry.name != "document")
    if isinstance(value, Iterable) and not isinstance(value, str):
        return all(finite(entry) for entry in value)
    return not isinstance(value, (int, float)) or math.isfinite(value)


def principal(inertia: Inertia) -> tuple[float, float, float]:
    """Principal moments, least first [kg m^2]."""
    import numpy as np

    a, b, c = np.linalg.eigvalsh(tensor_of(inertia))
    return float(a), float(b), float(c)


def is_physical(inertia: Inertia) -> bool:
    """Whether a central tensor is positive semidefinite and obeys the triangle inequality."""
    a, b, c = principal(inertia)
    slack = SLACK * max(abs(a), abs(c))
    return a >= -slack and c <= a + b + slack


def _unit_hint(size: float, mass: float, meant: str | None) -> str:
    """The unit that suits all bodies, or else this one."""
    unit = meant or _meant([(size, mass)])
    return f'{unit} for kg m^2? state [units] inertia = "{unit}"' if unit else ""


def inertia_meant(robot: Robot) -> str | None:
    """The unit in which all inertias of a robot that are too large for kg m^2 would be plausible; None if none is."""
    bodies = [robot.platform.body, *(joint.body for joint in robot.joints)]
    found = [(max(map(abs, principal(b.inertia))), b.mass) for b in bodies if b.mass > 0.0 and finite(b.inertia)]
    return _meant([(size, mass) for size, mass in found if size > mass * LARGEST_GYRATION**2])


def _meant(bodies: Sequence[tuple[float, float]]) -> str | None:
    """The unit in which radii of gyration of bodies (moment, mass) would be nearest to a decimetre; None if far off."""
    radii = {unit: [(size * factor / mass) ** 0.5 for size, mass in bodies] for factor, unit in _UNIT_HINTS}
    good = {unit: own for unit, own in radii.items() if all(1e-3 < radius < 3.0 for radius in own)}
    return min(good, key=lambda unit: sum(abs(math.log10(radius / 0.1)) for radius in good[unit]), default=None)


def _million(body: Body, stated: Mapping[str, Any]) -> bool:
    """Whether the stated tensor would be physical a million times larger: kg m^2 read as kg mm^2."""
    own = six(stated.get("inertia"))
    moved = [c - a for c, a in zip(body.inertia, own, strict=True)]
    larger = [1e6 * a + b for a, b in zip(own, moved, strict=True)]
    return 1e3 * principal(own)[2] < max(map(abs, moved)) and is_physical(tuple(larger))  # type: ignore[arg-type]


def _cause(body: Body, stated: Mapping[str, Any] | None) -> str:
    """Which change of the stated tensor would make it physical."""
    if stated and stated.get("about", "com") != "com" and _million(body, stated):
        return 'a million times too small? state [units] inertia = "kg m^2"'
    if stated and stated.get("about", "com") != "com" and is_physical(six(stated.get("inertia"))):
        return 'about the centre of mass already? state about = "com"'
    xx, yy, zz, xy, xz, yz = body.inertia
    if stated and len(stated.get("inertia", ())) == 6:
        a = six(stated["inertia"])
        if is_physical((a[0], a[3], a[5], a[1], a[2], a[4])):
            return "rows of the upper triangle? the order here is xx, yy, zz, xy, xz, yz"
    if any((xy, xz, yz)):
        for signs in product((1, -1), repeat=3):
            if is_physical((xx, yy, zz, signs[0] * xy, signs[1] * xz, signs[2] * yz)):
                return (
                    "sign of the products of inertia? xy, xz, yz are the tensor's own entries, xy = -integral of x y dm"
                )
    return ""


SMALLEST_GYRATION = 1 / 200
"""Of its leg's size: a body's largest radius of gyration, where its units are the right ones."""
ROD_GYRATION = 0.3
"""The radius of gyration of a straight rod as a share of its length."""
GYRATION_FACTOR = 1000.0
"""By which the radius would be too small."""


def small_inertias(robot: Robot, units: Mapping[str, Any]) -> list[Fault]:
    """A fault for each body whose inertia is most likely a mistake; `units` is the file's table of them.

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
