"""Margins over boxes of poses: what is proved inside, what is proved outside.

The distance of two straight parts is bounded without asking where their nearest points are. With s, t the places on
them, and m the direction from one to the other, that are nearest in the middle of the box, and for every pose of it,

    m.(a + s u - c - t v) - max(s m.u, (s - 1) m.u) - max(-t m.v, (1 - t) m.v)  <=  distance  <=  |a + s u - c - t v|

for the parts from a along u and from c along v: on the left all of one part is on one side of a gap, all of the other
on its other side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gough.analysis.leg_distances import trimmed
from gough.graph import Array, Scalar, Vector, array, dot, maximum, record
from gough.kinematics.robot_pose import RobotPose
from gough.run import Program
from gough.run.affine_forms import Enclosure
from gough.workspaces.followed import FollowedEnclosure, enclosure_of
from gough.workspaces.margins import MarginEquations

AIM = 5
"""Numbers per pair: m, s, t."""


class MarginEnclosure:
    """Forms of all margins over boxes of poses: lower ones and upper ones, which differ for distances only.

    A box is inside where all lower forms are positive, outside where an upper one is negative.
    """

    def __init__(
        self,
        equations: MarginEquations,
        pose: Callable[[Any], RobotPose],
        coordinates: Callable[[Any], Vector],
        inputs: int,
        wide: Sequence[int],
    ) -> None:
        """Of the pose that so many inputs make, of which those at the places `wide` vary.

        Args:
            equations: The margins.
            pose: Inputs -> the robot, with free rates.
            coordinates: Inputs -> x (n,), asked for where some depend on others.
            inputs: How many.
            wide: Places of those that vary.
        """
        self._equations, self._pose, self._coordinates = equations, pose, coordinates
        self._inputs, self._wide = inputs, tuple(wide)

    def __call__(self, centre: Array, radius: Array) -> tuple[Array, Array]:
        """(d + 2, m, B) lower and upper forms.

        Args:
            centre: (B, inputs) middles of the boxes.
            radius: (B, d) half-widths of the inputs that vary.

        Raises:
            InputError: The robot's equations have an operation without enclosure.
        """
        if self._equations.pairs:
            centre = np.hstack([centre, self._aims(centre)])
        found = self._forms(centre, radius)
        return found["lower"], found["upper"]

    @cached_property
    def _forms(self) -> FollowedEnclosure | Enclosure:
        own, pairs, first = self._equations, self._equations.pairs, self._inputs

        def margins(pose: RobotPose, v: Vector) -> dict[str, Vector]:
            aim = v[first:]
            kept = [margin for _, margin in own(pose, distances=False)]
            points = own.points(pose) if pairs else []
            ends = [(*trimmed(pair, points), aim[AIM * k : AIM * (k + 1)]) for k, pair in enumerate(pairs)]
            sizes = [pair.radii + own.least_distance for pair in pairs]
            lower = [apart(*each) - size for each, size in zip(ends, sizes, strict=True)]
            upper = [between(*each) - size * size for each, size in zip(ends, sizes, strict=True)]
            return {"lower": array([*kept, *lower]), "upper": array([*kept, *upper])}

        def pose(v: Vector) -> RobotPose:
            return self._pose(v[:first])

        def coordinates(v: Vector) -> Vector:
            return self._coordinates(v[:first])

        count = first + AIM * len(pairs)
        return enclosure_of(own.robot, own.ways, pose, coordinates, margins, count, self._wide)

    @cached_property
    def _ends(self) -> Program:
        pairs = self._equations.pairs

        def ends(u: Vector) -> Vector:
            points = self._equations.points(self._pose(u))
            return array([trimmed(pair, points) for pair in pairs])

        return Program(record(ends, u=self._inputs))

    def _aims(self, centre: Array) -> Array:
        """(B, 5 pairs) m, s, t of each pair in the middles of boxes; what they are decides how tight, not whether."""
        a, b, c, d = np.moveaxis(self._ends(u=centre), 2, 0)
        s, t = nearest_places(a, b, c, d)
        gap = a + s[..., None] * (b - a) - c - t[..., None] * (d - c)
        with np.errstate(all="ignore"):
            m = np.nan_to_num(gap / np.linalg.norm(gap, axis=-1, keepdims=True))
        return np.concatenate([m, s[..., None], t[..., None]], axis=-1).reshape(len(centre), -1)


def apart(a: Vector, b: Vector, c: Vector, d: Vector, aim: Vector) -> Scalar:
    """How far the part from a to b is beyond that from c to d along m, if |m| is 1."""
    m, s, t = aim[:3], aim[3], aim[4]
    u, v = b - a, d - c
    h, k = dot(m, u), dot(m, v)
    gap = dot(m, a - c + u * s - v * t)
    return gap - maximum(h * s, h * (s - 1.0)) - maximum(-(k * t), k * (1.0 - t))


def between(a: Vector, b: Vector, c: Vector, d: Vector, aim: Vector) -> Scalar:
    """Squared distance between the points at s and t."""
    gap = a - c + (b - a) * aim[3] - (d - c) * aim[4]
    return dot(gap, gap)


def nearest_places(a: Array, b: Array, c: Array, d: Array) -> tuple[Array, Array]:
    """Where segments (..., 3) from a to b and from c to d are nearest, as shares of their lengths.

    Ericson, Real-Time Collision Detection (2005), 5.1.9.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = (np.sum(x * y, axis=-1) for x, y in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    det = uu * vv - uv * uv
    with np.errstate(all="ignore"):
        s = np.where(det > 1e-12 * uu * vv, np.clip((uv * vw - vv * uw) / det, 0.0, 1.0), 0.5)
        t = np.clip((uv * s + vw) / vv, 0.0, 1.0)
        s = np.clip((uv * t - uw) / uu, 0.0, 1.0)
    return np.nan_to_num(s), np.nan_to_num(t)
