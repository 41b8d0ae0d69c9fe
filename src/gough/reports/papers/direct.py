"""Direct dynamics as the lecture states it: the motion that given torques bring about, by the orthogonal complement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from gough.dynamics import inverse_dynamics
from gough.dynamics.forward import forward_dynamics
from gough.kinematics import inverse_kinematics
from gough.motion import Motion
from gough.robot import Robot

METHOD = "orthogonal_complement"


@dataclass(frozen=True)
class DirectMotion:
    """(N, actuators) displacements, rates and accelerations of the actuators."""

    q: Any
    qd: Any
    qdd: Any


def direct_dynamics(robot: Robot, motion: Motion, t: Any) -> DirectMotion:
    """The actuators' motion at the times t (N,) under the forces that inverse dynamics gives for `motion`.

    Only the forces and the external wrench are used after the start, so an error of either computation shows as a
    departure from `motion`. Nothing holds the platform on it: round-off and the integration's error grow.
    """
    n = robot.dof

    def acceleration(time: Any, x: Any, xd: Any) -> Any:
        given = inverse_dynamics(robot, *motion(time), motion.wrench(time), METHOD).force
        return forward_dynamics(robot, x, xd, given, motion.wrench(time), METHOD).xdd

    def rates(time: float, state: Any) -> Any:
        return np.concatenate([state[n:], acceleration(time, state[:n], state[n:])])

    x, xd, _ = motion(t[0])
    found = solve_ivp(rates, (t[0], t[-1]), np.concatenate([x, xd]), "DOP853", t, rtol=1e-12, atol=1e-14)
    x, xd = (np.ascontiguousarray(part) for part in np.split(found.y.T, 2, axis=1))
    moved = inverse_kinematics(robot, x, xd, acceleration(np.asarray(t), x, xd))
    return DirectMotion(moved.q, moved.qd, moved.qdd)
