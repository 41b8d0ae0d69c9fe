"""The tables of legs in a file: one strict model per kind of table, each key once.

Units in brackets are those after conversion. B is the base, P the platform.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator

from gough.robot.file import fields as f
from gough.robot.file.fields import Table
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.names import did_you_mean


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


class JointSpringTable(Table):
    """A spring in a joint: it pushes with `stiffness` [N/m or N m/rad] times (displacement - `rest` [m or rad]), plus
    `preload` [N or N m], towards smaller displacements.
    """

    stiffness: f.Stiffness
    rest: f.Travel = 0.0
    preload: f.Effort = 0.0


class DriveTable(Table):
    """What drives, limits and loads a joint: the `actuator` of a leg of a known type, and keys of every joint.

    `zero`: reading at displacement 0 [m or rad]; `stroke` of the displacement [m or rad], `speed`, `force` [N or N m],
    `power` [W]; `viscous` and `coulomb` friction; `rotor_inertia` [kg m^2] times `gear`^2 [rad/m or 1]; a `spring`
    beside it.
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
    spring: JointSpringTable | None = None


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


class PulleyTable(Table):
    """Pulley of a cable at its base point: `radius` [m], and the `axis` in B along which the cable arrives there and
    about which the pulley turns towards the platform (z unless stated).
    """

    radius: f.Length
    axis: f.Direction = f.EMPTY


class MimicTable(Table):
    """A coordinate that is `ratio` times that of another `joint` of the leg, plus `offset` [m or rad]."""

    joint: f.Name
    ratio: f.Number = 1.0
    offset: f.Travel = 0.0


def leg_type(value: object) -> str:
    """The name of a short form."""
    text = value if isinstance(value, str) else ""
    if text not in SHORT_FORMS:
        *others, last = (f'"{name}"' for name in SHORT_FORMS)
        f.refuse(f"must be {', '.join(others)} or {last}", did_you_mean(text, tuple(SHORT_FORMS), listed=False))
    return text


class PatternTable(Table):
    """A leg of a known `type`, in `[legs]` for all or in a `[[leg]]` for one.

    `gough.robot.legs.short_forms` lists the types, each with its keys. `branch`: which assembly, see docs/branches.md;
    `radius` for interference [m]; `cone`, `end_cone`: largest angle of the lower and the platform joint [rad]; `axes`
    of the universal joint in B at home; `hinge`, `platform_hinge`: directions in B at home; `spread`: half distance of
    parallelogram bars [m]; `lead` of a spindle [m per turn]; `lower`, `upper` leg [m]; `actuator`, `guide`, `motor`;
    then the bodies. Cables: `tension` [least, largest], the `reference` tension wanted, `elasticity` E A [N], `pulley`.
    """

    type: Annotated[str, BeforeValidator(leg_type)] = "UPS"
    branch: Literal[1, -1] = 1
    radius: f.Length = 0.0
    cone: f.Angle = 0.0
    end_cone: f.Angle = 0.0
    axes: f.Directions = f.EMPTY
    hinge: f.Direction = f.EMPTY
    platform_hinge: f.Direction = f.EMPTY
    spread: f.Length = 0.0
    lead: f.Length = 0.0
    lower: f.Length = 0.0
    upper: f.Length = 0.0
    actuator: DriveTable = DriveTable()
    guide: GuideTable = GuideTable()
    motor: MotorTable = MotorTable()
    tension: f.Tension = f.EMPTY
    reference: f.Force = 0.0
    elasticity: f.Force = 0.0
    pulley: PulleyTable | None = None
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


class JointTable(DriveTable):
    """`[[leg.joint]]`: a joint and the body it moves.

    `axis` (unit), or the `axes` of U and S, in the joint's frame, which stands at `offset` [m], `rotation` in the frame
    of `parent`'s body (by default the joint before, "base" is leg frame 0). `mimic`, `actuated`; `start` or `starts`:
    coordinates about home, which say what assembly the leg has [m or rad]; `cone` [rad]. `lead` [m per turn]: of a
    screw H, whose `coordinate` is its "turn" or its "slide", and of a driven C, whose actuator reads slide + lead turn
    / 2 pi; a left-handed one is negative. Pa only: `bar` from joint to joint and `spread` from the middle to the first
    bar (3,) [m], bodies of the `second` and the `closing` bar.
    """

    name: f.Name = ""
    type: Literal["R", "P", "U", "S", "C", "H", "Pa"]
    axis: f.Axis = f.EMPTY
    axes: f.Axes = f.EMPTY
    offset: f.Point = f.EMPTY
    rotation: f.Rotation = None
    parent: f.Name = ""
    mimic: MimicTable | None = None
    actuated: bool = False
    start: f.Travel = 0.0
    starts: f.Travels = f.EMPTY
    cone: f.Angle = 0.0
    group: str = ""
    body: BodyTable = BodyTable()
    lead: f.Length = 0.0
    coordinate: Literal["turn", "slide"] = "turn"
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
    branch: int = 1  # type: ignore[assignment]
    free_spin: bool = False
    joint: list[JointTable] = f.EMPTY
    end: EndTable | None = None
