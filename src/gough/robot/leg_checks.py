"""Static checks of one leg of the explicit robot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from gough.robot.bodies import body_faults
from gough.robot.doubts import finite
from gough.robot.faults import Fault, Path
from gough.robot.places import Places
from gough.robot.plausible import DEGREES, LARGEST_LENGTH, MILLIMETRES
from gough.robot.spin import spin_faults
from gough.robot.tidy import skewness
from gough.robot.values import Joint, Leg, Matrix, Robot
from gough.robot.vectors import cross, dot, norm

EXACT = 1e-9


def leg_faults(robot: Robot, k: int, places: Places) -> Iterator[Fault]:
    """Faults of leg `k`."""
    leg = robot.legs[k]
    if not leg.joints:
        yield Fault(("leg", k, "joint"), "must have at least one joint")
        return
    patterned = places.entry(k) is not None
    yield from _frames(leg, k, places) if patterned else _stated_frames(leg, k)
    if leg.branch not in (1, -1):
        yield Fault(places.leg(k, "branch"), "must be 1 or -1", leg.branch)
    if leg.radius is not None and leg.radius <= 0:
        yield Fault(places.leg(k, "radius"), "must be greater than 0", leg.radius)
    if not 0 <= leg.end.joint < len(leg.joints):
        yield Fault(("leg", k, "end", "joint"), f"must be a joint, 0 to {len(leg.joints) - 1}", leg.end.joint)
    names = [joint.name for joint in leg.joints]
    unsound: list[int] = []
    for i, joint in enumerate(leg.joints):
        if joint.name in names[:i]:
            yield Fault(places.joint(k, i, "name"), "must be unique in its leg", joint.name)
        yield from _links(leg, i, ("leg", k, "joint", i))
        yield from _numbers(joint, k, i, places)
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
        key = "hinge" if "hinge" in entry else "motor"
        yield Fault(places.leg(k, key), "must be perpendicular to the rod at home", entry[key], legs=(leg.name,))
    for first, second in pairwise(leg.joints):
        if first.group == second.group == "U" and abs(dot(first.axis, second.axis)) > EXACT:
            key = "platform_hinge" if "platform_hinge" in entry else "axes"
            yield Fault(places.leg(k, key), "must be perpendicular to the hinge", entry.get(key), legs=(leg.name,))


def _loose(leg: Leg, k: int, places: Places) -> Iterator[Fault]:
    """Faults of joints that are not on the way to the platform and follow no other: nothing says where they are."""
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
    elif leg.joints[target].kind != joint.kind:
        yield Fault(
            (*path, "mimic", "joint"), f"must be a joint of the same type, {joint.kind}", leg.joints[target].name
        )
    if joint.actuated:
        yield Fault((*path, "actuated"), "a joint that mimics another cannot be actuated", True, "drive the other one")


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
        elif joint.kind == "R" and reach > 4 * math.pi:
            yield Fault(path, "implausibly large: at most two turns", shown, DEGREES, scale=("angle",))
    for key in ("speed", "force", "power"):
        value = getattr(limits, key)
        if value is not None and value <= 0:
            yield Fault(places.joint(k, i, key), "must be greater than 0", value)
    for key in ("viscous", "coulomb", "rotor_inertia"):
        if getattr(joint, key) < 0:
            yield Fault(places.joint(k, i, key), "must not be negative", getattr(joint, key))
    if joint.gear == 0:
        yield Fault(places.joint(k, i, "gear"), "must not be 0", joint.gear)
    for key in ("coulomb", "rotor_inertia"):
        if getattr(joint, key) > 0 and not joint.actuated:
            hint = "viscous friction is for any joint" if key == "coulomb" else ""
            yield Fault(places.joint(k, i, key), "is for actuated joints only", getattr(joint, key), hint)
    if joint.cone is not None and (joint.cone <= 0 or joint.cone > math.pi):
        scale = ("angle",) if joint.cone > 0 else ()
        yield Fault(places.joint(k, i, "cone"), "must be between 0 and 180 deg (pi rad)", joint.cone, scale=scale)
