"""The tables of legs in a file: one strict model per kind of table, each key once with its text, as in `schema`.

B is the base, P the platform; units are those of the field's quantity.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator

from gough.robot.file import fields as f
from gough.robot.file.fields import Table
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.names import did_you_mean


class BodyTable(Table):
    """A leg body, in its own frame; the leg types say where that is."""

    name: f.BodyName = ""
    """Name of the body in reports. Default: its key."""
    mass: f.Mass = 0.0
    """Mass of the body."""
    com: f.Point = f.EMPTY
    """Centre of mass in the body's frame. Default: its origin."""
    inertia: f.InertiaField = f.EMPTY
    """Inertia: 3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about: f.About = "com"
    """Point that the inertia refers to: "com", "joint" (the frame's origin), or coordinates."""


class RodTable(BodyTable):
    """A body whose frame has x along it."""

    length: f.Length = 0.0
    """Length of the crank or rod, from joint to joint. Default: needed by cranks and rods."""


class JointSpringTable(Table):
    """A spring in a joint: stiffness times (displacement - rest), plus the preload, towards smaller displacements."""

    stiffness: f.Stiffness
    """Stiffness, force per displacement."""
    rest: f.Travel = 0.0
    """Displacement at which only the preload acts."""
    preload: f.Effort = 0.0
    """Constant extra force towards smaller displacements."""


class DriveTable(Table):
    """What drives, limits and loads a joint: the `actuator` of a leg of a known type, and keys of every joint."""

    zero: f.Travel = 0.0
    """Joint coordinate at which the displacement is 0."""
    stroke: f.Stroke = f.EMPTY
    """Smallest and largest displacement. Default: none."""
    speed: f.Speed = 0.0
    """Largest speed. Default: none."""
    force: f.Effort = 0.0
    """Largest force, or torque where the joint rotates. Default: none."""
    power: f.Power = 0.0
    """Largest power. Default: none."""
    viscous: f.Viscous = 0.0
    """Viscous friction, force per speed. With mm and deg: N s/mm, or N mm s/deg where the joint rotates."""
    coulomb: f.Effort = 0.0
    """Dry (Coulomb) friction; for driven joints only."""
    rotor_inertia: f.Moment = 0.0
    """Inertia of the motor's rotor."""
    gear: f.Gear = 1.0
    """Rotor angle per displacement: rad/m (with mm and deg: deg/mm), a ratio where the joint rotates. Of a ball screw
    360 deg or 2 pi per lead: 1257 rad/m or 72 deg/mm are a lead of 5 mm."""
    spring: JointSpringTable | None = None
    """Spring in parallel with the actuator. Default: none."""


class RingTable(Table):
    """Places of leg ends on a circle, in B or P: in pairs by `half_angle`, one by one by `angles`, else evenly."""

    radius: f.Length
    """Radius of the circle."""
    half_angle: f.Angle = 0.0
    """Angle from the middle of each pair of points to its two points.

    The first leg stands at +half_angle on the base, the next at 120 deg - half_angle, 120 deg + half_angle and so on,
    the sixth at -half_angle. On the platform pairs are at 60, 180 and 300 deg, the first leg at 60 deg - half_angle.
    Beyond 30 deg, points of neighbouring pairs are nearer to each other. Default: not in pairs.
    """
    angles: f.Angles = f.EMPTY
    """Angle of each point. Default: evenly spaced."""
    turn: f.Angle = 0.0
    """Rotation of the whole ring about z."""
    z: f.Length = 0.0
    """Height of the ring."""


class GuideTable(Table):
    """Guide of a slider, whose joint is at base + (offset + coordinate) direction."""

    direction: f.Direction = f.EMPTY
    """Direction of the slide, in B. Default: by `tilt`."""
    tilt: f.Angle = 0.0
    """Instead of `direction`: angle from vertical, towards the z axis of B."""
    offset: f.Length = 0.0
    """Distance from the base point to coordinate 0."""


class MotorTable(Table):
    """Motor of a crank: axis and reference, or both horizontal by `yaw`.

    In pairs of legs the second is the mirror image of the first.
    """

    axis: f.Direction = f.EMPTY
    """Axis of the motor, in B. Default: by `yaw`."""
    reference: f.Direction = f.EMPTY
    """Direction of the crank at angle 0, in B. Default: by `yaw`."""
    yaw: f.Angle = 0.0
    """Instead of both: angle of the horizontal crank from outward; a positive crank angle raises the crank."""


class PulleyTable(Table):
    """Pulley of a cable at its base point."""

    radius: f.Length
    """Radius of the groove."""
    axis: f.Direction = f.EMPTY
    """Axis, in B, along which the cable arrives and about which the pulley swivels towards the platform. Default: z."""


class MimicTable(Table):
    """A coordinate that follows another's: ratio times it, plus offset."""

    joint: f.Name
    """Name of the other joint of the leg."""
    ratio: f.Number = 1.0
    """Ratio of this coordinate to the other's."""
    offset: f.Travel = 0.0
    """Value of this coordinate where the other is 0."""


def leg_type(value: object) -> str:
    """The name of a short form."""
    text = value if isinstance(value, str) else ""
    if text not in SHORT_FORMS:
        *others, last = (f'"{name}"' for name in SHORT_FORMS)
        f.refuse(f"must be {', '.join(others)} or {last}", did_you_mean(text, tuple(SHORT_FORMS), listed=False))
    return text


class PatternTable(Table):
    """A leg of a known `type`, in `[legs]` for all or in a `[[leg]]` for one; `short_forms` lists them."""

    type: Annotated[str, BeforeValidator(leg_type)] = "UPS"
    """Type of the leg, one of those above."""
    branch: Literal[1, -1] = 1
    """Which [assembly](branches.md) is meant: 1 or -1; on a slider the platform joint is ahead of it along the guide
    (1) or behind it (-1). Any number for legs written joint by joint."""
    radius: f.Length = 0.0
    """Radius of the leg, also of a cable, for its distance from other legs. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of the lower universal or spherical joint, from straight. Default: none."""
    end_cone: f.Angle = 0.0
    """Largest angle of the platform joint: of a spherical one from its position at home, of a universal one from
    straight. Default: none."""
    bolt: f.Direction = f.EMPTY
    """Bolt of a rod end as the lower joint, about which it turns freely; `cone` then is its misalignment, the angle of
    the leg from the plane across the bolt. In the axes of the crank (`[0, 0, 1]` is parallel to the motor's shaft); on
    sliders and the base outward, tangential, up at `base`, at home. Default: a ball joint."""
    end_bolt: f.Direction = f.EMPTY
    """Bolt of a rod end as the platform joint, in the same way: outward, tangential, up at `platform`, in P. Default: a
    ball joint."""
    axes: f.Directions = f.EMPTY
    """One or two axes of the universal joint, in B at home. Default: across the leg, the first tangential."""
    hinge: f.Direction = f.EMPTY
    """Axis of the hinge that carries the rod or the leg, in B at home. Default: the motor's axis, or tangential."""
    platform_hinge: f.Direction = f.EMPTY
    """Axis of the hinge fixed in the platform, in B at home. Default: needed by PRU and RRU."""
    spread: f.Length = 0.0
    """Half the distance between a parallelogram's bars."""
    lead: f.Length = 0.0
    """Lead of the spindle of UCU, travel per turn: see [screws](bases_screws_stacks.md). Default: needed by UCU."""
    lower: f.Length = 0.0
    """Length of the lower leg of SRU. Default: needed by SRU."""
    upper: f.Length = 0.0
    """Length of the upper leg of SRU. Default: needed by SRU."""
    actuator: DriveTable = DriveTable()
    """Limits, friction, rotor and spring of the actuator. Default: no limits."""
    guide: GuideTable = GuideTable()
    """Guide of the slider. Default: needed by types with P first."""
    motor: MotorTable = MotorTable()
    """Motor of the crank. Default: needed by types with R first and a crank."""
    tension: f.Tension = f.EMPTY
    """Smallest and largest tension of a cable. Default: needed by cables."""
    reference: f.Force = 0.0
    """Desired tension of a cable. Default: the middle."""
    elasticity: f.Force = 0.0
    """E A of a cable (elastic modulus times cross-section), for `modes`. Default: stiff."""
    pulley: PulleyTable | None = None
    """Pulley of a cable. Default: an eye."""
    crank: RodTable | None = None
    """Body from motor to elbow: origin at `base`, x to the elbow, z along the motor's axis. Default: needed
    by types with a crank."""
    rod: RodTable | None = None
    """Body that ends at the platform, in a parallelogram each bar: origin at its joint on crank, slider or crossbar, x
    along it. Behind a hinge (RU, RR, RS) z is along the hinge; behind U or S, y at home along the first of `axes` as
    far as it is across the rod; of a bar, z at home across bar and hinge. Default: needed by types with a rod."""
    slider: BodyTable = BodyTable()
    """Body of the slider, origin where it carries the rod, in the axes of the rod at home (of the crossbar with Pa),
    which do not turn. Default: no mass."""
    cross: BodyTable = BodyTable()
    """Cross of the universal joint; in PRU and RRU, of the one at the platform. Origin in the joint, at home in the
    axes of the rod or cylinder. Default: no mass."""
    cylinder: BodyTable = BodyTable()
    """Body that starts at the base joint, its origin, x along the leg; y at home along the first of `axes` as far as
    it is across the leg, in RPS z along the hinge. Default: no mass."""
    piston: BodyTable = BodyTable()
    """Body whose origin is the platform joint, in the axes of the cylinder; in UCU it turns in it. Default: no mass."""
    crossbar: BodyTable = BodyTable()
    """Body that carries a parallelogram's bars, origin in the middle between them, y along the hinge, x at home in the
    plane of hinge and bars, towards the platform. Default: no mass."""
    closing: BodyTable = BodyTable()
    """Body that closes the parallelogram, origin in its middle, in the axes of the crossbar. Default: no mass."""
    link1: BodyTable = BodyTable()
    """First link of SRU, behind the axis x at the base joint; with all angles zero all links have z upwards and x
    outward from the z axis of B to the base joint. Default: no mass."""
    link2: BodyTable = BodyTable()
    """Second link of SRU, behind the axis y at the base joint. Default: no mass."""
    link3: BodyTable = BodyTable()
    """Third link of SRU, the lower leg: origin at the base joint, z along it to the knee. Default: no mass."""
    link4: BodyTable = BodyTable()
    """Fourth link of SRU, the upper leg: origin at the knee, y its axis, z along it to the platform. Default: no
    mass."""
    link5: BodyTable = BodyTable()
    """Fifth link of SRU, origin at the platform joint, y and x the axes there. Default: no mass."""


class LegsTable(PatternTable):
    """`[legs]`: all legs at once, spread over two rings, or defaults of the `[[leg]]` tables."""

    count: int = 6
    """Number of legs. Default: 6 in pairs, else 3, or as listed."""
    names: list[f.Name] = f.EMPTY
    """Names of the legs. Default: their numbers."""
    base: RingTable | None = None
    """Ring of base points, in B. Default: stated by each leg."""
    platform: RingTable | None = None
    """Ring of platform points, in P. Default: stated by each leg."""


class JointTable(DriveTable):
    """`[[leg.joint]]`: a joint and the body it moves."""

    name: f.Name = ""
    """Name used in messages and addresses. Default: its number."""
    type: Literal["R", "P", "U", "S", "C", "H", "Pa"]
    """Kind of joint: R revolute, P prismatic, U universal, S spherical, C cylindrical, H screw, Pa parallelogram."""
    axis: f.Axis = f.EMPTY
    """Axis in the joint's frame; for Pa the axis its bars turn about. Default: needed by R, P, C, H and Pa."""
    axes: f.Axes = f.EMPTY
    """Axes of U and S, one after the other. Default: needed by U and S."""
    offset: f.Point = f.EMPTY
    """Origin of the joint's frame in that of the body that carries it. Default: 0."""
    rotation: f.Rotation = None
    """Orientation of the joint's frame in that of the body that carries it. Default: none."""
    parent: f.Name = ""
    """Joint whose body carries it; "base" is leg frame 0. Default: the one before."""
    mimic: MimicTable | None = None
    """Makes the joint follow another one. Default: independent."""
    actuated: bool = False
    """Whether the joint is driven."""
    start: f.Travel = 0.0
    """Approximate coordinate at home, which selects the assembly: see [branches](branches.md). Default: none."""
    starts: f.Travels = f.EMPTY
    """Approximate coordinates at home of a joint that stands for several. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of U or S. Default: none."""
    bolt: f.Direction = f.EMPTY
    """Bolt of a rod end (S), about which it turns freely, in the axes of the body that carries the joint; `cone` then
    is the angle from the plane across the bolt. Default: a ball joint."""
    group: str = ""
    """Name shared by the joints of one U, S or Pa. Default: its own."""
    body: BodyTable = BodyTable()
    """Body that the joint moves, in the joint's frame. Of U and S it is behind the last axis; the cross of a universal
    joint is a body of its own if that is written as two R joints. Default: no mass."""
    lead: f.Length = 0.0
    """Travel per turn of H, and of a driven C whose actuator reads slide + lead turn / 2 pi; negative for left-handed
    screws; see [screws](bases_screws_stacks.md). Default: needed by H.
    """
    coordinate: Literal["turn", "slide"] = "turn"
    """Which motion is the displacement of H."""
    bar: f.Point = f.EMPTY
    """Vector from joint to joint along a bar of Pa. Default: needed by Pa."""
    spread: f.Point = f.EMPTY
    """Vector from the middle of Pa to its first bar. Default: 0."""
    second: BodyTable = BodyTable()
    """Second bar of Pa. Default: no mass."""
    closing: BodyTable = BodyTable()
    """Closing bar of Pa. Default: no mass."""


class EndTable(Table):
    """`[leg.end]`: how the leg meets the platform."""

    type: Literal["spherical", "rigid"]
    """How the leg is joined to the platform: by a ball joint, or fixed."""
    joint: f.Name = ""
    """Joint whose body meets the platform. Default: the last."""
    point: f.Point = f.EMPTY
    """Point where the leg ends, in that body. Default: its origin."""
    rotation: f.Rotation = None
    """Orientation of the end's frame in that body. Default: none."""
    platform_point: f.Point = f.EMPTY
    """Point where the leg ends, in P. Default: P's origin."""
    platform_rotation: f.Rotation = None
    """Orientation of the end's frame in P. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of a spherical end. Default: none."""
    bolt: f.Direction = f.EMPTY
    """Bolt of a rod end, about which it turns freely, in P; `cone` then is the angle from the plane across the bolt.
    Default: a ball joint."""


class LegTable(PatternTable):
    """`[[leg]]`: a leg of a known type from `base` to `platform`; or joint by joint from leg frame 0."""

    name: f.Name = ""
    """Name used in messages and addresses. Default: its number."""
    base: f.Point = f.EMPTY
    """Base point, in B. Default: from the ring."""
    platform: f.Point = f.EMPTY
    """Platform point, in P. Default: from the ring."""
    position: f.Point = f.EMPTY
    """Origin of leg frame 0 in B, for legs written joint by joint. Default: 0."""
    rotation: f.Rotation = None
    """Orientation of leg frame 0 in B. Default: none."""
    branch: int = 1  # type: ignore[assignment]
    """Which assembly is meant; for legs written joint by joint any number of an assembly."""
    free_spin: bool = False
    """Whether the leg has spherical joints at both ends, the first written as two hinges."""
    joint: list[JointTable] = f.EMPTY
    """Joints of the chain, starting at the base. Default: those of its type."""
    end: EndTable | None = None
    """How the leg meets the platform. Default: as its type does."""
