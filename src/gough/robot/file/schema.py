"""The file format: one strict model per kind of table, each key once with its text; those of legs are in `leg_schema`.

`tools/robot_file_page.py` makes docs/robot_files.md of it: what follows "Default:" is said there in place of the value
that the model has. B is the base, P the platform; units are those of the field's quantity.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict

from gough.robot.file import fields as f
from gough.robot.file.fields import Table
from gough.robot.file.leg_schema import LegsTable, LegTable
from gough.robot.values import CRITERIA


class UnitsTable(Table):
    """`[units]`: of every number in the file; SI and radians unless stated, compound ones follow from the simple ones.

    Joint quantities follow too: with mm, N, s and deg a slider's speed is in mm/s, a crank's in deg/s, its torque in N
    mm unless `torque` is stated, viscous friction in N s/mm or N mm s/deg, the gear of a slider in deg/mm.
    """

    length: Annotated[str, f.unit_of("length")] = "m"
    """Of lengths and places."""
    angle: Annotated[str, f.unit_of("angle")] = "rad"
    """Of angles."""
    mass: Annotated[str, f.unit_of("mass")] = "kg"
    """Of masses."""
    time: Annotated[str, f.unit_of("time")] = "s"
    """Of times, also in speeds."""
    inertia: Annotated[str, f.unit_of("inertia")] = "kg m^2"
    """Of inertias. Default: from mass and length."""
    force: Annotated[str, f.unit_of("force")] = "N"
    """Of forces."""
    torque: Annotated[str, f.unit_of("torque")] = "N m"
    """Of torques. Default: from force and length."""
    acceleration: Annotated[str, f.unit_of("acceleration")] = "m/s^2"
    """Of gravity. Default: from length and time."""
    power: Annotated[str, f.unit_of("power")] = "W"
    """Of powers."""


class OriginTable(Table):
    """`origin` of the platform: a constant pose in B, before its coordinates."""

    position: f.Point = f.EMPTY
    """Of P in B with all coordinates 0. Default: 0."""
    rotation: f.Rotation = None
    """Of P against B. Default: none."""


class PlatformTable(Table):
    """`[platform]`: the moving body and its coordinates."""

    coordinates: dict[f.Name, Literal["x", "y", "z", "rx", "ry", "rz"]]
    """Name = motion, in order: x, y, z slide, rx, ry, rz turn, each about the already turned axes."""
    dependent: list[f.Name] = f.EMPTY
    """Those that follow the others, because the legs leave the platform no other motion. Default: none."""
    home: f.Home = f.EMPTY
    """A value per coordinate; of a dependent one about. Default: 0."""
    origin: OriginTable = OriginTable()
    """Where P is with all coordinates 0. Default: B."""
    body: f.BodyName = ""
    """Name of the body in reports. Default: platform."""
    mass: f.Mass
    """Its mass, with everything fixed to it."""
    com: f.Point = f.EMPTY
    """Centre of mass in P. Default: P's origin."""
    inertia: f.InertiaField = f.EMPTY
    """3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about: f.About = "com"
    """What the inertia is about: "com", "origin" of P, or a point."""


class ActuationTable(Table):
    """`[actuation]`: how forces are shared among more actuators than coordinates.

    "least-norm": the sum of weight (force - reference)^2 is least; "bounded": the same within all limits; "centre": in
    the middle of all limits.
    """

    criterion: Literal[CRITERIA] = "least-norm"  # type: ignore[valid-type]
    """How forces are shared. Default: "bounded" where there are cables, else "least-norm"."""
    weights: f.Weights = f.EMPTY
    """One per actuator, or "force" for 1 / (force limit)^2. Default: 1."""
    reference: f.Efforts = f.EMPTY
    """The preload: forces wanted, one per actuator; of a cable -tension. Default: 0."""


class AnchorTable(Table):
    """An end of a spring: a point of a body."""

    body: f.BodyPlace
    """Which: "base", "platform", or "leg.joint" for what that joint moves."""
    point: f.Point = f.EMPTY
    """In the body's frame. Default: its origin."""


class SpringTable(Table):
    """`[[spring]]`: pulls two points together with stiffness times (distance - free length)."""

    name: f.Name = ""
    """For messages. Default: its number."""
    stiffness: f.Stiffness
    """Force per length."""
    free_length: f.Length = 0.0
    """At which it is slack; 0 pulls in proportion to the distance."""
    first: AnchorTable
    """One end."""
    second: AnchorTable
    """The other end."""


class TolerancesTable(Table):
    """`[tolerances]`: half widths, for `gough accuracy` and as what `gough calibrate` knows beforehand.

    Any other key is an address of the robot, `"leg.1.position.0"`.
    """

    model_config = ConfigDict(extra="allow", strict=True)

    base: Any = None
    """Half width of each coordinate of every leg's point on the base [m]. Default: exact."""
    platform: Any = None
    """Of every leg's point on the platform [m]. Default: exact."""
    zero: Any = None
    """Of every actuator's zero [m or rad]. Default: exact."""
    encoder: Any = None
    """One step of every actuator's reading [m or rad]. Default: exact."""
    backlash: Any = None
    """Whole play of every actuator [m or rad]. Default: none."""
    distribution: Any = "uniform"
    """Of all of them: "uniform", or "normal" with a third of the half width as standard deviation."""


class HeatTable(Table):
    """`[heat]`: how far the whole machine grows."""

    temperature: Any = None
    """Half width of the machine's temperature about that of its calibration [K]. Default: 0."""
    expansion: Any = None
    """Of its material [1/K]. Default: 0."""


class StiffnessTable(Table):
    """`[stiffness]`: of what gives way under forces; what is not stated is rigid."""

    actuator: Any = None
    """Of every actuator along its displacement [N/m or N m/rad]. Default: rigid."""
    joint: Any = None
    """Of every joint's bearings, in each direction [N/m]. Default: rigid."""
    tilt: Any = None
    """Of every joint's bearings against turning [N m/rad]. Default: rigid."""
    link: Any = None
    """Of every link along itself [N/m]. Default: rigid."""
    bending: Any = None
    """Of every link across itself, at its end [N/m]. Default: rigid."""


class RobotTable(Table):
    """A whole file."""

    name: f.Name
    """Of the robot: letters, digits, - and _."""
    description: str = ""
    """One line. Default: none."""
    gravity: f.Acceleration = f.EMPTY
    """Acceleration of gravity, in B. Default: none."""
    length: f.Length = 0.0
    """Characteristic length for condition numbers, see `gough show`. Default: from the platform joints."""
    units: UnitsTable = UnitsTable()
    """Of the numbers in the file. Default: SI, rad."""
    platform: PlatformTable
    """The moving body and its coordinates."""
    legs: LegsTable | None = None
    """All legs at once, or what `leg` leaves out. Default: none."""
    leg: list[LegTable] = f.EMPTY
    """One per leg. Default: from `legs`."""
    actuation: ActuationTable | None = None
    """For more actuators than coordinates. Default: see there."""
    spring: list[SpringTable] = f.EMPTY
    """Springs between bodies. Default: none."""
    tolerances: TolerancesTable | None = None
    """How exactly dimensions are made, how finely encoders read. Default: exact."""
    heat: HeatTable | None = None
    """How far the machine grows. Default: not at all."""
    stiffness: StiffnessTable | None = None
    """Of what gives way under forces. Default: rigid."""
