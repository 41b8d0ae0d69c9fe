"""The file format: one strict model per kind of table, each key once; those of legs are in `leg_schema`.

Units in brackets are those after conversion. B is the base, P the platform.
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
    angle: Annotated[str, f.unit_of("angle")] = "rad"
    mass: Annotated[str, f.unit_of("mass")] = "kg"
    time: Annotated[str, f.unit_of("time")] = "s"
    inertia: Annotated[str, f.unit_of("inertia")] = "kg m^2"
    force: Annotated[str, f.unit_of("force")] = "N"
    torque: Annotated[str, f.unit_of("torque")] = "N m"
    acceleration: Annotated[str, f.unit_of("acceleration")] = "m/s^2"
    power: Annotated[str, f.unit_of("power")] = "W"


class OriginTable(Table):
    """Constant `position` [m] and `rotation` in B, before the platform's coordinates."""

    position: f.Point = f.EMPTY
    rotation: f.Rotation = None


class PlatformTable(Table):
    """`[platform]`: the moving body and its coordinates.

    `coordinates`: name = motion, in order; x, y, z slide, rx, ry, rz turn about the already turned axes. `dependent`:
    names of those that follow the others, because the legs leave the platform no other motion. `home`: a value per
    coordinate [m or rad], of a dependent one about. `body`: its name. `mass` and so on as of any body, in P; `about`
    "origin" is P's.
    """

    coordinates: dict[f.Name, Literal["x", "y", "z", "rx", "ry", "rz"]]
    dependent: list[f.Name] = f.EMPTY
    home: f.Home = f.EMPTY
    origin: OriginTable = OriginTable()
    body: f.BodyName = ""
    mass: f.Mass
    com: f.Point = f.EMPTY
    inertia: f.InertiaField = f.EMPTY
    about: f.About = "com"


class ActuationTable(Table):
    """`[actuation]`: how forces are shared among more actuators than coordinates.

    `criterion`: "least-norm", the sum of weight (force - reference)^2 is least; "bounded", the same within all limits
    (where there are cables, and nothing is stated); "centre", in the middle of all limits. `weights`: one per actuator,
    or "force" for 1 / (force limit)^2; `reference`: the preload, a force per actuator [N or N m], of a cable -tension.
    """

    criterion: Literal[CRITERIA] = "least-norm"  # type: ignore[valid-type]
    weights: f.Weights = f.EMPTY
    reference: f.Efforts = f.EMPTY


class AnchorTable(Table):
    """A `point` [m] in the frame of a `body`: "base", "platform", or "leg.joint" for what that joint moves."""

    body: f.BodyPlace
    point: f.Point = f.EMPTY


class SpringTable(Table):
    """`[[spring]]`: pulls the points `first` and `second` together with `stiffness` [N/m] times (distance -
    `free_length` [m]); a free length of 0 pulls in proportion to the distance.
    """

    name: f.Name = ""
    stiffness: f.Stiffness
    free_length: f.Length = 0.0
    first: AnchorTable
    second: AnchorTable


class TolerancesTable(Table):
    """`[tolerances]`: half widths, for `gough accuracy` and as what `gough calibrate` knows beforehand.

    `base`, `platform`: of each coordinate of every leg's point there; `zero`: of every actuator's zero; `encoder`: one
    step of its reading; `backlash`: its whole play. Any other key is an address, `"leg.1.position.0"`. `distribution`:
    "uniform", or "normal" with a third of the half width as standard deviation.
    """

    model_config = ConfigDict(extra="allow", strict=True)

    base: Any = None
    platform: Any = None
    zero: Any = None
    encoder: Any = None
    backlash: Any = None
    distribution: Any = "uniform"


class HeatTable(Table):
    """`[heat]`: half width of the `temperature` about that of the calibration [K], and `expansion` [1/K]."""

    temperature: Any = None
    expansion: Any = None


class StiffnessTable(Table):
    """`[stiffness]` of every `actuator` along its displacement, of every `joint`'s bearings in each direction [N/m]
    and against `tilt` [N m/rad], of every `link` along itself and against `bending` at its end [N/m]; what is not
    stated is rigid.
    """

    actuator: Any = None
    joint: Any = None
    tilt: Any = None
    link: Any = None
    bending: Any = None


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
    actuation: ActuationTable | None = None
    spring: list[SpringTable] = f.EMPTY
    tolerances: TolerancesTable | None = None
    heat: HeatTable | None = None
    stiffness: StiffnessTable | None = None
