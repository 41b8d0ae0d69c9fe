"""The starter file of an envelope, in a robot's own coordinates."""

from __future__ import annotations

import math
import re
from itertools import product

import numpy as np

from gough.cli.new import starter
from gough.design import envelope_of as read
from gough.design.limited_forces import WithinLimits, freely_shared, keeps_to_limits
from gough.design.worst import Worst
from gough.display import plain_number
from gough.kinematics import inverse_kinematics
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot


def envelope_of(robot: Robot) -> str:
    """The starter file of an envelope, in a robot's own coordinates: a small box about home, loads by its weight.

    All speeds at once stay within half of what the actuators state, the payload is a fifth of the platform. Where
    forces are shared within limits, as those of cables, everything is halved until there are such forces.
    """
    share = 1.0
    while share > 1e-3 and not _feasible(robot, scaled_envelope(robot, share)):
        share *= 0.5
    return scaled_envelope(robot, share)


def _feasible(robot: Robot, text: str) -> bool:
    """Whether forces within the limits do all of an envelope at home and in the corners of its poses."""
    if not keeps_to_limits(robot):
        return True
    envelope = read(robot, text)
    limits = WithinLimits(robot, envelope, Worst(freely_shared(robot), envelope))
    if not limits.bounded:
        return True
    poses = np.array([robot.platform.home, *product(*envelope.pose)], dtype=float)
    return bool((limits.margins(poses) > 0.0).all())


def scaled_envelope(robot: Robot, share: float) -> str:
    """The starter file with a share of all ranges."""
    far, tilt = 0.05 * share * characteristic_length(robot), 3.0 * share
    slide, turn = (share * speed for speed in speeds_of(robot))
    rows: dict[str, list[str]] = {"pose": [], "velocity": [], "acceleration": []}
    for coordinate, home in zip(robot.platform.coordinates, robot.platform.home, strict=True):
        name = coordinate.name
        if coordinate.turns:
            middle = math.degrees(home)
            rows["pose"].append(f'{name} = ["{middle - tilt:.4g} deg", "{middle + tilt:.4g} deg"]')
            rows["velocity"].append(f'{name} = "{plain_number(math.degrees(turn), 2)} deg/s"')
            rows["acceleration"].append(f'{name} = "{plain_number(5 * math.degrees(turn), 2)} deg/s^2"')
        else:
            rows["pose"].append(f'{name} = ["{1e3 * (home - far):.4g} mm", "{1e3 * (home + far):.4g} mm"]')
            rows["velocity"].append(f'{name} = "{plain_number(slide, 2)} m/s"')
            rows["acceleration"].append(f'{name} = "{plain_number(10 * slide, 2)} m/s^2"')
    text = starter("envelope").replace("the catalogue's stewart", robot.name)
    mass = 0.2 * share * robot.platform.body.mass
    text = text.replace('"2 kg"', f'"{plain_number(mass, 2)} kg"').replace(
        "mz = [0, 0.3]", f"mz = [0, {mass * far:.2g}]"
    )
    text = text.replace('"-50 N"', f'"-{0.5 * mass * math.hypot(*robot.gravity) or 1.0:.3g} N"')
    for table, lines in rows.items():
        found = re.search(rf"\[{table}\].*\n(?:(?:shape|of) .*\n)*((?:(?:x|z|theta) .*\n)+)", text)
        assert found is not None
        text = text[: found.start(1)] + "".join(f"{line}\n" for line in lines) + text[found.end(1) :]
    return text


def speeds_of(robot: Robot) -> tuple[float, float]:
    """Speeds [m/s] and rates [rad/s] of coordinates that all at once take actuators at home to half of their limits."""
    slide, turn = 0.2, math.radians(20)
    each = np.array([turn if c.turns else slide for c in robot.platform.coordinates])
    fastest = np.abs(inverse_kinematics(robot, robot.platform.home).K) @ each
    shares = [
        0.5 * joint.limits.speed / speed
        for joint, speed in zip(robot.actuators, fastest.tolist(), strict=True)
        if joint.limits.speed is not None and speed > 0.0
    ]
    share = min([1.0, *shares])
    return share * slide, share * turn
