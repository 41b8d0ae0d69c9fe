"""Platform coordinates in words, for titles and pages."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from gough.robot import Robot


def pose_text(robot: Robot, x: Sequence[float], millimetres: bool = False) -> str:
    """Coordinates such as "x = 0, y = 0, z = 2 m; psi = 5, theta = 0 deg"."""
    entries = zip(robot.platform.coordinates, x, strict=True)
    clauses = []
    for turns, group in groupby(entries, key=lambda entry: entry[0].motion.startswith("r")):
        unit, factor = ("deg", 180 / np.pi) if turns else ("mm", 1e3) if millimetres else ("m", 1.0)
        clauses.append(", ".join(f"{c.name} = {number(float(v) * factor)}" for c, v in group) + f" {unit}")
    return "; ".join(clauses)


def number(value: float) -> str:
    """Five digits at most; what is round-off of zero is zero."""
    return f"{0.0 if abs(value) < 1e-12 else value:.5g}"
