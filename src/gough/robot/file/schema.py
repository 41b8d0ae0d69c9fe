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
    """Unit of lengths and positions."""
    angle: Annotated[str, f.unit_of("angle")] = "rad"
    """Unit of angles."""
    mass: Annotated[str, f.unit_of("mass")] = "kg"
    """Unit of masses."""
    time: Annotated[str, f.unit_of("time")] = "s"
    """Unit of times, also in speeds."""
    inertia: Annotated[str, f.unit_of("inertia")] = "kg m^2"
    """Unit of inertias. Default: from mass and length."""
    force: Annotated[str, f.unit_of("force")] = "N"
    """Unit of forces."""
    torque: Annotated[str, f.unit_of("torque")] = "N m"
    """Unit of torques. Default: from force and length."""
    acceleration: Annotated[str, f.unit_of("acceleration")] = "m/s^2"
    """Unit of the acceleration of gravity. Default: from length and time."""
    power: Annotated[str, f.unit_of("power")] = "W"
    """Unit of powers."""


class OriginTable(Table):
    """`origin` of the platform: a constant pose in B, before its coordinates."""

    position: f.Point = f.EMPTY
    """Origin of P in B when all coordinates are 0. Default: 0."""
    rotation: f.Rotation = None
    """Orientation of P in B when all coordinates are 0. Default: none."""


class PlatformTable(Table):
    """`[platform]`: the moving body and its coordinates."""

    coordinates: dict[f.Name, Literal["x", "y", "z", "rx", "ry", "rz"]]
    """Name = motion, in order: x, y, z translate; rx, ry, rz rotate, each about the axis as rotated by those before."""
    dependent: list[f.Name] = f.EMPTY
    """Names of the coordinates that follow from the others because the legs allow no other motion. Default: none."""
    home: f.Home = f.EMPTY
    """Home pose, one value per coordinate; for dependent ones an approximate value. Default: 0."""
    origin: OriginTable = OriginTable()
    """Pose of P in B when all coordinates are 0. Default: B."""
    body: f.BodyName = ""
    """Name of the body in reports. Default: platform."""
    mass: f.Mass
    """Mass of the platform with everything fixed to it."""
    com: f.Point = f.EMPTY
    """Centre of mass in P. Default: P's origin."""
    inertia: f.InertiaField = f.EMPTY
    """Inertia: 3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about: f.About = "com"
    """Point that the inertia refers to: "com", "origin" of P, or coordinates."""


class ActuationTable(Table):
    """`[actuation]`: how forces are shared among more actuators than coordinates.

    "least-norm": the sum of weight (force - reference)^2 is least; "bounded": the same within all limits; "centre": in
    the middle of all limits.
    """

    criterion: Literal[CRITERIA] = "least-norm"  # type: ignore[valid-type]
    """Criterion of the force distribution. Default: "bounded" where there are cables, else "least-norm"."""
    weights: f.Weights = f.EMPTY
    """Weights, one per actuator, or "force" for 1 / (force limit)^2. Default: 1."""
    reference: f.Efforts = f.EMPTY
    """Preload: the desired force of each actuator; for a cable, minus its tension. Default: 0."""


class AnchorTable(Table):
    """An end of a spring: a point of a body."""

    body: f.BodyPlace
    """Body that holds this end: "base", "platform", or "leg.joint" for the body that joint moves."""
    point: f.Point = f.EMPTY
    """Attachment point in the body's frame. Default: its origin."""


class SpringTable(Table):
    """`[[spring]]`: pulls two points together with stiffness times (distance - free length)."""

    name: f.Name = ""
    """Name used in messages. Default: its number."""
    stiffness: f.Stiffness
    """Stiffness, force per length."""
    free_length: f.Length = 0.0
    """Length at which the spring exerts no force; with 0 it pulls in proportion to the distance."""
    first: AnchorTable
    """First end of the spring."""
    second: AnchorTable
    """Second end of the spring."""


class TolerancesTable(Table):
    """`[tolerances]`: half widths, for `gough accuracy` and as what `gough calibrate` knows beforehand.

    Any other key is an address of the robot, `"leg.1.position.0"`.
    """

    model_config = ConfigDict(extra="allow", strict=True)

    base: Any = None
    """Tolerance (half width) of each coordinate of every leg's base point [m]. Default: exact."""
    platform: Any = None
    """Tolerance of each coordinate of every leg's platform point [m]. Default: exact."""
    zero: Any = None
    """Tolerance of every actuator's zero [m or rad]. Default: exact."""
    encoder: Any = None
    """Resolution of every actuator's encoder [m or rad]. Default: exact."""
    backlash: Any = None
    """Total backlash of every actuator [m or rad]. Default: none."""
    distribution: Any = "uniform"
    """Distribution of all of these: "uniform", or "normal" with a third of the half width as standard deviation."""


class HeatTable(Table):
    """`[heat]`: how far the whole machine grows."""

    temperature: Any = None
    """Largest deviation of the machine's temperature from that at calibration [K]. Default: 0."""
    expansion: Any = None
    """Thermal expansion of its material [1/K]. Default: 0."""
    scale_expansion: Any = None
    """Thermal expansion of the scales of sliding actuators, which is the ball screw where its turns are counted [1/K].
    Default: 0."""


class StiffnessTable(Table):
    """`[stiffness]`: of what gives way under forces; what is not stated is rigid."""

    actuator: Any = None
    """Stiffness of every actuator along its displacement [N/m or N m/rad]. Default: rigid."""
    joint: Any = None
    """Stiffness of every joint's bearings in each direction [N/m]. Default: rigid."""
    tilt: Any = None
    """Rotational stiffness of every joint's bearings [N m/rad]. Default: rigid."""
    link: Any = None
    """Stiffness of every link along its axis [N/m]. Default: rigid."""
    bending: Any = None
    """Bending stiffness of every link, at its end [N/m]. Default: rigid."""


class RobotTable(Table):
    """A whole file."""

    name: f.Name
    """Name of the robot: letters, digits, - and _."""
    description: str = ""
    """Description, one line. Default: none."""
    gravity: f.Acceleration = f.EMPTY
    """Acceleration of gravity, in B. Default: none."""
    length: f.Length = 0.0
    """Characteristic length for condition numbers, see `gough show`. Default: from the platform joints."""
    units: UnitsTable = UnitsTable()
    """Units of the numbers in the file. Default: SI, rad."""
    platform: PlatformTable
    """The moving body and its coordinates."""
    legs: LegsTable | None = None
    """All legs at once, or defaults for the `leg` tables. Default: none."""
    leg: list[LegTable] = f.EMPTY
    """One table per leg. Default: from `legs`."""
    actuation: ActuationTable | None = None
    """Distribution of forces over redundant actuators. Default: see there."""
    spring: list[SpringTable] = f.EMPTY
    """Springs between bodies. Default: none."""
    tolerances: TolerancesTable | None = None
    """Manufacturing tolerances and encoder resolution. Default: exact."""
    heat: HeatTable | None = None
    """Thermal growth of the machine. Default: none."""
    stiffness: StiffnessTable | None = None
    """Stiffness of the parts that deform under load. Default: rigid."""
