"""A leg as formulations see it: where its links are and how they move with the platform.

A closure (one file per closed form in `closure/`) finds the coordinates and says how rates follow. How the joints move
is then the same for all legs. For how the bodies move there are two kinds of leg: a chain (`ChainLeg`), whose
bodies go with their joints, and a thin leg (`thin_leg.py`), whose bodies go with its direction alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, final

import numpy as np

from gough.graph import Scalar, Vector, array, logical_and
from gough.kinematics.chain import (
    Coordinate,
    Link,
    Twist,
    TwistRate,
    add_link,
    chain_twist_rates,
    chain_twists,
    mimicked,
    misclosure,
)
from gough.kinematics.link_frames import LinkFrames, gradient
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
    first: Vector
    n: Vector
    length: Scalar
    u: dict[int, Any]
    at: dict[int, Any]
    slide: int = -1


@dataclass(frozen=True, slots=True)
class Closure:
    """What a closed form or an iteration finds at a pose.

    Attributes:
        coordinates: Coordinates of the independent joints, by index.
        solve: How their rates follow the platform.
        short: How far the leg falls short of its end [m]; not above zero where it reaches.
        converged: False where an iteration failed.
        rod: Set for legs between two points.
        transposed: A quicker way to `spread`, where there is one.
        links: Where they are not what the coordinates of the joints make of them.
        second: How accelerations follow the velocity and acceleration of the end, where the chain does not give them.
        bent: False where the leg is stretched or folded but for round-off: its rates are far too large or made up.
        short_in_plane: What `short` is of a leg that moves in a plane, once its end is known to be in it.
        bent_reaches: Whether every bent leg reaches, so that `sound` need not look at `short`.
        points: Where joints are (3,) in B, by index, as far as that takes fewer steps than the angles before them; of a
            cable where it leaves the base.
    """

    coordinates: dict[int, Coordinate]
    solve: Solve
    short: Any
    converged: Scalar = True
    rod: Rod | None = None
    transposed: Spread | None = None
    bent: Any = True
    second: Callable[[Any, Any], dict[int, Any]] | None = None
    links: list[Link] | None = None
    short_in_plane: Any = None
    bent_reaches: bool = False
    points: dict[int, Vector] = field(default_factory=dict)

    @property
    def reached(self) -> Scalar:
        """Whether the leg was closed: it reaches and no iteration failed."""
        return logical_and(self.converged, self.short <= REACH_SLACK)

    @property
    def sound(self) -> Scalar:
        """Whether the leg was closed, with rates: it is not stretched either."""
        return logical_and(self.converged if self.bent_reaches else self.reached, self.bent)

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
class EndMotion:
    """How the platform moves, and with it the end of a leg; all in base axes.

    Attributes:
        v, w: (3,) twist of the platform.
        a, wd: (3,) its twist rate.
        v_end, a_end: (3,) velocity and acceleration of the leg's end.
    """

    v: Vector
    w: Vector
    a: Vector
    wd: Vector
    v_end: Vector
    a_end: Vector


@dataclass(frozen=True, slots=True)
class Place:
    """Where a body of a leg is.

    Attributes:
        c: (3,) centre of mass in B [m].
        R: (3, 3) orientation, or None for a body whose direction alone is known.
        transverse: Moment of inertia across that direction, else None [kg m^2].
    """

    c: Vector
    R: Vector
    transverse: Any = None


Velocities = list[tuple[Any, Any]]
"""For each body the velocity of its centre of mass and its angular velocity, or the rates of these."""


@dataclass(frozen=True, slots=True)
class LegPose(ABC):
    """A leg at a pose of the platform.

    Attributes:
        leg: The leg.
        links: Its moved links; their order is that of the joints.
        coordinates: Coordinates of all joints.
        closure: See `Closure`.
        r_end: (3,) from the origin of P to the leg's end, in B.
        R_end: (3, 3) orientation of a rigid end in B, None of a spherical one.
        closed_form: The closure is not an iteration.
    """

    leg: Leg
    links: list[Link]
    coordinates: list[Coordinate]
    closure: Closure
    r_end: Any
    R_end: Vector
    closed_form: bool

    @abstractmethod
    def twists(self, v: Vector, w: Vector) -> list[Twist]:
        """Twists of all links for the platform twist (v, w)."""

    @abstractmethod
    def twist_rates(self, v: Vector, w: Vector, a: Vector, wd: Vector) -> list[TwistRate]:
        """Twist rates of all links for the platform twist (v, w) and twist rate (a, wd)."""

    @abstractmethod
    def position(self, k: int, r: Vector) -> Vector:
        """(3,) in B of the point r (3,) in the frame of body k; on the leg's line, of a body that lies along it."""

    @abstractmethod
    def place(self, k: int) -> Place:
        """Where body k is."""

    @abstractmethod
    def body_velocities(self, bodies: Sequence[int], v: Vector, w: Vector) -> Velocities:
        """Velocities of these bodies for the platform twist (v, w): linear in it."""

    @abstractmethod
    def body_accelerations(self, bodies: Sequence[int], v: Vector, w: Vector, a: Vector, wd: Vector) -> Velocities:
        """Accelerations of these bodies for the platform twist (v, w) and twist rate (a, wd)."""

    @abstractmethod
    def drive_motion(self, moved: EndMotion) -> list[tuple[Any, Any]]:
        """Rate and acceleration of each actuated joint."""

    @abstractmethod
    def unspun_axis(self, k: int) -> Any | None:
        """(3,) unit vector in B about which body k does not turn, whatever its joints say; None if they are right."""

    @property
    def owner(self) -> str:
        """The label of what is recorded for this leg."""
        return f"leg {self.leg.name}"

    def values(self) -> list[Any]:
        """Coordinates of all joints [m or rad]."""
        return [c.value(j.start) for c, j in zip(self.coordinates, self.leg.joints, strict=True)]

    def rates(self, v: Vector, w: Vector) -> list[Any]:
        """Rates of all joints for the platform twist (v, w)."""
        return self.joint_rates(point_velocity(v, w, self.r_end), w)

    def joint_rates(self, v_end: Vector, w: Vector) -> list[Any]:
        """Rates of all joints for the velocity of the leg's end and the angular velocity of the platform."""
        return self._all(self.closure.solve(v_end, w))

    def accelerations(self, v: Vector, w: Vector, a: Vector, wd: Vector) -> list[Any]:
        """Second rates of all joints for the platform twist (v, w) and twist rate (a, wd)."""
        v_end, a_end = point_velocity(v, w, self.r_end), point_acceleration(a, wd, w, self.r_end)
        return self.joint_accelerations(self.rates(v, w), v_end, a_end, wd)

    def joint_accelerations(self, rates: list[Any], v_end: Vector, a_end: Vector, wd: Vector) -> list[Any]:
        """Second rates of all joints for their rates, velocity and acceleration of the leg's end and the platform's wd.

        What the end would do if all joints kept their rates is taken off first.
        """
        if self.closure.second is not None:
            return self._all(self.closure.second(v_end, a_end))
        a_bias, wd_bias = self._bias(rates)
        return self._all(self.closure.solve(a_end - a_bias, wd - wd_bias))

    def bias(self, v: Vector, w: Vector) -> tuple[Any, Any]:
        """Acceleration of the leg's end and angular acceleration there for the platform twist (v, w), all second rates
        of the joints being zero.
        """
        return self._bias(self.rates(v, w))

    def _bias(self, rates: list[Any]) -> tuple[Any, Any]:
        end, still = self.leg.end, [0.0] * len(rates)
        moves = LinkFrames(self.leg, self.coordinates).motions(rates, still, np.zeros(3))
        a, wd, w = (part[end.joint] for part in (moves.a, moves.wd, moves.w))
        R = self.links[end.joint].R if self.R_end is None else self.R_end @ array(end.rotation).T
        return R @ (a + gradient(w, wd) @ array(end.point)), R @ wd

    def residual(self, pose: PlatformPose) -> Scalar:
        """How far the chain's end is from its place on the platform: see `misclosure`."""
        return misclosure(self.leg, self.links, pose.p_BP + self.r_end, self.R_end)

    def unspun_link(self) -> int:
        """Index of the first link that does not turn about itself though its joints do, else -1."""
        return next((k for k in range(len(self.links)) if self.unspun_axis(k) is not None), -1)

    def _all(self, independent: dict[int, Any]) -> list[Any]:
        mimics = [joint.mimic for joint in self.leg.joints]
        return [independent[k] if m is None else independent[m.joint] * m.ratio for k, m in enumerate(mimics)]


def _power(efforts: dict[int, Any], rates: dict[int, Any]) -> Scalar:
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


def by_joints(leg: LegPose) -> ChainLeg:
    """A leg of any kind, described joint by joint."""
    return ChainLeg(*[getattr(leg, field.name) for field in fields(ChainLeg)])


@final
@dataclass(frozen=True, slots=True)
class ChainLeg(LegPose):
    """A leg joint by joint."""

    def twists(self, v: Vector, w: Vector) -> list[Twist]:
        """Twists of all links for the platform twist (v, w)."""
        return chain_twists(self.leg, self.links, self.rates(v, w))

    def twist_rates(self, v: Vector, w: Vector, a: Vector, wd: Vector) -> list[TwistRate]:
        """Twist rates of all links for the platform twist (v, w) and twist rate (a, wd)."""
        rates, second = self.rates(v, w), self.accelerations(v, w, a, wd)
        return chain_twist_rates(self.leg, self.links, chain_twists(self.leg, self.links, rates), rates, second)

    def position(self, k: int, r: Vector) -> Vector:
        """(3,) in B of the point r (3,) in the frame of body k."""
        return self.links[k].p + self.links[k].R @ array(r)

    def place(self, k: int) -> Place:
        """Where body k is."""
        return Place(self.position(k, self.leg.joints[k].body.com), self.links[k].R)

    def body_velocities(self, bodies: Sequence[int], v: Vector, w: Vector) -> Velocities:
        """Velocities of these bodies for the platform twist (v, w): linear in it."""
        twists = self.twists(v, w)
        return [(point_velocity(twists[k].v, twists[k].w, self._arm(k)), twists[k].w) for k in bodies]

    def body_accelerations(self, bodies: Sequence[int], v: Vector, w: Vector, a: Vector, wd: Vector) -> Velocities:
        """Accelerations of these bodies for the platform twist (v, w) and twist rate (a, wd)."""
        twists, rates = self.twists(v, w), self.twist_rates(v, w, a, wd)
        return [(point_acceleration(rates[k].a, rates[k].wd, twists[k].w, self._arm(k)), rates[k].wd) for k in bodies]

    def drive_motion(self, moved: EndMotion) -> list[tuple[Any, Any]]:
        """Rate and acceleration of each actuated joint."""
        rates = self.joint_rates(moved.v_end, moved.w)
        second = self.joint_accelerations(rates, moved.v_end, moved.a_end, moved.wd)
        return [(rates[k], second[k]) for k, joint in enumerate(self.leg.joints) if joint.actuated]

    def unspun_axis(self, _k: int) -> None:
        """None: all bodies turn as their joints say."""
        return

    def _arm(self, k: int) -> Vector:
        """(3,) from the origin of link k to its centre of mass, in B."""
        return self.links[k].R @ array(self.leg.joints[k].body.com)
