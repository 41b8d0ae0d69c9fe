"""The file format: one strict model per kind of table. Each key of a file stands here or in `schema_parts`, once.

Units in brackets are those after conversion. B is the base, P the platform.
"""

from __future__ import annotations

from typing import Literal

from gough.robot import fields as f
from gough.robot.patterns import KEYS
from gough.robot.schema_parts import (
    ActuatorTable,
    BodyTable,
    GuideTable,
    MimicTable,
    MotorTable,
    OriginTable,
    RingTable,
    RodTable,
    Table,
    UnitsTable,
)

LEG_TYPES = tuple(KEYS)


class PatternTable(Table):
    """A leg of a known `type`, in `[legs]` for all or in a `[[leg]]` for one.

    `gough.robot.patterns` has the keys of each type. `branch`: which closed-form solution; `radius` for interference
    [m]; `cone`, `end_cone`: largest angle of the lower and the platform joint [rad]; `axes` of the universal joint in
    B at home; `hinge`, `platform_hinge`: directions in B at home; `spread`: half distance of parallelogram bars [m];
    `lower`, `upper` leg [m]; `actuator`, `guide`, `motor`; then the bodies.
    """

    type: Literal[LEG_TYPES] = "UPS"  # type: ignore[valid-type]
    branch: Literal[1, -1] = 1
    radius: f.Length = 0.0
    cone: f.Angle = 0.0
    end_cone: f.Angle = 0.0
    axes: f.Directions = f.EMPTY
    hinge: f.Direction = f.EMPTY
    platform_hinge: f.Direction = f.EMPTY
    spread: f.Length = 0.0
    lower: f.Length = 0.0
    upper: f.Length = 0.0
    actuator: ActuatorTable = ActuatorTable()
    guide: GuideTable = GuideTable()
    motor: MotorTable = MotorTable()
    crank: RodTable | None = None
    rod: RodTable | None = None
    slider: BodyTable = BodyTable()
    cross: BodyTable = BodyTable()
    cylinder: BodyTable = BodyTable()
    piston: BodyTable = BodyTable()
    crossbar: BodyTable = BodyTable()
    closing: BodyTable = BodyTable()
    link1: BodyTable = BodyTable()
    link2: BodyTable = BodyTable()
    link3: BodyTable = BodyTable()
    link4: BodyTable = BodyTable()
    link5: BodyTable = BodyTable()


class LegsTable(PatternTable):
    """`[legs]`: all legs at once, spread over two rings, or defaults of the `[[leg]]` tables."""

    count: int = 6
    names: list[f.Name] = f.EMPTY
    base: RingTable | None = None
    platform: RingTable | None = None


class JointTable(Table):
    """`[[leg.joint]]`: a joint and the body it moves.

    `axis` (unit), or the `axes` of U and S, in the joint's frame, which stands at `offset` [m], `rotation` in the frame
    of `parent`'s body (by default the joint before, "base" is leg frame 0). `mimic`, `actuated` and what follows as in
    `actuator`; `start` or `starts`: coordinates about home [m or rad]; `cone` [rad]. Pa only: `bar` from joint to joint
    and `spread` from the middle to the first bar (3,) [m], bodies of the `second` and the `closing` bar.
    """

    name: f.Name = ""
    type: Literal["R", "P", "U", "S", "C", "Pa"]
    axis: f.Axis = f.EMPTY
    axes: f.Axes = f.EMPTY
    offset: f.Point = f.EMPTY
    rotation: f.Rotation = None
    parent: f.Name = ""
    mimic: MimicTable | None = None
    actuated: bool = False
    zero: f.Travel = 0.0
    start: f.Travel = 0.0
    starts: f.Travels = f.EMPTY
    cone: f.Angle = 0.0
    stroke: f.Stroke = f.EMPTY
    speed: f.Speed = 0.0
    force: f.Effort = 0.0
    power: f.Power = 0.0
    viscous: f.Viscous = 0.0
    coulomb: f.Effort = 0.0
    rotor_inertia: f.Moment = 0.0
    gear: f.Gear = 1.0
    group: str = ""
    body: BodyTable = BodyTable()
    bar: f.Point = f.EMPTY
    spread: f.Point = f.EMPTY
    second: BodyTable = BodyTable()
    closing: BodyTable = BodyTable()


class EndTable(Table):
    """`[leg.end]`: how the leg meets the platform, "spherical" or "rigid", from the body of `joint` (by default the
    last).

    `point` [m] and `rotation` in that body, `platform_point` [m] and `platform_rotation` in P; `cone` [rad].
    """

    type: Literal["spherical", "rigid"]
    joint: f.Name = ""
    point: f.Point = f.EMPTY
    rotation: f.Rotation = None
    platform_point: f.Point = f.EMPTY
    platform_rotation: f.Rotation = None
    cone: f.Angle = 0.0


class LegTable(PatternTable):
    """`[[leg]]`: a leg of a known type from `base` [m] in B to `platform` [m] in P; or joint by joint from leg frame 0
    at `position` [m], `rotation` in B.
    """

    name: f.Name = ""
    base: f.Point = f.EMPTY
    platform: f.Point = f.EMPTY
    position: f.Point = f.EMPTY
    rotation: f.Rotation = None
    free_spin: bool = False
    joint: list[JointTable] = f.EMPTY
    end: EndTable | None = None


class PlatformTable(Table):
    """`[platform]`: the moving body and its coordinates.

    `coordinates`: name = motion, in order; x, y, z slide, rx, ry, rz turn about the already turned axes. `home`: a
    value per coordinate [m or rad]. `body`: its name. `mass` and so on as of any body, in P; `about` "origin" is P's.
    """

    coordinates: dict[f.Name, Literal["x", "y", "z", "rx", "ry", "rz"]]
    home: f.Home = f.EMPTY
    origin: OriginTable = OriginTable()
    body: f.BodyName = ""
    mass: f.Mass
    com: f.Point = f.EMPTY
    inertia: f.InertiaField = f.EMPTY
    about: f.About = "com"


class RobotTable(Table):
    """A whole file: `name`, one-line `description`, `gravity` in B [m/s^2], characteristic `length` [m], and the
    tables.
    """

    name: f.Name
    description: str = ""
    gravity: f.Acceleration = f.EMPTY
    length: f.Length = 0.0
    units: UnitsTable = UnitsTable()
    platform: PlatformTable
    legs: LegsTable | None = None
    leg: list[LegTable] = f.EMPTY
