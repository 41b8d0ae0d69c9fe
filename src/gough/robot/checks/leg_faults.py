"""Static checks of one leg of the explicit robot."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

from gough.graph import dot, norm
from gough.graph.triples import apply, cross, scale, subtract, unit
from gough.robot.checks.body_faults import body_faults, finite
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.checks.plausible_sizes import DEGREES, LARGEST_LENGTH, MILLIMETRES
from gough.robot.file.sources import Places
from gough.robot.leg_values import Body, Joint, Leg, Matrix, Vector
from gough.robot.mechanism import Mechanism
from gough.robot.rotation import skewness
from gough.robot.spec import Spec

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
        elif joint.spring is not None:
            allowed = "a spherical joint of a leg that spins freely cannot have a spring"
            yield Fault(places.joint(k, i, "spring"), allowed, None, "use U instead of the first S", (leg.name,))
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
    tensor = body.tensor.tolist()
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


EXACT = 1e-9


def leg_faults(robot: Mechanism, k: int, places: Places) -> Iterator[Fault]:
    """Faults of leg `k`."""
    leg = robot.legs[k]
    if not leg.joints:
        yield Fault(("leg", k, "joint"), "must have at least one joint")
        return
    patterned = places.entry(k) is not None
    yield from _frames(leg, k, places) if patterned else _stated_frames(leg, k)
    if leg.branch is not None and (leg.branch == 0 or (patterned and abs(leg.branch) > 1)):
        others = "" if patterned else ", or a further assembly: 2, -2, .."
        yield Fault(places.leg(k, "branch"), f"must be 1 or -1{others}", leg.branch)
    if leg.radius is not None and leg.radius <= 0:
        yield Fault(places.leg(k, "radius"), "must be greater than 0", leg.radius)
    if not 0 <= leg.end.joint < len(leg.joints):
        yield Fault(("leg", k, "end", "joint"), f"must be a joint, 0 to {len(leg.joints) - 1}", leg.end.joint)
    names = [joint.name for joint in leg.joints]
    unsound: list[int] = []
    for i, joint in enumerate(leg.joints):
        if joint.name in names[:i]:
            yield Fault(places.joint(k, i, "name"), "must be unique in its leg", joint.name)
        yield from _links(leg, i, places.joint(k, i, "")[:-1])
        yield from _numbers(joint, k, i, places)
        yield from _turns(leg, k, i, places)
        path, stated = places.body(k, i)
        of_body = [*body_faults(joint.body, path, stated=stated)]
        unsound += [i] if of_body else []
        yield from of_body
    if leg.free_spin:
        yield from spin_faults(leg, k, places, unsound)
    yield from _loose(leg, k, places)


def rotation_fault(rotation: Matrix, path: Path) -> Iterator[Fault]:
    """A fault where a matrix is not a proper rotation."""
    if not finite(rotation):
        return
    x, y, z = rotation
    shown = [list(row) for row in rotation]
    handed = dot(cross(x, y), z)
    square = skewness(rotation)
    if square > EXACT:
        hint = f"off by {square:.2g}: give more digits, or {{axis, angle}}" if square < 1e-2 else ""
        yield Fault(path, "must be a rotation: rows of unit length, perpendicular", shown, hint)
    elif handed < 0:
        yield Fault(path, "must be a rotation: determinant 1, not -1", shown, "a left-handed frame: reverse one axis")


def _stated_frames(leg: Leg, k: int) -> Iterator[Fault]:
    yield from rotation_fault(leg.rotation, ("leg", k, "rotation"))
    yield from rotation_fault(leg.end.rotation, ("leg", k, "end", "rotation"))
    yield from rotation_fault(leg.end.platform_rotation, ("leg", k, "end", "platform_rotation"))
    for i, joint in enumerate(leg.joints):
        path = ("leg", k, "joint", i)
        yield from rotation_fault(joint.rotation, (*path, "rotation"))
        length = norm(joint.axis)
        if abs(length - 1.0) > EXACT:
            hint = ""
            if length > 0:
                hint = "try [" + ", ".join(f"{a / length:.16g}" for a in joint.axis) + "]"
            yield Fault((*path, "axis"), f"must be a unit vector, its length is {length:.6g}", list(joint.axis), hint)


def _frames(leg: Leg, k: int, places: Places) -> Iterator[Fault]:
    """Faults of the frames a pattern made: they come from directions that do not fit the rod at home."""
    entry: Any = places.entry(k)
    R = leg.joints[1].rotation if "motor" in entry else leg.rotation
    if list(rotation_fault(R, ())):
        key = next((key for key in ("hinge", "motor") if key in entry), None)
        if key is not None:
            yield Fault(places.leg(k, key), "must be perpendicular to the rod at home", entry[key], legs=(leg.name,))
        else:  # no direction is stated, so that only the size of the numbers is left
            yield Fault(("platform", "home"), "is too far away for a frame along the rod", scale=("length",))
    for first, second in pairwise(leg.joints):
        if first.group == second.group == "U" and abs(dot(first.axis, second.axis)) > EXACT:
            key = "platform_hinge" if "platform_hinge" in entry else "axes"
            yield Fault(places.leg(k, key), "must be perpendicular to the hinge", entry.get(key), legs=(leg.name,))


def _loose(leg: Leg, k: int, places: Places) -> Iterator[Fault]:
    """Faults of joints that are not on the way to the platform and follow no other: their coordinates are unknown."""
    chain, at = set(), leg.end.joint
    while 0 <= at < len(leg.joints) and at not in chain:
        chain.add(at)
        at = leg.joints[at].parent
    for i, joint in enumerate(leg.joints if at == -1 else ()):
        if i not in chain and joint.mimic is None:
            allowed = (
                f"is not on the way to the platform, which ends at {leg.joints[leg.end.joint].name}, and free to move"
            )
            hint = "state which joint it follows as mimic, or end the leg there"
            yield Fault(places.joint(k, i, "")[:-1], allowed, hint=hint)


def _links(leg: Leg, i: int, path: Path) -> Iterator[Fault]:
    """Faults of what a joint refers to."""
    joint = leg.joints[i]
    if not -1 <= joint.parent < i:
        yield Fault((*path, "parent"), "must be a joint before it, or -1", joint.parent)
    if joint.mimic is None:
        return
    target = joint.mimic.joint
    if not 0 <= target < len(leg.joints) or target == i or leg.joints[target].mimic is not None:
        yield Fault((*path, "mimic", "joint"), "must be another joint that does not mimic", target)
    elif leg.joints[target].kind != joint.kind and not (joint.group and joint.group == leg.joints[target].group):
        hint = "a screw is a joint of type H"
        allowed = f"must be a joint of the same type, {joint.kind}"
        yield Fault((*path, "mimic", "joint"), allowed, leg.joints[target].name, hint)
    if joint.actuated:
        yield Fault((*path, "actuated"), "a joint that mimics another cannot be actuated", True, "drive the other one")


def _turns(leg: Leg, k: int, i: int, places: Places) -> Iterator[Fault]:
    """A fault where a joint turns more than twice and nothing slides with it, as on a screw."""
    joint, stroke = leg.joints[i], leg.joints[i].limits.stroke
    screw = any(other.kind == "P" and other.mimic is not None and other.mimic.joint == i for other in leg.joints)
    if joint.kind == "P" or stroke is None or screw or stroke[0] >= stroke[1]:
        return
    if max(abs(stroke[0]), abs(stroke[1])) > 4 * math.pi:
        path = places.joint(k, i, "stroke")
        yield Fault(path, "implausibly large: at most two turns", list(stroke), DEGREES, scale=("angle",))


def _numbers(joint: Joint, k: int, i: int, places: Places) -> Iterator[Fault]:
    """Faults of limits and friction."""
    limits = joint.limits
    if limits.stroke is not None:
        path = places.joint(k, i, "stroke")
        low, high = limits.stroke
        shown, reach = list(limits.stroke), max(abs(low), abs(high))
        if low >= high:
            yield Fault(path, "must be [least, greatest], the least first", shown)
        elif joint.kind == "P" and reach > LARGEST_LENGTH:
            allowed = f"implausibly large: at most {LARGEST_LENGTH:g} m"
            yield Fault(path, allowed, shown, MILLIMETRES, scale=("length",))
    for key in ("speed", "force", "power"):
        value = getattr(limits, key)
        if value is not None and value <= 0:
            yield Fault(places.joint(k, i, key), "must be greater than 0", value)
    for key in ("viscous", "coulomb", "rotor_inertia"):
        if getattr(joint, key) < 0:
            yield Fault(places.joint(k, i, key), "must not be negative", getattr(joint, key))
    if joint.spring is not None and joint.spring.stiffness < 0:
        path = (*places.joint(k, i, "spring"), "stiffness")
        yield Fault(path, "must not be negative", joint.spring.stiffness)
    if joint.gear == 0:
        yield Fault(places.joint(k, i, "gear"), "must not be 0", joint.gear)
    for key in ("coulomb", "rotor_inertia"):
        if getattr(joint, key) > 0 and not joint.actuated:
            hint = "viscous friction is for any joint" if key == "coulomb" else ""
            yield Fault(places.joint(k, i, key), "is for actuated joints only", getattr(joint, key), hint)
    if joint.cone is not None and (joint.cone <= 0 or joint.cone > math.pi):
        scale = ("angle",) if joint.cone > 0 else ()
        yield Fault(places.joint(k, i, "cone"), "must be between 0 and 180 deg (pi rad)", joint.cone, scale=scale)


def strong_friction(robot: Mechanism, spec: Spec) -> list[Fault]:
    """A fault for each actuator that viscous friction keeps from its largest speed: most likely one of another unit."""
    places, faults = Places(spec), []
    for k, leg in enumerate(robot.legs):
        for i, joint in enumerate(leg.joints):
            speed, force = joint.limits.speed, joint.limits.force
            if speed is None or force is None or not joint.viscous * speed > force:
                continue
            effort, rate = ("N", "m/s") if joint.kind == "P" else ("N m", "rad/s")
            needed = (
                f"{joint.viscous * speed:.6g} {effort} at its speed of {speed:.4g} {rate}, force {force:.4g} {effort}"
            )
            hint = "its unit follows from [units]: N s/mm with mm, N mm s/deg with deg"
            told = f"takes {needed}: too large?"
            faults.append(Fault(places.joint(k, i, "viscous"), told, joint.viscous, hint, (leg.name,)))
    return merged(faults)
