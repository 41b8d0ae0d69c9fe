"""Actuator forces in, platform accelerations out.

The accelerations solved for are those of the platform's free rates z: slides as they are, and where three coordinates
turn, the angular velocity in base axes. No choice of angles makes that singular. Accelerations of the coordinates
follow with xdd = S^-1 (zd - Sd xd), whose own chart may be singular where the mechanism is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.drives import actuated_joints, friction_effort, rates
from gough.dynamics.generalized_forces import friction_force, wrench_force
from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.dynamics.state import RobotMotion
from gough.graph import array, factor, solve, solve_transposed
from gough.kinematics.robot_pose import RobotPose

ForwardFormulation = NewtonEuler | GeneralizedMomentum | Lagrange | OrthogonalComplement


def mechanical_effort(motion: RobotMotion, force: Any) -> Any:
    """(actuators,) what is left of the actuator forces after the actuators' own friction."""
    qd, _ = rates(motion)
    return force - friction_effort(actuated_joints(motion), qd)


def free_acceleration(
    formulation: ForwardFormulation, pose: RobotPose, xd: Any, effort: Any, gravity: Any, wrench: Any
) -> Any:
    """(n,) rates of the platform's free rates: zd.

    Args:
        formulation: Whose equations.
        pose: At the platform coordinates x.
        xd: (n,) their rates.
        effort: (actuators,) mechanical efforts.
        gravity: (3,) in B.
        wrench: External force and moment on the platform, or None.
    """
    free = pose.free()
    S = pose.platform.chart()
    if isinstance(formulation, (NewtonEuler, OrthogonalComplement)):
        return from_free_rates(formulation, free, S @ array(xd), effort, gravity, wrench)
    motion = RobotMotion(pose, xd, np.zeros(len(xd)))
    Q = formulation.bias(motion, gravity) - friction_force(motion)
    if wrench is not None:
        Q = Q - wrench_force(pose, wrench)
    M = _with_rotors(formulation.mass_matrix(free), free)
    drift = chart_drift(pose, xd)
    bias = _rotor_bias(RobotMotion(free, S @ array(xd), drift), free)
    push = free.jacobian().T @ array(effort) - bias
    moved = solve(factor(M, spd=True), push - solve_transposed(S, Q))
    return moved + drift


def from_free_rates(
    formulation: NewtonEuler | OrthogonalComplement, free: RobotPose, z: Any, effort: Any, gravity: Any, wrench: Any
) -> Any:
    """(n,) zd from the free rates z (n,): no chart appears."""
    motion = RobotMotion(free, z, np.zeros(len(z)))
    if isinstance(formulation, OrthogonalComplement):
        return _by_actuators(formulation, motion, effort, gravity, wrench)
    M = _with_rotors(formulation.mass_matrix(free), free)
    bias = formulation.demand(motion, gravity, wrench) + _rotor_bias(motion, free)
    return solve(factor(M, spd=True), free.jacobian().T @ array(effort) - bias)


def _by_actuators(
    formulation: OrthogonalComplement, motion: RobotMotion, effort: Any, gravity: Any, wrench: Any
) -> Any:
    """(n,) zd by way of the actuators' accelerations: M_q qdd = effort - effort at qdd = 0, zd = K^-1 (qdd - drift).

    M_q is as ill-conditioned as the square of K. What its solution leaves of the efforts is solved for once more, which
    makes the result as good as the efforts are known, right up to where K is singular.
    """
    free, z = motion.pose, motion.xd
    f = factor(free.jacobian())
    _, drift = rates(motion)
    reflected = _reflected(free)
    m = factor(formulation.actuator_mass_matrix(free, f) + np.diag(reflected), spd=True)
    held = RobotMotion(free, z, -solve(f, drift))
    qdd = solve(m, effort - formulation.effort(held, gravity, wrench))
    zd = solve(f, qdd - drift)
    moving = RobotMotion(free, z, zd)
    needed = formulation.effort(moving, gravity, wrench)
    if _has_rotors(free):
        needed = needed + rates(moving)[1] * reflected
    return zd + solve(f, solve(m, effort - needed))


def chart_drift(pose: RobotPose, xd: Any) -> Any:
    """(n,) Sd xd: what the free rates change by when xdd is zero."""
    platform = pose.platform
    _, wd = platform.twist_rate(xd, np.zeros(len(xd)))
    drift: list[Any] = [0.0] * len(platform.turns)
    if sum(platform.turns) == 3:
        axes = iter(range(3))
        drift = [wd[next(axes)] if turns else 0.0 for turns in platform.turns]
    return array(drift)


def coordinate_acceleration(pose: RobotPose, xd: Any, zd: Any) -> Any:
    """(n,) xdd = S^-1 (zd - Sd xd)."""
    if sum(pose.platform.turns) < 3:
        return zd
    return solve(pose.platform.chart(), zd - chart_drift(pose, xd))


def _reflected(pose: RobotPose) -> Any:
    """(actuators,) rotor inertias as their joints feel them: J N^2."""
    joints = [joint for leg in pose.legs for joint in leg.leg.joints if joint.actuated]
    return array([joint.rotor_inertia * joint.gear * joint.gear for joint in joints])


def _has_rotors(pose: RobotPose) -> bool:
    return any(not isinstance(value, float) or value != 0.0 for value in _reflected(pose))


def _with_rotors(M: Any, free: RobotPose) -> Any:
    if not _has_rotors(free):
        return M
    K = free.jacobian()
    return M + K.T @ (K * _reflected(free)[:, None])


def _rotor_bias(motion: RobotMotion, free: RobotPose) -> Any:
    """(n,) force on the free rates that the rotors' accelerations take in a motion given in free rates."""
    if not _has_rotors(free):
        return np.zeros(len(motion.xd))
    _, qdd = rates(motion)
    return free.jacobian().T @ (qdd * _reflected(free))
