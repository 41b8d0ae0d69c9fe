"""A robot in one of its assembly modes, as what is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.assembly import AssemblyModes
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.closure.assembly import own_joints
from gough.kinematics.closure.close import Way, chain_at, close_leg
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Leg, Mechanism


def mode_pose(found: AssemblyModes, k: int, robot: Mechanism | None = None) -> RobotPose:
    """The robot in mode k, each leg on its branch there, without springs.

    Args:
        found: Modes.
        k: Which, from 0.
        robot: The same robot with other strokes, to be drawn; that of the modes unless given.

    Raises:
        InputError: It is not known how a leg closes there.
    """
    machine = found.robot if robot is None else robot
    pose = PlatformPose(found.p[k], found.R[k], (), ())
    legs, first = [], 0
    for leg, branch in zip(machine.legs, found.branch[k].tolist(), strict=True):
        legs.append(_leg(found.robot, leg, branch, found.joints[k, first : first + len(leg.joints)], pose))
        first += len(leg.joints)
    return RobotPose(replace(machine, springs=()) if machine.springs else machine, pose, tuple(legs), None)


def _leg(robot: Mechanism, leg: Leg, branch: int, joints: Array, pose: PlatformPose) -> LegPose:
    form = closed_form(leg)
    with np.errstate(all="ignore"):
        if form is not None and branch:
            return close_leg(leg, Way(form, branch), home_platform(robot), None, pose)
        own = own_joints(leg)
        values = np.array([joints[i] + leg.joints[i].zero for i in own])
        if not np.isfinite(values).all():
            raise InputError(f"picture of assembly modes: it is not known how leg {leg.name} closes")
        return chain_at(leg, values, pose, True)
