"""Units in which lengths, angles, forces and moments are printed: `--units mm,deg`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np

from gough.graph import Array
from gough.motion import parse_units
from gough.motion.conventions import Convention, Value
from gough.robot import Mechanism, Robot
from gough.robot.file.units import DIMENSIONS, size_of, with_forces

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
    stated: frozenset[str] = frozenset()
    """The quantities whose unit was asked for."""

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

    def stiffness(self, turns: bool) -> tuple[float, str]:
        """Effort per travel; per rad unless the unit of angles is asked for, and per um where lengths are in mm."""
        (push, effort), (way, unit) = self.effort(turns), self.travel(turns)
        if not turns and unit == "mm":
            way, unit = 1e6, "um"
        if turns and "angle" not in self.stated:
            way, unit = 1.0, "rad"
        return push / way, f"{effort}/{unit}"

    def error(self, turns: bool) -> tuple[float, str]:
        """Of small differences: um and urad unless another unit of lengths than mm, or one of angles, is asked for."""
        if self.asked(turns):
            return self.travel(turns)
        return (1e6, "urad") if turns else (1e6, "um")

    def asked(self, turns: bool) -> bool:
        """Whether small differences are to be in the unit of lengths or angles that was asked for.

        Who has lengths in mm has errors in um, and stiffness in N/um.
        """
        return "angle" in self.stated if turns else "length" in self.stated and self.length[1] != "mm"


def display_units(text: str = "", small: bool = False) -> Display:
    """Units from a list such as "mm,deg"; metres, degrees and N otherwise, for a small machine mm.

    Moments follow from force and length unless their unit is stated.

    Raises:
        MotionError: A unit that is not one of length, angle, time, force or moment; a quantity stated twice.
    """
    return _stated(text, Display(length=(1e3, "mm")) if small else Display())


def columns_in_units(columns: Mapping[str, Any], si_units: Mapping[str, str], units: str) -> dict[str, Any]:
    """Columns by name in the units of a list such as "mm,deg", named with them; SI and radians where not stated.

    Rates are per second whatever the unit of time. A column without an SI unit stays as it is.

    Args:
        columns: Numbers in SI units and radians by name.
        si_units: Unit of each column that has one: "rad/s^2", "N m".
        units: As in `--units`.
    Raises:
        MotionError: As in `display_units`.
    """
    shown = table_units(units)
    found = {}
    for name, values in columns.items():
        if name in si_units:
            factor, unit = shown.of(si_units[name])
            found[f"{name} [{unit}]"] = np.asarray(values) * factor
        else:
            found[name] = values
    return found


def table_units(text: str = "") -> Display:
    """Units of tables for programs: those of a list such as "mm,deg", SI and radians where not stated."""
    return _stated(text, Display(angle=(1.0, "rad")))


def _stated(text: str, shown: Display) -> Display:
    """The units of a list such as "mm,deg", those of `shown` where not stated."""
    parse_units(text)
    torque = None
    for entry in [part.strip() for part in text.split(",") if part.strip()]:
        for quantity in _READ:
            size = size_of(entry, DIMENSIONS[quantity])
            if size is not None:
                asked = shown.stated | {quantity}
                shown = replace(shown, **{quantity: (1.0 / size, with_forces(entry))}, stated=asked)
                torque = shown.torque if quantity == "torque" else torque
    (push, force), (way, length) = shown.force, shown.length
    return replace(shown, torque=torque or (push * way, f"{force} {length}"))


def actuator_units(robot: Mechanism, display: Display) -> tuple[tuple[Any, str], tuple[Any, str]]:
    """(actuators,) factors from SI units and the unit or units shown, of what actuators give and of their speeds."""
    turns = [joint.turns for joint in robot.actuators]
    efforts, speeds = ([of(t) for t in turns] for of in (display.effort, display.speed))
    return _together(efforts), _together(speeds)


def _together(units: list[tuple[float, str]]) -> tuple[Any, str]:
    return np.array([factor for factor, _ in units]), ", ".join(dict.fromkeys(name for _, name in units))


def number(value: float, digits: int = 6) -> str:
    """A number with `digits` digits; round-off of zero is zero."""
    return f"{0.0 if abs(value) < 1e-12 else value:.{digits}g}"


def plain_number(value: float, digits: int = 6) -> str:
    """A number with `digits` digits, without a power of ten up to 1e9: 12300, not 1.23e+04."""
    text = number(value, digits)
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e9 else text


def friction_texts(viscous: float, coulomb: float, turns: bool, display: Display) -> list[str]:
    """Viscous and dry friction of a joint that turns or slides, each with its unit; what is zero is left out."""
    (scale, unit), (push, effort) = display.travel(turns), display.effort(turns)
    texts = {
        f"viscous {number(viscous * push / scale)} {effort} s/{unit}": viscous,
        f"coulomb {number(coulomb * push)} {effort}": coulomb,
    }
    return [text for text, value in texts.items() if value]


SEARCHED = 1e-5
"""Characteristic lengths or radians below which a coordinate that a search has found is shown as 0."""


def distance_unit(robot: Robot, display: Display) -> tuple[float, str]:
    """Factor and unit of distances of poses: of an angle where nothing slides, else of a length."""
    slides = any(not c.turns for c in robot.platform.whole().coordinates)
    return display.length if slides else display.angle


def searched_pose(robot: Robot, x: Sequence[float] | Array, length: float) -> list[float]:
    """A pose that a search has found, with coordinates within its tolerance of 0 set to 0, to be shown.

    Args:
        robot: Whose pose.
        x: (n,) platform coordinates [m, rad].
        length: The characteristic length [m].
    """
    coordinates = zip(robot.platform.coordinates, x, strict=True)
    return [float(v) if abs(v) > SEARCHED * (1.0 if c.turns else length) else 0.0 for c, v in coordinates]


def stated_text(
    robot: Mechanism,
    x: Sequence[float],
    convention: Convention,
    display: Display,
    follows: Sequence[float] | Array = (),
) -> str:
    """A pose in the values of a convention and in the units shown, with those of dependent coordinates that follow."""
    text = _values_text(list(zip(convention.values(robot), convention.stated(robot, x), strict=True)), display)
    if not len(follows):
        return text
    dependent = zip([Value(c.name, c.motion) for c in robot.platform.dependent], follows, strict=True)
    return f"{text}; with them {_values_text(list(dependent), display)}"


def _values_text(entries: list[tuple[Value, float]], display: Display) -> str:
    clauses = []
    for kind, group in groupby(entries, key=lambda entry: entry[0].motion[0] if entry[0].motion[0] in "rq" else ""):
        factor, unit = (1.0, "") if kind == "q" else display.travel(kind == "r")
        clauses.append(f"{', '.join(f'{c.name} = {number(float(v) * factor, 5)}' for c, v in group)} {unit}".strip())
    return "; ".join(clauses)
