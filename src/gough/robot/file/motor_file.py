"""Motors in TOML: `[motor]` of a robot's file, and a file of its own, in which any number may carry its unit.

name = "servo 400 W"
rotor_inertia = 2.8e-5                                    # kg m^2
gear = 50                                                 # rotor turns per turn of a turning joint, or of the screw; or
lead = 0.005                                              # metres per turn of a screw on a sliding joint; or both
screw_inertia = 1.2e-4                                    # kg m^2 of what turns behind the gear
efficiency = 0.9                                          # of the transmission, above 0 and at most 1
continuous = { rpm = [0, 3000, 5000], torque = [1.3, 1.3, 0.8] }   # N m at the rotor; or speed in rad/s
peak = { rpm = [0, 3500, 5000], torque = [3.8, 3.8, 2.2] }
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path as FilePath
from typing import Any

from gough.errors import GoughWarning
from gough.robot.checks.fault import Fault, Path
from gough.robot.file.fields import number_key, text
from gough.robot.file.reader import Each, Table, key_of, read_keys
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.motor import Motor, motor_of_table
from gough.robot.quantities import PLAIN, Measure

_RPM = Measure((0, 0, -1, 1), math.pi / 30.0, ("rpm", "rad/s"))
LEAST_ACCELERATION = 50.0
"""Of a rotor by its own strongest torque [rad/s^2]; a slower one has an inertia in another unit."""
FASTEST = 20_000.0
"""Speed of a rotor [rpm] beyond which it most likely has another unit."""


def _speed(units: Units) -> Measure:
    return Measure((0, 0, -1, 1), units.factor("speed", "R"), ("rpm", "rad/s"))


class CurveTable(Table):
    """Points of `torque` [N m] over `rpm`, or over `speed` [rad/s]."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Keep the speeds as `speed`, also where they are stated as `rpm`; faults of a curve that is none."""
        if ("rpm" in found) == ("speed" in found):
            yield Fault((), "must state either rpm or speed [rad/s]")
            return
        axis = "rpm" if "rpm" in found else "speed"
        speed = found["speed"] = found.pop(axis)
        torque = found.get("torque")
        if torque is None:
            yield Fault((), "torque is missing")
        elif len(torque) != len(speed):
            yield Fault(("torque",), f"must be a list of {len(speed)} numbers", torque)
        if len(speed) < 2 or speed[0] != 0.0 or any(b <= a for a, b in pairwise(speed)):
            yield Fault((axis,), "must be two or more numbers that increase from 0", speed)
        elif torque and torque[0] == 0.0:
            yield Fault(("torque",), "the first must be greater than 0", torque)

    rpm = key_of(Each(number_key(lambda _: _RPM, low=0.0)))
    """Speeds of the rotor, increasing from 0 [rpm]. Default: `speed` instead."""
    speed = key_of(Each(number_key(_speed, low=0.0)))
    """Speeds of the rotor, increasing from 0 [rad/s]. Default: `rpm` instead."""
    torque = key_of(Each(number_key("torque", low=0.0)))
    """Torque of the rotor at each of these speeds [N m]. Default: needed."""


class MotorFile(Table):
    """A motor's file, and `[motor]` of a robot's."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Faults of what is not stated, and of inertias that the motor's strongest torque could hardly speed up."""
        if "gear" not in found and "lead" not in found:
            yield Fault((), "must state gear, lead or both", None, 'gear = 50, or lead = "5 mm" per turn')
        curves = [found[key] for key in ("continuous", "peak") if key in found]
        if not curves:
            curve = "peak = { rpm = [...], torque = [...] }"
            yield Fault((), "must state a curve: continuous, peak or both", None, curve)
        strongest = max((torque for curve in curves for torque in curve.get("torque", ())), default=math.inf)
        behind = found["screw_inertia"] / (found.get("gear") or 1.0) ** 2
        for key, inertia in (("rotor_inertia", found["rotor_inertia"]), ("screw_inertia", behind)):
            if inertia * LEAST_ACCELERATION > strongest:
                pace = f"{strongest:g} N m would speed it up by {strongest / inertia:.2g} rad/s^2 alone"
                hint = f'write "{found[key]:g} kg cm^2"?' if units.inertia == 1.0 else ""
                yield Fault((key,), f"implausibly large: {pace}", found[key], hint)

    name = key_of(text, default="motor")
    """Name of the motor in tables and reports."""
    rotor_inertia = number_key("inertia", low=0.0, default=0.0)
    """Inertia of the rotor about its axis."""
    gear = number_key(lambda _: PLAIN, low=0.0, above=True)
    """Gear or belt ratio: rotor turns per turn of the joint, or of the screw with `lead`. Default: 1 with `lead`."""
    lead = number_key("length", low=1e-5, high=0.5)
    """Travel per turn of the screw, for prismatic actuators. Default: `gear` alone."""
    screw_inertia = number_key("inertia", low=0.0, default=0.0)
    """Inertia of the screw, or of whatever turns behind the gear or belt."""
    efficiency = number_key(lambda _: PLAIN, low=0.0, above=True, high=1.0, hint="0.9 for 90 %", default=1.0)
    """Efficiency of gear, belt and screw together, above 0 and at most 1."""
    continuous = key_of(CurveTable)
    """Continuous torque of the motor. Default: not limited."""
    peak = key_of(CurveTable)
    """Peak torque of the motor. Default: not limited."""


def read_motor(path: str | FilePath) -> Motor:
    """The motor of a file.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return motor_of_table(read_motor_table(path))


def motor_of(given: str | Mapping[str, Any]) -> Motor:
    """The motor that a TOML text describes, or a dict with the same keys.

    Raises:
        RobotError: With every fault, one line each.
    """
    return motor_of_table(motor_table(given))


def read_motor_table(path: str | FilePath) -> dict[str, Any]:
    """The table of a motor's file, SI units.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return motor_table(read_text(path), str(path))


def motor_table(given: str | Mapping[str, Any], source: str = "motor") -> dict[str, Any]:
    """The table of a motor that a TOML text describes, or a dict with the same keys, SI units.

    Raises:
        RobotError: With every fault, one line each.
    """
    tables, place = tables_of(given, source, "a motor")
    found = read_keys(MotorFile, tables, place)
    for fault in fast_curves(found, tables):
        warnings.warn(str(place.error([fault])), GoughWarning, stacklevel=3)
    return found


def fast_curves(table: Mapping[str, Any], stated: Mapping[str, Any], path: Path = ()) -> Iterator[Fault]:
    """A fault for each curve of a checked table that goes beyond the speed of motors: legal, but most likely a mistake.

    Args:
        table: SI units.
        stated: The table as the file has it.
        path: Where it is in the file.
    """
    for key in ("continuous", "peak"):
        fastest = table[key]["speed"][-1] / _RPM.size if key in table else 0.0
        if fastest > FASTEST:
            axis, hint = ("rpm", "") if "rpm" in stated[key] else ("speed", "; rad/s, or meant rpm?")
            yield Fault((*path, key, axis), f"goes to {fastest:.0f} rpm, more than {FASTEST:.0f}{hint}")
