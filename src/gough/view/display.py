"""In which units people read lengths, angles, forces and moments: `--units mm,deg` on the way out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.motion import parse_units
from gough.robot import Robot
from gough.robot.units import DIMENSIONS, parse

SMALL = 0.5
"""Metres below which a machine is shown in millimetres."""
_READ = ("length", "angle", "force", "torque", "time")


@dataclass(frozen=True, slots=True)
class Display:
    """Factor from SI units and radians, and the unit's name, of each quantity that is shown."""

    length: tuple[float, str] = (1.0, "m")
    angle: tuple[float, str] = (180 / math.pi, "deg")
    force: tuple[float, str] = (1.0, "N")
    torque: tuple[float, str] = (1.0, "N m")
    time: tuple[float, str] = (1.0, "s")

    def of(self, unit: str) -> tuple[float, str]:
        """Of a quantity in an SI unit such as "N m" or "rad/s"; as it is where people do not choose its unit."""
        base, _, per = unit.partition("/")
        names = {"m": self.length, "rad": self.angle, "N": self.force, "N m": self.torque, "s": self.time}
        factor, name = names.get(base, (1.0, base))
        return factor, f"{name}/{per}" if per else name

    def travel(self, turns: bool) -> tuple[float, str]:
        """Of what turns or slides."""
        return self.angle if turns else self.length

    def speed(self, turns: bool) -> tuple[float, str]:
        """Of what turns or slides, per second whatever the unit of time."""
        factor, name = self.travel(turns)
        return factor, f"{name}/s"

    def effort(self, turns: bool) -> tuple[float, str]:
        """Force of what slides, moment of what turns."""
        return self.torque if turns else self.force


def display_units(text: str = "", small: bool = False) -> Display:
    """Units from a list such as "mm,deg"; metres, degrees, N and N m otherwise.

    A small machine is shown in mm and N mm.

    Raises:
        MotionError: A unit that is not one of length, angle, time, force or moment; a quantity stated twice.
    """
    parse_units(text)
    shown = Display(length=(1e3, "mm"), torque=(1e3, "N mm")) if small else Display()
    for entry in [part.strip() for part in text.split(",") if part.strip()]:
        found = parse(entry)
        for quantity in _READ:
            if found is not None and DIMENSIONS[quantity] == found[0]:
                shown = replace(shown, **{quantity: (1.0 / found[1], entry)})
    return shown


def actuator_units(robot: Robot, display: Display) -> tuple[tuple[Any, str], tuple[Any, str]]:
    """(actuators,) factors from SI units and the unit or units shown, of what actuators give and of their speeds."""
    turns = [joint.kind == "R" for leg in robot.legs for joint in leg.joints if joint.actuated]
    efforts, speeds = ([of(t) for t in turns] for of in (display.effort, display.speed))
    return _together(efforts), _together(speeds)


def _together(units: list[tuple[float, str]]) -> tuple[Any, str]:
    return np.array([factor for factor, _ in units]), ", ".join(dict.fromkeys(name for _, name in units))


def is_small(robot: Robot) -> bool:
    """Whether a machine is better measured in millimetres: its joints lie within half a metre at home."""
    from gough.view.scene import scene

    return scene(robot).sizes.extent < SMALL
