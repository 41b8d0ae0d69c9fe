"""Motions that come with the robots of the catalogue: data in `catalog/<robot>.toml`.

A file lists the coordinates and the size of the robot it is for, the default motion, units, and one table per motion,
in one of three forms:

    [name]                        # a straight line in coordinates
    law = "trig3"                 # of gough.motion.curves
    duration = 4.0
    from = [...]                  # or home, if left out
    to = [...]                    # or by = { z = -0.3 }
    back = true                   # there and back within `duration`

    [name]                        # polynomials and waves; held coordinates stay at home
    end = 1.0
    y = { polynomial = [0, 0, -0.3], sin = [[amplitude, frequency, phase], ...], cos = [...] }
    wrench = { fx = { sin = [[20, 2, 0]] } }

    [name]                        # moves laid over one another
    end = 1.0
    from = [...]                  # or home, if left out
    moves = [{ at = 0.0, duration = 0.2, by = { z = 0.1 } }, ...]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import comb
from typing import Any, Literal

import numpy as np

from gough.motion.columns import WRENCH
from gough.motion.curves import LAWS, MINIMUM_JERK, Pieces, Series, Values, Wave, constant, line
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.robot import Mechanism
from gough.robot.file.units import units
from gough.robot.mechanism import size
from gough.robot.names import did_you_mean


@dataclass(frozen=True, slots=True)
class Move:
    """A way `by` (n,) begun at time `at` and done after `duration` [s]."""

    at: float
    duration: float
    by: Values


def overlaid(start: Values, moves: Sequence[Move], end: float) -> Pieces:
    """start + sum of by s((t - at)/duration), from 0 to `end`; twice continuously differentiable."""
    times = {0.0, end, *(m.at for m in moves), *(m.at + m.duration for m in moves)}
    knots = np.array(sorted(t for t in times if 0.0 <= t <= end))
    coefficients = np.zeros((6, len(knots) - 1, len(start)))
    coefficients[0] = start
    for k, (left, right) in enumerate(pairwise(knots)):
        middle = (left + right) / 2
        for move in moves:
            if middle > move.at + move.duration:
                coefficients[0, k] += move.by
            elif middle > move.at:
                shifted = _shifted((left - move.at) / move.duration) / move.duration ** np.arange(6.0)
                coefficients[:, k] += shifted[:, None] * np.array(move.by)
    return Pieces(knots, coefficients, still=all(m.at + m.duration <= end for m in moves))


def _shifted(u: float) -> np.ndarray:
    """Coefficients of s(u + v) in powers of v."""
    return np.array(
        [sum(comb(j, k) * c * u ** (j - k) for j, c in enumerate(MINIMUM_JERK) if j >= k) for k in range(6)]
    )


_ABOUT = ("coordinates", "size", "default", "units")
_ALIKE = 2.0
"""Factor by which the size of a robot may differ from that of the catalogue's whose name it has."""


def motions(robot: Mechanism) -> list[str]:
    """Names of the robot's motions, the default first; every robot has "hold", the last."""
    tables = _tables(robot)
    names = [name for name in tables if name not in _ABOUT]
    return sorted(names, key=lambda name: name != tables["default"]) + ["hold"]


def default_motion(robot: Mechanism) -> str | None:
    """Name of the robot's default motion; None where only "hold" is known."""
    default = _tables(robot).get("default")
    return None if default is None else str(default)


def named(robot: Mechanism, name: str | None = None) -> Motion:
    """The robot's motion called `name`, or its default one; see `Motion.named`."""
    tables = _tables(robot)
    if name is None:
        name = default_motion(robot)
        if name is None:
            hint = "state a motion; hold stays at home"
            raise MotionError("motion", "", None, f"missing: {robot.name} has no default motion", hint)
    if name == "hold":
        return _hold(robot)
    if name not in tables or name in _ABOUT:
        hint = did_you_mean(str(name), motions(robot))
        raise MotionError("motion", "", str(name), f"no such motion of {robot.name}", hint)
    table, names = tables[name], list(robot.coordinate_names)
    unit = units(tables.get("units", {}))
    scale = [unit.length if c.motion in ("x", "y", "z") else unit.angle for c in robot.platform.coordinates]
    home = tuple(map(float, robot.platform.home))
    start = _scaled(table["from"], scale) if "from" in table else home
    if "law" in table:
        way = _values(table.get("by", {}), names, scale)
        end = _scaled(table["to"], scale) if "to" in table else tuple(a + b for a, b in zip(start, way, strict=True))
        stop = float(table["duration"])
        curve: Any = line(start, end, LAWS[table["law"]](stop, table.get("back", False)))
    elif "moves" in table:
        stop = float(table["end"])
        moves = [Move(m["at"], m["duration"], _values(m["by"], names, scale)) for m in table["moves"]]
        curve = overlaid(start, moves, stop)
    else:
        stop = float(table["end"])
        curve = _series(
            [table.get(c, {"polynomial": [h / s]}) for c, h, s in zip(names, home, scale, strict=True)], scale
        )
    load = _series([table["wrench"].get(c, {}) for c in WRENCH], [1.0] * 6) if "wrench" in table else None
    return Motion(name, tuple(names), 0.0, stop, curve, load, table["description"])


def _hold(robot: Mechanism) -> Motion:
    names = robot.coordinate_names
    return Motion("hold", names, 0.0, 1.0, constant(robot.platform.home), None, "At rest at home for 1 s")


def _tables(robot: Mechanism) -> Mapping[str, Any]:
    """The robot's file of motions, or nothing: it must have the name, coordinates and size of one in the catalogue."""
    tables = _read().get(robot.name, {})
    if tables.get("coordinates") != list(robot.coordinate_names):
        return {}
    return tables if tables["size"] / _ALIKE <= size(robot) <= tables["size"] * _ALIKE else {}


@lru_cache(maxsize=1)
def _read() -> dict[str, Mapping[str, Any]]:
    folder = files("gough.motion") / "catalog"
    found = {entry.name: entry.read_text("utf-8") for entry in folder.iterdir() if entry.name.endswith(".toml")}
    return {name.removesuffix(".toml"): tomllib.loads(text) for name, text in found.items()}


def _scaled(values: Sequence[float], scale: Sequence[float]) -> Values:
    return tuple(v * s for v, s in zip(values, scale, strict=True))


def _values(entries: Mapping[str, float], names: Sequence[str], scale: Sequence[float]) -> Values:
    return _scaled([float(entries.get(name, 0.0)) for name in names], scale)


def _series(parts: Sequence[Mapping[str, Any]], scale: Sequence[float]) -> Series:
    """A series from one table {polynomial, sin, cos} per component, each times its scale."""
    degree = max([len(part.get("polynomial", ())) for part in parts] + [1])
    polynomial = [[0.0] * len(parts) for _ in range(degree)]
    waves: dict[tuple[Literal["sin", "cos"], float, float], list[float]] = {}
    for k, (part, unit) in enumerate(zip(parts, scale, strict=True)):
        for power, value in enumerate(part.get("polynomial", ())):
            polynomial[power][k] = value * unit
        kinds: tuple[Literal["sin", "cos"], ...] = ("sin", "cos")
        for kind in kinds:
            for amplitude, frequency, phase in part.get(kind, ()):
                waves.setdefault((kind, frequency, phase), [0.0] * len(parts))[k] += amplitude * unit
    return Series(
        tuple(map(tuple, polynomial)),
        tuple(Wave(tuple(a), frequency, phase, kind) for (kind, frequency, phase), a in waves.items()),
    )
