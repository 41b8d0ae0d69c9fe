"""A leg as solids, derived from its joints alone: guides, sliders, cylinders and pistons, cranks, bars and joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gough.graph import Array
from gough.kinematics.chain import Slide, end_point
from gough.kinematics.leg import LegPose
from gough.robot import Leg
from gough.view import theme
from gough.view.drawing.solids import Ball, Rod, Shape, Solid, across, box
from gough.view.drawing.spherical import sphere_of, sphere_solids

_SAME = 1e-9


def clusters(pose: LegPose) -> list[list[int]]:
    """Turning joints, those that sit in one point of one chain together."""
    leg, found = pose.leg, []
    turning = [k for k, joint in enumerate(leg.joints) if joint.kind == "R"]
    starts = [k for k in turning if not _continues(pose, k)]
    for start, stop in pairwise([*starts, len(leg.joints)]):
        found.append([k for k in turning if start <= k < stop and (k == start or _continues(pose, k))])
    return found


def _continues(pose: LegPose, k: int) -> bool:
    """Whether joint k sits where the turning joint that carries it sits."""
    joints = pose.leg.joints
    parent = joints[k].parent
    return (
        parent == k - 1
        and parent >= 0
        and joints[parent].kind == "R"
        and float(np.linalg.norm(joints[k].offset)) < _SAME
    )


def joint_solids(pose: LegPose, cluster: list[int], sizes: Sizes) -> Iterator[Solid]:
    """A pin for one joint, a cross for two, a ball for more; a motor where one is driven. A ball at a spherical end."""
    leg, joint = pose.leg, pose.leg.joints[cluster[0]]
    centre = np.asarray(pose.links[cluster[0]].p, dtype=float)
    axes = [np.asarray(pose.links[k].e, dtype=float) for k in cluster]
    driven = any(leg.joints[k].actuated for k in cluster)
    for shape, colour in _symbol(centre, axes, driven, joint.parent < 0, leg.free_spin, sizes):
        yield Solid(shape, colour, leg.name)
    last = max(k for k, other in enumerate(leg.joints) if other.kind == "R")
    if leg.end.kind == "spherical" and last in cluster:
        yield Solid(Ball(np.asarray(end_point(leg, pose.links), dtype=float), sizes.ball), theme.JOINT, leg.name)


def _symbol(
    centre: Array, axes: list[Array], driven: bool, grounded: bool, spins: bool, sizes: Sizes
) -> Iterator[tuple[Shape, str]]:
    if len(axes) == 1:
        e = axes[0]
        if driven:
            radius, half = (sizes.motor, 1.2 * sizes.motor) if grounded else (0.8 * sizes.motor, 0.8 * sizes.motor)
            yield Rod(centre - e * half, centre + e * half, radius), theme.DRIVEN
        half = 1.5 * sizes.motor if driven else sizes.ball
        yield Rod(centre - e * half, centre + e * half, sizes.pin), theme.JOINT
    elif len(axes) == 2 and not spins:
        yield Ball(centre, 1.2 * sizes.pin), theme.JOINT
        for e in axes:
            yield Rod(centre - e * 1.4 * sizes.ball, centre + e * 1.4 * sizes.ball, 0.8 * sizes.pin), theme.JOINT
    else:
        yield Ball(centre, sizes.ball), theme.JOINT


_SHORT = 1e-9


@dataclass(frozen=True, slots=True)
class Guide:
    """A straight guide-way of a slider: its ends, the one farther from the platform first (3,) [m]."""

    far: Array
    near: Array


def leg_solids(pose: LegPose, sizes: Sizes, home: LegPose) -> list[Solid]:
    """Everything of a leg but the base and the platform; guide-ways on the base stay as they are at home."""
    if pose.leg.cable is not None:
        return [*_cable(pose, sizes)]
    sphere = sphere_of(pose)
    if sphere is not None:
        return [*sphere_solids(pose, sphere, sizes.bar(pose.leg), sizes.motor)]
    return [
        *[s for k, joint in enumerate(pose.leg.joints) if joint.kind == "P" for s in _slide(pose, k, sizes, home)],
        *_bars(pose, sizes),
        *[solid for cluster in clusters(pose) for solid in joint_solids(pose, cluster, sizes)],
    ]


def _cable(pose: LegPose, sizes: Sizes) -> Iterator[Solid]:
    """A thin line, an eye or a pulley at the base and a knot at the platform."""
    leg, end, base = pose.leg, np.asarray(pose.links[0].p, dtype=float), np.asarray(pose.leg.position, dtype=float)
    cable, start = leg.cable, base
    if cable is not None and cable.pulley > 0.0:
        k = np.asarray(cable.axis)
        out = (end - base) - k * (k @ (end - base))
        e = out / np.linalg.norm(out)
        hub = base + e * cable.pulley
        u = np.asarray(pose.links[0].e, dtype=float)
        start = end - u * float(u @ (end - hub))
        yield from _sheave(hub, np.cross(k, e), cable.pulley, sizes, leg.name)
    if cable is None or cable.pulley < 0.8 * sizes.ball:
        yield Solid(Ball(base, 0.8 * sizes.ball), theme.DRIVEN, leg.name)
    yield Solid(Rod(start, end, 0.3 * sizes.pin), theme.CABLE, leg.name)
    yield Solid(Ball(end, 0.4 * sizes.ball), theme.JOINT, leg.name)


def _sheave(hub: Array, axis: Array, radius: float, sizes: Sizes, owner: str) -> Iterator[Solid]:
    """A wheel that a cable runs on, with a rim on both sides of it, and its pin."""
    half, rim = 0.5 * sizes.pin * axis, 0.2 * sizes.pin * axis
    yield Solid(Rod(hub - half, hub + half, radius), theme.DRIVEN, owner)
    for side in (-1.0, 1.0):
        edge = hub + side * half
        yield Solid(Rod(edge, edge + side * rim, 1.12 * radius + 0.3 * sizes.pin), theme.DRIVEN, owner)
    yield Solid(Rod(hub - 2.0 * half, hub + 2.0 * half, 0.2 * radius + 0.3 * sizes.pin), theme.JOINT, owner)


def mount(pose: LegPose, k: int) -> Array:
    """(3,) where joint k sits on what carries it, in B [m]."""
    leg, joint = pose.leg, pose.leg.joints[k]
    if joint.parent < 0:
        return np.asarray(leg.position) + np.asarray(leg.rotation) @ joint.offset
    carrier = pose.links[joint.parent]
    return np.asarray(carrier.p + carrier.R @ np.asarray(joint.offset), dtype=float)


def guide(pose: LegPose, k: int, sizes: Sizes, centre: Array, reached: float | None = None) -> Guide:
    """The guide-way of the sliding joint k, as long as its stroke and what is `reached`; `centre` is the platform."""
    joint, q = pose.leg.joints[k], _travel(pose, k)
    low, high = (s + joint.zero for s in joint.limits.stroke or (q - 0.2 * sizes.extent, q + 0.2 * sizes.extent))
    travels = (q, q if reached is None else reached)
    rim = 1.4 * sizes.motor
    _, outward = _rail_sides(pose, k)
    origin, e = mount(pose, k) - outward * sizes.motor, np.asarray(pose.links[k].e, dtype=float)
    ends = [origin + e * (min(low, *travels) - rim), origin + e * (max(high, *travels) + rim)]
    ends.sort(key=lambda p: -float(np.linalg.norm(p - centre)))
    return Guide(*ends)


def is_telescope(pose: LegPose, k: int, sizes: Sizes) -> bool:
    """Whether the sliding joint k is a cylinder and its piston rather than a slider on a guide."""
    joint = pose.leg.joints[k]
    shortest = joint.limits.stroke[0] + joint.zero if joint.limits.stroke else _travel(pose, k)
    return joint.parent >= 0 and shortest > 0.1 * sizes.extent


def _travel(pose: LegPose, k: int) -> float:
    coordinate = pose.coordinates[k]
    return float(coordinate.q) if isinstance(coordinate, Slide) else 0.0


def follows_turn(leg: Leg, k: int) -> bool:
    """Whether joint k slides as the joint that carries it turns about the same axis: on a thread, not on a guide."""
    joint = leg.joints[k]
    if joint.kind != "P" or joint.mimic is None or joint.mimic.joint != joint.parent:
        return False
    turn = leg.joints[joint.parent]
    return turn.kind == "R" and bool(np.allclose(turn.axis, joint.axis, rtol=0, atol=_SAME))


def takes_back(leg: Leg, k: int) -> bool:
    """Whether joint k is what a turn takes back of the slide that a spindle's actuator reads."""
    before = leg.joints[leg.joints[k].parent].parent
    return follows_turn(leg, k) and before >= 0 and leg.joints[before].actuated and leg.joints[before].kind == "P"


def _slide(pose: LegPose, k: int, sizes: Sizes, home: LegPose) -> Iterator[Solid]:
    leg, joint, link = pose.leg, pose.leg.joints[k], pose.links[k]
    if follows_turn(leg, k):
        if not takes_back(leg, k):
            nut, along = np.asarray(link.p, dtype=float), np.asarray(link.e, dtype=float) * 1.2 * sizes.motor
            yield Solid(Rod(nut - along, nut + along, 0.8 * sizes.motor), theme.ROD, leg.name)
        return
    origin, tip, bar = mount(pose, k), np.asarray(link.p, dtype=float), sizes.bar(leg)
    colour = theme.DRIVEN if joint.actuated else theme.ROD
    if is_telescope(pose, k, sizes):
        shortest = joint.limits.stroke[0] + joint.zero if joint.limits.stroke else 0.6 * _travel(pose, k)
        mouth = origin + np.asarray(link.e) * min(0.85 * shortest, 0.8 * _travel(pose, k))
        yield Solid(Rod(origin, mouth, 1.75 * bar), colour, leg.name)
        yield Solid(Rod(mouth, tip, 0.75 * bar), theme.PISTON, leg.name)
        return
    still = home if joint.parent < 0 else pose
    rail = guide(still, k, sizes, tip, _travel(pose, k))
    e, half = np.asarray(link.e, dtype=float), float(np.linalg.norm(rail.far - rail.near)) / 2
    side, normal = _rail_sides(still, k)
    middle, m = (rail.far + rail.near) / 2, sizes.motor
    yield Solid(box(middle, [e, side, normal], [half, 0.6 * m, 0.45 * m]), theme.GUIDE, leg.name)
    yield Solid(box(tip - normal * 0.5 * m, [e, side, normal], [1.3 * m, m, 0.6 * m]), colour, leg.name)


def _rail_sides(pose: LegPose, k: int) -> tuple[Array, Array]:
    """Sideways and outward unit vectors of a guide: along the hinge that it carries, on the side where the rod is.

    Where that hinge is along the guide, outward is towards the rod.
    """
    e = np.asarray(pose.links[k].e, dtype=float)
    carried = [c for c, joint in enumerate(pose.leg.joints) if joint.parent == k and joint.kind == "R"]
    hinge = np.asarray(pose.links[carried[0]].e, dtype=float) if carried else e
    side = hinge - e * (e @ hinge)
    size = float(np.linalg.norm(side))
    rod = np.asarray(end_point(pose.leg, pose.links) - pose.links[k].p, dtype=float)
    if size < 0.1:
        towards = rod - e * (e @ rod)
        away = float(np.linalg.norm(towards))
        return (np.cross(towards / away, e), towards / away) if away > _SHORT else across(e)
    outward = np.cross(e, side / size)
    return (side / size, outward) if float(outward @ rod) >= 0.0 else (-side / size, -outward)


def _bars(pose: LegPose, sizes: Sizes) -> Iterator[Solid]:
    """Straight bars between the joints of each body."""
    leg = pose.leg
    for k, joint in enumerate(leg.joints):
        driven = joint.actuated and joint.kind == "R" and joint.parent < 0
        colour = theme.DRIVEN if driven else theme.ROD
        radius = sizes.bar(leg) * (1.5 if driven else 1.0)
        start = np.asarray(pose.links[k].p, dtype=float)
        for end in _ends(pose, k):
            if np.linalg.norm(end - start) > _SHORT:
                yield Solid(Rod(start, end, radius), colour, leg.name)
                yield Solid(Ball(start, radius), colour, leg.name)
                yield Solid(Ball(end, radius), colour, leg.name)


def _ends(pose: LegPose, k: int) -> list[Array]:
    """Points of body k to which bars run from its origin; on a parallelogram's side bar, where its twin's end is."""
    leg = pose.leg
    carried = [c for c, joint in enumerate(leg.joints) if joint.parent == k]
    ends = [mount(pose, c) for c in carried]
    if leg.end.joint == k:
        ends.append(np.asarray(end_point(leg, pose.links), dtype=float))
    mimic = leg.joints[k].mimic
    if not ends and mimic is not None and _is_side_bar(pose, k):
        along = [
            mount(pose, c) - pose.links[mimic.joint].p for c, j in enumerate(leg.joints) if j.parent == mimic.joint
        ]
        ends = [np.asarray(pose.links[k].p + step, dtype=float) for step in along]
    side = [c for c, joint in enumerate(leg.joints) if _is_side_bar(pose, c) and joint.mimic and _closes(pose, c, k)]
    return ends + [_ends(pose, c)[0] for c in side]


def _is_side_bar(pose: LegPose, k: int) -> bool:
    """Whether body k ends a side branch and swings beside its twin: what carries the one carries the other."""
    joints = pose.leg.joints
    mimic = joints[k].mimic
    if mimic is None or joints[mimic.joint].parent != joints[k].parent:
        return False
    return k != pose.leg.end.joint and all(joint.parent != k for joint in joints)


def _closes(pose: LegPose, bar: int, k: int) -> bool:
    """Whether body k is the closing bar of the parallelogram whose second side is `bar`."""
    mimic, own = pose.leg.joints[bar].mimic, pose.leg.joints[k]
    return mimic is not None and own.parent == mimic.joint and own.mimic is not None


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of parts for a machine of largest dimension `extent` [m]."""

    extent: float

    def bar(self, leg: Leg) -> float:
        """Radius of a leg's bars: the leg's own where it can be seen and leaves room."""
        return float(np.clip(leg.radius or 0.010 * self.extent, 0.008 * self.extent, 0.013 * self.extent))

    @property
    def ball(self) -> float:
        """Radius of a spherical joint."""
        return 0.021 * self.extent

    @property
    def pin(self) -> float:
        """Radius of a pin; half its length is `ball`."""
        return 0.009 * self.extent

    @property
    def motor(self) -> float:
        """Radius of a motor."""
        return 0.030 * self.extent

    @property
    def plate(self) -> float:
        """Thickness of a plate."""
        return 0.024 * self.extent


def sizes_for(points: Array) -> Sizes:
    """Sizes for a machine whose joints are at points (n, 3)."""
    return Sizes(float(np.ptp(points, axis=0).max()) or 1.0)
