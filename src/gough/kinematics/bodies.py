"""All bodies of a robot with mass, and how their centres of mass and orientations move.

One order for all: the platform first, then leg by leg. Vectors are in base axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, cross, dot, label
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.spatial import point_acceleration, point_velocity
from gough.kinematics.thin_leg import distance, rod_motion, rod_velocity
from gough.robot import Body


@dataclass(frozen=True, slots=True)
class BodyPose:
    """A body at a pose.

    Attributes:
        body: Its values.
        leg: Index of its leg, -1 for the platform.
        k: Index of its joint in the leg.
        c: (3,) centre of mass in B [m].
        R: (3, 3) orientation, or None for a body on a rod that does not spin.
        transverse: Moment of inertia across such a rod, else None [kg m^2].
        owner: The label of what is recorded for it: "platform", or its leg's.
    """

    body: Body
    leg: int
    k: int
    c: Any
    R: Any
    transverse: Any
    owner: str = "platform"

    def spin_momentum(self, w: Any) -> Any:
        """(3,) angular momentum about the centre of mass at angular velocity w, base axes.

        On a rod that does not spin w is across it, and the axial moment of inertia does not matter.
        """
        if self.transverse is not None:
            return w * self.transverse
        return self.R @ (self.body.tensor @ (self.R.T @ w))

    def tensor(self) -> Any:
        """(3, 3) inertia about the centre of mass in base axes, as far as the body's motion can tell."""
        if self.transverse is not None:
            return np.eye(3) * self.transverse
        return self.R @ self.body.tensor @ self.R.T


def body_poses(pose: RobotPose, names: set[str] | None = None) -> list[BodyPose]:
    """The bodies with mass, of all names or of these."""
    own = pose.robot.platform.body
    found = []
    if not own.is_massless and (names is None or own.name in names):
        R = pose.platform.R_BP
        with label("platform"):
            found.append(BodyPose(own, -1, -1, pose.platform.p_BP + R @ array(own.com), R, None))
    for number, leg in enumerate(pose.legs):
        with label(leg.owner):
            for k, joint in enumerate(leg.leg.joints):
                if not joint.body.is_massless and (names is None or joint.body.name in names):
                    found.append(_leg_body(leg, number, k))
    return found


def _leg_body(leg: LegPose, number: int, k: int) -> BodyPose:
    body, rod = leg.leg.joints[k].body, leg.closure.rod
    if not leg.spinless or rod is None or k not in rod.at:
        c = leg.links[k].p + leg.links[k].R @ array(body.com)
        return BodyPose(body, number, k, c, leg.links[k].R, None, leg.owner)
    from_end, s = distance(leg, rod, k, body.com)
    start = rod.first + rod.n * rod.length if from_end else rod.first
    return BodyPose(body, number, k, start + rod.n * s, None, body.inertia_across(rod.u[k]), leg.owner)


def owned(bodies: list[BodyPose]) -> Iterator[BodyPose]:
    """The bodies one by one; what is recorded before the next is asked for has the label of its owner."""
    for b in bodies:
        with label(b.owner):
            yield b


def body_velocities(pose: RobotPose, bodies: list[BodyPose], v: Any, w: Any) -> list[tuple[Any, Any]]:
    """(velocity of the centre of mass, angular velocity) of each body for the platform twist (v, w): linear in it."""
    twists: dict[int, Any] = {}
    return [_body_velocity(pose, b, v, w, twists) for b in owned(bodies)]


def _body_velocity(pose: RobotPose, b: BodyPose, v: Any, w: Any, twists: dict[int, Any]) -> tuple[Any, Any]:
    """Of one body; `twists` keeps those of its leg for the next."""
    if b.leg < 0:
        return point_velocity(v, w, b.c - pose.platform.p_BP), w
    leg = pose.legs[b.leg]
    rod = leg.closure.rod
    if leg.spinless and rod is not None:
        v_end = point_velocity(v, w, leg.r_end)
        moves = rod_velocity(leg, rod, v_end)
        if b.k not in rod.at:
            return _carried(leg, b, moves.v_first, moves.qd)
        from_end, s = distance(leg, rod, b.k, b.body.com)
        return (v_end if from_end else moves.v_first) + moves.nd * s, cross(rod.n, moves.nd)
    if b.leg not in twists:
        twists[b.leg] = leg.twists(v, w)
    twist = twists[b.leg][b.k]
    return point_velocity(twist.v, twist.w, b.c - leg.links[b.k].p), twist.w


def _carried(leg: LegPose, b: BodyPose, v_first: Any, qd: Any) -> tuple[Any, Any]:
    """Velocities of a slider or crank, or of a point mass where the rod hangs on it."""
    rod = leg.closure.rod
    assert rod is not None
    if b.k != rod.carrier:
        return v_first, np.zeros(3)
    link = leg.links[b.k]
    if leg.leg.joints[b.k].kind == "P":
        return link.e * qd, np.zeros(3)
    w = link.e * qd
    return cross(w, b.c - link.p), w


def body_accelerations(
    pose: RobotPose, bodies: list[BodyPose], twist: tuple[Any, Any], rate: tuple[Any, Any]
) -> list[tuple[Any, Any]]:
    """(acceleration of the centre of mass, angular acceleration) of each body for a platform twist and twist rate."""
    rates: dict[int, Any] = {}
    return [_body_acceleration(pose, b, twist, rate, rates) for b in owned(bodies)]


def _body_acceleration(
    pose: RobotPose, b: BodyPose, twist: tuple[Any, Any], rate: tuple[Any, Any], rates: dict[int, Any]
) -> tuple[Any, Any]:
    """Of one body; `rates` keeps those of its leg for the next."""
    (v, w), (a, wd) = twist, rate
    if b.leg < 0:
        return point_acceleration(a, wd, w, b.c - pose.platform.p_BP), wd
    leg = pose.legs[b.leg]
    rod = leg.closure.rod
    if leg.spinless and rod is not None:
        a_end = point_acceleration(a, wd, w, leg.r_end)
        moves = rod_motion(leg, rod, point_velocity(v, w, leg.r_end), a_end)
        if b.k not in rod.at:
            return _carried_acceleration(leg, b, moves.a_first, moves.qd, moves.qdd)
        from_end, s = distance(leg, rod, b.k, b.body.com)
        return (a_end if from_end else moves.a_first) + moves.ndd * s, cross(rod.n, moves.ndd)
    if b.leg not in rates:
        rates[b.leg] = leg.twists(v, w), leg.twist_rates(v, w, a, wd)
    before, after = rates[b.leg]
    arm = b.c - leg.links[b.k].p
    return point_acceleration(after[b.k].a, after[b.k].wd, before[b.k].w, arm), after[b.k].wd


def _carried_acceleration(leg: LegPose, b: BodyPose, a_first: Any, qd: Any, qdd: Any) -> tuple[Any, Any]:
    rod = leg.closure.rod
    assert rod is not None
    if b.k != rod.carrier:
        return a_first, np.zeros(3)
    link = leg.links[b.k]
    if leg.leg.joints[b.k].kind == "P":
        return link.e * qdd, np.zeros(3)
    wd = link.e * qdd
    return point_acceleration(np.zeros(3), wd, link.e * qd, b.c - link.p), wd


def potential_energy(bodies: list[BodyPose], gravity: Any) -> Any:
    """-sum m g.c [J]."""
    return -sum((dot(array(gravity), b.c) * b.body.mass for b in owned(bodies)), 0.0)


def power(bodies: list[BodyPose], velocities: list[tuple[Any, Any]], forces: list[tuple[Any, Any]]) -> Any:
    """Sum over the bodies of force times velocity and moment times angular velocity [W]."""
    pairs = zip(owned(bodies), velocities, forces, strict=True)
    return sum((dot(v, f) + dot(w, m) for _, (v, w), (f, m) in pairs), 0.0)
