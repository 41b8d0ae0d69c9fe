"""Distances between straight parts of legs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from gough.analyse.shape import Segment, Shape
from gough.robot import Robot

NEAR = 5.0
"""Legs that share a joint are not checked against each other within so many times the sum of their radii of it."""


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


def pairs_of(robot: Robot, shape: Shape) -> list[Pair]:
    """All pairs of parts of different legs, those that share a joint shortened there."""
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
    return found


def squared_distances(pairs: list[Pair], points: Any) -> Any:
    """(N, pairs) squares of the distances between the axes of the parts [m^2]; points (N, p, 3)."""
    first = [_trimmed(points[:, pair.first.first], points[:, pair.first.last], pair) for pair in pairs]
    second = [_trimmed(points[:, pair.second.first], points[:, pair.second.last], pair) for pair in pairs]
    a, b = (np.stack(ends, axis=1) for ends in zip(*first, strict=True))
    c, d = (np.stack(ends, axis=1) for ends in zip(*second, strict=True))
    return segments_squared(a, b, c, d)


def segments_squared(a: Any, b: Any, c: Any, d: Any) -> Any:
    """(...) squared distances of the segments from a to b and from c to d, each (..., 3).

    The nearest points are inside both segments, or one of them is an end: the least of five distances.
    """
    found = [_point_squared(p, c, d) for p in (a, b)] + [_point_squared(p, a, b) for p in (c, d)]
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = _dot(u, u), _dot(u, v), _dot(v, v), _dot(u, w), _dot(v, w)
    det = uu * vv - uv * uv
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        gap = w + s[..., None] * u - t[..., None] * v
        inside = (det > 1e-14 * uu * vv) & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    return np.minimum(np.minimum.reduce(found), np.where(inside, _dot(gap, gap), np.inf))


def _point_squared(p: Any, a: Any, b: Any) -> Any:
    u = b - a
    s = np.clip(_dot(p - a, u) / np.maximum(_dot(u, u), 1e-300), 0.0, 1.0)
    gap = p - a - s[..., None] * u
    return _dot(gap, gap)


def _trimmed(a: Any, b: Any, pair: Pair) -> tuple[Any, Any]:
    if not (pair.at_base or pair.at_platform):
        return a, b
    length = np.linalg.norm(b - a, axis=-1, keepdims=True)
    n = (b - a) / np.maximum(length, 1e-300)
    begin = np.minimum(pair.at_base, 0.5 * length)
    end = np.minimum(pair.at_platform, 0.5 * length)
    return a + begin * n, b - end * n


def _ends(a: Segment, b: Segment) -> tuple[tuple[int, int], tuple[int, int]]:
    return (a.first, b.first), (a.last, b.last)


def _fixed(robot: Robot, segment: Segment) -> bool:
    """Whether the part's first point stands still in the base."""
    return robot.legs[segment.leg].joints[0].kind == "R"


def _dot(a: Any, b: Any) -> Any:
    return np.einsum("...i,...i->...", a, b)
