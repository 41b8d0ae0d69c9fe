"""Generalised momentum (Lopes2009): force is the rate of momentum, projected on the platform's motion.

Each body has its linear momentum and its angular momentum about its own centre of mass, in base axes, where
differentiating is plain. Their rates, carried to the platform coordinates by the transpose of the body's Jacobian, are
the kinetic part of the generalised force; the gravitational part is the slope of the potential energy.

| paper | here | meaning |
|---|---|---|
| q = I u, (11), (18), (41), (47), (63), (69) | momentum | [m v; I w] of a body about its centre of mass |
| J T, (22), (42), (54), (64), (72) | columns of `body_velocities` | body velocity per rate of a platform coordinate |
| f_kin = (J T)^T d/dt(I J T xd), (24), (44), (56), (66), (74) | `kinetic` | with J_G in (65), where J_B is printed |
| f_gra = dP/dx, (77)-(80) | slope of `potential_energy` | carried by T^-T in (83), where T^-1 is printed |
| I, (27), (45), (57), (67), (75) | M | summed over bodies, times T^T; the paper's own are in `lopes` |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gough.dynamics.distribution import Demand
from gough.dynamics.generalized_forces import base_velocities, loaded, resisted, slope
from gough.dynamics.matrices import Matrices, SolvedFor
from gough.dynamics.record_coordinates import differentiates_by_x
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, array, cross, jvp
from gough.kinematics.bodies import BodyPose, body_poses, body_velocities, owned, power
from gough.kinematics.robot_pose import RobotPose


@dataclass(frozen=True, slots=True)
class GeneralizedMomentum:
    """The formulation by generalised momenta of the bodies (Lopes)."""

    name: ClassVar[str] = "generalized_momentum"
    solved_for: ClassVar[SolvedFor] = SolvedFor.COORDINATES
    matrix_coordinates: ClassVar[str | None] = "platform"
    yardstick: ClassVar[bool] = False
    accounts_for: ClassVar[frozenset[str]] = frozenset({"base", "friction", "springs"})

    @differentiates_by_x
    def demand(self, motion: RobotMotion, gravity: Vector, wrench: Vector, bodies: set[str] | None = None) -> Demand:
        """What the motion asks of the actuators: see `Formulation`."""
        counted = body_poses(motion.pose, bodies)
        Q = kinetic(motion, counted) + slope(motion.pose, counted, gravity, springs=bodies is None)
        return loaded(motion, Q, wrench, bodies)

    def mass_matrix(self, pose: RobotPose) -> Vector:
        """(n, n) T^T I T on the platform's rates."""
        counted = body_poses(pose)
        columns = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
        momenta = [momentum(counted, column) for column in columns]
        return array([[power(counted, column, value) for value in momenta] for column in columns])

    @differentiates_by_x
    def bias(self, motion: RobotMotion, gravity: Vector, wrench: Vector) -> Vector:
        """(n,) generalised force of rates, weight, wrench and passive friction, without accelerations."""
        counted = body_poses(motion.pose)
        Q = kinetic(motion.without_acceleration(), counted) + slope(motion.pose, counted, gravity)
        return resisted(motion, Q, wrench)

    @differentiates_by_x
    def matrices(self, motion: RobotMotion, gravity: Vector) -> Matrices:
        """M, C, G in platform coordinates: C = T^T d/dt(I T)."""
        pose = motion.pose
        counted = body_poses(pose)
        columns = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
        momenta = [momentum(counted, column) for column in columns]
        rates = [rate_of(pose, value, motion.rate) for value in momenta]
        M = array([[power(counted, column, value) for value in momenta] for column in columns])
        C = array([[power(counted, column, value) for value in rates] for column in columns])
        return Matrices(M, C, slope(pose, counted, gravity))


def momentum(counted: list[BodyPose], velocities: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """(linear, angular about the centre of mass) momentum of each body. Lopes2009 (18), (41), (47), (63), (69)."""
    return [(v * b.body.mass, b.spin_momentum(w)) for b, (v, w) in zip(owned(counted), velocities, strict=True)]


def rate_of(pose: RobotPose, momenta: list[tuple[Any, Any]], xd: Vector) -> list[tuple[Any, Any]]:
    """Rate of momenta that depend on time through x alone: their derivative along xd."""
    return [(jvp(p, pose.x, xd), jvp(h, pose.x, xd)) for p, h in momenta]


def kinetic(motion: RobotMotion, counted: list[BodyPose]) -> Vector:
    """(n,) f_kin = sum (J T)^T d/dt(I J T xd). Lopes2009 (24), (44), (56), (66), (74).

    The momentum I J T xd is linear in xd, so its rate is I J T xdd plus its derivative along xd at fixed rates.
    """
    pose = motion.pose
    at_xdd = momentum(counted, body_velocities(pose, counted, *pose.platform.twist(motion.rate_d)))
    drift = rate_of(
        pose, momentum(counted, body_velocities(pose, counted, *pose.platform.twist(motion.rate))), motion.rate
    )
    rates = [(p + dp, h + dh) for _, (p, h), (dp, dh) in zip(owned(counted), at_xdd, drift, strict=True)]
    if motion.base is not None:
        rates = _with_base(motion, counted, rates)
    columns = [body_velocities(pose, counted, *column) for column in pose.platform.columns]
    return array([power(counted, column, rates) for column in columns])


def _with_base(motion: RobotMotion, counted: list[BodyPose], rates: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Rates of momenta with those of a moving base: its own part changes with x and with w, and all turns with it."""
    pose, base = motion.pose, motion.base
    assert base is not None
    own = momentum(counted, base_velocities(counted, base.w))
    drift = rate_of(pose, own, motion.rate)
    faster = momentum(counted, base_velocities(counted, base.wd))
    relative = momentum(counted, body_velocities(pose, counted, *pose.platform.twist(motion.rate)))
    found = []
    for parts in zip(owned(counted), rates, own, drift, faster, relative, strict=True):
        _, (pd, hd), (p, h), (dp, dh), (fp, fh), (rp, rh) = parts
        found.append((pd + dp + fp + cross(base.w, p + rp), hd + dh + fh + cross(base.w, h + rh)))
    return found
