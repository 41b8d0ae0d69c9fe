"""Distances between straight parts of legs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from gough.analysis.leg_lines import Segment, shape_of
from gough.graph import Vector, dot, maximum, minimum, norm, record, where
from gough.robot import Robot
from gough.run import Program

NEAR = 5.0
"""Legs that share a joint are not checked against each other within so many times the sum of their radii of it."""

PARALLEL = 1e-14
"""Segments whose sine squared is below this are parallel: their nearest points are ends."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parts of different legs.

    Attributes:
        first, second: The parts.
        radii: Sum of the legs' radii [m].
        at_base, at_platform: Length left out at their common joint there, 0 if they share none [m].
    """

    first: Segment
    second: Segment
    radii: float
    at_base: float = 0.0
    at_platform: float = 0.0


@lru_cache(maxsize=32)
def pairs_of(robot: Robot) -> tuple[Pair, ...]:
    """All pairs of parts of different legs, those that share a joint shortened there."""
    shape = shape_of(robot)
    points = shape.program(x=np.array(robot.platform.home))["points"]
    found = []
    for a, b in combinations(shape.segments, 2):
        if a.leg == b.leg:
            continue
        radii = float((robot.legs[a.leg].radius or 0.0) + (robot.legs[b.leg].radius or 0.0))
        # Points fixed in one body that are nearer than the legs are thick: a shared joint.
        same = [np.linalg.norm(points[i] - points[j]) <= max(radii, 1e-9) for i, j in _ends(a, b)]
        base = a.starts and b.starts and bool(same[0]) and _fixed(robot, a) and _fixed(robot, b)
        platform = a.ends and b.ends and bool(same[1])
        near = NEAR * radii if radii > 0.0 else 0.05 * float(np.linalg.norm(points[a.last] - points[a.first]))
        found.append(Pair(a, b, radii, near if base else 0.0, near if platform else 0.0))
    return tuple(found)


@lru_cache(maxsize=32)
def distance_program(pairs: tuple[Pair, ...], count: int) -> Program:
    """points (count, 3) -> squares of the distances between the axes of the parts of each pair (pairs,) [m^2]."""

    def equations(points: Vector) -> Vector:
        found = []
        for pair in pairs:
            first = _trimmed(points[pair.first.first], points[pair.first.last], pair)
            second = _trimmed(points[pair.second.first], points[pair.second.last], pair)
            found.append(segments_squared(*first, *second))
        return found

    return Program(record(equations, points=(count, 3)))


def segments_squared(a: Vector, b: Vector, c: Vector, d: Vector) -> Vector:
    """Squared distance of the segments from a to b and from c to d, each (3,).

    The nearest points are inside both segments, or one of them is an end: the least of five distances.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    det = uu * vv - uv * uv
    apart = det > PARALLEL * uu * vv
    scale = 1.0 / where(apart, det, 1.0)
    s, t = (uv * vw - vv * uw) * scale, (uu * vw - uv * uw) * scale
    gap = w + s * u - t * v
    inside = apart & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    least = where(inside, dot(gap, gap), np.inf)
    for point, begin, end in ((a, c, d), (b, c, d), (c, a, b), (d, a, b)):
        least = minimum(least, _point_squared(point, begin, end))
    return least


def _point_squared(p: Vector, a: Vector, b: Vector) -> Vector:
    u = b - a
    s = minimum(maximum(dot(p - a, u) / maximum(dot(u, u), 1e-300), 0.0), 1.0)
    gap = p - a - s * u
    return dot(gap, gap)


def _trimmed(a: Vector, b: Vector, pair: Pair) -> tuple[Vector, Vector]:
    if not (pair.at_base or pair.at_platform):
        return a, b
    length = norm(b - a)
    n = (b - a) / maximum(length, 1e-300)
    begin, end = minimum(pair.at_base, 0.5 * length), minimum(pair.at_platform, 0.5 * length)
    return a + begin * n, b - end * n


def _ends(a: Segment, b: Segment) -> tuple[tuple[int, int], tuple[int, int]]:
    return (a.first, b.first), (a.last, b.last)


def _fixed(robot: Robot, segment: Segment) -> bool:
    """Whether the part's first point stands still in the base."""
    return robot.legs[segment.leg].joints[0].kind == "R"
