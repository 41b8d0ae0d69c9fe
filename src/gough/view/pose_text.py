"""Numbers, units and platform coordinates as people read them, for titles and pages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gough.kinematics.conventions import Convention
from gough.robot import Robot
from gough.view.display import Display


def number(value: float, digits: int = 6) -> str:
    """A number of so many digits; what is round-off of zero is zero."""
    return f"{0.0 if abs(value) < 1e-12 else value:.{digits}g}"


def stated_text(robot: Robot, x: Sequence[float], convention: Convention, display: Display) -> str:
    """A pose in the values of a convention and in the units shown."""
    entries = zip(convention.values(robot), convention.stated(robot, x), strict=True)
    clauses = []
    for kind, group in groupby(entries, key=lambda entry: entry[0].motion[0] if entry[0].motion[0] in "rq" else ""):
        factor, unit = (1.0, "") if kind == "q" else display.travel(kind == "r")
        clauses.append(f"{', '.join(f'{c.name} = {number(float(v) * factor, 5)}' for c, v in group)} {unit}".strip())
    return "; ".join(clauses)
