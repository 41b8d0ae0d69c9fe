"""The default formulation: the one with the fewest operations on the robot at hand.

All formulations agree, so cost decides. Counting records each of them once, some 0.2 to 1 s, so the choice is kept: for
the catalogue in this file, for other robots in the cache folder. It depends on the robot's shape alone: the structure
and which of its numbers are 0, 1 or -1, for those fold away. Lagrange's equations, never the fewest, are not recorded.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from gough.dynamics.contract import FORMULATIONS, Formulation, choose
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.model import Model, force_graph
from gough.robot import Robot, load
from gough.run import cache as store
from gough.run.choose import size_of

CATALOGUE = dict.fromkeys(("delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart"), "newton_euler")
"""What `fewest` finds on the robots of the catalogue."""

CANDIDATES = tuple(f for f in FORMULATIONS if not isinstance(f, Lagrange))


def formulation_for(robot: Robot, formulation: str | Formulation) -> Formulation:
    """The formulation of this name; for "auto" the robot's default; a formulation is itself."""
    return choose(default_name(robot) if formulation == "auto" else formulation)


def fewest(robot: Robot) -> str:
    """Name of the candidate with the fewest operations for the robot's forces, by counting."""
    return min(CANDIDATES, key=lambda f: size_of(force_graph(Model(robot, f)))).name


@lru_cache(maxsize=256)
def default_name(robot: Robot) -> str:
    """What `fewest` gives for robots of this shape, from the catalogue's list, the cache folder, or by counting."""
    shape = shape_of(robot)
    if robot.name in CATALOGUE and shape == shape_of(load(robot.name)):
        return CATALOGUE[robot.name]
    key = hashlib.sha256(f"formulation {shape} {_equations()}".encode()).hexdigest()
    known = (store.load(key) or b"").decode("ascii", "replace")
    if known in [f.name for f in CANDIDATES]:
        return known
    found = fewest(robot)
    store.store(key, found.encode())
    return found


def shape_of(value: Any) -> str:
    """Text of a robot's structure: names left out, numbers as 0, 1, -1 or n."""
    if isinstance(value, float):
        return {0.0: "0", 1.0: "1", -1.0: "-1"}.get(value, "n")
    if is_dataclass(value):
        kept = [getattr(value, f.name) for f in fields(value) if f.name not in ("name", "group", "document", "limits")]
        return f"({' '.join(map(shape_of, kept))})"
    if isinstance(value, tuple):
        return f"[{' '.join(map(shape_of, value))}]"
    return str(value)


@cache
def _equations() -> str:
    """Digest of the source of everything that is recorded."""
    digest = hashlib.sha256()
    for folder in (Path(__file__).parent, Path(__file__).parents[1] / "kinematics"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
