"""All bodies of a robot with mass, and how their centres of mass and orientations move.

One order for all: the platform first, then leg by leg. Vectors are in base axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, dot, label
from gough.kinematics.leg import Velocities
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.spatial import point_acceleration, point_velocity
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
        n: (3,) direction of such a rod, else None.
    """

    body: Body
    leg: int
    k: int
    c: Vector
    R: Vector
    transverse: Any
    owner: str = "platform"
    n: Vector = None

    def spin_momentum(self, w: Vector) -> Vector:
        """(3,) angular momentum about the centre of mass at angular velocity w, base axes.

        On a rod that does not spin w is across it, and the axial moment of inertia does not matter.
        """
        if self.transverse is not None:
            return w * self.transverse
        return self.R @ (self.body.tensor @ (self.R.T @ w))

    def tensor(self) -> Vector:
        """(3, 3) inertia about the centre of mass in base axes, as far as the body's motion depends on it."""
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
                    place = leg.place(k)
                    rod = leg.closure.rod if place.transverse is not None else None
                    n = None if rod is None else rod.n
                    found.append(BodyPose(joint.body, number, k, place.c, place.R, place.transverse, leg.owner, n))
    return found


def owned(bodies: list[BodyPose]) -> Iterator[BodyPose]:
    """The bodies one by one; what is recorded before the next is asked for has the label of its owner."""
    for b in bodies:
        with label(b.owner):
            yield b


def body_velocities(pose: RobotPose, bodies: list[BodyPose], v: Vector, w: Vector) -> Velocities:
    """(velocity of the centre of mass, angular velocity) of each body for the platform twist (v, w): linear in it."""
    found: Velocities = []
    for number, ks, first in _by_owner(bodies):
        if number < 0:
            found.append((point_velocity(v, w, first.c - pose.platform.p_BP), w))
        else:
            found += pose.legs[number].body_velocities(ks, v, w)
    return found


def body_accelerations(
    pose: RobotPose, bodies: list[BodyPose], twist: tuple[Any, Any], rate: tuple[Any, Any]
) -> Velocities:
    """(acceleration of the centre of mass, angular acceleration) of each body for a platform twist and twist rate."""
    (v, w), (a, wd) = twist, rate
    found: Velocities = []
    for number, ks, first in _by_owner(bodies):
        if number < 0:
            found.append((point_acceleration(a, wd, w, first.c - pose.platform.p_BP), wd))
        else:
            found += pose.legs[number].body_accelerations(ks, v, w, a, wd)
    return found


def _by_owner(bodies: list[BodyPose]) -> Iterator[tuple[int, list[int], BodyPose]]:
    """Runs of bodies of one leg: its number, their joints and the first; recorded under the label of their owner."""
    for number, group in groupby(bodies, key=lambda b: b.leg):
        run = list(group)
        with label(run[0].owner):
            yield number, [b.k for b in run], run[0]


def potential_energy(bodies: list[BodyPose], gravity: Vector) -> Scalar:
    """-sum m g.c [J]."""
    return -sum((dot(array(gravity), b.c) * b.body.mass for b in owned(bodies)), 0.0)


def power(bodies: list[BodyPose], velocities: list[tuple[Any, Any]], forces: list[tuple[Any, Any]]) -> Scalar:
    """Sum over the bodies of force times velocity and moment times angular velocity [W]."""
    pairs = zip(owned(bodies), velocities, forces, strict=True)
    return sum((dot(v, f) + dot(w, m) for _, (v, w), (f, m) in pairs), 0.0)
