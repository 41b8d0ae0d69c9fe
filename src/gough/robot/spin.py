"""Legs with spherical joints at both ends: their spin is left out.

That is exact only for axisymmetric bodies and for joints without friction or motor.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gough.robot.doubts import finite
from gough.robot.faults import Fault
from gough.robot.inertia import rows
from gough.robot.places import Places
from gough.robot.values import Body, Leg, Vector
from gough.robot.vectors import apply, cross, dot, norm, scale, subtract, unit

SLACK = 1e-9


def spin_faults(leg: Leg, k: int, places: Places, unsound: Collection[int] = ()) -> Iterator[Fault]:
    """Bodies of a free-spinning leg that are not axisymmetric about its axis; friction or a motor in its joint.

    Bodies of the `unsound` joints are left out.
    """
    last_turn = max((i for i, joint in enumerate(leg.joints) if joint.kind == "R"), default=0)
    for i in range(max(last_turn - 1, 0), last_turn + 1):
        joint = leg.joints[i]
        if joint.actuated:
            yield Fault(places.joint(k, i, "actuated"), "a joint of a leg that spins freely cannot be driven", True)
        elif joint.viscous > 0:
            allowed = "a spherical joint of a leg that spins freely cannot have friction"
            yield Fault(
                places.joint(k, i, "viscous"), allowed, joint.viscous, "use U instead of the first S", (leg.name,)
            )
    axis = unit(leg.end.point) if any(leg.end.point) else leg.joints[-1].axis
    for i, joint in enumerate(leg.joints[last_turn:], last_turn):
        if i not in unsound:
            yield from _asymmetry(joint.body, axis, leg, (k, i), places)
    if last_turn > 0 and leg.joints[last_turn - 1].kind == "R" and leg.joints[last_turn - 1].group == "S":
        between = leg.joints[last_turn - 1].body
        if (any(between.com) or any(between.inertia)) and finite((between.com, between.inertia)):
            path, _ = places.body(k, last_turn - 1)
            allowed = "inside a spherical joint there can only be a point mass at its centre"
            yield Fault(path, allowed, legs=(leg.name,))


def _asymmetry(body: Body, axis: Vector, leg: Leg, at: tuple[int, int], places: Places) -> Iterator[Fault]:
    path, stated = places.body(*at)
    hint = "use U instead of the first S, or a body that is round about the rod"
    if norm(cross(body.com, axis)) > SLACK * max(norm(body.com), 1e-3):
        allowed = "a leg that spins freely needs its centre of mass on its axis"
        yield Fault((*path, "com"), allowed, list(body.com), hint, (leg.name,))
    tensor = rows(body.inertia)
    along = apply(tensor, axis)
    m, n = _across(axis)
    uneven = dot(m, apply(tensor, m)) - dot(n, apply(tensor, n))
    tilt = norm(subtract(along, scale(dot(along, axis), axis)))
    size = max(abs(entry) for entry in body.inertia)
    if max(tilt, abs(uneven), abs(dot(m, apply(tensor, n)))) > SLACK * size:
        allowed = "a leg that spins freely needs bodies axisymmetric about its axis"
        shown = stated["inertia"] if stated and "inertia" in stated else list(body.inertia)
        yield Fault((*path, "inertia"), allowed, shown, hint, (leg.name,))


def _across(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors perpendicular to `axis` and to each other."""
    seed: Vector = (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0)
    n = unit(cross(axis, seed))
    return n, cross(axis, n)
