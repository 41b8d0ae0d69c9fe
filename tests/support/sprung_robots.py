"""Robots with springs in their joints and between their bodies."""

from dataclasses import replace

import numpy as np

from gough import Anchor, JointSpring, PointSpring
from gough.kinematics import inverse_kinematics
from tests.support.robots import with_values


def with_joint_springs(robot, seed, which=lambda leg, joint: True):
    """The robot with a spring in every joint that `which` takes; none in the joints about which a leg spins freely."""
    rng = np.random.default_rng(seed)
    home = iter(inverse_kinematics(robot, robot.platform.home).joint_q)
    legs = []
    for leg in robot.legs:
        last = max((k for k, joint in enumerate(leg.joints) if joint.kind == "R"), default=0)
        joints = []
        for k, joint in enumerate(leg.joints):
            rest = float(next(home)) - joint.zero + rng.uniform(-0.1, 0.1)
            spring = JointSpring(rng.uniform(5.0, 50.0), rest, rng.uniform(-3.0, 3.0))
            spins = leg.free_spin and k in (last - 1, last)
            joints.append(replace(joint, spring=spring) if which(leg, joint) and not spins else joint)
        legs.append(replace(leg, joints=tuple(joints)))
    return with_values(robot, legs=tuple(legs))


def with_point_springs(robot, seed, pairs):
    """The robot with a spring between each pair of bodies; every other one has no free length."""
    rng = np.random.default_rng(seed)
    springs = []
    for k, (first, second) in enumerate(pairs):
        ends = (Anchor(body, tuple(rng.uniform(-0.1, 0.1, 3).tolist())) for body in (first, second))
        springs.append(PointSpring(f"s{k}", *ends, rng.uniform(20.0, 200.0), 0.3 * (k % 2)))
    return with_values(robot, springs=tuple(springs))
