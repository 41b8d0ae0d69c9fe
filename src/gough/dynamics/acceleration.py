"""Equations of the platform's accelerations under actuator efforts, by what a formulation has.

The accelerations solved for are those of the platform's free rates z: slides as they are, and where three coordinates
turn, the angular velocity in base axes. No choice of angles makes that singular. Accelerations of the coordinates
follow with xdd = S^-1 (zd - Sd xd), whose own chart may be singular where the mechanism is not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from gough.dynamics.contract import Formulation, WithActuatorMassMatrix, WithMassMatrix, Wrench
from gough.dynamics.contract import effort as effort_of
from gough.dynamics.drives import friction_effort, rates
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.record_coordinates import at_fixed_rates
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, array, factor, solve, solve_transposed
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism


def mechanical_effort(motion: RobotMotion, force: Vector) -> Vector:
    """(actuators,) what is left of the actuator forces after the actuators' own friction."""
    qd, _ = rates(motion)
    return force - friction_effort(motion.pose.robot.actuators, qd)


def free_acceleration(
    formulation: Formulation,
    pose: RobotPose,
    xd: Vector,
    effort: Vector,
    gravity: Vector,
    wrench: Wrench | None,
    base: BaseRates | None = None,
) -> Vector:
    """(n,) rates of the platform's free rates: zd.

    Args:
        formulation: Whose equations; it must have forward dynamics.
        pose: At the platform coordinates x.
        xd: (n,) their rates.
        effort: (actuators,) mechanical efforts.
        gravity: (3,) in B.
        wrench: External force and moment on the platform, or None.
        base: How the base moves; the gravity is then that which it feels.
    """
    if formulation.solved_for is SolvedFor.COORDINATES:
        return _by_coordinates(cast(WithMassMatrix, formulation), pose, xd, effort, gravity, wrench, base)
    return from_free_rates(formulation, pose.free(), pose.platform.chart() @ array(xd), effort, gravity, wrench, base)


def _by_coordinates(
    formulation: WithMassMatrix,
    pose: RobotPose,
    xd: Vector,
    effort: Vector,
    gravity: Vector,
    wrench: Wrench | None,
    base: BaseRates | None,
) -> Vector:
    """(n,) zd with M on the free rates and the bias on those of the coordinates."""
    free = pose.free()
    S = pose.platform.chart()
    Q = at_fixed_rates(formulation.bias, RobotMotion(pose, xd, np.zeros(len(xd)), base), gravity, wrench)
    M = with_rotors(formulation.mass_matrix(free), free)
    drift = chart_drift(pose, xd)
    bias = _rotor_bias(RobotMotion(free, S @ array(xd), drift), free)
    push = free.jacobian().T @ array(effort) - bias
    moved = solve(factor(M, spd=True), push - solve_transposed(S, Q))
    return moved + drift


def from_free_rates(
    formulation: Formulation,
    free: RobotPose,
    z: Vector,
    effort: Vector,
    gravity: Vector,
    wrench: Wrench | None,
    base: BaseRates | None = None,
) -> Vector:
    """(n,) zd from the free rates z (n,), for formulations that do not need those of coordinates: no chart appears."""
    motion = RobotMotion(free, z, np.zeros(len(z)), base)
    if by_actuators(formulation, free.robot):
        return _by_actuators(cast(WithActuatorMassMatrix, formulation), motion, effort, gravity, wrench)
    solved = cast(WithMassMatrix, formulation)  # one solved for actuators has its equations on any rates too
    M = with_rotors(solved.mass_matrix(free), free)
    bias = solved.bias(motion, gravity, wrench) + _rotor_bias(motion, free)
    return solve(factor(M, spd=True), free.jacobian().T @ array(effort) - bias)


def by_actuators(formulation: Formulation, robot: Mechanism) -> bool:
    """Whether a formulation solves for the actuators' accelerations, else for the platform's.

    Those of more actuators than coordinates depend on each other: then all solve for the platform's.
    """
    square = len(robot.actuators) == robot.dof
    return formulation.solved_for is SolvedFor.ACTUATORS and square


def _by_actuators(
    formulation: WithActuatorMassMatrix, motion: RobotMotion, effort: Vector, gravity: Vector, wrench: Wrench | None
) -> Vector:
    """(n,) zd by way of the actuators' accelerations: M_q qdd = effort - effort at qdd = 0, zd = K^-1 (qdd - drift).

    M_q is as ill-conditioned as the square of K. What its solution leaves of the efforts is solved for once more, which
    makes the result as good as the efforts are known, right up to where K is singular.
    """
    free = motion.pose
    f = factor(free.jacobian())
    _, drift = rates(motion)
    reflected = _reflected(free)
    m = factor(formulation.actuator_mass_matrix(free, f) + np.diag(reflected), spd=True)
    held = replace(motion, rate_d=-solve(f, drift))
    qdd = solve(m, effort - effort_of(formulation, held, gravity, wrench))
    zd = solve(f, qdd - drift)
    moving = replace(motion, rate_d=zd)
    needed = effort_of(formulation, moving, gravity, wrench)
    if _has_rotors(free):
        needed = needed + rates(moving)[1] * reflected
    return zd + solve(f, solve(m, effort - needed))


def chart_drift(pose: RobotPose, xd: Vector) -> Vector:
    """(n,) Sd xd: what the free rates change by when xdd is zero."""
    platform = pose.platform
    _, wd = platform.twist_rate(xd, np.zeros(len(xd)))
    drift: list[Any] = [0.0] * platform.dof
    if platform.charted:
        axes = iter(range(3))
        drift = [wd[next(axes)] if turns else 0.0 for turns in platform.turns]
    return array(drift)


def coordinate_acceleration(pose: RobotPose, xd: Vector, zd: Vector) -> Vector:
    """(n,) xdd = S^-1 (zd - Sd xd)."""
    if not pose.platform.charted:
        return zd
    return solve(pose.platform.chart(), zd - chart_drift(pose, xd))


def _reflected(pose: RobotPose) -> Vector:
    """(actuators,) rotor inertias as their joints feel them: J N^2."""
    joints = pose.robot.actuators
    return array([joint.rotor_inertia * joint.gear * joint.gear for joint in joints])


def _has_rotors(pose: RobotPose) -> bool:
    return any(not isinstance(value, float) or value != 0.0 for value in _reflected(pose))


def with_rotors(M: Vector, free: RobotPose) -> Vector:
    """The mass matrix M (n, n) with the inertias of rotors behind their gears."""
    if not _has_rotors(free):
        return M
    K = free.jacobian()
    return M + K.T @ (K * _reflected(free)[:, None])


def _rotor_bias(motion: RobotMotion, free: RobotPose) -> Vector:
    """(n,) force on the free rates that the rotors' accelerations take in a motion given in free rates."""
    if not _has_rotors(free):
        return np.zeros(len(motion.rate))
    _, qdd = rates(motion)
    return free.jacobian().T @ (qdd * _reflected(free))
