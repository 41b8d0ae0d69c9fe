"""Errors of sensors: how large they are, and normal numbers that a recorded controller draws from uniform ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Vector, array, cos, floor, log, sin, sqrt
from gough.robot import Robot
from gough.robot.actuator_quantities import in_si, of_actuators
from gough.robot.quantities import QuantityError, measure, quantity


@dataclass(frozen=True)
class Noise:
    """Errors of the actuators' sensors: normal ones, and those of encoders.

    Attributes:
        position: Standard deviation of displacements [m or rad], or a text with its unit, "2 um".
        rate: Standard deviation of their rates [per s], or a text, "1 mm/s".
        seed: A whole number; the same seed gives the same errors.
        resolution: Step of encoders [m or rad], or a text, "0.1 deg"; 0 for none. Readings are multiples of it, and
            rates are differences of the readings at one sample and the one before over the sample time: zero at the
            first.
    """

    position: float | str = 0.0
    rate: float | str = 0.0
    seed: int = 0
    resolution: float | str = 0.0

    def __post_init__(self) -> None:
        """Checked.

        Raises:
            InputError: A number is negative, not finite, or of another unit; a resolution with errors of rates.
        """
        for name, value in (("position", self.position), ("rate", self.rate)):
            number = _of_any(name, value) if isinstance(value, str) else value
            if not 0.0 <= number < np.inf:
                raise InputError(f"noise: {name} {number:g} given, must be a standard deviation: finite, not negative")
        step = _of_any("resolution", self.resolution) if isinstance(self.resolution, str) else self.resolution
        if not 0.0 <= step < np.inf:
            raise InputError(f"noise: resolution {step:g} given, must be finite and not negative")
        if step and self.rate:
            raise InputError("noise: with a resolution rates are differences of readings; leave rate out")

    def deviations(self, robot: Robot) -> tuple[Any, Any]:
        """Of displacements and rates, one for all or (actuators,) [m or rad, per s].

        Raises:
            InputError: The unit is not that of every actuator.
        """
        position = of_actuators(robot, "noise: position", self.position, "travel")
        return position, of_actuators(robot, "noise: rate", self.rate, "speed")

    def steps(self, robot: Robot) -> Any:
        """Step of the encoders, one for all or (actuators,) [m or rad]; None where there is none.

        Raises:
            InputError: The unit is not that of every actuator.
        """
        found = of_actuators(robot, "noise: resolution", self.resolution, "travel")
        return found if np.any(found) else None


def _of_any(name: str, text: str) -> float:
    """The number of a deviation of what slides or turns, whichever its unit says."""
    what = "speed" if name == "rate" else "travel"
    try:
        return quantity(text, measure(what, turns=True))
    except QuantityError:
        return float(in_si(f"noise: {name}", text, [measure(what)])[0])


def rounded(q: Vector, step: Any) -> Vector:
    """(actuators,) nearest multiples of a step, one for all or (actuators,); recorded or plain."""
    steps = np.broadcast_to(np.asarray(step, dtype=float), len(q))
    return array([floor(value / size + 0.5) * size for value, size in zip(q, steps.tolist(), strict=True)])


def normals(u: Vector) -> Vector:
    """(2 k,) standard normal numbers of 2 k uniform ones, by Box and Muller; recorded or plain."""
    found = []
    for a, b in zip(u[0::2], u[1::2], strict=True):
        radius, angle = sqrt(log(a) * -2.0), b * (2.0 * np.pi)
        found += [radius * cos(angle), radius * sin(angle)]
    return array(found)
