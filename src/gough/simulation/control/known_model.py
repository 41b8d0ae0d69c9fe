"""What control laws know of a robot: its forces for a motion, and its state from its sensors."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.acceleration import chart_drift
from gough.dynamics.contract import DEFAULT, Wrench
from gough.dynamics.distribution import allocate
from gough.dynamics.drives import displacements, rates, rotor_effort
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Vector, array, least_squares, record
from gough.kinematics.configuration import Configuration
from gough.kinematics.robot_pose import robot_pose
from gough.motion import Motion
from gough.run import Program
from gough.simulation.system import System

NEWTON_STEPS = 3
"""From the last sample's pose: each squares the error."""


def forces(system: System, c: Vector, z: Vector, zd: Vector) -> Vector:
    """(actuators,) forces of a motion in free rates; Coulomb friction fades as in the simulation."""
    motion = RobotMotion(Configuration(system.robot).pose(system.ways, c), z, zd)
    return forces_of(system, motion)


def forces_of(system: System, motion: RobotMotion, wrench: Wrench | None = None) -> Vector:
    """(actuators,) forces of a motion under an external wrench; Coulomb friction fades as in the simulation."""
    qd, qdd = rates(motion)
    robot = motion.pose.robot
    demand = DEFAULT.demand(motion, motion.gravity, wrench)
    turning, rubbing = rotor_effort(robot.actuators, qdd), system.friction(robot.actuators, qd)
    return allocate(demand.with_drives(robot, turning).with_drives(robot, rubbing), system.robot)


def weight(system: System, c: Vector) -> Vector:
    """(actuators,) forces that hold the robot at c."""
    still = np.zeros(system.robot.dof)
    motion = RobotMotion(Configuration(system.robot).pose(system.ways, c), still, still)
    return allocate(DEFAULT.demand(motion, array(system.robot.gravity), None), system.robot)


def base_force(system: System, c: Vector, z: Vector, base: BaseRates) -> Vector:
    """(n,) generalised force that a moving base adds to that of any motion at c, z: no acceleration changes it."""
    motion = system.motion(c, z)
    moving = DEFAULT.bias(replace(motion, base=base), base.gravity, None)
    return moving - DEFAULT.bias(motion, motion.gravity, None)


def acceleration(system: System, c: Vector, z: Vector, qdd: Vector) -> Vector:
    """(n,) zd at which the actuators accelerate by qdd."""
    motion = system.motion(c, z)
    _, drift = rates(motion)
    return least_squares(motion.pose.jacobian(), qdd - drift)


def estimate(system: System, c: Vector, q: Vector, qd: Vector, p: Vector = None) -> tuple[Any, Any, Any]:
    """Configuration and free rates at sensed q, qd, by Newton's method from c; and what is missing of q in the end.

    More actuators than coordinates fit by least squares; missing is then what another step would still change.
    """
    still = np.zeros(system.robot.dof)
    for _ in range(NEWTON_STEPS):
        motion = system.motion(c, still, p)
        step = least_squares(motion.pose.jacobian(), q - displacements(motion))
        c = system.configuration.moved(c, step)
    motion = system.motion(c, still, p)
    K = motion.pose.jacobian()
    z, left = least_squares(K, qd), q - displacements(motion)
    return c, z, left if K.shape[0] == K.shape[1] else K @ least_squares(K, left)


@lru_cache(maxsize=64)
def reference_program(system: System, kind: str) -> Program:
    """From x, xd, xdd to c, z, zd ("state"), to q, qd, qdd ("actuators"), or to these and the forces ("forces")."""
    robot = system.robot
    space = Configuration(robot)

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        if kind == "state":
            pose = robot_pose(robot, system.ways, x)
            chart = pose.platform.chart()
            zd = chart @ array(xdd) + chart_drift(pose, xd)
            return {"c": space.of_coordinates(x), "z": chart @ array(xd), "zd": zd}
        motion = RobotMotion(robot_pose(robot, system.ways, x), xd, xdd)
        qd, qdd = rates(motion)
        found = {"q": displacements(motion), "qd": qd, "qdd": qdd}
        if kind == "forces":
            found["force"] = forces_of(system, motion)
        return found

    n = robot.dof
    return Program(record(equations, x=n, xd=n, xdd=n))


def targets(motion: Motion, t: Array) -> tuple[Array, Array, Array]:
    """x, xd, xdd (T, n) of a motion at times t (T,); before and after it stands still at its ends."""
    inside = np.clip(t, motion.start, motion.end)
    x, xd, xdd = motion.law(inside)
    out = (t < motion.start) | (t > motion.end)
    return x, np.where(out[:, None], 0.0, xd), np.where(out[:, None], 0.0, xdd)


def load_of(motion: Motion, t: float | Array) -> Array:
    """(T, 6) external wrench of a motion at times t (T,): zero where it has none, before it and after it."""
    times = np.atleast_1d(np.asarray(t, dtype=float))
    found = motion.wrench(np.clip(times, motion.start, motion.end))
    out = (times < motion.start) | (times > motion.end)
    return np.zeros((len(times), 6)) if found is None else np.where(out[:, None], 0.0, found)
