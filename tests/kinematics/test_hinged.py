"""Legs with a plate and a hinge behind a parallelogram: the closed form finds what Newton's method finds.

Par4 with other numbers in every leg, on cranks and on sliders, and a delta robot with a telescopic fourth axis.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.programs import kinematics_graph
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.random_robots import reframed
from tests.support.robots import build

BODY = {"mass": 0.3, "com": [0.1, 0.02, 0.01], "inertia": [1e-3, 2e-3, 2.5e-3]}
UP = {"axis": [0, 0, 1]}


def bars(rng, length):
    """A parallelogram whose bars are `length` along x, about z."""
    spread = [0.0, rng.uniform(0.03, 0.06), 0.0]
    return {"name": "bars", "type": "Pa", "axis": [0, 0, 1], "bar": [length, 0, 0], "spread": spread, "body": BODY}


def leg(rng, drive, angle, attach, hinge):
    """A leg at an angle about z, from a crank or a slider to a plate at `attach` and a hinge at `hinge` (in P, 3)."""
    turned = Rotation.from_rotvec([0, 0, angle])
    to_hinge = turned.inv().apply(np.subtract(hinge, attach))
    radius, crank, length = 0.275 * rng.uniform(0.9, 1.1), 0.375 * rng.uniform(0.95, 1.05), 0.825
    first = {"name": "drive", "actuated": True, "body": BODY}
    if drive == "R":
        first |= {"type": "R", "axis": [0, -1, 0]}
        place, elbow = turned.apply([radius, 0, 0]), [crank, 0, 0]
    else:
        first |= {"type": "P", "axis": [0.6, 0, 0.8]}
        place, elbow = turned.apply([radius + crank, 0, 0]), [0, 0, 0]
    joints = [
        first,
        {"name": "elbow", "type": "R", "axis": [0, 1, 0], "offset": elbow},
        bars(rng, length),
        {"name": "wrist", "type": "R", "axis": [0, 1, 0], "body": BODY},
        {"name": "hinge", "type": "R", "axis": [0, 0, 1], "offset": to_hinge.tolist()},
    ]
    about_z = UP | {"angle": angle}
    end = {"type": "rigid", "platform_point": list(hinge), "platform_rotation": about_z}
    return {"position": place.tolist(), "rotation": about_z, "branch": 1, "joint": joints, "end": end}


def machine(legs):
    platform = {"coordinates": {"x": "x", "y": "y", "z": "z", "phi": "rz"}, "home": [0, 0, -0.65, 0], "mass": 0.5}
    platform |= {"inertia": [1e-3, 1e-3, 2e-3]}
    robot = build({"name": "m", "platform": platform, "leg": legs})
    assert kinematic_faults(robot) == []
    return robot


def par4(drive):
    rng = np.random.default_rng(6)
    legs = []
    for k, angle in enumerate(np.deg2rad([45, 135, 225, 315]) + 0.1 * rng.uniform(-1, 1, 4)):
        attach = [0.1 * np.cos(angle), 0.1 * np.sin(angle), 0.03 * rng.uniform(-1, 1)]
        legs.append({"name": "ABCD"[k]} | leg(rng, drive, float(angle), attach, [0.0, 0.05 if k < 2 else -0.05, 0.02]))
    return machine(legs)


def delta4():
    """A delta robot's plate carries a flange; a shaft that slides in itself turns it."""
    rng = np.random.default_rng(7)
    legs = []
    for k, angle in enumerate(np.deg2rad([0, 120, 240])):
        attach = [0.1 * np.cos(angle), 0.1 * np.sin(angle), 0.0]
        legs.append({"name": "ABC"[k]} | leg(rng, "R", float(angle), attach, [0.0, 0.0, 0.0]))
    shaft = [
        {"name": "motor", "type": "R", "axis": [0, 0, 1], "start": 0.0, "actuated": True, "body": BODY},
        {"name": "u1", "type": "R", "axis": [1, 0, 0], "start": 0.0},
        {"name": "u2", "type": "R", "axis": [0, 1, 0], "start": 0.0, "body": BODY},
        {"name": "slide", "type": "P", "axis": [0, 0, -1], "start": 0.65, "body": BODY},
        {"name": "v1", "type": "R", "axis": [0, 1, 0], "start": 0.0},
        {"name": "v2", "type": "R", "axis": [1, 0, 0], "start": 0.0},
    ]
    return machine([*legs, {"name": "shaft", "joint": shaft, "end": {"type": "rigid"}}])


ROBOTS = {"cranks": lambda: par4("R"), "sliders": lambda: par4("P"), "delta4": delta4}


def outputs(robot, motion, newton):
    x, xd, xdd = motion
    return Program(kinematics_graph(robot, 2, newton), executor="blocks")(x=x, xd=xd, xdd=xdd)


@pytest.mark.parametrize("name", ROBOTS)
def test_closed_form_and_newton_agree(name):
    robot = ROBOTS[name]()
    assert {closure_name(leg) for leg in robot.legs} - {"newton"} == {"hinged"}
    motion = motion_near_home(robot, 8, 5, size=0.2)
    newton = outputs(robot, motion, newton=True)
    for machine in (robot, reframed(robot, 3)):
        assert [closure_name(leg) for leg in machine.legs] == [closure_name(leg) for leg in robot.legs]
        closed = outputs(machine, motion, newton=False)
        assert closed["residual"].max() < 2e-14
        for key in ("joint_q", "joint_qd", "joint_qdd", "K"):
            assert np.abs(closed[key] - newton[key]).max() <= 1e-12 * max(1.0, np.abs(newton[key]).max()), key


def test_a_hinge_that_is_not_across_is_left_to_newton():
    """Its plate would turn by other amounts than the platform's axis says."""
    for axis, name in (([0.0, 0.0, 1.0], "hinged"), ([0.0, 0.6, 0.8], "newton")):
        table = {"name": "A"} | leg(np.random.default_rng(6), "R", 0.7, [0.1, 0, 0], [0, 0.05, 0])
        table["joint"][-1]["axis"] = axis
        robot = build({"name": "m", "platform": {"coordinates": {"x": "x"}, "mass": 1.0}, "leg": [table]})
        assert closure_name(robot.legs[0]) == name
