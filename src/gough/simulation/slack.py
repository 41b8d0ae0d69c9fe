"""Which cables are taut under the forces of their winches, and how the platform then moves.

A winch leaves the platform its force without friction and what its rotor's acceleration takes: -tension. A cable cannot
push: where that would be positive it is slack, the platform feels neither winch nor rotor, and the winch is taken to
follow it with no more than it spends on itself. With rotors the tensions depend on the acceleration and this on which
cables are taut: they are sought from all taut, by Newton's method on a function that is monotone and linear in pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

from gough.dynamics.drives import rates
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Scalar, Step, Vector, array, greater, is_value, iterate, less, logical_not, logical_or, where
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism

MOST_STEPS = 40


class Pulled(NamedTuple):
    """Motion under forces of winches.

    Attributes:
        zd: (n,) acceleration of the free rates.
        pull: (actuators,) what each leaves the platform if taut, of a cable minus its tension; above 0 it is slack.
        force: (actuators,) forces that act: a winch of a slack cable gives what it spends on itself.
    """

    zd: Vector
    pull: Vector
    force: Vector


def pulled_by_winches(
    motion: RobotMotion, force: Vector, rubbing: Vector, accelerated: Callable[[RobotPose, Vector], Vector]
) -> Pulled:
    """The motion of a robot on cables whose winches have rotors or friction.

    Args:
        motion: In free rates, without accelerations.
        force: (actuators,) that are commanded.
        rubbing: (actuators,) friction of the actuators.
        accelerated: From the pose, of a robot with the rotors that are felt, and mechanical efforts (actuators,) to zd.
    """
    robot = motion.pose.robot
    cables, joints = robot.cables, robot.actuators
    left = force - rubbing
    inertia = array([joint.rotor_inertia * joint.gear * joint.gear for joint in joints])

    def moved(taut: Vector) -> tuple[Vector, Vector]:
        flags: dict[int, Scalar] = {k: greater(flag, 0.5) for k, flag in zip(cables, taut, strict=True)}
        effort = array([where(flags[k], left[k], 0.0) if k in flags else left[k] for k in range(len(joints))])
        zd = accelerated(replace(motion.pose, robot=_felt(robot, flags)), effort)
        return zd, left - rates(replace(motion, rate_d=zd))[1] * inertia

    def step(taut: Vector) -> Step:
        _, pull = moved(taut)
        after = array([where(less(pull[k], 0.0), 1.0, 0.0) for k in cables])
        changed = reduce(logical_or, (less(0.5, (a - b) * (a - b)) for a, b in zip(after, taut, strict=True)))
        return Step(after, changed, logical_not(changed))

    if all(is_value(joints[k].rotor_inertia, 0.0) for k in cables):
        taut: Any = array([where(less(left[k], 0.0), 1.0, 0.0) for k in cables])
    else:
        taut = iterate(step, array([1.0] * len(cables)), MOST_STEPS).state
    zd, pull = moved(taut)
    acting = [force[k] for k in range(len(joints))]
    for k, flag in zip(cables, taut, strict=True):
        acting[k] = where(greater(flag, 0.5), force[k], force[k] - pull[k])
    return Pulled(zd, pull, array(acting))


def _felt(robot: Mechanism, taut: dict[int, Scalar]) -> Mechanism:
    """The mechanism whose platform feels the rotors of taut cables only; `taut` by the place of the actuator."""
    legs = list(robot.legs)
    for k, flag in taut.items():
        leg = legs[robot.actuator_legs[k]]
        (joint,) = leg.joints
        if not is_value(joint.rotor_inertia, 0.0):
            felt = where(flag, joint.rotor_inertia, 0.0)
            legs[robot.actuator_legs[k]] = replace(leg, joints=(replace(joint, rotor_inertia=felt),))
    return replace(robot.mechanism, legs=tuple(legs))
