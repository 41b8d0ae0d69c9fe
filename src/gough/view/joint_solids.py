"""Joints as solids: pins, crosses of universal joints, balls, motors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from gough.kinematics.chain import end_point
from gough.kinematics.leg import LegPose
from gough.view import theme
from gough.view.sizes import Sizes
from gough.view.solids import Array, Ball, Rod, Shape, Solid

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
