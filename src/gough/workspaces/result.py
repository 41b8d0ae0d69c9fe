"""A robot's workspace: where its platform can be, and what ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from gough.analysis.limits import LimitsLike
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.motion.conventions import OWN, Convention
from gough.motion.conventions import convention as convention_named
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Mechanism, Robot
from gough.table import Result, records
from gough.workspaces.allowance import SECONDS, Allowance
from gough.workspaces.anywhere import largest_anywhere
from gough.workspaces.conditions import Conditions, conditions_of
from gough.workspaces.coordinate_box import Box
from gough.workspaces.inscribed import SHAPES, Inscribed, largest
from gough.workspaces.region import Region, region_of
from gough.workspaces.solid_angle import SolidAngle, from_tilts, solid_angle
from gough.workspaces.tilted_shapes import tilted_shapes
from gough.workspaces.tilts import Tilts, TiltSets, tilt_sets, tilts
from gough.workspaces.travel import Travel, travels
from gough.workspaces.volume import CELLS, Volume, volume_of
from gough.workspaces.workspace_facts import limit_values, set_facts, shape_facts, tilt_facts, volume_facts


class Workspace(Result):
    """Where a robot's platform can be.

    Attributes:
        robot: Whose.
        conditions: What holds at every pose of it.
        x: (n,) the pose it is told from.
        convention: In which travel is stated.
        travel: How far each axis goes with the others at x.
        volume: The room at the orientation of x; None where it was not asked for, or no coordinate slides.
        shapes: The largest cube, cylinder and sphere of positions about x, and a box where its aspect was given.
        tilts: The largest tilt in every direction; None where neither three coordinates turn nor two of a head.
        sets: Positions that can be tilted, where an angle was stated.
        missing: Why, for each part that a robot has not.
        solid_angle: Of the directions in which the platform points; None where something slides.
        nearest_singularity: Inside, as `gough.singular.nearest_inside` tells it; None where it was not looked for.
        anywhere: The largest shapes with their middles anywhere, where that was asked for.
    """

    robot: Robot
    conditions: Conditions
    x: Array
    convention: Convention
    travel: tuple[Travel, ...] = records()
    volume: Volume | None = None
    shapes: tuple[Inscribed, ...] = ()
    tilts: Tilts | None = None
    sets: TiltSets | None = None
    missing: tuple[str, ...] = ()
    solid_angle: SolidAngle | None = None
    nearest_singularity: Mapping[str, Any] | None = None
    anywhere: tuple[Inscribed, ...] = ()

    INDEX, LAYOUT, UNDER = "axis", "rows", "travel"

    @property
    def point(self) -> tuple[float, float, float]:
        """(3,) point of the platform whose positions are told: the robot's tool [m]."""
        return self.robot.tool.position

    @property
    def point_name(self) -> str:
        """The word for it."""
        return "the tool" if any(self.point) else "the platform's origin"

    def facts(self) -> dict[str, Any]:
        """Facts that go with the travel of each axis: the question, volume, shapes, tilt, singularities."""
        return {
            "robot": self.robot.name,
            "pose": dict(zip(self.robot.coordinate_names, self.x.tolist(), strict=True)),
            "convention": self.convention.name,
            "tool": list(self.point),
            "turns_about": {row.axis: list(row.point) for row in self.travel if row.turns},
            "limits": list(self.conditions.kinds),
            "limit_values": limit_values(self.robot, self.conditions),
            "stated": self.conditions.values,
            "wrench": self.conditions.wrench,
            "twist": self.conditions.twist,
            "characteristic_length": characteristic_length(self.robot),
            **volume_facts(self.volume),
            "shapes": {shape.shape: shape_facts(shape, self.volume) for shape in self.shapes},
            "shapes_anywhere": {shape.shape: shape_facts(shape, self.volume) for shape in self.anywhere},
            "tilts": None if self.tilts is None else tilt_facts(self.tilts),
            "solid_angle": None if self.solid_angle is None else asdict(self.solid_angle),
            "tilt_sets": None if self.sets is None else set_facts(self.sets, self.volume),
            "nearest_singularity": None if self.nearest_singularity is None else dict(self.nearest_singularity),
            "missing": list(self.missing),
        }


def workspace(
    robot: Robot,
    pose: PoseLike = "home",
    limits: LimitsLike | None = None,
    *,
    only: Sequence[str] | None = None,
    wrench: Sequence[float] | None = None,
    twist: Sequence[float] | None = None,
    box: Box | None = None,
    convention: str | Convention | None = None,
    travel_only: bool = False,
    cells: int = CELLS,
    tilt: float | None = None,
    prove: bool = False,
    aspect: Sequence[float] | None = None,
    height: float = 1.0,
    anywhere: bool = False,
    seconds: float = SECONDS,
) -> Workspace:
    """A robot's workspace: travel of each axis, volume, largest shapes and tilt, with the limits that end them.

    Args:
        robot: Any; with a payload, forces are those with it. Positions are those of its tool, and it turns about that.
        pose: Where travel starts, and the orientation of volumes; home if left out.
        limits: In place of the robot's own, as of `check`: stroke, angle, distance, singular, condition, force, speed.
        only: Kinds of limits to look at: see `gough.workspaces.conditions.KINDS`; all that have one if left out.
        wrench: (6,) on the platform at the robot's tool, base axes: forces at rest count too [N, N m].
        twist: (6,) of the platform: actuator speeds count too [m/s, rad/s].
        box: Least and largest value of the robot's own coordinates by name, e.g. {"z": (0.0, 3.0)} [m or rad]; None
            where there is none. A room that ends what the machine itself does not.
        convention: In which axes are stated: robot, fixed-xyz or uvw.
        travel_only: Travel and nothing else.
        cells: Of the grid of the volume, along its longest side.
        tilt: An angle: where the platform can be with some, and with all tilts up to it [rad].
        prove: Prove what is found: that nothing ends travel before, bounds of the volume, sizes of shapes.
        aspect: (d,) sides of a box, of which only the ratios count: the largest such box is told too.
        height: Of the cylinder, per diameter.
        anywhere: Search the middles of shapes too, and tell how much larger one could be at most.
        seconds: Of processor time that proofs may take; what is not proved by then says so.

    Raises:
        InputError: A pose outside the limits, limits that cannot be, or a proof of equations without enclosures.
    """
    stated = convention_named(convention)
    x = np.array(parse_pose(robot, pose, convention=stated))
    conditions = conditions_of(robot, limits, only, wrench, twist, box)
    asked = Asked(aspect, height, anywhere)
    return workspace_at(robot, x, conditions, stated, travel_only, cells, tilt, prove, asked, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which shapes are asked for: see `workspace`."""

    aspect: Sequence[float] | None = None
    height: float = 1.0
    anywhere: bool = False


def workspace_at(
    robot: Robot,
    x: Array,
    conditions: Conditions,
    stated: Convention = OWN,
    travel_only: bool = False,
    cells: int = CELLS,
    tilt: float | None = None,
    prove: bool = False,
    asked: Asked | None = None,
    progress: Callable[[str], None] = lambda step: None,
    seconds: float = SECONDS,
) -> Workspace:
    """The workspace told from platform coordinates x (n,), under conditions; see `workspace`. `progress` gets steps."""
    asked = asked or Asked()
    if not 0.0 < seconds < np.inf:
        raise InputError(f"seconds {seconds:g}: must be a positive number, the processor time that proofs may take")
    allowed = Allowance.of(seconds)
    doing = "proving" if prove else "finding"
    if not 8 <= cells <= 512:
        raise InputError(f"cells {cells}: must be a whole number from 8 to 512")
    if tilt is not None and not 0.0 < tilt < np.pi:
        raise InputError(f"tilt {tilt:g}: must be an angle between 0 and pi")
    progress(f"{doing} the travel of each axis")
    ways = travels(robot, conditions, x, stated, prove, allowed if travel_only else allowed.part(0.25))
    if travel_only:
        return Workspace(robot, conditions, x, stated, ways)
    missing: list[str] = []
    volume, leaning, sets = None, None, None
    shapes: list[Inscribed] = []
    elsewhere: list[Inscribed] = []
    tool = np.array(robot.tool.position)
    try:
        region = region_of(robot, conditions, x)
        progress(f"{doing} the volume")
        volume = volume_of(region, cells, prove, allowed=allowed.part(0.6), progress=progress)
        volume = replace(volume, tool=region.along_slides(robot.tool.position))
        if region.dimension == 1 and stated == OWN:
            (row,) = (row for row in ways if not row.turns)
            volume = replace(volume, ends=(row.low, row.high))
        shapes, elsewhere = _shapes(volume, asked, prove, allowed, progress)
    except InputError as error:
        if not str(error).startswith("workspace of"):
            raise
        missing.append(str(error))
    progress("finding tilts")
    try:
        leaning = tilts(robot, conditions, x, tool)
        if tilt is not None and volume is not None:
            sets = tilt_sets(volume.region, volume.grid, tilt, tool)
            kinds, aspect = _kinds(volume.region, asked)
            if kinds:
                progress("finding the largest shapes with every tilt")
                own = tilted_shapes(volume.region, tilt, tool, kinds, aspect, asked.height)
                sets = replace(sets, shapes=own)
    except InputError as error:
        if tilt is not None:
            raise
        missing.append(str(error))
    poles = _solid_angle(robot, conditions, x, leaning)
    told = (ways, volume, tuple(shapes), leaning, sets, tuple(missing), poles)
    return Workspace(robot, conditions, x, stated, *told, anywhere=tuple(elsewhere))


def _solid_angle(robot: Mechanism, conditions: Conditions, x: Array, leaning: Tilts | None) -> SolidAngle | None:
    turning = [c.turns for c in robot.platform.coordinates]
    if not all(turning):
        return None
    if len(turning) == 2:
        return solid_angle(robot, conditions, x)
    return None if leaning is None else from_tilts(leaning)


def _shapes(
    volume: Volume, asked: Asked, prove: bool, allowed: Allowance, progress: Callable[[str], None]
) -> tuple[list[Inscribed], list[Inscribed]]:
    """The largest ones about the pose, cube, cylinder, sphere, and a box where its aspect is given; and anywhere."""
    region = volume.region
    kinds, aspect = _kinds(region, asked)
    found: list[Inscribed] = []
    elsewhere: list[Inscribed] = []
    for shape in kinds:
        part = allowed.part(1.0 / (len(kinds) - len(found)))
        progress(f"{'proving' if prove else 'finding'} the largest {shape}")
        about = part.part(0.5) if asked.anywhere else part
        found.append(largest(region, shape, aspect, asked.height, prove, allowed=about))
        if asked.anywhere:
            progress(f"searching the middle of the largest {shape}")
            elsewhere.append(largest_anywhere(volume, shape, aspect, asked.height, prove, part))
    return found, elsewhere


def _kinds(region: Region, asked: Asked) -> tuple[list[str], list[float] | None]:
    """Shapes to look for, and the half sides of a box; none on a line."""
    if region.dimension == 1:
        return [], None
    kinds = [shape for shape in SHAPES if shape != "cylinder" or region.dimension == 3]
    if asked.aspect is None:
        return kinds, None
    return [*kinds, "box"], _half_sides(region, asked.aspect)


def _half_sides(region: Region, aspect: Sequence[float]) -> list[float]:
    """Ratios of the sides, the largest 1.

    Raises:
        InputError: Not a positive number per sliding coordinate.
    """
    sides = np.asarray(aspect, dtype=float)
    if sides.shape != (region.dimension,) or not (np.isfinite(sides) & (sides > 0.0)).all():
        raise InputError(f"aspect: must be {region.dimension} positive numbers, one per sliding coordinate")
    return list((sides / sides.max()).tolist())
