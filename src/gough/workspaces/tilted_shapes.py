"""The largest cube, box, cylinder or sphere of positions of the tool at each of which the platform tilts to all sides.

Rays from the middle are followed at every orientation of a sample, and the first that ends counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.graph import Array
from gough.kinematics.pose import platform_pose
from gough.workspaces.inscribed import Inscribed, largest
from gough.workspaces.margins import Limit
from gough.workspaces.rays import ray_tracer, sliding
from gough.workspaces.region import Region
from gough.workspaces.tilts import check_tilts, least_program, tilted
from gough.workspaces.travel import FAR, machine_size, pose_of

BLOCK = 128
"""Directions at a time, each at all orientations."""
ROUNDS = 20
"""Of the search for the direction that ends first: each takes the directions of all orientations."""


def tilted_shapes(
    region: Region,
    angle: float,
    tool: Array,
    shapes: Sequence[str],
    aspect: Sequence[float] | None = None,
    height: float = 1.0,
) -> tuple[Inscribed, ...]:
    """The largest shapes about the pose with every tilt up to an angle; none where the pose itself has not all of them.

    Raises:
        InputError: A robot that does not turn in every direction.
    """
    ends = TiltedEnds(region, angle, tool)
    if not ends.inside:
        return ()
    return tuple(largest(region, shape, aspect, height, ends=ends, rounds=ROUNDS) for shape in shapes)


class TiltedEnds:
    """Where rays of the tool from the region's start end, at the first of all tilts up to an angle."""

    def __init__(self, region: Region, angle: float, tool: Array) -> None:
        """At the orientations of `tilted`."""
        robot = region.robot
        self._tracer = ray_tracer(robot, region.conditions)
        check_tilts(robot, self._tracer, "volumes by tilt take")
        p, R = pose_of(robot, region.x)
        self._R = np.array([turn @ R for turn in tilted(angle)])
        self._p = p + (R - self._R) @ np.asarray(tool, dtype=float)
        columns = platform_pose(robot.platform, region.x).columns
        self._axes = np.array([columns[k][0] for k in region.places], dtype=float)
        self._far = FAR * machine_size(robot)
        self._known: dict[bytes, tuple[float, tuple[Limit, ...]]] = {}

    @property
    def inside(self) -> bool:
        """Whether the start itself can be tilted to all sides."""
        return bool((np.asarray(least_program(self._tracer)(p=self._p, R=self._R)) > 0.0).all())

    def __call__(self, directions: Array) -> tuple[Array, list[tuple[Limit, ...]]]:
        """(N,) lengths and the limits met, for unit directions (N, d)."""
        # Shapes have most of their directions in common.
        keys = [row.tobytes() for row in directions]
        new = [k for k, key in enumerate(keys) if key not in self._known]
        for begin in range(0, len(new), BLOCK):
            rows = new[begin : begin + BLOCK]
            t, limits = self._ends(directions[rows])
            self._known |= {keys[k]: (float(t[i]), limits[i]) for i, k in enumerate(rows)}
        found = [self._known[key] for key in keys]
        return np.array([t for t, _ in found]), [limits for _, limits in found]

    def _ends(self, directions: Array) -> tuple[Array, list[tuple[Limit, ...]]]:
        count, turns = len(directions), len(self._R)
        p, R = np.tile(self._p, (count, 1)), np.tile(self._R, (count, 1, 1))
        found = self._tracer.trace(sliding(p, R, np.repeat(directions @ self._axes, turns, axis=0), self._far))
        first = found.t.reshape(count, turns).argmin(axis=1) + turns * np.arange(count)
        return found.t[first], [tuple(self._tracer.limits[k] for k in found.limits[row]) for row in first]
