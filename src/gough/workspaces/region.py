"""Where the platform can be at one orientation: its margins by the sliding coordinates, and a grid of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import ndimage

from gough.errors import InputError
from gough.graph import Array, Vector, array, jacobian, record
from gough.kinematics.pose import platform_pose
from gough.kinematics.robot_pose import RobotPose, robot_pose
from gough.robot import Mechanism, by_mechanism
from gough.run import Program
from gough.workspaces.conditions import Conditions
from gough.workspaces.enclosures import MarginEnclosure
from gough.workspaces.margins import Limit, least_of, margin_equations
from gough.workspaces.travel import FAR, along_coordinates, frame_points, machine_size, outside_line, search_range

COARSE = 24
"""Cells along the longest side of the grid that finds the region's extent."""
BETWEEN = (0.5, 0.25, 0.75)
"""Places between two nodes, of their distance, that must be inside where they are joined."""
TAILS = 8
"""How often a grid is made wider where the region reaches its faces."""


class Region:
    """Poses of one orientation: sliding coordinates u (d,), all others as at x.

    Attributes:
        robot, conditions: Whose, under which.
        x: (n,) the pose from which it is told.
        places: Of the sliding coordinates.
        limits: What the margins are of.
    """

    def __init__(self, robot: Mechanism, conditions: Conditions, x: Array) -> None:
        """The region around x.

        Raises:
            InputError: No coordinate slides.
        """
        self.robot, self.conditions, self.x = robot, conditions, np.asarray(x, dtype=float)
        self.places = [k for k, c in enumerate(robot.platform.coordinates) if not c.turns]
        self.limits: tuple[Limit, ...] = ()
        if not self.places:
            raise InputError(f"workspace of {robot.name}: no coordinate slides, so it has no volume; see its travel")
        self._equations = margin_equations(robot, conditions)
        self._graph = record(self._margins, u=self.dimension)

    @property
    def dimension(self) -> int:
        """Number of sliding coordinates."""
        return len(self.places)

    @property
    def start(self) -> Array:
        """(d,) the sliding coordinates of x."""
        return self.x[self.places]

    def coordinates(self, u: Array) -> Array:
        """(N, n) platform coordinates at u (N, d)."""
        found = np.tile(self.x, (len(u), 1))
        found[:, self.places] = u
        return found

    @cached_property
    def walls(self) -> Array:
        """(d, 2) least and largest sliding coordinates that a box allows; infinite where there is none."""
        stated = {name: ends for name, *ends in self.conditions.box if "box" in self.conditions.kinds}
        names = self.robot.coordinate_names
        return np.array([stated.get(names[k], [-np.inf, np.inf]) for k in self.places])

    def along_slides(self, tool: Sequence[float]) -> Array:
        """(d,) from the platform's origin to a point (3,) of it at this orientation, along the sliding coordinates."""
        return along_coordinates(self._equations, self.x, tool)[self.places]

    def _placed(self, u: Vector) -> Vector:
        """Recorded: platform coordinates (n,) at u (d,)."""
        x: list[Any] = self.x.tolist()
        for place, value in zip(self.places, u, strict=True):
            x[place] = value
        return array(x)

    def pose(self, u: Vector) -> RobotPose:
        """Recorded: the robot at u (d,), with free rates."""
        return robot_pose(self.robot, self._equations.ways, self._placed(u)).free()

    def _margins(self, u: Vector) -> Vector:
        named = self._equations(self.pose(u))
        self.limits = tuple(limit for limit, _ in named)
        return array([margin for _, margin in named])

    @cached_property
    def least(self) -> Program:
        """u -> the least margin."""
        return Program(record(lambda u: least_of(self._graph(u=u)["out"]), u=self.dimension))

    @cached_property
    def _values(self) -> Program:
        return Program(self._graph)

    @cached_property
    def slopes(self) -> Program:
        """u -> margins m (k,) and their derivatives J (k, d)."""

        def equations(u: Vector) -> dict[str, Vector]:
            m = self._graph(u=u)["out"]
            return {"m": m, "J": jacobian(m, u, "forward")}

        return Program(record(equations, u=self.dimension))

    @cached_property
    def enclosure(self) -> MarginEnclosure:
        """Forms of the margins over boxes of u."""
        return MarginEnclosure(self._equations, self.pose, self._placed, self.dimension, range(self.dimension))

    def margins(self, u: Array) -> Array:
        """(N, k) at u (N, d); below zero where they are not numbers."""
        found = np.asarray(self._values(u=u))
        return np.where(np.isnan(found), -1.0, found)

    def inside(self, u: Array) -> NDArray[np.bool_]:
        """(N,) whether all margins are positive at u (N, d)."""
        return np.asarray(self.least(u=np.ascontiguousarray(u))) > 0.0

    def check_start(self) -> None:
        """Refuse a start outside the limits.

        Raises:
            InputError: With the limits that are violated.
        """
        margins = self.margins(self.start[None])[0]
        out = [limit for limit, margin in zip(self.limits, margins, strict=True) if not margin > 0.0]
        if out:
            raise InputError(outside_line(self.robot, self.x, out))


@dataclass(frozen=True)
class Grid:
    """Nodes of a region, and which of them hang together with its start.

    Attributes:
        origin, step: (d,) and the distance of nodes [m].
        own: Whether each node is inside and joined to the start by nodes that are.
        components: How many sets of joined nodes are inside.
        others: Nodes inside that are not joined to the start.
    """

    origin: Array
    step: float
    own: NDArray[np.bool_]
    components: int
    others: int

    @property
    def cells(self) -> int:
        """Along the longest side."""
        return int(max(self.own.shape)) - 1

    def nodes(self, index: ArrayLike) -> Array:
        """(N, d) places of nodes by their indices (N, d)."""
        return self.origin + np.asarray(index) * self.step

    @property
    def box(self) -> Array:
        """(d, 2) ends."""
        return np.stack([self.origin, self.origin + (np.array(self.own.shape) - 1) * self.step], axis=1)


def grid_of(region: Region, cells: int) -> Grid:
    """A grid of so many cells along the longest side of the part of the region that is joined to its start.

    Raises:
        InputError: The start is outside, or no limit bounds the region.
    """
    region.check_start()
    far = search_range(region.robot)
    low: Any = np.full(region.dimension, 0.05 * FAR * machine_size(region.robot))
    high: Any = low
    while True:
        coarse = _labelled(region, low, high, COARSE)
        first, last = _ends(coarse)
        touches_low, touches_high = first <= 0, last >= np.array(coarse.own.shape) - 1
        if not (touches_low.any() or touches_high.any()):
            break
        if (touches_low & (low >= far)).any() or (touches_high & (high >= far)).any():
            raise InputError(_open_line(region, far, touches_low & (low >= far), touches_high & (high >= far)))
        low = np.where(touches_low, np.minimum(1.5 * low, far), low)
        high = np.where(touches_high, np.minimum(1.5 * high, far), high)
    for share in (1.5, 1.0):
        start = np.rint((region.start - coarse.origin) / coarse.step)
        low, high = (start - first + share) * coarse.step, (last - start + share) * coarse.step
        coarse = _labelled(region, low, high, cells if share == 1.0 else 2 * COARSE)
        first, last = _ends(coarse)
    # Finer nodes may see thin tails that reach farther.
    for _ in range(TAILS):
        low_too, high_too = first <= 0, last >= np.array(coarse.own.shape) - 1
        if not (low_too.any() or high_too.any()):
            break
        more = 0.08 * (low + high)
        low, high = np.where(low_too, low + more, low), np.where(high_too, high + more, high)
        coarse = _labelled(region, low, high, cells)
        first, last = _ends(coarse)
    return coarse


def _open_line(region: Region, far: float, low: Array, high: Array) -> str:
    """The line for a region that is open towards low or high (d,) ends of its coordinates: what was searched, a box."""
    robot = region.robot
    columns = platform_pose(robot.platform, region.x).columns
    points = frame_points(robot) - np.array(robot.platform.position, dtype=float)
    ways, box = [], []
    for k, place in enumerate(region.places):
        name, along = robot.coordinate_names[place], points @ np.array(columns[place][0], dtype=float)
        ways += [f"{sign}{name}" for sign, is_open in (("-", low[k]), ("+", high[k])) if is_open]
        # The room is the machine's own, and holds the pose.
        first, last = min(along.min(), region.x[place] - 0.05 * far), max(along.max(), region.x[place] + 0.05 * far)
        if low[k] or high[k]:
            box.append(f"{name}={f'{first:.3g}' if low[k] else ''}:{f'{last:.3g}' if high[k] else ''}")
    strokes = ", strokes of the actuators included," if "stroke" in region.conditions.kinds else ""
    return (
        f"workspace of {robot.name}: no limit ends it{strokes} within {far:.4g} m of the pose towards "
        f"{', '.join(ways)}; state the room, e.g. --box {','.join(box)}, or other limits"
    )


def _labelled(region: Region, low: Array, high: Array, cells: int) -> Grid:
    """The grid from so far below the start to so far above it; the start is a node."""
    step = float((low + high).max()) / cells
    before, after = np.ceil(low / step).astype(int), np.ceil(high / step).astype(int)
    origin = region.start - before * step
    shape = tuple((before + after + 1).tolist())
    axes = [origin[k] + np.arange(shape[k]) * step for k in range(region.dimension)]
    nodes = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    inside = region.inside(nodes).reshape(shape)
    labels, count = _joined(region, origin, step, inside)
    own = labels == labels[tuple(before)] if inside[tuple(before)] else np.zeros(shape, dtype=bool)
    own &= inside
    return Grid(origin, step, own, int(count), int(inside.sum() - own.sum()))


def _joined(region: Region, origin: Array, step: float, inside: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int]:
    """Which nodes hang together, by number, and how many such sets there are.

    Neighbours do so if what is between them is inside too, looked at where the boundary is near: at a pinch, where two
    limits or two parts of det K = 0 meet, they do not.
    """
    d = inside.ndim
    near = inside & ndimage.binary_dilation(~inside)
    twice = np.zeros([2 * n - 1 for n in inside.shape], dtype=bool)
    twice[(slice(None, None, 2),) * d] = inside
    for axis in range(d):
        before, after = (
            tuple(part if k == axis else slice(None) for k in range(d)) for part in (slice(None, -1), slice(1, None))
        )
        both = inside[before] & inside[after]
        doubtful = np.argwhere(both & (near[before] | near[after]))
        along = step * np.eye(d)[axis]
        for share in BETWEEN:
            kept = region.inside(origin + doubtful * step + share * along) if len(doubtful) else np.ones(0, dtype=bool)
            both[tuple(doubtful[~kept].T)] = False
            doubtful = doubtful[kept]
        twice[tuple(slice(1, None, 2) if k == axis else slice(None, None, 2) for k in range(d))] = both
    labels, count = ndimage.label(twice)
    return labels[(slice(None, None, 2),) * d], int(count)


def _ends(grid: Grid) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and last index of own nodes along each axis."""
    found = np.argwhere(grid.own)
    return found.min(axis=0), found.max(axis=0)


@by_mechanism(16)
def _region(robot: Mechanism, conditions: Conditions, x: tuple[float, ...]) -> Region:
    return Region(robot, conditions, np.array(x))


def region_of(robot: Mechanism, conditions: Conditions, x: Array) -> Region:
    """The region around x, its programs compiled once."""
    return _region(robot, conditions, tuple(np.asarray(x, dtype=float).tolist()))
