"""The file format: the small tables, which stand inside others."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict

from gough.robot import fields as f


class Table(BaseModel):
    """A table: unknown keys are refused, values are not coerced."""

    model_config = ConfigDict(extra="forbid", strict=True)


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


class BodyTable(Table):
    """A leg body, in its own frame (see the leg types for where that is).

    Keys: `name` of its group, `mass` [kg], `com` (3,) [m], `inertia` [kg m^2] as 3 principal moments, as xx, yy, zz,
    xy, xz, yz or as 3 rows, and the point it is `about`: "com", "joint" (the frame's origin) or a point [m].
    """

    name: f.BodyName = ""
    mass: f.Mass = 0.0
    com: f.Point = f.EMPTY
    inertia: f.InertiaField = f.EMPTY
    about: f.About = "com"


class RodTable(BodyTable):
    """A body whose frame has x along it, `length` [m] from joint to joint."""

    length: f.Length = 0.0


class ActuatorTable(Table):
    """What drives a leg.

    `zero`: reading at displacement 0 [m or rad]; `stroke` of the displacement [m or rad], `speed`, `force` [N or N m],
    `power` [W]; `viscous` and `coulomb` friction; `rotor_inertia` [kg m^2] times `gear`^2 [rad/m or 1].
    """

    zero: f.Travel = 0.0
    stroke: f.Stroke = f.EMPTY
    speed: f.Speed = 0.0
    force: f.Effort = 0.0
    power: f.Power = 0.0
    viscous: f.Viscous = 0.0
    coulomb: f.Effort = 0.0
    rotor_inertia: f.Moment = 0.0
    gear: f.Gear = 1.0


class RingTable(Table):
    """Places of leg ends on a circle of `radius` [m] at height `z` [m], in B or P.

    In pairs by `half_angle`, one by one by `angles`, else evenly; `turn` turns the whole ring about z [rad].
    """

    radius: f.Length
    half_angle: f.Angle = 0.0
    angles: f.Angles = f.EMPTY
    turn: f.Angle = 0.0
    z: f.Length = 0.0


class GuideTable(Table):
    """Guide of a slider: unit `direction` in B, or `tilt` [rad] from z towards the z axis of B.

    The slider's joint is at base + (`offset` + coordinate) direction [m].
    """

    direction: f.Direction = f.EMPTY
    tilt: f.Angle = 0.0
    offset: f.Length = 0.0


class MotorTable(Table):
    """Motor of a crank: its `axis`, and the direction `reference` of the crank at angle zero, both in B.

    Or both horizontal: the reference turned by `yaw` [rad] from the outward direction, the axis such that a positive
    angle raises the crank. In pairs of legs the second is the mirror image of the first.
    """

    axis: f.Direction = f.EMPTY
    reference: f.Direction = f.EMPTY
    yaw: f.Angle = 0.0


class MimicTable(Table):
    """A coordinate that is `ratio` times that of another `joint` of the leg, plus `offset` [m or rad]."""

    joint: f.Name
    ratio: f.Number = 1.0
    offset: f.Travel = 0.0


class OriginTable(Table):
    """Constant `position` [m] and `rotation` in B, before the platform's coordinates."""

    position: f.Point = f.EMPTY
    rotation: f.Rotation = None
