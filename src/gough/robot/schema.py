"""The file format: one strict table model per kind of table. Every key a file may have stands here, once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from gough.robot import fields as f
from gough.robot.patterns import KEYS

LEG_TYPES = tuple(KEYS)


class Table(BaseModel):
    """A table: unknown keys are refused, values are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True)


class UnitsTable(Table):
    """Units of every number in the file; SI and radians unless stated, compound ones from the simple ones."""

    length: Annotated[str, f.unit_of("length")] = "m"
    angle: Annotated[str, f.unit_of("angle")] = "rad"
    mass: Annotated[str, f.unit_of("mass")] = "kg"
    time: Annotated[str, f.unit_of("time")] = "s"
    inertia: Annotated[str, f.unit_of("inertia")] = "kg m^2"
    force: Annotated[str, f.unit_of("force")] = "N"
    torque: Annotated[str, f.unit_of("torque")] = "N m"
    acceleration: Annotated[str, f.unit_of("acceleration")] = "m/s^2"
    power: Annotated[str, f.unit_of("power")] = "W"


class BodyTable(Table):
    """A leg body in its own frame."""

    name: f.BodyName = ""
    mass: f.Mass = 0.0
    com: f.Point = []
    inertia: f.InertiaField = []
    about: f.About = "com"


class RodTable(BodyTable):
    """A body of a given length."""

    length: f.Length = 0.0


class ActuatorTable(Table):
    """What drives a leg; limits on the displacement, speed, force or torque, and power."""

    zero: f.Travel = 0.0
    stroke: f.Stroke = []
    speed: f.Speed = 0.0
    force: f.Effort = 0.0
    power: f.Power = 0.0
    viscous: f.Viscous = 0.0
    coulomb: f.Effort = 0.0
    rotor_inertia: f.Moment = 0.0
    gear: f.Gear = 1.0


class RingTable(Table):
    """Places of leg ends on a circle."""

    radius: f.Length
    half_angle: f.Angle = 0.0
    angles: f.Angles = []
    turn: f.Angle = 0.0
    z: f.Length = 0.0


class GuideTable(Table):
    """Straight guide of a slider."""

    direction: f.Direction = []
    tilt: f.Angle = 0.0
    offset: f.Length = 0.0


class MotorTable(Table):
    """Axis of a crank and the direction it has at angle zero."""

    axis: f.Direction = []
    reference: f.Direction = []
    yaw: f.Angle = 0.0


class PatternTable(Table):
    """What a leg of a known type may state, in `[legs]` for all or in a `[[leg]]` for one."""

    type: Literal[LEG_TYPES] = "UPS"  # type: ignore[valid-type]
    branch: Literal[1, -1] = 1
    radius: f.Length = 0.0
    cone: f.Angle = 0.0
    end_cone: f.Angle = 0.0
    axes: f.Directions = []
    hinge: f.Direction = []
    platform_hinge: f.Direction = []
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
    """All legs at once."""

    count: int = 6
    names: list[f.Name] = []
    base: RingTable | None = None
    platform: RingTable | None = None


class MimicTable(Table):
    """A coordinate that follows another one."""

    joint: f.Name
    ratio: f.Number = 1.0
    offset: f.Travel = 0.0


class JointTable(Table):
    """A joint and the body it moves."""

    name: f.Name = ""
    type: Literal["R", "P", "U", "S", "C", "Pa"]
    axis: f.Axis = []
    axes: f.Axes = []
    offset: f.Point = []
    rotation: f.Rotation = None
    parent: f.Name = ""
    mimic: MimicTable | None = None
    actuated: bool = False
    zero: f.Travel = 0.0
    start: f.Travel = 0.0
    starts: f.Travels = []
    cone: f.Angle = 0.0
    stroke: f.Stroke = []
    speed: f.Speed = 0.0
    force: f.Effort = 0.0
    power: f.Power = 0.0
    viscous: f.Viscous = 0.0
    coulomb: f.Effort = 0.0
    rotor_inertia: f.Moment = 0.0
    gear: f.Gear = 1.0
    group: str = ""
    body: BodyTable = BodyTable()
    bar: f.Point = []
    spread: f.Point = []
    second: BodyTable = BodyTable()
    closing: BodyTable = BodyTable()


class EndTable(Table):
    """How a leg's last body meets the platform."""

    type: Literal["spherical", "rigid"]
    joint: f.Name = ""
    point: f.Point = []
    rotation: f.Rotation = None
    platform_point: f.Point = []
    platform_rotation: f.Rotation = None
    cone: f.Angle = 0.0


class LegTable(PatternTable):
    """One leg: of a known type between two points, or joint by joint."""

    name: f.Name = ""
    base: f.Point = []
    platform: f.Point = []
    position: f.Point = []
    rotation: f.Rotation = None
    free_spin: bool = False
    joint: list[JointTable] = []
    end: EndTable | None = None


class OriginTable(Table):
    """Constant pose before the platform's coordinates."""

    position: f.Point = []
    rotation: f.Rotation = None


class PlatformTable(Table):
    """The moving body and its coordinates."""

    coordinates: dict[f.Name, Literal["x", "y", "z", "rx", "ry", "rz"]]
    home: f.Home = []
    origin: OriginTable = OriginTable()
    body: f.BodyName = ""
    mass: f.Mass
    com: f.Point = []
    inertia: f.InertiaField = []
    about: f.About = "com"


class RobotTable(Table):
    """A whole file."""

    name: f.Name
    description: str = ""
    gravity: f.Acceleration = []
    length: f.Length = 0.0
    units: UnitsTable = UnitsTable()
    platform: PlatformTable
    legs: LegsTable | None = None
    leg: list[LegTable] = []
