"""Distances of straight parts of legs over boxes of poses.

They are bounded without asking where the nearest points are. With s, t the places on them, and m the direction from one
to the other, that are nearest in the middle of the box, and for every pose of it,

    m.(a + s u - c - t v) - max(s m.u, (s - 1) m.u) - max(-t m.v, (1 - t) m.v)  <=  distance  <=  |a + s u - c - t v|

for the parts from a along u and from c along v: on the left all of one part is on one side of a gap, all of the other
on its other side. Most pairs are so far apart that the left side in the middle, less the way of the ends from there, is
enough: forms are made of the others alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from gough.analysis.leg_distances import Pair, trimmed
from gough.graph import Array, Scalar, Vector, absolute, array, dot, maximum, minimum, record, sqrt
from gough.run import Program
from gough.run.affine_forms import Enclosure

AT_ONCE = 1 << 18
"""Pairs of boxes whose middles are looked at together."""
SHORTER = 1.0 - 2.0**-48
"""Of unit directions, so that rounding makes none longer than 1."""


class PairDistances:
    """Forms of the distances of pairs of parts, from those of the parts' ends."""

    def __init__(self, pairs: Sequence[Pair], least: float, dimension: int) -> None:
        """Of pairs whose surfaces must be `least` apart, over boxes of so many dimensions."""
        self._sizes, self._dimension = np.array([pair.radii + least for pair in pairs]), dimension
        places: dict[object, int] = {}
        self._sources: list[tuple[Pair, int]] = []
        rows = []
        for pair in pairs:
            row = []
            for k in range(4):
                part, cut = (pair.first, pair.second)[k // 2], (pair.at_base, pair.at_platform)
                key = (part.first, part.last, k % 2, *cut) if any(cut) else (part.first, part.last)[k % 2]
                if key not in places:
                    places[key] = len(places)
                    self._sources.append((pair, k))
                row.append(places[key])
            rows.append(row)
        self._places = np.array(rows, dtype=int).reshape(-1, 4)

    def ends(self, points: Vector) -> Vector:
        """Recorded: (E, 3) all different ends of parts, from the points of all legs."""
        return array([trimmed(pair, points)[k] for pair, k in self._sources])

    def forms(self, ends: Array) -> tuple[Array, Array]:
        """(d + 2, P, B) lower and upper forms, positive where parts are far enough apart.

        Args:
            ends: (d + 2, E, 3, B) forms of the ends.
        """
        boxes, pairs = ends.shape[-1], len(self._sizes)
        lower, upper = (np.zeros((len(ends), pairs, boxes)) for _ in range(2))
        lower[0], upper[0] = 1.0, 1.0
        parts = np.moveaxis(ends, -1, 0)
        step = max(1, AT_ONCE // pairs)
        for first in range(0, boxes, step):
            some = parts[first : first + step]
            box, pair, aim = self._near(some)
            if len(box):
                found = self._formed(some, box, pair, aim)
                lower[:, pair, first + box], upper[:, pair, first + box] = found["lower"], found["upper"]
        return lower, upper

    def _near(self, ends: Array) -> tuple[Array, Array, Array]:
        """Box, pair and aim (N, 5), m, s and t, of all that are not far enough apart at a glance."""
        boxes, pairs = len(ends), len(self._sizes)
        reach = np.linalg.norm(np.abs(ends[:, 1:]).sum(axis=1), axis=2) * (1.0 + 2.0**-46)
        corners = np.empty((boxes, pairs, 15))
        for k in range(4):
            corners[..., 3 * k : 3 * k + 3] = ends[:, 0, self._places[:, k]]
        for k in range(2):
            corners[..., 12 + k] = reach[:, self._places[:, 2 * k : 2 * k + 2]].max(axis=2)
        corners[..., 14] = self._sizes
        found = _glance()(v=corners.reshape(-1, 15))
        box, pair = np.divmod(np.flatnonzero(~(found["spare"] > 0.0)), pairs)
        aim = np.nan_to_num(found["aim"][box * pairs + pair])
        return box, pair, aim

    def _formed(self, ends: Array, box: Array, pair: Array, aim: Array) -> dict[str, Array]:
        """(d + 2, N) lower and upper forms of pairs of boxes."""
        d, count = self._dimension, len(box)
        # (N, d + 2, 12): the coordinates of all four ends.
        own = np.moveaxis(ends[box[:, None], :, self._places[pair]], 1, 2).reshape(count, d + 2, 12)
        sizes = self._sizes[pair][:, None]
        centre = np.hstack([np.zeros((count, d)), own[:, 0], aim, sizes])
        return self._forms(centre, np.zeros((count, d)), np.moveaxis(own[:, 1:-1], 1, 2), own[:, -1])

    @cached_property
    def _forms(self) -> Enclosure:
        d = self._dimension

        def both(v: Vector) -> dict[str, Scalar]:
            ends, aim, size = v[d : d + 12].reshape(4, 3), v[d + 12 : d + 17], v[d + 17]
            a, b, c, e = ends
            return {"lower": apart(a, b, c, e, aim) - size, "upper": between(a, b, c, e, aim) - size * size}

        return Enclosure(record(both, v=d + 18), range(d), range(d, d + 12))


@lru_cache(maxsize=1)
def _glance() -> Program:
    """Ends in the middle of a box (12,), how far those of each part go from there, and the least distance -> aim (5,):
    m, s and t, and how much more than the least distance is sure to be left all over the box.

    A sum of a, b, c and d times numbers up to 1 is off by less than 64 roundings, each of at most 2^-53 of their sizes.
    """

    def glance(v: Vector) -> dict[str, Vector]:
        a, b, c, d = v[:12].reshape(4, 3)
        s, t = nearest_places(a, b, c, d)
        gap = a - c + (b - a) * s - (d - c) * t
        m = gap * (SHORTER / sqrt(maximum(dot(gap, gap), 1e-300)))
        aim = array([*m, s, t])
        slip = 64.0 * 2.0**-53 * sum(absolute(value) for value in v[:14])
        return {"aim": aim, "spare": apart(a, b, c, d, aim) - v[12] - v[13] - v[14] - slip}

    return Program(record(glance, v=15))


def apart(a: Vector, b: Vector, c: Vector, d: Vector, aim: Vector) -> Scalar:
    """How far the part from a to b is beyond that from c to d along m, if |m| is at most 1."""
    m, s, t = aim[:3], aim[3], aim[4]
    u, v = b - a, d - c
    h, k = dot(m, u), dot(m, v)
    gap = dot(m, a - c + u * s - v * t)
    return gap - maximum(h * s, h * (s - 1.0)) - maximum(-(k * t), k * (1.0 - t))


def between(a: Vector, b: Vector, c: Vector, d: Vector, aim: Vector) -> Scalar:
    """Squared distance between the points at s and t."""
    gap = a - c + (b - a) * aim[3] - (d - c) * aim[4]
    return dot(gap, gap)


def nearest_places(a: Vector, b: Vector, c: Vector, d: Vector) -> tuple[Scalar, Scalar]:
    """Where parts (3,) from a to b and from c to d are nearest, as shares of their lengths: not more than an aim.

    Ericson, Real-Time Collision Detection (2005), 5.1.9.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    s = _within((uv * vw - vv * uw) / maximum(uu * vv - uv * uv, 1e-300))
    t = _within((uv * s + vw) / maximum(vv, 1e-300))
    return _within((uv * t - uw) / maximum(uu, 1e-300)), t


def _within(s: Scalar) -> Scalar:
    return minimum(maximum(s, 0.0), 1.0)
