"""The numbers a closed form needs of a leg: axes, directions and lengths of its unmoved links.

Worked out from the leg's values whether plain or recorded, so that they stay right for a leg with free parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, cross, dot, norm
from gough.kinematics.spatial import is_identity
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class Unmoved:
    """Links of a leg with all coordinates zero, in one frame: orientations, origins, axes and the end's point."""

    R: list[Any]
    p: list[Any]
    axes: list[Any]
    end: Any


def unmoved(leg: Leg, first: int | None = None) -> Unmoved:
    """The unmoved links of a leg in leg frame 0; with `first` those of a chain from that joint on, in its frame.

    By way of leg frame 0 and back, round-off would stand where zeros and ones are, and cost operations.
    """
    before = [None] * (first or 0)
    R: list[Any] = [*before]
    p: list[Any] = [*before]
    axes: list[Any] = [*before]
    for k, joint in enumerate(leg.joints[len(before) :], len(before)):
        if k == first:
            R.append(np.eye(3))
            p.append(np.zeros(3))
        else:
            R0, p0 = (R[joint.parent], p[joint.parent]) if joint.parent >= 0 else (np.eye(3), np.zeros(3))
            R.append(R0 if is_identity(joint.rotation) else R0 @ array(joint.rotation))
            p.append(p0 + R0 @ array(joint.offset))
        axes.append(R[k] @ array(joint.axis))
    return Unmoved(R, p, axes, p[leg.end.joint] + R[leg.end.joint] @ array(leg.end.point))


@dataclass(frozen=True, slots=True)
class RodShape:
    """A rod that one or two joints turn, and the joints behind it.

    Attributes:
        axes: Unit axes of the turning joints in the first one's unmoved frame.
        direction: Unit vector along the rod in that frame, unmoved.
        length: Length of the rod; for UPS and RPS what the leg's length is more than the slide's coordinate [m].
        u: For each body of the rod its direction in the body's frame.
        rest: Rotation from the first distal joint (unmoved) to the end's frame.
        measure: In that joint's frame what distal turns are measured on: the second axis, or the rod, across the one.
    """

    axes: tuple[Any, ...]
    direction: Any
    length: Any
    u: dict[int, Any]
    rest: Any = None
    measure: Any = None


def ups_shape(leg: Leg) -> RodShape:
    """Of a leg R R P with a spherical end."""
    links = unmoved(leg, 0)
    d = links.axes[2]
    u = {k: links.R[k].T @ d for k in (1, 2)}
    return RodShape((links.axes[0], links.axes[1]), d, dot(d, links.end), u)


def swing_shape(leg: Leg) -> RodShape:
    """Of a leg R P with a spherical end; its axis is in the hinge's frame."""
    links = unmoved(leg, 0)
    d = links.axes[1]
    u = {k: links.R[k].T @ d for k in (0, 1)}
    return RodShape((links.axes[0],), d, dot(d, links.end), u)


def rod_shape(leg: Leg, turning: tuple[int, ...], distal: tuple[int, ...]) -> RodShape:
    """Of a leg whose joints `turning` turn a rod of fixed length and whose joints `distal` come behind it."""
    links = unmoved(leg, 1)
    length = norm(links.end)
    direction = links.end / length
    axes = tuple(links.axes[k] for k in turning)
    u = {turning[-1]: links.R[turning[-1]].T @ direction}
    if not distal:
        return RodShape(axes, direction, length, u)
    behind = unmoved(leg, distal[0])
    rest = behind.R[distal[-1]] @ array(leg.end.rotation)
    measure = behind.axes[distal[-1]] if len(distal) == 2 else links.R[distal[0]].T @ direction
    return RodShape(axes, direction, length, u, rest, measure)


@dataclass(frozen=True, slots=True)
class SruShape:
    """Of an SRU leg: the three base axes in the first joint's frame, the two lengths, and the last joint's frame.

    Attributes:
        axes: Perpendicular axes a, b, c of the spherical joint; the leg lies along c when unmoved.
        lower, upper: Lengths [m].
        knee, last: Axes of the knee and of the last joint in the last joint's unmoved frame.
        rest: Rotation from that frame to the end's.
    """

    axes: tuple[Any, Any, Any]
    lower: Any
    upper: Any
    knee: Any
    last: Any
    rest: Any


def sru_shape(leg: Leg, signs: tuple[int, ...]) -> SruShape:
    """Of a leg of six revolute joints with a rigid end; `signs` turns the axes that point against the shape's."""
    links = unmoved(leg, 0)
    to_last = links.R[5].T
    axes = [axis if sign > 0 else -axis for axis, sign in zip(links.axes, signs, strict=True)]
    a, b, c = axes[:3]
    lower, upper = dot(c, links.p[3]), dot(c, links.p[4] - links.p[3])
    knee, last = to_last @ axes[3], to_last @ axes[5]
    return SruShape((a, b, cross(a, b)), lower, upper, knee, last, array(leg.end.rotation))
