"""A force split into its parts, by cause and by body.

Parts are taken in actuator coordinates by default: inertia is M_q qdd, with M_q = K^-T M K^-1; velocity is what is left
of the kinetic force. In platform coordinates inertia is K^-T M xdd, and the velocity part differs by K^-T M K^-1 Kd xd.

With more actuators than coordinates there is no M_q: parts are in platform coordinates, each shared by the criterion
without its reference; what the reference adds is a part of its own, the preload.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.contract import demand_of
from gough.dynamics.distribution import Demand, distribute
from gough.dynamics.drives import friction_effort, rates, rotor_effort
from gough.dynamics.force_programs import Model
from gough.dynamics.robot_motion import RobotMotion
from gough.errors import InputError
from gough.graph import Vector, array, record, solve
from gough.kinematics.tool import wrench_at_origin
from gough.robot import Mechanism
from gough.run import Program

PARTS = ("inertia", "velocity", "gravity", "spring", "friction", "rotor", "external")
PRELOAD = "preload"
BASE = "base"
"""What the motion of the base adds, and its tilt."""


def part_equations(model: Model, motion: RobotMotion, wrench: Vector, platform_coordinates: bool) -> dict[str, Any]:
    """(actuators,) for each of `part_names`; they sum to the force."""
    pose = motion.pose
    gravity = array(pose.robot.gravity)
    still = np.zeros(len(motion.rate))
    shared = without_reference(pose.robot)

    def efforts(*args: Any) -> Vector:
        return distribute(demand_of(model.formulation, *args), shared)

    moving, motion = motion, replace(motion, base=None)
    joints = motion.pose.robot.actuators
    qd, qdd = rates(motion)
    every = body_groups(pose.robot)
    K = pose.jacobian()
    in_platform = platform_coordinates or shared.actuation is not None
    rate_d = motion.rate_d if in_platform else solve(K, qdd)
    inertia = efforts(RobotMotion(pose, still, rate_d), np.zeros(3), None, every)
    weight = efforts(RobotMotion(pose, still, still), gravity, None, every)
    kinetic = efforts(motion, np.zeros(3), None, every)
    zero = array([0.0] * len(joints))
    held = efforts(RobotMotion(pose, still, still), np.zeros(3), None) if pose.robot.has_springs else zero
    passive = efforts(motion, np.zeros(3), None) - kinetic - held
    resting = RobotMotion(pose, still, still)
    outer = efforts(resting, np.zeros(3), wrench_at_origin(pose, wrench), set()) if model.wrench else None
    rubbing, turning = friction_effort(joints, qd), rotor_effort(joints, qdd)
    if shared.actuation is not None:
        spent = (Demand(K, still, zero).with_drives(shared, effort) for effort in (rubbing, turning))
        rubbing, turning = (distribute(demand, shared) for demand in spent)
    found = {
        "inertia": inertia,
        "velocity": kinetic - inertia,
        "gravity": weight,
        "spring": held,
        "friction": passive + rubbing,
        "rotor": turning,
        "external": zero if outer is None else outer,
    }
    if moving.base is not None:
        found[BASE] = efforts(moving, moving.gravity, None, every) - weight - kinetic
    if PRELOAD in part_names(model.robot):
        found[PRELOAD] = distribute(Demand(K, still, zero), pose.robot)
    return found


def part_names(robot: Mechanism) -> tuple[str, ...]:
    """`PARTS`, and the preload where the actuators have a reference."""
    preloaded = robot.actuation is not None and robot.actuation.reference is not None
    return (*PARTS, PRELOAD) if preloaded else PARTS


def without_reference(robot: Mechanism) -> Mechanism:
    """The mechanism whose actuators share a part of the force as they share all of it: without the reference."""
    own = robot.mechanism
    return own if own.actuation is None else replace(own, actuation=replace(own.actuation, reference=None))


def body_groups(robot: Mechanism) -> set[str]:
    """Names of all bodies."""
    return {body.name for body in robot.bodies}


def check_additive(robot: Mechanism) -> None:
    """Refuse to split forces that keep to limits.

    Raises:
        InputError: The criterion is not linear.
    """
    if robot.actuation is not None and robot.actuation.limited:
        raise InputError(
            f"parts: forces shared by criterion {robot.actuation.criterion!r} keep to limits and are not the sum of "
            'their parts; state [actuation] criterion = "least-norm" to split them'
        )


@lru_cache(maxsize=32)
def parts_program(model: Model, platform_coordinates: bool = False) -> Program:
    """The program of `part_equations`."""
    check_additive(model.robot)

    def equations(
        x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> dict[str, Any]:
        return part_equations(model, model.motion(x, xd, xdd, p, base), wrench, platform_coordinates)

    return Program(record(equations, **model.inputs()))


@lru_cache(maxsize=32)
def bodies_program(model: Model) -> Program:
    """The program of the force by body group: kinetic and gravity parts of each, (actuators,) by name."""
    check_additive(model.robot)
    groups = sorted(body_groups(model.robot))
    massive = [name for name in groups if _has_mass(model.robot, name)]

    def equations(
        x: Vector, xd: Vector, xdd: Vector, wrench: Vector = None, base: Vector = None, p: Vector = None
    ) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd, p, base)
        gravity = motion.gravity
        shared = without_reference(motion.pose.robot)
        return {
            name: distribute(demand_of(model.formulation, motion, gravity, None, {name}), shared) for name in massive
        }

    return Program(record(equations, **model.inputs()))


def _has_mass(robot: Mechanism, name: str) -> bool:
    return any(body.name == name and not body.is_massless for body in robot.bodies)
