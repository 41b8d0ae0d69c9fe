"""The lecture on the natural orthogonal complement: joint motions, torques, the terms of the model, direct dynamics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp

from gough.dynamics import inverse_dynamics
from gough.dynamics.forward import forward_dynamics
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.motion import Motion, State
from gough.reports.papers.figures import Panel, Paper, TimeFigure, number_table
from gough.robot import Robot, load

FORMULATION = "orthogonal_complement"


@dataclass(frozen=True)
class DirectMotion:
    """(N, actuators) displacements, rates and accelerations of the actuators."""

    q: Any
    qd: Any
    qdd: Any


def direct_dynamics(robot: Robot, motion: Motion, t: Array) -> DirectMotion:
    """The actuators' motion at the times t (N,) under the forces that inverse dynamics gives for `motion`.

    Only the forces and the external wrench are used after the start, so an error of either computation shows as a
    departure from `motion`. Nothing holds the platform on it: round-off and the integration's error grow.
    """
    n = robot.dof

    def acceleration(time: ArrayLike, x: Array, xd: Array) -> Array:
        given = inverse_dynamics(robot, motion(time), formulation=FORMULATION).force
        return forward_dynamics(robot, State(x, xd, wrench=motion.wrench(time)), given, formulation=FORMULATION).xdd

    def rates(time: float, state: Array) -> Array:
        return np.concatenate([state[n:], acceleration(time, state[:n], state[n:])])

    first = motion(t[0])
    assert first.xd is not None
    found = solve_ivp(rates, (t[0], t[-1]), np.concatenate([first.x, first.xd]), "DOP853", t, rtol=1e-12, atol=1e-14)
    x, xd = (np.ascontiguousarray(part) for part in np.split(found.y.T, 2, axis=1))
    moved = inverse_kinematics(robot, State(x, xd, acceleration(np.asarray(t), x, xd)))
    return DirectMotion(moved.q, moved.qd, moved.qdd)


TERMS = (
    ("inertia", r"$M \ddot{q}$", "M qdd"),
    ("velocity", r"$N \dot{q}$", "N qd"),
    ("gravity", r"$-\tau_G$", "-tau_G"),
    ("external", r"$-\tau_W$", "-tau_W"),
)
METHOD = "torques by orthogonal_complement; direct dynamics by the same, integrated from the start of the motion"


def sru() -> Paper:
    """Knee angles and rates, knee torques, the four terms that add up to them, and the motion they bring about."""
    robot = load("sru")
    motion = Motion.named(robot, "lecture")
    t = np.linspace(motion.start, motion.end, 401)
    result = inverse_dynamics(robot, motion(t), formulation="orthogonal_complement")
    parts, names = result.parts(), result.actuators
    joints = [
        Panel("knee angle $q$", "q", "rad", result.q),
        Panel(r"knee rate $\dot{q}$", "qd", "rad/s", result.qd),
    ]
    torques = [Panel(r"torque $\phi$", "phi", "N m", result.force)]
    terms = [Panel(label, symbol, "N m", parts[name]) for name, label, symbol in TERMS]
    sums = r"Terms of the model: $\phi = M \ddot{q} + N \dot{q} - \tau_G - \tau_W$"
    moved = direct_dynamics(robot, motion, t)
    moves = [
        Panel("knee angle $q$", "q", "rad", moved.q),
        Panel(r"knee rate $\dot{q}$", "qd", "rad/s", moved.qd),
        Panel(r"acceleration $\ddot{q}$", "qdd", "rad/s^2", moved.qdd),
        Panel(r"$q - q_\mathrm{given}$", "q - q given", "rad", moved.q - result.q),
    ]
    direct = r"Direct dynamics under the torques $\phi(t)$: $\ddot{q} = M^{-1} (-N \dot{q} + \tau_W + \tau_G + \phi)$"
    times = np.array([0.0, 0.3, 1.0])
    at = inverse_dynamics(robot, motion(times), formulation="orthogonal_complement")
    header = ["t [s]", *[f"q {k} [rad]" for k in at.actuators], *[f"phi {k} [N m]" for k in at.actuators]]
    rows = np.column_stack([times, at.q, at.force])
    return Paper(
        METHOD,
        [
            TimeFigure("joint_motions", "Lecture's 6-SRU platform: knee joints", t, joints, names),
            TimeFigure("torques", "Lecture's 6-SRU platform: knee torques", t, torques, names),
            TimeFigure("terms", sums, t, terms, names, height=1.9),
            TimeFigure("direct_dynamics", direct, t, moves, names, height=1.9),
        ],
        {"results.txt": number_table("Knee angles and torques; by orthogonal_complement", header, rows)},
    )
