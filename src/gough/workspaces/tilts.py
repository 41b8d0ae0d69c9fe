"""How far the platform tilts in every direction, and the positions at which it can.

A tilt is one turn, of the tilt's angle, about an axis in the base's x-y plane through the tool; its azimuth is the
direction the platform's normal leans to, from x towards y. Torsion is zero. A head with two turning coordinates leans
by these, with other coordinates held: its dependent coordinates follow, torsion too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, Vector, record
from gough.kinematics.pose import platform_pose
from gough.robot import Mechanism
from gough.robot.rotation import about
from gough.run import Program
from gough.workspaces.conditions import Conditions
from gough.workspaces.inscribed import Inscribed
from gough.workspaces.leaning import LeanTracer, lean_rays, lean_tracer, leans, leant_to
from gough.workspaces.margins import Limit, least_of
from gough.workspaces.rays import RayTracer, posed, ray_tracer, turning
from gough.workspaces.region import Grid, Region
from gough.workspaces.travel import pose_of

AZIMUTHS = 360
TURNS = 24
"""Directions of the tilts of which sets of positions are told."""


@dataclass(frozen=True)
class Tilts:
    """The largest tilt in every direction.

    Attributes:
        azimuth: (N,) directions [rad].
        tilt: (N,) how far the platform tilts there [rad].
        limits: (N) what ends it.
        least: The largest tilt that is possible in every direction [rad].
        least_at: In which direction it is least [rad].
        least_limits: What ends it there.
        head: Whether two coordinates lean the platform and others follow.
    """

    __repr__ = brief

    azimuth: Array
    tilt: Array
    limits: tuple[tuple[Limit, ...], ...]
    least: float
    least_at: float
    least_limits: tuple[Limit, ...]
    head: bool = False


def check_tilts(robot: Mechanism, tracer: RayTracer, what: str = "a tilt in every direction takes") -> None:
    """Refuse robots that do not turn in every direction; `what` takes three coordinates.

    Raises:
        InputError: In one line that says why.
    """
    turns = sum(c.turns for c in robot.platform.coordinates)
    if turns != 3:
        why = f"{turns} of its coordinates turn, {what} three"
        angles = [c.name for c in robot.platform.coordinates if c.turns]
        drawn = f"gough singularities ROBOT --slice FILE.png --plane {','.join(angles)} draws how far it tilts"
        raise InputError(f"tilt of {robot.name}: {why}; see its travel{f', or: {drawn}' if turns == 2 else ''}")
    if not tracer.free:
        raise InputError(f"tilt of {robot.name}: its legs are closed by iteration, from home alone; see its travel")


def tilts(robot: Mechanism, conditions: Conditions, x: Array, tool: Array, count: int = AZIMUTHS) -> Tilts:
    """The largest tilt at the pose x about the tool (3,), in so many directions and in that where it is least.

    Raises:
        InputError: A robot that does not turn in every direction.
    """
    head = leans(robot.platform)
    tracer = lean_tracer(robot, conditions) if head else ray_tracer(robot, conditions)
    if not head:
        check_tilts(robot, tracer)
    p, R = pose_of(robot, x)

    def ends(azimuth: Array) -> tuple[Array, list[tuple[Limit, ...]]]:
        rays = lean_rays(robot, x, azimuth) if head else turning(p, R, tool, _axes(azimuth), np.pi)
        found = tracer.trace(rays, dips=tracer.thin)
        return found.t, [tuple(tracer.limits[k] for k in own) for own in found.limits]

    azimuth = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    tilt, limits = ends(azimuth)
    middles, spread = azimuth[np.argsort(tilt)[:6]], 2.0 * np.pi / count
    for _ in range(30):
        around = (middles[:, None] + spread * np.linspace(-1.0, 1.0, 7)).ravel()
        value, met = ends(around)
        middles = around[value.reshape(-1, 7).argmin(axis=1) + 7 * np.arange(len(middles))]
        spread *= 0.5
    best = int(value.argmin())
    at = float(around[best] % (2.0 * np.pi))
    if isinstance(tracer, LeanTracer):
        azimuth = leant_to(robot, tracer, lean_rays(robot, x, azimuth), tilt)
        (at,) = leant_to(robot, tracer, lean_rays(robot, x, around[best : best + 1]), value[best : best + 1]).tolist()
        order = np.argsort(azimuth)
        azimuth, tilt, limits = azimuth[order], tilt[order], [limits[k] for k in order]
    return Tilts(azimuth, tilt, tuple(limits), float(value[best]), at, met[best], head)


def _axes(azimuth: Array) -> Array:
    """(N, 3) axes about which the platform leans to directions (N,)."""
    return np.stack([-np.sin(azimuth), np.cos(azimuth), np.zeros(len(azimuth))], axis=1)


@dataclass(frozen=True)
class TiltSets:
    """Measures of sets of positions of the tool, at a grid; each is a sample of orientations, which are stated.

    Attributes:
        angle: The tilt [rad].
        azimuths: Directions that were looked at, at the angle, half of it and none.
        reachable: Positions with some orientation within the angle of that at the start [m^d]: an inner estimate.
        every: Positions with all of them: every direction can be tilted to [m^d]: an outer estimate.
        given: Positions with every direction tilted to by the angle itself [m^d]: an outer estimate.
        upright: Positions at the orientation of the start [m^d].
        cells: Of the grid, along its longest side.
        shapes: The largest ones about the pose in which every orientation is possible: outer estimates; none where
            the pose itself has not all of them.
    """

    __repr__ = brief

    angle: float
    azimuths: int
    reachable: float
    every: float
    given: float
    upright: float
    cells: int
    shapes: tuple[Inscribed, ...] = ()


def tilted(angle: float, azimuths: int = TURNS) -> list[Array]:
    """Turns (3, 3), base axes: none, then by half an angle and by the angle to so many directions."""
    return [np.eye(3)] + [
        np.array(about(axis, a))
        for a in (0.5 * angle, angle)
        for axis in _axes(np.linspace(0.0, 2.0 * np.pi, azimuths, endpoint=False))
    ]


def tilt_sets(region: Region, grid: Grid, angle: float, tool: Array, azimuths: int = TURNS) -> TiltSets:
    """Where the tool can be with some, and with all orientations tilted by up to an angle.

    Positions are nodes of the grid, made wider by a half; sets of them are joined to the start.

    Raises:
        InputError: A robot that does not turn in every direction.
    """
    robot = region.robot
    tracer = ray_tracer(robot, region.conditions)
    check_tilts(robot, tracer, "volumes by tilt take")
    p0, R0 = pose_of(robot, region.x)
    columns = platform_pose(robot.platform, region.x).columns
    axes = np.array([columns[k][0] for k in region.places], dtype=float)
    wide = np.array(grid.own.shape) // 4
    shape = tuple((np.array(grid.own.shape) + 2 * wide).tolist())
    index = np.stack([k.ravel() for k in np.indices(shape)], axis=1) - wide
    places = p0 + (grid.nodes(index) - region.start) @ axes
    program = least_program(tracer)
    some, every = np.zeros(len(places), dtype=bool), np.ones(len(places), dtype=bool)
    upright, given = some, every
    for k, turn in enumerate(tilted(angle, azimuths)):
        R = turn @ R0
        at = places + (R0 - R) @ np.asarray(tool)
        inside = np.asarray(program(p=at, R=np.tile(R, (len(at), 1, 1)))) > 0.0
        some, every = some | inside, every & inside
        upright = inside if k == 0 else upright
        given = given & inside if k > azimuths else given
    home = tuple((wide + np.rint((region.start - grid.origin) / grid.step).astype(int)).tolist())
    cell = grid.step**region.dimension
    parts = {"reachable": some, "every": every, "given": given, "upright": upright}
    sums = {name: _joined(part.reshape(shape), home) * cell for name, part in parts.items()}
    return TiltSets(angle, azimuths, sums["reachable"], sums["every"], sums["given"], sums["upright"], grid.cells)


def _joined(inside: Array, at: tuple[int, ...]) -> float:
    """How many nodes inside are joined to one of them."""
    labels, _ = ndimage.label(inside)
    return float((labels == labels[at]).sum()) if inside[at] else 0.0


def least_program(tracer: RayTracer) -> Program:
    """From p and R of the platform to its least margin."""

    def least(p: Vector, R: Vector) -> Vector:
        return least_of([margin for _, margin in tracer.equations(posed(tracer.equations, p, R))])

    return Program(record(least, p=3, R=(3, 3)))
