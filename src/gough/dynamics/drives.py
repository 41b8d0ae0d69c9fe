"""What actuators do besides moving the mechanism: their rates, rotors and friction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Vector, array, is_value, label, sign
from gough.robot import Joint, Leg, Mechanism, by_mechanism


def displacements(motion: RobotMotion) -> Vector:
    """(actuators,) coordinates of the actuated joints from their zeros [m or rad]."""
    values = []
    for leg in motion.pose.legs:
        for coordinate, joint in zip(leg.coordinates, leg.leg.joints, strict=True):
            if joint.actuated:
                values.append(coordinate.value(joint.start) - joint.zero)
    return array(values)


def rates(motion: RobotMotion) -> tuple[Any, Any]:
    """(actuators,) rates and accelerations of the actuated joints."""
    found: list[tuple[Any, Any]] = []
    for k, leg in enumerate(motion.pose.legs):
        with label(leg.owner):
            found += leg.drive_motion(motion.end_motion(k))
    return array([rate for rate, _ in found]), array([second for _, second in found])


def rotor_effort(joints: tuple[Joint, ...], qdd: Vector) -> Vector:
    """(actuators,) effort that accelerates the rotors: J N^2 qdd; rotors have no gyroscopic effect."""
    return array([qdd[k] * (joint.rotor_inertia * joint.gear * joint.gear) for k, joint in enumerate(joints)])


def friction_effort(joints: tuple[Joint, ...], qd: Vector) -> Vector:
    """(actuators,) effort against the actuators' own friction, viscous and Coulomb; sign(0) = 0."""
    efforts = []
    for k, joint in enumerate(joints):
        effort = qd[k] * joint.viscous
        if not is_value(joint.coulomb, 0.0):
            effort = effort + sign(qd[k]) * joint.coulomb
        efforts.append(effort)
    return array(efforts)


def winches(robot: Mechanism) -> tuple[int, ...]:
    """Places of the actuators that are cables and spend effort of their own, on a rotor or on friction."""
    joints = robot.actuators
    return tuple(
        k
        for k in robot.cables
        if not all(is_value(value, 0.0) for value in (joints[k].rotor_inertia, joints[k].viscous, joints[k].coulomb))
    )


@by_mechanism(32)
def without_winches(robot: Mechanism) -> Mechanism:
    """The mechanism whose cables are pulled without rotors and friction: their forces are the tensions, with minus."""
    if not winches(robot):
        return robot

    def bare(leg: Leg) -> Leg:
        return replace(leg, joints=tuple(replace(j, rotor_inertia=0.0, viscous=0.0, coulomb=0.0) for j in leg.joints))

    legs = tuple(leg if leg.cable is None else bare(leg) for leg in robot.legs)
    return replace(robot, legs=legs)


def dry_friction(robot: Mechanism) -> Vector:
    """(actuators,) Coulomb friction [N or N m]."""
    return np.array([joint.coulomb for joint in robot.actuators])


@by_mechanism(32)
def without_dry_friction(robot: Mechanism) -> Mechanism:
    """The mechanism with smooth forces."""
    legs = tuple(replace(leg, joints=tuple(replace(j, coulomb=0.0) for j in leg.joints)) for leg in robot.legs)
    return replace(robot, legs=legs)
