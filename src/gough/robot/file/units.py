"""Units of a file: the `[units]` table, and the factor that takes each quantity to SI and radians."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

STANDARD_GRAVITY = 9.80665
"""By which units of mass become units of force: 1 kgf is the weight of 1 kg [m/s^2]."""

Dimension = tuple[int, ...]
"""Powers of length, mass, time and angle."""

# Powers of (length, mass, time, angle) and the SI value of one unit.
BASE: dict[str, tuple[Dimension, float]] = {
    "m": ((1, 0, 0, 0), 1.0),
    "cm": ((1, 0, 0, 0), 0.01),
    "mm": ((1, 0, 0, 0), 0.001),
    "um": ((1, 0, 0, 0), 1e-6),
    "in": ((1, 0, 0, 0), 0.0254),
    "kg": ((0, 1, 0, 0), 1.0),
    "g": ((0, 1, 0, 0), 0.001),
    "lb": ((0, 1, 0, 0), 0.45359237),
    "oz": ((0, 1, 0, 0), 0.45359237 / 16),
    "s": ((0, 0, 1, 0), 1.0),
    "ms": ((0, 0, 1, 0), 0.001),
    "min": ((0, 0, 1, 0), 60.0),
    "rad": ((0, 0, 0, 1), 1.0),
    "deg": ((0, 0, 0, 1), math.pi / 180),
    "mrad": ((0, 0, 0, 1), 1e-3),
    "urad": ((0, 0, 0, 1), 1e-6),
    "N": ((1, 1, -2, 0), 1.0),
    "kN": ((1, 1, -2, 0), 1000.0),
    "lbf": ((1, 1, -2, 0), 4.4482216152605),
    "ozf": ((1, 1, -2, 0), 4.4482216152605 / 16),
    "kgf": ((1, 1, -2, 0), STANDARD_GRAVITY),
    "gf": ((1, 1, -2, 0), STANDARD_GRAVITY / 1000),
    "Nm": ((2, 1, -2, 0), 1.0),
    "Ncm": ((2, 1, -2, 0), 0.01),
    "Nmm": ((2, 1, -2, 0), 0.001),
    "Hz": ((0, 0, -1, 0), 1.0),
    "rpm": ((0, 0, -1, 1), math.pi / 30),
    "W": ((2, 1, -3, 0), 1.0),
    "kW": ((2, 1, -3, 0), 1000.0),
}

DIMENSIONS: dict[str, Dimension] = {
    "length": (1, 0, 0, 0),
    "angle": (0, 0, 0, 1),
    "mass": (0, 1, 0, 0),
    "time": (0, 0, 1, 0),
    "inertia": (2, 1, 0, 0),
    "force": (1, 1, -2, 0),
    "torque": (2, 1, -2, 0),
    "acceleration": (1, 0, -2, 0),
    "power": (2, 1, -3, 0),
}


ALLOWED = {
    "length": "mm, cm, m or in",
    "angle": "deg or rad",
    "mass": "g, kg or lb",
    "time": "s, ms or min",
    "inertia": 'mass times length squared, e.g. "kg m^2" or "g mm^2"',
    "force": "N, kN, lbf, kgf, gf or ozf",
    "torque": 'force times length, e.g. "N m", "N mm" or "kgf cm"',
    "acceleration": 'length per time squared, e.g. "m/s^2" or "mm/s^2"',
    "power": "W or kW",
}


@dataclass(frozen=True, slots=True)
class Units:
    """SI value of one unit of each quantity of a file."""

    length: float = 1.0
    angle: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    inertia: float = 1.0
    force: float = 1.0
    torque: float = 1.0
    acceleration: float = 1.0
    power: float = 1.0

    def factor(self, quantity: str, kind: str = "P") -> float:
        """SI value of one unit of `quantity`; those of a joint depend on whether it slides ("P") or turns ("R")."""
        slides = kind == "P"
        travel = self.length if slides else self.angle
        effort = self.force if slides else self.torque
        match quantity:
            case "travel":
                return travel
            case "speed":
                return travel / self.time
            case "effort":
                return effort
            case "viscous":
                return effort * self.time / travel
            case "stiffness":
                return effort / travel
            case "gear":
                return self.angle / travel
            case _:
                return float(getattr(self, quantity))


_SIGNS = str.maketrans(
    {"·": "*", "⋅": "*", "×": "*", "²": "^2", "³": "^3", "\N{MICRO SIGN}": "u", "\N{GREEK SMALL LETTER MU}": "u"}
)
_GLUED = re.compile(r"\b(kg|g)(m|cm|mm)(?=\^?2\b)|\b(kgf?)(cm)$")
"""An inertia or a torque as data sheets write it, "kgcm2" and "kgfcm"."""
_JOINED = re.compile(r"(?<=[A-Za-z])[-.](?=[A-Za-z])")
"""What stands for a product in data sheets, "kg-cm" and "oz.in"."""


def parse(text: str) -> tuple[Dimension, float] | None:
    """Dimension and SI value of a unit such as "g mm^2", "kg·cm²", "m/s^2", "1/s" or "N*m"; None when it is not one."""
    powers: Dimension = (0, 0, 0, 0)
    value, sign = 1.0, 1
    plain = _GLUED.sub(lambda found: " ".join(filter(None, found.groups())), _JOINED.sub(" ", text.translate(_SIGNS)))
    for token in re.findall(r"[^\s*/]+|/", re.sub(r"^\s*1\s*/", "/", plain)):
        if token == "/":
            sign = -1
            continue
        found = re.fullmatch(r"([A-Za-z]+)(?:\^?([1-9]))?", token)
        if found is None or found[1] not in BASE:
            return None
        n = sign * int(found[2] or 1)
        dimension, size = BASE[found[1]]
        powers = tuple(power + n * own for power, own in zip(powers, dimension, strict=True))
        value *= size**n
    return powers, value


_MASS_MOMENT = (1, 1, 0, 0)


def size_of(text: str, dimension: Dimension) -> float | None:
    """SI value of a unit of this dimension; None when it is none.

    Where a torque is meant a mass times a length is one too: data sheets of servos write "kg cm" and "oz in" for
    kgf cm and ozf in.
    """
    known = parse(text)
    if known is None:
        return None
    if known[0] == _MASS_MOMENT and dimension == DIMENSIONS["torque"]:
        return known[1] * STANDARD_GRAVITY
    return known[1] if known[0] == dimension else None


def with_forces(text: str) -> str:
    """A unit of torque with units of force where it has those of mass: "kgf cm" for "kg cm"."""
    known = parse(text)
    return text if known is None or known[0] != _MASS_MOMENT else re.sub(r"(?<![A-Za-z])(kg|g|lb|oz)", r"\1f", text)


def units(stated: Mapping[str, str]) -> Units:
    """Units of a checked `[units]` table; compound ones not stated follow from the simple ones."""
    sizes = {quantity: size_of(text, DIMENSIONS[quantity]) for quantity, text in stated.items()}
    size = {quantity: value for quantity, value in sizes.items() if value is not None}
    length, mass, time = size.get("length", 1.0), size.get("mass", 1.0), size.get("time", 1.0)
    force = size.get("force", 1.0)
    derived = {"inertia": mass * length**2, "torque": force * length, "acceleration": length / time**2}
    return Units(**{**derived, **size})
