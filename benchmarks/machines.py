"""Machines that are timed and are not in the catalogue."""

from __future__ import annotations

from dataclasses import replace

import gough
from gough.robot import Robot


def arms() -> Robot:
    """A platform on six general arms of six hinges, 36 joints: sru with wrists whose axes miss each other."""
    robot = gough.load("sru")
    legs = []
    for k, leg in enumerate(robot.legs):
        wrist = replace(leg.joints[5], offset=(0.0, 0.01 * (k + 1), 0.02))
        legs.append(replace(leg, joints=(*leg.joints[:5], wrist)))
    return Robot("arms", robot.platform, legs, robot.gravity, robot.length, robot.actuation, robot.springs)
