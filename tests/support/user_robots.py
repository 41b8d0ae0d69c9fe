"""Robots as users write them joint by joint: legs that fit no pattern, motors where they like, side branches."""

from dataclasses import replace

import numpy as np

from gough import Body, Joint, Mimic, load
from tests.support.robots import build, with_values

SLENDER = {"mass": 0.4, "com": [0.15, 0.02, 0.01], "inertia": [1e-4, 3e-3, 3.1e-3]}


def two_and_one():
    """A planar robot on two three-hinged legs: one has two motors, the other one."""

    def leg(name, base, drives, start):
        joints = [
            {"name": "a", "type": "R", "axis": [0, 0, 1], "start": start[0], "body": SLENDER},
            {"name": "b", "type": "R", "axis": [0, 0, 1], "offset": [0.4, 0, 0], "start": start[1], "body": SLENDER},
            {"name": "c", "type": "R", "axis": [0, 0, 1], "offset": [0.45, 0, 0], "start": start[2], "viscous": 0.1},
        ]
        for joint in joints:
            joint["actuated"] = joint["name"] in drives
        end = {"type": "rigid", "platform_point": [0.1 * np.sign(base), 0, 0]}
        return {"name": name, "position": [base, 0, 0], "joint": joints, "end": end}

    platform = {"coordinates": {"x": "x", "y": "y", "phi": "rz"}, "home": [0.02, 0.5, 0.1], "mass": 1.5}
    platform |= {"com": [0.02, 0.03, 0], "inertia": [0.01, 0.01, 0.02]}
    legs = [leg("left", -0.3, "ab", (2.0, -1.2, -0.7)), leg("right", 0.3, "b", (1.2, 1.2, -2.3))]
    return build({"name": "two_and_one", "gravity": [0.5, -9.81, 0.3], "platform": platform, "leg": legs})


def all_on_one():
    """The same with all three motors in one leg; the other is carried along."""
    robot = two_and_one()
    legs = [
        replace(leg, joints=tuple(replace(joint, actuated=leg.name == "left") for joint in leg.joints))
        for leg in robot.legs
    ]
    return with_values(robot, legs=tuple(legs))


def ankle_on_a_cross():
    """A foot that a passive leg, two hinges whose axes meet, leaves only pitch and roll, and two cranks turn."""

    def cranked(name, side):
        legs = {
            "name": name,
            "type": "RSS",
            "base": [-0.002, 0.03 * side, 0.185],
            "platform": [-0.038, 0.026 * side, 0.008],
        }
        legs["motor"] = {"axis": [0, 1, 0], "reference": [-1, 0, 0]}
        legs["crank"] = {"length": 0.035, "mass": 0.065, "com": [0.015, 0, 0], "inertia": [3e-6, 14e-6, 15e-6]}
        legs["rod"] = {"length": 0.178, "mass": 0.055, "com": [0.089, 0, 0], "inertia": [1.5e-6, 170e-6, 170e-6]}
        return legs

    shank = [
        {"name": "pitch", "type": "R", "axis": [0, 1, 0], "body": {"mass": 0.09, "inertia": [12e-6, 12e-6, 16e-6]}},
        {"name": "roll", "type": "R", "axis": [1, 0, 0]},
    ]
    foot = {"coordinates": {"pitch": "ry", "roll": "rx"}, "mass": 0.82, "com": [0.031, 0, -0.034]}
    foot |= {"inertia": [620e-6, 2850e-6, 3010e-6]}
    legs = [{"name": "shank", "joint": shank, "end": {"type": "rigid"}}, cranked("left", 1), cranked("right", -1)]
    return build({"name": "ankle_on_a_cross", "gravity": [0, 0, -9.81], "platform": foot, "leg": legs})


def branched(name="hexapod"):
    """A catalogue robot with a counterweight geared to each leg's second joint, and a loose flap on its first body."""
    robot = load(name)
    legs = []
    for k, leg in enumerate(robot.legs):
        side = Body("weight", 0.3, (0.05, -0.1 - 0.01 * k, 0.02), (1e-3, 2e-3, 2.5e-3, 1e-4, 2e-4, -1e-4))
        count = len(leg.joints)
        source = next(i for i, joint in enumerate(leg.joints) if joint.kind == "R" and joint.mimic is None)
        weight = Joint(
            "weight",
            "R",
            (0.0, 0.6, 0.8),
            (0.02, 0.03, 0.0),
            parent=0,
            mimic=Mimic(source, -0.7, 0.2),
            body=side,
            viscous=0.02,
        )
        tip = Joint("tip", "R", (1.0, 0.0, 0.0), (0.1, 0.0, 0.0), parent=count, mimic=Mimic(source, 0.5), body=side)
        legs.append(replace(leg, joints=(*leg.joints, weight, tip)))
    return with_values(robot, name=f"{name}_branched", legs=tuple(legs))


def interleaved(name="rotary"):
    """The branched robot with each leg's weight listed second, so that joints of the chain have other numbers."""
    robot = branched(name)
    legs = []
    for leg in robot.legs:
        weight = len(leg.joints) - 2
        order = [0, weight, *(k for k in range(1, len(leg.joints)) if k != weight)]
        place = {old: new for new, old in enumerate(order)} | {-1: -1}
        joints = []
        for old in order:
            joint = leg.joints[old]
            mimic = joint.mimic and replace(joint.mimic, joint=place[joint.mimic.joint])
            joints.append(replace(joint, parent=place[joint.parent], mimic=mimic))
        legs.append(replace(leg, joints=tuple(joints), end=replace(leg.end, joint=place[leg.end.joint])))
    return with_values(robot, name=f"{name}_interleaved", legs=tuple(legs))


def driven_universal():
    """A Stewart platform of which leg 1 is driven at its universal joint instead of its slide."""
    robot = load("stewart")
    leg = robot.legs[0]
    joints = tuple(replace(joint, actuated=k == 1) for k, joint in enumerate(leg.joints))
    return with_values(robot, name="driven_universal", legs=(replace(leg, joints=joints), *robot.legs[1:]))


USER = {
    "two_and_one": two_and_one,
    "all_on_one": all_on_one,
    "branched": branched,
    "interleaved": interleaved,
    "driven_universal": driven_universal,
}
