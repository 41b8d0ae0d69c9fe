"""Random numbers by counter: those of a robot and a sample depend on nothing but its numbers and the seed.

Philox 4x32 with ten rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.errors import InputError
from gough.graph import Array, Vector, array, cos, log, sin, sqrt
from gough.robot import Robot
from gough.robot.actuator_quantities import actuator_measure, in_si, of_actuators
from gough.robot.quantities import QuantityError, quantity

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ROUNDS = 10


@dataclass(frozen=True)
class Noise:
    """Normal errors of the actuators' sensors.

    Attributes:
        position: Standard deviation of displacements [m or rad], or a text with its unit, "2 um".
        rate: Of their rates [per s], or a text, "1 mm/s".
        seed: A whole number; the same seed gives the same errors.
    """

    position: float | str = 0.0
    rate: float | str = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Checked.

        Raises:
            InputError: A deviation is negative, not finite, or of another unit.
        """
        for name, value in (("position", self.position), ("rate", self.rate)):
            number = _of_any(name, value) if isinstance(value, str) else value
            if not 0.0 <= number < np.inf:
                raise InputError(f"noise: {name} {number:g} given, must be a standard deviation: finite, not negative")

    def deviations(self, robot: Robot) -> tuple[Any, Any]:
        """Of displacements and rates, one for all or (actuators,) [m or rad, per s].

        Raises:
            InputError: The unit is not that of every actuator.
        """
        position = of_actuators(robot, "noise: position", self.position, "travel")
        return position, of_actuators(robot, "noise: rate", self.rate, "rate")


def _of_any(name: str, text: str) -> float:
    """The number of a deviation of what slides or turns, whichever its unit says."""
    what = "travel" if name == "position" else "rate"
    try:
        return quantity(text, actuator_measure(what, turns=True))
    except QuantityError:
        return float(in_si(f"noise: {name}", text, [actuator_measure(what, turns=False)])[0])


def philox(counter: NDArray[np.integer], key: tuple[int, int]) -> NDArray[np.uint64]:
    """(N, 4) words of 32 bits for counters (N, 4) of 32 bits and a key of two."""
    c = [np.ascontiguousarray(counter[:, k], dtype=np.uint64) for k in range(4)]
    k0, k1 = key
    for _ in range(_ROUNDS):
        p0, p1 = c[0] * _MULTIPLIERS[0], c[2] * _MULTIPLIERS[1]
        c = [
            (p1 >> _HALF) ^ c[1] ^ np.uint64(k0),
            p1 & _LOW,
            (p0 >> _HALF) ^ c[3] ^ np.uint64(k1),
            p0 & _LOW,
        ]
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack(c, axis=1)


def uniforms(seed: int, robots: ArrayLike, sample: int, count: int, stream: int = 0) -> Array:
    """(N, count) numbers in (0, 1) for robots of these numbers (N,) at one sample.

    Args:
        seed: Key, below 2^64.
        robots: (N,) whole numbers.
        sample: Number of the sample.
        count: How many for each.
        stream: Apart from those of other streams.
    """
    robots = np.asarray(robots, dtype=np.uint64)
    blocks = []
    for block in range((count + 1) // 2):
        counter = np.zeros((len(robots), 4), dtype=np.uint64)
        counter[:, 0], counter[:, 1], counter[:, 2] = robots & _LOW, robots >> _HALF, np.uint64(sample)
        counter[:, 3] = np.uint64(block + (stream << 16))
        words = philox(counter, (seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF))
        high, low = words[:, 0::2] >> np.uint64(5), words[:, 1::2] >> np.uint64(6)
        blocks.append((high * 67108864.0 + low + 0.5) / 9007199254740992.0)
    return np.concatenate(blocks, axis=1)[:, :count]


def normals(u: Vector) -> Vector:
    """(2 k,) standard normal numbers of 2 k uniform ones, by Box and Muller; recorded or plain."""
    found = []
    for a, b in zip(u[0::2], u[1::2], strict=True):
        radius, angle = sqrt(log(a) * -2.0), b * (2.0 * np.pi)
        found += [radius * cos(angle), radius * sin(angle)]
    return array(found)
