"""What every formulation knows of a leg: where its links are and how they move with the platform.

A closure (one file per leg pattern in `closure/`) finds the coordinates and says how rates follow; everything else is
the same for all legs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, cross, dot, logical_and
from gough.kinematics.chain import (
    Coordinate,
    Link,
    Twist,
    TwistRate,
    add_link,
    chain_twist_rates,
    chain_twists,
    end_point,
    mimicked,
    misclosure,
)
from gough.kinematics.pose import PlatformPose
from gough.kinematics.spatial import point_acceleration, point_velocity
from gough.robot import Leg

REACH_SLACK = 1e-12
"""A leg that falls short by no more than this reaches: round-off [m]."""

Solve = Callable[[Any, Any], dict[int, Any]]
"""(velocity of the end point, angular velocity of the platform) -> rate of each independent joint, linear."""

Spread = Callable[[dict[int, Any]], tuple[Any, Any]]
"""Effort of each independent joint -> (force at the end point, moment on the platform), the transpose of `Solve`."""


@dataclass(frozen=True, slots=True)
class Rod:
    """A leg between two points that does not spin: cylinder and piston, or a rod on a slider or crank.

    Attributes:
        carrier: Index of the link that carries the first point, -1 for the base. The next link has its origin there.
        first: (3,) the first point in B [m].
        n: (3,) unit vector along it in B.
        length: Distance of the points [m].
        u: For each link that turns with the rod its direction in the link's frame.
        at: For each of them how far along the rod its origin is [m].
        slide: Index of the joint that changes the length, or -1.
    """

    carrier: int
    first: Any
    n: Any
    length: Any
    u: dict[int, Any]
    at: dict[int, Any]
    slide: int = -1


@dataclass(frozen=True, slots=True)
class Closure:
    """What a leg pattern finds at a pose.

    Attributes:
        coordinates: Of the independent joints, by index.
        solve: How their rates follow the platform.
        short: How far the leg falls short of its end [m]; not above zero where it reaches.
        converged: False where an iteration failed.
        rod: Set for legs between two points.
        transposed: A quicker way to `spread`, where there is one.
        second: How accelerations follow the velocity and acceleration of the end, where the chain does not tell.
        bent: False where the leg is stretched or folded but for round-off: its rates are far too large or made up.
    """

    coordinates: dict[int, Coordinate]
    solve: Solve
    short: Any
    converged: Any = True
    rod: Rod | None = None
    transposed: Spread | None = None
    bent: Any = True
    second: Callable[[Any, Any], dict[int, Any]] | None = None

    @property
    def reached(self) -> Any:
        """Whether the leg was closed: it reaches and no iteration failed."""
        return logical_and(self.converged, self.short <= REACH_SLACK)

    @property
    def sound(self) -> Any:
        """Whether the leg was closed, with rates: it is not stretched either."""
        return logical_and(self.reached, self.bent)

    def spread(self, efforts: dict[int, Any]) -> tuple[Any, Any]:
        """(f, m): force at the leg's end and moment on the platform with the power of these joint efforts.

        It is the transpose of `solve`: f.v + m.w = sum of efforts times rates, for every motion of the platform.
        """
        if self.transposed is not None:
            return self.transposed(efforts)
        f, m = [], []
        for unit in np.eye(3):
            f.append(_power(efforts, self.solve(unit, np.zeros(3))))
            m.append(_power(efforts, self.solve(np.zeros(3), unit)))
        return array(f), array(m)


@dataclass(frozen=True, slots=True)
class LegPose:
    """A leg at a pose of the platform.

    Attributes:
        leg: The leg.
        links: Its moved links; their order is that of the joints.
        coordinates: Of all joints.
        closure: See `Closure`.
        r_end: (3,) from the origin of P to the leg's end, in B.
        spinless: Bodies move with the rod's direction alone (free spin, or thin bodies that cannot tell).
        closed_form: The closure is not an iteration.
    """

    leg: Leg
    links: list[Link]
    coordinates: list[Coordinate]
    closure: Closure
    r_end: Any
    spinless: bool
    closed_form: bool

    @property
    def owner(self) -> str:
        """The label of what is recorded for this leg."""
        return f"leg {self.leg.name}"

    def values(self) -> list[Any]:
        """Coordinates of all joints [m or rad]."""
        return [c.value(j.start) for c, j in zip(self.coordinates, self.leg.joints, strict=True)]

    def rates(self, v: Any, w: Any) -> list[Any]:
        """Rates of all joints for the platform twist (v, w)."""
        return self._all(self.closure.solve(point_velocity(v, w, self.r_end), w))

    def twists(self, v: Any, w: Any) -> list[Twist]:
        """Twists of all links for the platform twist (v, w)."""
        rates = self.rates(v, w)
        twists = chain_twists(self.leg, self.links, rates)
        rod = self.closure.rod
        if not self.spinless or rod is None:
            return twists
        v_first = twists[rod.carrier + 1].v
        v_rel = point_velocity(v, w, self.r_end) - v_first
        w_rod = cross(rod.n, v_rel) / rod.length
        across = cross(w_rod, rod.n)
        for k, at in rod.at.items():
            slide = rod.n * rates[k] if k == rod.slide else 0.0
            twists[k] = Twist(v_first + across * at + slide, w_rod)
        return twists

    def accelerations(self, v: Any, w: Any, a: Any, wd: Any) -> list[Any]:
        """Second rates of all joints for the platform twist (v, w) and twist rate (a, wd)."""
        if self.closure.second is not None:
            v_end, a_end = point_velocity(v, w, self.r_end), point_acceleration(a, wd, w, self.r_end)
            return self._all(self.closure.second(v_end, a_end))
        a_bias, wd_bias = self.bias(v, w)
        a_end = point_acceleration(a, wd, w, self.r_end)
        return self._all(self.closure.solve(a_end - a_bias, wd - wd_bias))

    def bias(self, v: Any, w: Any) -> tuple[Any, Any]:
        """Acceleration of the leg's end and angular acceleration there for the platform twist (v, w), all second rates
        of the joints being zero.
        """
        leg, links, rates = self.leg, self.links, self.rates(v, w)
        twists = chain_twists(leg, links, rates)
        bias = chain_twist_rates(leg, links, twists, rates, [0.0] * len(links))[leg.end.joint]
        arm = end_point(leg, links) - links[leg.end.joint].p
        return point_acceleration(bias.a, bias.wd, twists[leg.end.joint].w, arm), bias.wd

    def twist_rates(self, v: Any, w: Any, a: Any, wd: Any) -> list[TwistRate]:
        """Twist rates of all links for the platform twist (v, w) and twist rate (a, wd)."""
        leg, links, rates = self.leg, self.links, self.rates(v, w)
        second = self.accelerations(v, w, a, wd)
        result = chain_twist_rates(leg, links, chain_twists(leg, links, rates), rates, second)
        rod = self.closure.rod
        if not self.spinless or rod is None:
            return result
        twists = self.twists(v, w)
        a_first = result[rod.carrier + 1].a
        a_rel = point_acceleration(a, wd, w, self.r_end) - a_first
        ld = rates[rod.slide] if rod.slide >= 0 else 0.0
        w_rod = twists[next(iter(rod.at))].w
        wd_rod = (cross(rod.n, a_rel) - w_rod * (2.0 * ld)) / rod.length
        across = point_acceleration(np.zeros(3), wd_rod, w_rod, rod.n)
        for k, at in rod.at.items():
            a_k = a_first + across * at
            if k == rod.slide:
                a_k = a_k + rod.n * second[k] + cross(w_rod, rod.n) * (2.0 * ld)
            result[k] = TwistRate(a_k, wd_rod)
        return result

    def position(self, k: int, r: Any) -> Any:
        """(3,) in B of the point r (3,) in the frame of body k; on the rod, of a spinless leg."""
        rod = self.closure.rod
        if self.spinless and rod is not None and k in rod.at:
            return rod.first + rod.n * (rod.at[k] + dot(rod.u[k], array(r)))
        return self.links[k].p + self.links[k].R @ array(r)

    def residual(self, pose: PlatformPose) -> Any:
        """How far the chain's end is from its place on the platform: see `misclosure`."""
        R_end = pose.R_BP @ array(self.leg.end.platform_rotation) if self.leg.end.kind == "rigid" else None
        return misclosure(self.leg, self.links, pose.p_BP + self.r_end, R_end)

    def _all(self, independent: dict[int, Any]) -> list[Any]:
        mimics = [joint.mimic for joint in self.leg.joints]
        return [independent[k] if m is None else independent[m.joint] * m.ratio for k, m in enumerate(mimics)]


def _power(efforts: dict[int, Any], rates: dict[int, Any]) -> Any:
    return sum((efforts[k] * rates[k] for k in efforts), 0.0)


def build_links(leg: Leg, independent: dict[int, Coordinate]) -> tuple[list[Link], list[Coordinate]]:
    """Links and coordinates of all joints from those of the independent ones."""
    coordinates: list[Coordinate] = []
    links: list[Link] = []
    for k, joint in enumerate(leg.joints):
        if joint.mimic is None:
            coordinates.append(independent[k])
        else:
            source = joint.mimic.joint
            coordinates.append(mimicked(joint, independent[source], leg.joints[source].start))
        add_link(leg, k, coordinates[k], links)
    return links, coordinates
