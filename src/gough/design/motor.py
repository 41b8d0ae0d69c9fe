"""A motor with its gear, belt or screw, from a small TOML file. Any number may carry its unit: "12 N m", "5 mm".

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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gough.analysis.checked_quantities import ROUND_OFF
from gough.brief import brief
from gough.errors import GoughWarning, InputError
from gough.graph import Array
from gough.robot import Robot
from gough.robot.actuator_quantities import plain
from gough.robot.checks.fault import Fault
from gough.robot.file.fields import text
from gough.robot.file.reader import Table, key_of, read_tables
from gough.robot.file.small_tables import number_key, numbers_key, read_text, tables_of
from gough.robot.quantities import PLAIN, Measure, has_unit, measure

_RPM = Measure((0, 0, -1, 1), math.pi / 30.0, ("rpm", "rad/s"))
_SPEED = Measure((0, 0, -1, 1), 1.0, ("rpm", "rad/s"))
_TORQUE, _LENGTH, _INERTIA = measure("torque"), measure("length"), measure("inertia")
_RATIO = Measure((-1, 0, 0, 1), 1.0, ("rad/m", "rad/mm"))
LARGEST_LEAD = 0.5
"""Travel per turn of a screw [m] beyond which its unit is in doubt."""
LEAST_ACCELERATION = 50.0
"""Of a rotor by its own strongest torque [rad/s^2]; a slower one has an inertia in another unit."""
FASTEST = 20_000.0
"""Speed of a rotor [rpm] beyond which its unit is in doubt."""
Given = float | str
"""A number in SI units, or a text with its unit."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Torque that is available up to each speed, straight between the points; none beyond the last.

    Attributes:
        speed: Two or more, increasing from 0 [rad/s], given as numbers or texts, "3000 rpm".
        torque: One for each speed, not negative, the first positive [N m], likewise, "1.3 N m".
    """

    speed: tuple[float, ...]
    torque: tuple[float, ...]

    if TYPE_CHECKING:

        def __init__(self, speed: Sequence[Given], torque: Sequence[Given]) -> None: ...

    def __post_init__(self) -> None:
        """Texts become numbers.

        Raises:
            InputError: Speeds that do not increase from 0, or torques that do not go with them.
        """
        object.__setattr__(self, "speed", plain("curve: speed", tuple(self.speed), _SPEED))
        object.__setattr__(self, "torque", plain("curve: torque", tuple(self.torque), _TORQUE))
        if len(self.speed) < 2 or self.speed[0] != 0.0 or not all(a < b for a, b in pairwise(self.speed)):
            raise InputError(f"curve: speed: {self.speed}: must be two or more numbers that increase from 0")
        if len(self.torque) != len(self.speed) or not (self.torque[0] > 0.0 and min(self.torque) >= 0.0):
            raise InputError(f"curve: torque: {self.torque}: must be {_torques(len(self.speed))}")

    def __call__(self, speed: ArrayLike) -> Array:
        """Torque at speeds of either sign; the last speed is passed only by more than round-off."""
        turn = np.abs(speed)
        within = turn <= self.speed[-1] * (1.0 + ROUND_OFF)
        return np.where(within, np.interp(turn, self.speed, self.torque), 0.0)

    def used(self, torque: ArrayLike, speed: ArrayLike) -> Array:
        """Share of the curve in use at torques and speeds of either sign: 1 on the curve and at its last speed.

        It is the factor by which torque and speed together are above the curve, along the ray from rest without load.
        Unlike the ratio of torques it is continuous across the last speed, whatever torque the curve ends with.
        """
        push, turn = np.abs(torque), np.abs(speed)
        points, values = np.array(self.speed), np.array(self.torque)
        slope = np.diff(values) / np.diff(points)
        start = values[:-1] - slope * points[:-1]
        # A ray meets the segment between whose ends its own ratio of torque to speed lies; the first begins upright.
        ratios = np.minimum.accumulate(values[1:] / points[1:])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratio = np.where(turn > 0.0, push / turn, np.inf)
        segment = np.minimum(len(ratios) - np.searchsorted(ratios[::-1], ratio, side="right"), len(ratios) - 1)
        above = (push - slope[segment] * turn) / np.maximum(start[segment], 1e-12 * values.max())
        return np.where(ratio >= ratios[-1], np.maximum(above, turn / points[-1]), turn / points[-1])


def _torques(count: int) -> str:
    return f"{count} numbers, one for each speed, none negative and the first positive"


@dataclass(frozen=True, slots=True)
class Motor:
    """A motor on an actuated joint.

    Attributes:
        name: For tables and figures.
        ratio: Rotor angle per joint coordinate [rad/m or rad/rad], given as a number or a text, "1.2 rad/mm".
        rotor_inertia: About its own axis, with the screw's as seen at the rotor [kg m^2], likewise, "280 g cm^2".
        continuous, peak: Torque over speed at the rotor; None if not stated.
        drives: "R" with a gear, for turning joints; "P" with a spindle, for sliding ones; "" if that is not known.
        efficiency: Of what is between the rotor and the joint, above 0 and at most 1.
        behind: Part of `rotor_inertia` that turns behind the losses, with the load [kg m^2], a number or a text.
    """

    __repr__ = brief

    name: str
    ratio: float
    rotor_inertia: float = 0.0
    continuous: Curve | None = None
    peak: Curve | None = None
    drives: str = ""
    efficiency: float = 1.0
    behind: float = 0.0

    if TYPE_CHECKING:

        def __init__(
            self,
            name: str,
            ratio: Given,
            rotor_inertia: Given = 0.0,
            continuous: Curve | None = None,
            peak: Curve | None = None,
            drives: str = "",
            efficiency: float = 1.0,
            behind: Given = 0.0,
        ) -> None: ...

    def __post_init__(self) -> None:
        """Texts become numbers.

        Raises:
            InputError: The efficiency is not above 0 and at most 1.
        """
        object.__setattr__(self, "ratio", plain("motor: ratio", self.ratio, PLAIN, _RATIO))
        object.__setattr__(self, "rotor_inertia", plain("motor: rotor inertia", self.rotor_inertia, _INERTIA))
        object.__setattr__(self, "behind", plain("motor: inertia behind the losses", self.behind, _INERTIA))
        if not 0.0 < self.efficiency <= 1.0:
            raise InputError(f"motor: efficiency: {self.efficiency}: must be greater than 0 and at most 1")

    @property
    def reflected(self) -> float:
        """Its inertia as the joint feels it [kg where that slides, kg m^2 where it turns]."""
        return self.rotor_inertia * self.ratio**2

    @property
    def limiting(self) -> Curve:
        """The curve that torques keep to at any time: the peak curve, or the continuous one if there is no other.

        Raises:
            InputError: The motor has neither.
        """
        curve = self.peak or self.continuous
        if curve is None:
            raise InputError(f"motor {self.name}: states no curve of torque over speed; give peak or continuous")
        return curve

    @property
    def lossless(self) -> bool:
        """Whether all torque of the rotor reaches the joint."""
        return self.efficiency == 1.0

    def load(self, force: Array, qdd: Array) -> Array:
        """The part of forces of the joint that passes through the transmission: all but the rotor's own inertia."""
        own = (self.rotor_inertia - self.behind) * self.ratio**2
        return force - own * qdd

    def losses(self, power: Array) -> Array:
        """Factor of the load as the rotor feels it: more where the load takes power, less where it gives some back."""
        return np.where(power > 0.0, 1.0 / self.efficiency, np.where(power < 0.0, self.efficiency, 1.0))

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
        return robot.replace({"leg.*.actuator.rotor_inertia": self.rotor_inertia, "leg.*.actuator.gear": self.ratio})


def read_motor(path: str | FilePath) -> Motor:
    """The motor of a file.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return motor_of(read_text(path, "motor"), str(path))


class CurveTable(Table):
    """Points of `torque` [N m] over `rpm`, or over `speed` [rad/s]."""

    rpm: list[float] | None = numbers_key(lambda _: _RPM, 0.0)
    """Speeds of the rotor, increasing from 0 [rpm]. Default: `speed` instead."""
    speed: list[float] | None = numbers_key(lambda _: _SPEED, 0.0)
    """Speeds of the rotor, increasing from 0 [rad/s]. Default: `rpm` instead."""
    torque: list[float] | None = numbers_key(lambda _: _TORQUE, 0.0)
    """Torque of the rotor at each of these speeds [N m]. Default: needed."""


class MotorFile(Table):
    """A motor's file; see the head of this module."""

    name: str = key_of(text, default="motor")
    """Name of the motor in tables and reports."""
    rotor_inertia: float = number_key(lambda _: _INERTIA, 0.0, default=0.0)
    """Inertia of the rotor about its axis [kg m^2]."""
    gear: float | None = number_key(lambda _: PLAIN, 0.0, above=True)
    """Gear or belt ratio: rotor turns per turn of the joint, or of the screw with `lead`. Default: 1 with `lead`."""
    lead: float | None = number_key(lambda _: _LENGTH, 0.0, above=True)
    """Travel per turn of the screw, for prismatic actuators [m]. Default: `gear` alone."""
    screw_inertia: float = number_key(lambda _: _INERTIA, 0.0, default=0.0)
    """Inertia of the screw, or of whatever turns behind the gear or belt [kg m^2]."""
    efficiency: float = number_key(lambda _: PLAIN, 0.0, above=True, default=1.0)
    """Efficiency of gear, belt and screw together, above 0 and at most 1."""
    continuous: CurveTable | None = key_of(CurveTable)
    """Continuous torque of the motor. Default: not limited."""
    peak: CurveTable | None = key_of(CurveTable)
    """Peak torque of the motor. Default: not limited."""


def motor_of(text: str | Mapping[str, Any], source: str = "motor") -> Motor:
    """The motor that a TOML text describes, or a dict with the same keys.

    Raises:
        RobotError: With every fault, one line each.
    """
    tables, place = tables_of(text, source, "motor")
    given = read_tables(MotorFile, tables, place)
    faults = []
    if given.gear is None and given.lead is None:
        faults.append(Fault((), "must state gear, lead or both", None, 'gear = 50, or lead = "5 mm" per turn'))
    if given.lead is not None and given.lead > LARGEST_LEAD:
        allowed = f"{given.lead:g} m per turn is implausibly large: at most {LARGEST_LEAD:g} m"
        faults.append(Fault(("lead",), allowed, tables["lead"], _in_unit(tables["lead"], "mm")))
    if given.efficiency > 1.0:
        percent = f"write {given.efficiency / 100.0:g} for {given.efficiency:g} %?" if given.efficiency <= 100.0 else ""
        faults.append(Fault(("efficiency",), "must be at most 1", tables["efficiency"], percent))
    if given.continuous is None and given.peak is None:
        curve = "peak = { rpm = [...], torque = [...] }"
        faults.append(Fault((), "must state a curve: continuous, peak or both", None, curve))
    for key in ("continuous", "peak"):
        faults += _curve_faults(key, getattr(given, key), tables)
    if faults:
        raise place.error(faults)
    gear = 1.0 if given.gear is None else given.gear
    ratio = gear if given.lead is None else gear * 2.0 * math.pi / given.lead
    continuous, peak = _curve(given.continuous), _curve(given.peak)
    turning = {"rotor_inertia": given.rotor_inertia, "screw_inertia": given.screw_inertia / gear**2}
    strongest = max(torque for curve in (continuous, peak) if curve is not None for torque in curve.torque)
    for key, inertia in turning.items():
        if inertia * LEAST_ACCELERATION > strongest:
            allowed = (
                f"implausibly large: {strongest:g} N m would speed it up by {strongest / inertia:.2g} rad/s^2 alone"
            )
            faults.append(Fault((key,), allowed, tables[key], _in_unit(tables[key], "kg cm^2")))
    if faults:
        raise place.error(faults)
    for key in ("continuous", "peak"):
        _doubt_speed(source, key, getattr(given, key))
    drives = "R" if given.lead is None else "P"
    # A screw loses at its nut, so that it turns before the losses; a gear loses before what turns behind it.
    behind = turning["screw_inertia"] if given.lead is None else 0.0
    return Motor(given.name, ratio, sum(turning.values()), continuous, peak, drives, given.efficiency, behind)


def _in_unit(stated: object, unit: str) -> str:
    """A hint for a number that most likely lacks this unit; none where it has one."""
    return "" if has_unit(stated) else f'write "{stated} {unit}"?'


def _curve_faults(key: str, table: CurveTable | None, tables: Mapping[str, Any]) -> Iterator[Fault]:
    if table is None:
        return
    if (table.rpm is None) == (table.speed is None):
        yield Fault((key,), "must state either rpm or speed [rad/s]")
        return
    if table.torque is None:
        yield Fault((key,), "torque is missing")
        return
    axis = "speed" if table.rpm is None else "rpm"
    speed = getattr(table, axis)
    if len(table.torque) != len(speed):
        yield Fault((key, "torque"), f"must be a list of {len(speed)} numbers", tables[key]["torque"])
    if len(speed) < 2 or speed[0] != 0.0 or any(b <= a for a, b in pairwise(speed)):
        yield Fault((key, axis), "must be two or more numbers that increase from 0", tables[key][axis])


def _doubt_speed(source: str, key: str, table: CurveTable | None) -> None:
    """Warn of a rotor that turns faster than motors do."""
    if table is None:
        return
    axis = "speed" if table.rpm is None else "rpm"
    fastest = getattr(table, axis)[-1] / _RPM.size
    if fastest > FASTEST:
        meant = "; rad/s, or meant rpm?" if axis == "speed" else ""
        line = f"{source}: {key}.{axis}: goes to {fastest:.0f} rpm, more than {FASTEST:.0f}{meant}"
        warnings.warn(line, GoughWarning, stacklevel=3)


def _curve(table: CurveTable | None) -> Curve | None:
    """The curve of a table without faults."""
    if table is None:
        return None
    return Curve(table.speed or table.rpm or (), table.torque or ())
