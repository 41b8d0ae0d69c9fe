"""Numbers, units and platform coordinates as people read them, for titles and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from gough.kinematics.conventions import Convention
from gough.robot import Robot
from gough.view.display import Display


def number(value: float, digits: int = 6) -> str:
    """A number of so many digits; what is round-off of zero is zero."""
    return f"{0.0 if abs(value) < 1e-12 else value:.{digits}g}"


def readable(turns: bool, millimetres: bool = False) -> tuple[float, str]:
    """Factor from SI units and name of the unit people read: degrees, metres or millimetres."""
    if turns:
        return 180 / math.pi, "deg"
    return (1e3, "mm") if millimetres else (1.0, "m")


def pose_text(robot: Robot, x: Sequence[float], millimetres: bool = False) -> str:
    """Coordinates such as "x = 0, y = 0, z = 2 m; psi = 5, theta = 0 deg"."""
    entries = zip(robot.platform.coordinates, x, strict=True)
    clauses = []
    for turns, group in groupby(entries, key=lambda entry: entry[0].motion.startswith("r")):
        factor, unit = readable(turns, millimetres)
        clauses.append(", ".join(f"{c.name} = {number(float(v) * factor, 5)}" for c, v in group) + f" {unit}")
    return "; ".join(clauses)


def stated_text(robot: Robot, x: Sequence[float], convention: Convention, display: Display) -> str:
    """A pose in the values of a convention and in the units shown."""
    entries = zip(convention.values(robot), convention.stated(robot, x), strict=True)
    clauses = []
    for kind, group in groupby(entries, key=lambda entry: entry[0].motion[0] if entry[0].motion[0] in "rq" else ""):
        factor, unit = (1.0, "") if kind == "q" else display.travel(kind == "r")
        clauses.append(f"{', '.join(f'{c.name} = {number(float(v) * factor, 5)}' for c, v in group)} {unit}".strip())
    return "; ".join(clauses)
