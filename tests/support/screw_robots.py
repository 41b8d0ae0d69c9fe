"""Machines with screws: a Star robot, a hexapod whose spindles turn with their joints, and twins of that one."""

from dataclasses import replace
from functools import cache

import numpy as np

from tests.support.robots import build, with_values

LEAD = 0.02
STAR = {"bar": 0.5, "nut": 0.55, "platform": 0.1, "spindle": 2e-4, "nut_mass": 0.8, "nut_inertia": 1.5e-3, "side": 0.3}
"""Of the Star robot: length of the bars, place of the nuts at home, radius of the platform [m], moments and masses."""
ANGLES = (0.3, 0.3 + 2 * np.pi / 3, 0.3 + 4 * np.pi / 3)


@cache
def star(lead=LEAD, coordinate="turn"):
    """Three horizontal spindles; each drives a nut that turns freely on it and carries a parallelogram."""
    s = STAR
    run = s["platform"] - s["nut"]
    bar = [run, 0.0, (s["bar"] ** 2 - run**2) ** 0.5]
    half = {"mass": s["side"], "com": [v / 2 for v in bar]}
    legs = []
    for name, angle in zip("ABC", ANGLES, strict=True):
        joints = [
            {"name": "motor", "type": "R", "axis": [1, 0, 0], "actuated": True, "start": 0.0,
             "body": {"mass": 0.5, "inertia": [s["spindle"], 0.02, 0.02]}},
            {"name": "nut", "type": "H", "axis": [1, 0, 0], "lead": lead, "coordinate": coordinate, "start": 0.0,
             "offset": [s["nut"], 0, 0], "body": {"mass": s["nut_mass"], "inertia": [s["nut_inertia"], 2e-3, 2e-3]}},
            {"name": "arm", "type": "Pa", "axis": [0, 1, 0], "bar": bar, "spread": [0.04, 0, 0], "start": 0.0,
             "body": half, "second": half},
            {"name": "wrist", "type": "R", "axis": [1, 0, 0], "start": 0.0},
        ]  # fmt: skip
        turned = {"axis": [0, 0, 1], "angle": angle}
        end = {"type": "rigid", "platform_point": [s["platform"] * np.cos(angle), s["platform"] * np.sin(angle), 0.0]}
        legs.append({"name": name, "rotation": turned, "joint": joints, "end": end | {"platform_rotation": turned}})
    platform = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [0, 0, bar[2]], "mass": 1.7}
    return build({"name": "star", "gravity": [0.4, 0.2, -9.7], "platform": platform, "leg": legs})


@cache
def spindles(lead=0.005, type="UCU"):
    """A hexapod on legs with a universal joint at each end, whose spindles turn with the platform's joints."""
    legs = {
        "type": type,
        "base": {"radius": 0.5, "half_angle": 0.2},
        "platform": {"radius": 0.3, "half_angle": 0.25, "turn": np.pi / 3},
        "cylinder": {"mass": 2.0, "com": [0.15, 0.01, 0.02], "inertia": [2e-3, 0.02, 0.021]},
        "piston": {"mass": 1.0, "com": [-0.15, 0.005, -0.01], "inertia": [7e-4, 0.01, 0.0103]},
    }
    platform = {
        "coordinates": {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"},
        "home": [0.01, 0.02, 0.6, 0.05, 0.03, -0.04], "mass": 11.0, "com": [0.02, 0.01, 0.05],
        "inertia": [0.2, 0.25, 0.35],
    }  # fmt: skip
    return build({"name": "spindles", "platform": platform, "legs": legs | {"lead": lead}})


def plain_cylinders(robot):
    """The same with nothing but a turn and a slide in each leg, the slide driven."""

    def plain(leg):
        u1, u2, reading, turn, slide, v1, v2 = leg.joints
        slide = replace(slide, mimic=None, parent=2, start=reading.start, actuated=True)
        joints = (u1, u2, replace(turn, parent=1), slide, replace(v1, parent=3), replace(v2, parent=4))
        return replace(leg, joints=joints, end=replace(leg.end, joint=5))

    return with_values(robot, legs=tuple(plain(leg) for leg in robot.legs))


def with_motors(robot, lead):
    """The same with a motor that turns a spindle without mass in each leg, and a nut on that."""

    def leg(entry):
        u1, u2, reading, _, slide, v1, v2 = entry.joints
        motor = replace(reading, name="motor", kind="R", start=0.0)
        nut = replace(motor, name="nut", actuated=False, parent=2)
        follower = replace(slide, mimic=replace(slide.mimic, joint=3, ratio=-lead / (2 * np.pi)), parent=3)
        follower = replace(follower, offset=tuple(reading.start * v for v in slide.axis))
        joints = (u1, u2, motor, nut, follower, v1, v2)
        return replace(entry, joints=joints)

    return with_values(robot, legs=tuple(leg(entry) for entry in robot.legs))
