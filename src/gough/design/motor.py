"""A motor with its gear or spindle, from a small TOML file.

name = "servo 400 W"
rotor_inertia = 2.8e-5                                    # kg m^2
gear = 50                                                 # rotor turns per turn of a turning joint; or
lead = 0.005                                              # metres per turn of a spindle on a sliding joint
continuous = { rpm = [0, 3000, 5000], torque = [1.3, 1.3, 0.8] }   # N m at the rotor; or speed in rad/s
peak = { rpm = [0, 3500, 5000], torque = [3.8, 3.8, 2.2] }
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from gough.design.small_files import Reader, read_text
from gough.errors import InputError
from gough.robot import Robot

KEYS = ("name", "rotor_inertia", "gear", "lead", "continuous", "peak")


@dataclass(frozen=True, slots=True)
class Curve:
    """Torque that is available up to each speed, straight between the points; none beyond the last.

    Attributes:
        speed: Increasing from 0 [rad/s].
        torque: Not negative [N m].
    """

    speed: tuple[float, ...]
    torque: tuple[float, ...]

    def __call__(self, speed: Any) -> Any:
        """Torque at speeds of either sign."""
        return np.interp(np.abs(speed), self.speed, self.torque, right=0.0)


@dataclass(frozen=True, slots=True)
class Motor:
    """A motor on an actuated joint.

    Attributes:
        name: For tables and figures.
        ratio: Rotor angle per joint coordinate [rad/m or rad/rad].
        rotor_inertia: About its own axis [kg m^2].
        continuous, peak: Torque over speed at the rotor; None if not stated.
        drives: "R" with a gear, for turning joints; "P" with a spindle, for sliding ones; "" if that is not known.
    """

    name: str
    ratio: float
    rotor_inertia: float = 0.0
    continuous: Curve | None = None
    peak: Curve | None = None
    drives: str = ""

    def on(self, robot: Robot) -> Robot:
        """The robot with this motor's rotor and ratio on all actuated joints, in place of its own.

        Raises:
            InputError: It has a gear and an actuator slides, or a spindle and one turns.
        """
        for name, joint in zip(robot.actuator_names, robot.actuators, strict=True):
            if self.drives and joint.kind != self.drives:
                stated, way = ("gear", "slides") if self.drives == "R" else ("lead", "turns")
                wanted = "lead = metres per turn" if way == "slides" else "gear = turns of the rotor per turn"
                raise InputError(
                    f"motor {self.name}: has a {stated}, but actuator {name} of {robot.name} {way}; give {wanted}"
                )
        legs = []
        for leg in robot.legs:
            joints = tuple(
                replace(joint, rotor_inertia=self.rotor_inertia, gear=self.ratio) if joint.actuated else joint
                for joint in leg.joints
            )
            legs.append(replace(leg, joints=joints))
        return replace(robot, legs=tuple(legs), document=None)


def read_motor(path: str | FilePath) -> Motor:
    """The motor of a file.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return motor_of(read_text(path, "motor"), str(path))


def motor_of(text: str, source: str = "motor") -> Motor:
    """The motor that a TOML text describes."""
    reader = Reader(text, source, "motor")
    given = reader.tables
    reader.known((), given, KEYS)
    if ("gear" in given) == ("lead" in given):
        reader.fault((), "must state either gear or lead", None, "gear = 50, or lead = 0.005 m per turn")
    ratio = 1.0
    if "gear" in given:
        ratio = reader.number(("gear",), given["gear"], 0.0, above=True)
    elif "lead" in given:
        ratio = 2.0 * math.pi / reader.number(("lead",), given["lead"], 0.0, above=True)
    inertia = reader.number(("rotor_inertia",), given.get("rotor_inertia", 0.0), 0.0)
    if "continuous" not in given and "peak" not in given:
        reader.fault((), "must state a curve: continuous, peak or both", None, "peak = { rpm = [...], torque = [...] }")
    curves = {key: _curve(reader, key, given[key]) if key in given else None for key in ("continuous", "peak")}
    name = given.get("name", "motor")
    if not isinstance(name, str):
        reader.fault(("name",), "must be text in quotes", name)
    reader.finish()
    return Motor(str(name), ratio, inertia, **curves, drives="R" if "gear" in given else "P")


def _curve(reader: Reader, key: str, value: Any) -> Curve | None:
    table = reader.table((key,), value)
    reader.known((key,), table, ("speed", "rpm", "torque"))
    axis = "rpm" if "rpm" in table else "speed"
    if ("rpm" in table) == ("speed" in table):
        reader.fault((key,), "must state either rpm or speed [rad/s]")
        return None
    if "torque" not in table:
        reader.fault((key,), "torque is missing")
        return None
    speed = reader.numbers((key, axis), table[axis], None, 0.0)
    torque = reader.numbers((key, "torque"), table["torque"], len(speed), 0.0)
    if len(speed) < 2 or speed[0] != 0.0 or any(b <= a for a, b in pairwise(speed)):
        reader.fault((key, axis), "must be two or more numbers that increase from 0", table[axis])
    factor = math.pi / 30.0 if axis == "rpm" else 1.0
    return Curve(tuple(factor * v for v in speed), tuple(torque))
