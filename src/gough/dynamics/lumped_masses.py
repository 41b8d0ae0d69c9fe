"""Where the mass of a leg may be moved without a trace, so that as little as possible is left to be moved by equations.

What lies on a joint's axis belongs to both links of the joint: its mass, its first moment along the axis and its second
moment along it may be counted with either. So every link gives to the link that carries it what lies on its axis, and
the first one to the base, where it rests. What rides with a leg's end is the platform's. A link that slides turns with
its carrier, as the closing bar of a parallelogram does with what carries the bars: its second moments are theirs.
Second bars of parallelograms turn like the first: what they carry at their ends is the closing bar's, and what is then
left of them is the first bar's. These are the minimal parameters of robot dynamics, here to spare operations.

| here | meaning | unit |
|---|---|---|
| m, h | mass, first moment about the link's origin, in the link's frame | kg, kg m |
| E | second moments, sum of m r r^T, likewise; the inertia tensor is trace(E) 1 - E | kg m^2 |

After the moves they are numbers of the equations, no longer those of a body: any may be negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, dot, is_value, is_zero
from gough.kinematics.chain import turns_back
from gough.kinematics.closure.closed_form import main_chain
from gough.robot import Body, Joint, Leg

_ROUND_OFF = 4e-15


@dataclass(slots=True)
class LinkMass:
    """Mass, first and second moments of a link; changed while they are moved."""

    m: Scalar
    h: Vector
    E: Vector

    @classmethod
    def of(cls, body: Body) -> LinkMass:
        """Of a body."""
        r, J = array(body.com), body.tensor
        E = np.eye(3) * (0.5 * (J[0, 0] + J[1, 1] + J[2, 2])) - J + np.outer(r, r) * body.mass
        return cls(body.mass, r * body.mass, E)

    @classmethod
    def none(cls) -> LinkMass:
        """Of a link that does not count."""
        return cls(0.0, np.zeros(3), np.zeros((3, 3)))

    def snap(self, small: float, reach: float) -> None:
        """Make zero what is round-off at masses up to a size [kg] and lengths up to a reach [m]."""
        self.m = _snapped(self.m, small)
        self.h = array([_snapped(v, small * reach) for v in self.h])
        self.E = array([[_snapped(v, small * reach * reach) for v in row] for row in self.E])

    def add(self, m: Scalar, at: Vector) -> None:
        """Add a point mass [kg] at a place (3,) [m]."""
        self.m = self.m + m
        self.h = self.h + at * m
        self.E = self.E + np.outer(at, at) * m

    def add_along(self, e: Vector, h: Vector, E: Vector, at: Vector) -> None:
        """Add first and second moments along the unit vector e (3,) of what has no mass, from a place (3,) on."""
        self.h = self.h + e * h
        self.E = self.E + (np.outer(at, e) + np.outer(e, at)) * h + np.outer(e, e) * E


@dataclass(frozen=True, slots=True)
class LumpedLeg:
    """A leg's masses after the moves.

    Attributes:
        links: By joint.
        at_end: What rides with the leg's end on the platform [kg].
    """

    links: list[LinkMass]
    at_end: Any


def lumped(leg: Leg, counted: list[int]) -> LumpedLeg:
    """The masses of a leg, of the bodies that count."""
    links = [LinkMass.of(joint.body) if k in counted else LinkMass.none() for k, joint in enumerate(leg.joints)]
    small = _ROUND_OFF * sum(abs(link.m) for link in links if isinstance(link.m, float))
    places = [leg.end.point, *(place for joint in leg.joints for place in (joint.offset, joint.body.com))]
    reach = max((abs(v) for place in places for v in place if isinstance(v, float)), default=0.0)
    at_end = _outward(leg, links)
    for k in reversed(range(len(links))):
        links[k].snap(small, reach)
        _inward(leg, links, k)
    return LumpedLeg(links, at_end)


def _outward(leg: Leg, links: list[LinkMass]) -> Scalar:
    """Give the platform what rides with the leg's end [kg], and closing bars what their bars' ends carry."""
    chain, at_end = main_chain(leg), 0.0
    for k, after in zip(chain, [*chain[1:], None], strict=True):
        if _is_end(leg, chain, k):
            at_end = at_end + links[k].m
            links[k].m = 0.0
            continue
        o = array(leg.end.point if after is None else leg.joints[after].offset)
        if after is not None and turns_back(leg, after):
            for twin in _twins(leg, k):
                aside = array(leg.joints[twin].offset) - array(leg.joints[k].offset)
                rotation = array(leg.joints[k].rotation)
                links[after].add(_take(links[twin], o), rotation.T @ aside)
                _merge(links[k], links[twin])
            links[after].add(_take(links[k], o), np.zeros(3))
        elif after is not None and _is_end(leg, chain, after):  # on to a spherical end it would cost digits
            at_end = at_end + _take(links[k], o, positive=True)
    return at_end


def _is_end(leg: Leg, chain: list[int], k: int) -> bool:
    """Whether the origin of link k is the leg's end: behind it come only turns about axes through it."""
    behind = [leg.joints[i] for i in chain[chain.index(k) + 1 :]]
    centred = all(joint.kind == "R" and is_zero(joint.offset) for joint in behind) and is_zero(leg.end.point)
    return centred and leg.joints[k].kind == "R"


def _take(link: LinkMass, o: Vector, positive: bool = False) -> Scalar:
    """Mass at o (3,) that leaves the link no first moment along o, taken from it [kg]."""
    square = dot(o, o)
    if is_value(square, 0.0):
        return 0.0
    m = dot(link.h, o) / square
    if positive and isinstance(m, float) and m < 0.0:
        return 0.0
    link.add(-m, o)
    return m


def _twins(leg: Leg, k: int) -> list[int]:
    """Links that turn just as link k does, beside it."""
    own = leg.joints[k]
    return [i for i, joint in enumerate(leg.joints) if i != k and _follows(joint, own, k)]


def _follows(joint: Joint, own: Joint, k: int) -> bool:
    mimic = joint.mimic
    if mimic is None or mimic.joint != k or joint.parent != own.parent or "P" in (joint.kind, own.kind):
        return False
    alike = (joint.axis, joint.rotation) == (own.axis, own.rotation)
    return alike and is_value(mimic.ratio, 1.0) and is_value(mimic.offset, 0.0)


def _merge(link: LinkMass, twin: LinkMass) -> None:
    """Give a link the second moments of its twin, if that has no first moments left."""
    least = _ROUND_OFF * max((abs(v) for v in twin.E.ravel() if isinstance(v, float)), default=0.0)
    if all(isinstance(v, float) and v * v <= least * abs(twin.m) for v in twin.h):
        link.E = link.E + twin.E
        twin.h, twin.E = np.zeros(3), np.zeros((3, 3))


def _inward(leg: Leg, links: list[LinkMass], k: int) -> None:
    """Give the link that carries link k what lies on the axis between them, and what turns with it."""
    joint, link = leg.joints[k], links[k]
    carrier = leg.joints[joint.parent] if joint.parent >= 0 else None
    if joint.kind == "P" or turns_back(leg, k):
        with_it, rotation = (
            (joint.parent, joint.rotation)
            if carrier is None or joint.kind == "P"
            else (
                carrier.parent,
                carrier.rotation,
            )
        )
        if with_it >= 0:
            links[with_it].E = links[with_it].E + array(rotation) @ link.E @ array(rotation).T
        link.E = np.zeros((3, 3))
    if joint.kind == "P":
        return
    e = array(joint.axis)
    m, h, E = link.m, dot(e, link.h), dot(e, link.E @ e)
    if joint.parent >= 0:
        links[joint.parent].add(m, array(joint.offset))
        links[joint.parent].add_along(array(joint.rotation) @ e, h, E, array(joint.offset))
    link.m, link.h, link.E = 0.0, link.h - e * h, link.E - np.outer(e, e) * E


def _snapped(value: Scalar, least: float) -> Scalar:
    return 0.0 if isinstance(value, float) and abs(value) <= least else value
