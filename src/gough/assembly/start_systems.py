"""Equations of a robot with complex lengths near those at home, solved once: from there paths lead to every pose.

The shipped system has 40 solutions, as many as six distance legs can have (Ronga & Vust 1995). Followed to the points
of a robot they end at its own solutions; special points leave fewer, the other paths run into singular ones. The
robot's numbers of solutions are those of three systems that agree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import certify, study_point
from gough.assembly.path_ends import polished
from gough.assembly.separate import apart
from gough.assembly.tracker import track
from gough.graph import Array

MOST = 40
"""Solutions that six distance legs have at most."""
SYSTEMS = 3
SHIPPED = Path(__file__).with_name("start.json")
CAREFUL = {"tol": 1e-5, "accept": 2e-3}
_TRIES = 9
_SEED = 1995
_OFF, _OFF_REAL = 0.3, 0.1
"""How far lengths of a start system are from those at home, in shares of their size: imaginary and real parts.

The nearer, the fewer steps a path to a pose about home takes; the farther, the fewer it takes past singularities.
"""


@dataclass(frozen=True, slots=True)
class StartSystem:
    """Equations and all their solutions.

    Attributes:
        points: (30,) coordinates of a_1 .. a_5 and b_1 .. b_5.
        k: (6,) complex k_1 .. k_5 and m.
        z: (n, 6) the solutions.
    """

    points: Array
    k: NDArray[np.complex128]
    z: NDArray[np.complex128]


@cache
def shipped() -> StartSystem:
    """The system in the file that `make_starts` writes."""
    read = json.loads(SHIPPED.read_text(encoding="utf-8"))
    k, z = (np.array(read[name], dtype=float).view(complex) for name in ("k", "z"))
    return StartSystem(np.array(read["points"]), k, z)


@dataclass(frozen=True, slots=True)
class RobotStarts:
    """Start systems of a robot, and whether three agree on the number of solutions."""

    systems: tuple[StartSystem, ...]
    agree: bool

    @property
    def count(self) -> int:
        """Number of solutions of each."""
        return len(self.systems[0].z) if self.systems else 0


def robot_starts(points: Array, spans: Array, k: Array) -> RobotStarts:
    """Start systems of a robot, made once for its geometry.

    Args:
        points: (30,) coordinates of a_1 .. a_5 and b_1 .. b_5 at home, of about the size of one.
        spans: (30, r) directions in which the actuators move them.
        k: (6,) k_1 .. k_5 and m at home.
    """
    return _robot_starts(*(np.ascontiguousarray(values, dtype=float).tobytes() for values in (points, spans, k)))


@lru_cache(maxsize=64)
def _robot_starts(points: bytes, spans: bytes, k: bytes) -> RobotStarts:
    about, centre = np.frombuffer(points), np.frombuffer(k)
    ways = np.frombuffer(spans).reshape(len(about), -1)
    size = max(1.0, float(np.sqrt(np.mean(centre**2))))
    found: list[StartSystem] = []
    for attempt in range(_TRIES):
        random = np.random.default_rng([_SEED, attempt])
        at = about + _OFF * (ways @ random.normal(size=ways.shape[1]))
        off = _OFF_REAL * random.normal(size=6) + 1j * (_OFF * random.normal(size=6))
        found.append(_solved(at, np.add(centre, size * off, dtype=complex)))
        most = max(len(system.z) for system in found)
        best = [system for system in found if len(system.z) == most > 0]
        if len(best) == SYSTEMS:
            return RobotStarts(_quickest_first(best, about, centre), True)
    return RobotStarts(_quickest_first(best, about, centre), False)


def _quickest_first(systems: list[StartSystem], points: Array, k: Array) -> tuple[StartSystem, ...]:
    """The same systems, and the solutions of each, in the order of the steps that their paths to home take.

    Paths side by side are followed until the last one arrives: those that take about as long had better stand together.
    """
    found = []
    for system in systems:
        n = len(system.z)
        ends = track(system.z, system.k, np.tile(k, (n, 1)), system.points, np.tile(points, (n, 1)))
        order = np.argsort(ends.steps, kind="stable")
        found.append((float(ends.steps.sum()), replace(system, z=system.z[order])))
    return tuple(system for _, system in sorted(found, key=itemgetter(0)))


def _solved(points: Array, k: NDArray[np.complex128]) -> StartSystem:
    """The regular solutions at points and k, all that the shipped ones lead to."""
    begin = shipped()
    many = np.broadcast_to(k, (MOST, 6))
    ends = track(begin.z, begin.k, many, begin.points, np.broadcast_to(points, (MOST, len(points))), **CAREFUL)
    z = polished(ends.z, many, points)
    good = np.flatnonzero(ends.arrived & np.isfinite(z).all(axis=1))
    found = certify(study_point(z[good]), many[good], points, np.abs(many[good]))
    good, x, radius = good[found.proved], found.x[found.proved], found.radius[found.proved]
    kept: list[int] = []
    for i in range(len(good)):
        if apart(x[i], x[kept], radius[i], radius[kept]).all():
            kept.append(i)
    return StartSystem(points, k, z[good[kept]])
