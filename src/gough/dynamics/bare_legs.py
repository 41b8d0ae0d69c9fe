"""What reactions are made of: wrenches through the joints of legs cut from the platform, and the platform's need."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.loads import Load, eased_load, free_load, link_load
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.newton_euler import counts, friction
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import joint_springs, leg_pulls, platform_pulls
from gough.graph import array, cross, dot
from gough.kinematics.chain import Twist, TwistRate, end_point
from gough.kinematics.leg import LegPose


def platform_need(motion: RobotMotion, gravity: Any, wrench: Any) -> tuple[Any, Any]:
    """Force and moment at the origin of P that the legs must put on the platform."""
    pose = motion.pose.platform
    body = motion.pose.robot.platform.body
    twist, rate = motion.twist, motion.twist_rate
    if motion.base is not None:
        twist, rate = motion.base.carried(pose.p_BP, twist, rate)
    load = free_load(body, pose.R_BP, pose.p_BP, twist, rate, gravity)
    f, m = load.f - wrench[:3], load.m + cross(load.point - pose.p_BP, load.f) - wrench[3:]
    for pull in platform_pulls(motion.pose):
        f, m = f - pull.f, m - cross(pull.point - pose.p_BP, pull.f)
    return f, m


def bare_leg(motion: RobotMotion, number: int, gravity: Any) -> dict[str, Any]:
    """By joint (joints, ...): force and moment through it, its point, axis, friction and spring; and the end (3,)."""
    pose = motion.pose.legs[number]
    moves = list(zip(motion.leg_twists[number], motion.leg_twist_rates[number], strict=True))
    if motion.base is not None:
        moves = [_carried(motion.base, pose, k, *pair) for k, pair in enumerate(moves)]
    heavy = [k for k, joint in enumerate(pose.leg.joints) if counts(joint.body, None)]
    loads = {k: link_load(pose, k, *moves[k], gravity) for k in heavy}
    for pull in leg_pulls(motion.pose, number):
        loads[pull.joint] = eased_load(loads.get(pull.joint), pull)
    force, moment = joint_wrenches(pose, loads)
    passive = friction(motion, number)
    for k, effort in joint_springs(pose).items():
        passive[k] = passive.get(k, 0.0) + effort
    return {
        "force": np.stack([array(f) for f in force]),
        "moment": np.stack([array(m) for m in moment]),
        "point": np.stack([array(link.p) for link in pose.links]),
        "axis": np.stack([array(link.e) for link in pose.links]),
        "end": array(end_point(pose.leg, pose.links)),
        "friction": array([passive.get(k, 0.0) for k in range(len(pose.leg.joints))]),
    }


def _carried(base: BaseRates, leg: LegPose, k: int, twist: Twist, rate: TwistRate) -> tuple[Twist, TwistRate]:
    """Twist and twist rate of a link on a moving base; what does not spin about itself does not turn with it so."""
    twist, rate = base.carried(leg.links[k].p, twist, rate)
    n = leg.unspun_axis(k)
    if n is None:
        return twist, rate
    spin = dot(n, twist.w)
    wd = rate.wd - n * dot(n, rate.wd) + cross(n, twist.w) * spin
    return Twist(twist.v, twist.w - n * spin), TwistRate(rate.a, wd)


def joint_wrenches(leg: LegPose, loads: dict[int, Load]) -> tuple[list[Any], list[Any]]:
    """Force through every joint of the leg cut from the platform, and moment about its point: from tips to base."""
    joints, links = leg.leg.joints, leg.links
    force: list[Any] = [np.zeros(3) for _ in joints]
    moment: list[Any] = [np.zeros(3) for _ in joints]
    for k in reversed(range(len(joints))):
        if k in loads:
            force[k] = force[k] + loads[k].f
            moment[k] = moment[k] + loads[k].m + cross(loads[k].point - links[k].p, loads[k].f)
        parent = joints[k].parent
        if parent >= 0:
            force[parent] = force[parent] + force[k]
            moment[parent] = moment[parent] + moment[k] + cross(links[k].p - links[parent].p, force[k])
    return force, moment
