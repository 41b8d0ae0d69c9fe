"""A leg as solids, told from its joints alone: guides, sliders, cylinders and pistons, cranks, bars and joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gough.kinematics.chain import Slide, end_point
from gough.kinematics.leg import LegPose
from gough.view import theme
from gough.view.joint_solids import clusters, joint_solids
from gough.view.sizes import Sizes
from gough.view.solids import Array, Ball, Rod, Solid, across, box

_SHORT = 1e-9


@dataclass(frozen=True, slots=True)
class Guide:
    """A straight guide-way of a slider: its ends, the one farther from the platform first (3,) [m]."""

    far: Array
    near: Array


def leg_solids(pose: LegPose, sizes: Sizes) -> list[Solid]:
    """Everything of a leg but the base and the platform."""
    return [
        *[solid for k, joint in enumerate(pose.leg.joints) if joint.kind == "P" for solid in _slide(pose, k, sizes)],
        *_bars(pose, sizes),
        *[solid for cluster in clusters(pose) for solid in joint_solids(pose, cluster, sizes)],
    ]


def mount(pose: LegPose, k: int) -> Array:
    """(3,) where joint k sits on what carries it, in B [m]."""
    leg, joint = pose.leg, pose.leg.joints[k]
    if joint.parent < 0:
        return np.asarray(leg.position) + np.asarray(leg.rotation) @ joint.offset
    carrier = pose.links[joint.parent]
    return np.asarray(carrier.p + carrier.R @ np.asarray(joint.offset), dtype=float)


def guide(pose: LegPose, k: int, sizes: Sizes, centre: Array) -> Guide:
    """The guide-way of the sliding joint k, as long as its stroke; `centre` is the platform's place."""
    joint, q = pose.leg.joints[k], _travel(pose, k)
    low, high = (s + joint.zero for s in joint.limits.stroke or (q - 0.2 * sizes.extent, q + 0.2 * sizes.extent))
    rim = 1.4 * sizes.motor
    _, outward = _rail_sides(pose, k)
    origin, e = mount(pose, k) - outward * sizes.motor, np.asarray(pose.links[k].e, dtype=float)
    ends = [origin + e * (min(low, q) - rim), origin + e * (max(high, q) + rim)]
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


def _slide(pose: LegPose, k: int, sizes: Sizes) -> Iterator[Solid]:
    leg, joint, link = pose.leg, pose.leg.joints[k], pose.links[k]
    origin, tip, bar = mount(pose, k), np.asarray(link.p, dtype=float), sizes.bar(leg)
    colour = theme.DRIVEN if joint.actuated else theme.ROD
    if is_telescope(pose, k, sizes):
        shortest = joint.limits.stroke[0] + joint.zero if joint.limits.stroke else 0.6 * _travel(pose, k)
        mouth = origin + np.asarray(link.e) * min(0.85 * shortest, 0.8 * _travel(pose, k))
        yield Solid(Rod(origin, mouth, 1.75 * bar), colour, leg.name)
        yield Solid(Rod(mouth, tip, 0.75 * bar), theme.PISTON, leg.name)
        return
    rail = guide(pose, k, sizes, tip)
    e, half = np.asarray(link.e, dtype=float), float(np.linalg.norm(rail.far - rail.near)) / 2
    side, normal = _rail_sides(pose, k)
    middle, m = (rail.far + rail.near) / 2, sizes.motor
    yield Solid(box(middle, [e, side, normal], [half, 0.6 * m, 0.45 * m]), theme.GUIDE, leg.name)
    yield Solid(box(tip - normal * 0.5 * m, [e, side, normal], [1.3 * m, m, 0.6 * m]), colour, leg.name)


def _rail_sides(pose: LegPose, k: int) -> tuple[Array, Array]:
    """Sideways and outward unit vectors of a guide: outward is where the rod stands."""
    e = np.asarray(pose.links[k].e, dtype=float)
    rod = end_point(pose.leg, pose.links) - pose.links[k].p
    out = np.asarray(rod - e * (e @ rod), dtype=float)
    size = float(np.linalg.norm(out))
    if size < _SHORT:
        return across(e)
    return np.cross(out / size, e), out / size


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
    if not ends and mimic is not None:
        along = [
            mount(pose, c) - pose.links[mimic.joint].p for c, j in enumerate(leg.joints) if j.parent == mimic.joint
        ]
        ends = [np.asarray(pose.links[k].p + step, dtype=float) for step in along]
    side = [c for c, joint in enumerate(leg.joints) if _is_side_bar(pose, c) and joint.mimic and _closes(pose, c, k)]
    return ends + [_ends(pose, c)[0] for c in side]


def _is_side_bar(pose: LegPose, k: int) -> bool:
    joints = pose.leg.joints
    return joints[k].mimic is not None and k != pose.leg.end.joint and all(joint.parent != k for joint in joints)


def _closes(pose: LegPose, bar: int, k: int) -> bool:
    """Whether body k is the closing bar of the parallelogram whose second side is `bar`."""
    mimic, own = pose.leg.joints[bar].mimic, pose.leg.joints[k]
    return mimic is not None and own.parent == mimic.joint and own.mimic is not None
