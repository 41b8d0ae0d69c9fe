"""A leg as a chain: frames, velocities and accelerations of its links from its joint coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, atan2, cos, cross, dot, is_value, is_zero, maximum, norm, sin, sqrt
from gough.kinematics.spatial import exact_direction, is_identity, point_acceleration, point_velocity, rotate_about
from gough.robot import Joint, Leg


@dataclass(frozen=True, slots=True)
class Slide:
    """Coordinate of a prismatic joint [m]."""

    q: Vector

    def value(self, start: Scalar) -> Scalar:
        """The coordinate."""
        return self.q


@dataclass(frozen=True, slots=True)
class Turn:
    """Coordinate of a revolute joint by cosine and sine.

    The angle itself is worked out only if it is asked for, unless it is known: followed from home it may be any number
    of turns.
    """

    c: Vector
    s: Scalar
    angle: Any = None

    def value(self, start: Scalar) -> Scalar:
        """The angle [rad], within half a turn of `start`, or of 0 where there is none, unless it is known."""
        if self.angle is not None:
            return self.angle
        if start is None or is_value(start, 0.0):
            return atan2(self.s, self.c)
        c, s = cos(start), sin(start)
        return start + atan2(self.s * c - self.c * s, self.c * c + self.s * s)


Coordinate = Slide | Turn


@dataclass(frozen=True, slots=True)
class Link:
    """A moved link: orientation, origin and the axis of its joint, all in B."""

    R: Vector
    p: Vector
    e: Vector


@dataclass(frozen=True, slots=True)
class Twist:
    """Velocity of a link's origin and its angular velocity, in base axes."""

    v: Vector
    w: Vector


@dataclass(frozen=True, slots=True)
class TwistRate:
    """Acceleration of a link's origin and its angular acceleration, in base axes."""

    a: Vector
    wd: Vector


def mimicked(joint: Joint, source: Coordinate, start: Scalar) -> Coordinate:
    """Coordinate of a joint that follows another, whose coordinate is `source`."""
    mimic = joint.mimic
    assert mimic is not None
    if isinstance(source, Turn) and is_value(mimic.offset, 0.0):
        if is_value(mimic.ratio, 1.0):
            return source
        if is_value(mimic.ratio, -1.0):
            return Turn(source.c, -source.s, None if source.angle is None else -source.angle)
    value = mimic.ratio * source.value(start) + mimic.offset
    return Slide(value) if joint.kind == "P" else Turn(cos(value), sin(value), value)


def add_link(leg: Leg, k: int, coordinate: Coordinate, links: list[Link]) -> None:
    """Appends link k, given its joint's coordinate and the links before it."""
    joint = leg.joints[k]
    R, p = parent_frame(leg, k, links)
    if turns_back(leg, k):
        carrier = leg.joints[joint.parent]
        links.append(Link(joint_rotation(parent_frame(leg, joint.parent, links)[0], carrier), p, links[joint.parent].e))
        return
    R = joint_rotation(R, joint)
    e = joint_axis(R, joint)
    if isinstance(coordinate, Slide):
        links.append(Link(R, p + e * coordinate.q, e))
    else:
        links.append(Link(rotate_about(R, joint.axis, coordinate.c, coordinate.s), p, e))


def turns_back(leg: Leg, k: int) -> bool:
    """Whether joint k undoes the turn of the joint that carries it, as the closing bar of a parallelogram does."""
    joint = leg.joints[k]
    if joint.mimic is None or joint.mimic.joint != joint.parent or "P" in (joint.kind, leg.joints[joint.parent].kind):
        return False
    same = all(is_value(a, b) for a, b in zip(joint.axis, leg.joints[joint.parent].axis, strict=True))
    opposite = is_value(joint.mimic.ratio, -1.0) and is_value(joint.mimic.offset, 0.0)
    return same and opposite and is_identity(joint.rotation)


def parent_frame(leg: Leg, k: int, links: list[Link]) -> tuple[Any, Any]:
    """(R of the body that carries joint k, origin of the unmoved joint), both in B."""
    joint = leg.joints[k]
    if joint.parent < 0:
        R, p = array(leg.rotation), array(leg.position)
    else:
        R, p = links[joint.parent].R, links[joint.parent].p
    return R, p if is_zero(joint.offset) else p + R @ array(joint.offset)


def joint_rotation(R: Vector, joint: Joint) -> Vector:
    """R of the unmoved joint in B."""
    return R if is_identity(joint.rotation) else R @ array(joint.rotation)


def joint_axis(R: Vector, joint: Joint) -> Vector:
    """(3,) axis of a joint in B, with R of the unmoved joint."""
    return exact_direction(R @ array(joint.axis))


def end_point(leg: Leg, links: list[Link]) -> Vector:
    """(3,) where the chain ends, in B."""
    link = links[leg.end.joint]
    return link.p if is_zero(leg.end.point) else link.p + link.R @ array(leg.end.point)


def end_rotation(leg: Leg, links: list[Link]) -> Vector:
    """(3, 3) how the chain's end is turned, in B."""
    R = links[leg.end.joint].R
    return R if is_identity(leg.end.rotation) else R @ array(leg.end.rotation)


def misclosure(leg: Leg, links: list[Link], p_end: Vector, R_end: Vector) -> Scalar:
    """How far the chain's end is from p_end, R_end: the larger of gap [m] and, for a rigid end, misalignment [rad].

    The misalignment is 2 sin of half the angle between the frames, so that a frame turned over does not pass.
    """
    gap = norm(end_point(leg, links) - p_end)
    if leg.end.kind == "spherical":
        return gap
    apart = (end_rotation(leg, links) - R_end).ravel()
    return maximum(gap, sqrt(dot(apart, apart) * 0.5))


def chain_twists(leg: Leg, links: list[Link], rates: list[Any]) -> list[Twist]:
    """Twists of all links for these joint rates."""
    twists: list[Twist] = []
    for k, joint in enumerate(leg.joints):
        if joint.parent < 0:
            v: Any = np.zeros(3)
            w: Any = np.zeros(3)
        else:
            before, link = twists[joint.parent], links[joint.parent]
            v, w = point_velocity(before.v, before.w, links[k].p - link.p), before.w
        step = links[k].e * rates[k]
        twists.append(Twist(v + step, w) if joint.kind == "P" else Twist(v, w + step))
    return twists


def chain_twist_rates(
    leg: Leg, links: list[Link], twists: list[Twist], rates: list[Any], second: list[Any]
) -> list[TwistRate]:
    """Twist rates of all links for these joint rates and accelerations."""
    result: list[TwistRate] = []
    for k, joint in enumerate(leg.joints):
        if joint.parent < 0:
            a: Any = np.zeros(3)
            wd: Any = np.zeros(3)
            w: Any = np.zeros(3)
        else:
            before, link = result[joint.parent], links[joint.parent]
            w, wd = twists[joint.parent].w, before.wd
            a = point_acceleration(before.a, wd, w, links[k].p - link.p)
        e = links[k].e
        if joint.kind == "P":
            result.append(TwistRate(a + e * second[k] + cross(w, e) * (2.0 * rates[k]), wd))
        else:
            result.append(TwistRate(a, wd + e * second[k] + cross(w, e) * rates[k]))
    return result
