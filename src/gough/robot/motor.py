"""A motor with its gear, belt or screw, and its curves of torque over speed: values that a robot may have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, divide
from gough.robot.actuator_quantities import plain
from gough.robot.leg_values import ROUND_OFF
from gough.robot.quantities import PLAIN, Measure, measure

_SPEED = Measure((0, 0, -1, 1), 1.0, ("rpm", "rad/s"))
_TORQUE, _INERTIA = measure("torque"), measure("inertia")
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
            allowed = f"{len(self.speed)} numbers, one for each speed, none negative and the first positive"
            raise InputError(f"curve: torque: {self.torque}: must be {allowed}")

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
        object.__setattr__(self, "ratio", plain("motor: ratio", self.ratio, PLAIN, measure("gear")))
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

    def table(self, turns: bool) -> dict[str, Any]:
        """The table of its file, SI units, on joints that turn or that slide where it does not say so itself."""
        if self.drives == "R" or (turns and not self.drives):
            screw = self.behind * self.ratio**2
            own = {"rotor_inertia": self.rotor_inertia - self.behind, "screw_inertia": screw, "gear": self.ratio}
        else:
            own = {"rotor_inertia": self.rotor_inertia, "lead": 2.0 * math.pi / self.ratio}
        curves = {"continuous": self.continuous, "peak": self.peak}
        return {
            "name": self.name,
            **own,
            "efficiency": self.efficiency,
            **{key: {"speed": [*of.speed], "torque": [*of.torque]} for key, of in curves.items() if of is not None},
        }


def motor_of_table(table: Mapping[str, Any]) -> Motor:
    """The motor of a checked table, SI units."""
    curves = {key: Curve(table[key]["speed"], table[key]["torque"]) for key in ("continuous", "peak") if key in table}
    drive = drive_of(table)
    # A screw loses at its nut, so that it turns before the losses; a gear loses before what turns behind it.
    behind = 0.0 if "lead" in table else _behind(table)
    kind = "P" if "lead" in table else "R"
    return Motor(
        table["name"],
        drive["gear"],
        drive["rotor_inertia"],
        **curves,
        drives=kind,
        efficiency=table["efficiency"],
        behind=behind,
    )


def drive_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """Rotor inertia and gear of actuators with the motor of a checked table, whose numbers may be traced."""
    gear = table.get("gear", 1.0)
    ratio = divide(gear * 2.0 * math.pi, table["lead"]) if "lead" in table else gear
    return {"rotor_inertia": table["rotor_inertia"] + _behind(table), "gear": ratio}


def _behind(table: Mapping[str, Any]) -> Any:
    """Inertia of what turns behind the gear, as seen at the rotor [kg m^2]."""
    return divide(table["screw_inertia"], table.get("gear", 1.0) ** 2)
