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
    """In reports. Default: its key."""
    mass: f.Mass = 0.0
    """Its mass."""
    com: f.Point = f.EMPTY
    """Centre of mass in the body's frame. Default: its origin."""
    inertia: f.InertiaField = f.EMPTY
    """3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about: f.About = "com"
    """What the inertia is about: "com", "joint" (the frame's origin), or a point."""


class RodTable(BodyTable):
    """A body whose frame has x along it."""

    length: f.Length = 0.0
    """Of a crank or rod, from joint to joint. Default: needed by cranks and rods."""


class JointSpringTable(Table):
    """A spring in a joint: stiffness times (displacement - rest), plus the preload, towards smaller displacements."""

    stiffness: f.Stiffness
    """Force per displacement."""
    rest: f.Travel = 0.0
    """Displacement at which it is slack."""
    preload: f.Effort = 0.0
    """Force more, towards smaller displacements."""


class DriveTable(Table):
    """What drives, limits and loads a joint: the `actuator` of a leg of a known type, and keys of every joint."""

    zero: f.Travel = 0.0
    """Coordinate at which the displacement is 0."""
    stroke: f.Stroke = f.EMPTY
    """Least and greatest displacement. Default: none."""
    speed: f.Speed = 0.0
    """Largest. Default: none."""
    force: f.Effort = 0.0
    """Largest force, of a turning joint torque. Default: none."""
    power: f.Power = 0.0
    """Largest. Default: none."""
    viscous: f.Viscous = 0.0
    """Friction per speed."""
    coulomb: f.Effort = 0.0
    """Dry friction, of driven joints."""
    rotor_inertia: f.Moment = 0.0
    """Of the motor's rotor."""
    gear: f.Gear = 1.0
    """Turns of the rotor per displacement: rad/m of a slide, a ratio of a turn."""
    spring: JointSpringTable | None = None
    """Beside the actuator. Default: none."""


class RingTable(Table):
    """Places of leg ends on a circle, in B or P: in pairs by `half_angle`, one by one by `angles`, else evenly."""

    radius: f.Length
    """Of the circle."""
    half_angle: f.Angle = 0.0
    """Places in pairs, this far from the middle of each. Default: not in pairs."""
    angles: f.Angles = f.EMPTY
    """Places one by one. Default: evenly."""
    turn: f.Angle = 0.0
    """Of the whole ring about z."""
    z: f.Length = 0.0
    """Its height."""


class GuideTable(Table):
    """Guide of a slider, whose joint is at base + (offset + coordinate) direction."""

    direction: f.Direction = f.EMPTY
    """Of the slide, in B. Default: by `tilt`."""
    tilt: f.Angle = 0.0
    """Instead: from z towards the z axis of B."""
    offset: f.Length = 0.0
    """From the base point to coordinate 0."""


class MotorTable(Table):
    """Motor of a crank: axis and reference, or both horizontal by `yaw`.

    In pairs of legs the second is the mirror image of the first.
    """

    axis: f.Direction = f.EMPTY
    """Of the motor, in B. Default: by `yaw`."""
    reference: f.Direction = f.EMPTY
    """Direction of the crank at angle 0, in B. Default: by `yaw`."""
    yaw: f.Angle = 0.0
    """Instead of both: horizontal, turned by this from the outward direction; a positive angle raises the crank."""


class PulleyTable(Table):
    """Pulley of a cable at its base point."""

    radius: f.Length
    """Of the groove."""
    axis: f.Direction = f.EMPTY
    """In B: the cable arrives along it, and the pulley turns about it towards the platform. Default: z."""


class MimicTable(Table):
    """A coordinate that follows another's: ratio times it, plus offset."""

    joint: f.Name
    """Name of the other joint of the leg."""
    ratio: f.Number = 1.0
    """Of this coordinate to the other's."""
    offset: f.Travel = 0.0
    """At which this one is where the other is 0."""


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
    """One of those above."""
    branch: Literal[1, -1] = 1
    """Which [assembly](branches.md): 1, -1, of legs joint by joint any."""
    radius: f.Length = 0.0
    """Of the leg, for its distance from others. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of the lower universal or spherical joint. Default: none."""
    end_cone: f.Angle = 0.0
    """Largest angle of the platform joint. Default: none."""
    axes: f.Directions = f.EMPTY
    """One or two directions of the universal joint in B at home. Default: across the leg, the first tangential."""
    hinge: f.Direction = f.EMPTY
    """Direction of the hinge that carries rod or leg, in B at home. Default: the motor's axis, or tangential."""
    platform_hinge: f.Direction = f.EMPTY
    """Direction of the hinge fixed in the platform, in B at home. Default: needed by PRU and RRU."""
    spread: f.Length = 0.0
    """Half distance of a parallelogram's bars."""
    lead: f.Length = 0.0
    """Of the spindle of UCU, slide per turn: see [screws](bases_screws_stacks.md). Default: needed by UCU."""
    lower: f.Length = 0.0
    """Length of the lower leg of SRU. Default: needed by SRU."""
    upper: f.Length = 0.0
    """Length of the upper leg of SRU. Default: needed by SRU."""
    actuator: DriveTable = DriveTable()
    """Its limits, friction, rotor and spring. Default: no limits."""
    guide: GuideTable = GuideTable()
    """Of a slider. Default: needed by types with P first."""
    motor: MotorTable = MotorTable()
    """Of a crank. Default: needed by types with R first and a crank."""
    tension: f.Tension = f.EMPTY
    """Least and largest of a cable. Default: needed by cables."""
    reference: f.Force = 0.0
    """Tension wanted. Default: the middle."""
    elasticity: f.Force = 0.0
    """E A of a cable, for `modes`. Default: stiff."""
    pulley: PulleyTable | None = None
    """Of a cable. Default: an eye."""
    crank: RodTable | None = None
    """From motor to elbow, x along it. Default: needed by types with a crank."""
    rod: RodTable | None = None
    """To the platform, x along it; of a parallelogram each bar. Default: needed by types with a rod."""
    slider: BodyTable = BodyTable()
    """Axes of the rod at home. Default: no mass."""
    cross: BodyTable = BodyTable()
    """Of a universal joint, or of the joint at the platform in PRU and RRU. Default: no mass."""
    cylinder: BodyTable = BodyTable()
    """From the base joint, x along the leg. Default: no mass."""
    piston: BodyTable = BodyTable()
    """Its origin is the platform joint, x along the leg. Default: no mass."""
    crossbar: BodyTable = BodyTable()
    """Carries a parallelogram's bars. Default: no mass."""
    closing: BodyTable = BodyTable()
    """Closes it, from its middle. Default: no mass."""
    link1: BodyTable = BodyTable()
    """Of SRU, the first. Default: no mass."""
    link2: BodyTable = BodyTable()
    """The second. Default: no mass."""
    link3: BodyTable = BodyTable()
    """The third, the lower leg. Default: no mass."""
    link4: BodyTable = BodyTable()
    """The fourth, the upper leg. Default: no mass."""
    link5: BodyTable = BodyTable()
    """The fifth. Default: no mass."""


class LegsTable(PatternTable):
    """`[legs]`: all legs at once, spread over two rings, or defaults of the `[[leg]]` tables."""

    count: int = 6
    """How many. Default: 6 in pairs, else 3, or as listed."""
    names: list[f.Name] = f.EMPTY
    """One per leg. Default: their numbers."""
    base: RingTable | None = None
    """Ends in B. Default: stated by each leg."""
    platform: RingTable | None = None
    """Ends in P. Default: stated by each leg."""


class JointTable(DriveTable):
    """`[[leg.joint]]`: a joint and the body it moves."""

    name: f.Name = ""
    """For messages and addresses. Default: its number."""
    type: Literal["R", "P", "U", "S", "C", "H", "Pa"]
    """R turns, P slides, U is a universal, S a spherical, C a cylindrical joint, H a screw, Pa a parallelogram."""
    axis: f.Axis = f.EMPTY
    """In the joint's frame; of Pa what its bars turn about. Default: needed by R, P, C, H and Pa."""
    axes: f.Axes = f.EMPTY
    """Of U and S, one after the other. Default: needed by U and S."""
    offset: f.Point = f.EMPTY
    """Of the joint's frame in that of the body that carries it. Default: 0."""
    rotation: f.Rotation = None
    """Of the joint's frame. Default: none."""
    parent: f.Name = ""
    """Joint whose body carries it; "base" is leg frame 0. Default: the one before."""
    mimic: MimicTable | None = None
    """It follows another joint. Default: it does not."""
    actuated: bool = False
    """It is driven."""
    start: f.Travel = 0.0
    """Coordinate about home, which says the assembly: see [branches](branches.md). Default: none."""
    starts: f.Travels = f.EMPTY
    """Those of a joint that stands for several. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of U or S. Default: none."""
    group: str = ""
    """Name that joints of one U, S or Pa share. Default: its own."""
    body: BodyTable = BodyTable()
    """What it moves. Default: no mass."""
    lead: f.Length = 0.0
    """Of H, and of a driven C whose actuator reads slide + lead turn / 2 pi: slide per turn, negative for a left hand;
    see [screws](bases_screws_stacks.md). Default: needed by H.
    """
    coordinate: Literal["turn", "slide"] = "turn"
    """Of H: what its displacement is."""
    bar: f.Point = f.EMPTY
    """Of Pa: from joint to joint along a bar. Default: needed by Pa."""
    spread: f.Point = f.EMPTY
    """Of Pa: from the middle to the first bar. Default: 0."""
    second: BodyTable = BodyTable()
    """Pa's second bar. Default: no mass."""
    closing: BodyTable = BodyTable()
    """Pa's closing bar. Default: no mass."""


class EndTable(Table):
    """`[leg.end]`: how the leg meets the platform."""

    type: Literal["spherical", "rigid"]
    """A ball joint, or fixed."""
    joint: f.Name = ""
    """Whose body meets the platform. Default: the last."""
    point: f.Point = f.EMPTY
    """Where the leg ends, in that body. Default: its origin."""
    rotation: f.Rotation = None
    """Of the end's frame in that body. Default: none."""
    platform_point: f.Point = f.EMPTY
    """Where the leg ends, in P. Default: P's origin."""
    platform_rotation: f.Rotation = None
    """Of the end's frame in P. Default: none."""
    cone: f.Angle = 0.0
    """Largest angle of a spherical end. Default: none."""


class LegTable(PatternTable):
    """`[[leg]]`: a leg of a known type from `base` to `platform`; or joint by joint from leg frame 0."""

    name: f.Name = ""
    """For messages and addresses. Default: its number."""
    base: f.Point = f.EMPTY
    """Point in B. Default: from the ring."""
    platform: f.Point = f.EMPTY
    """Point in P. Default: from the ring."""
    position: f.Point = f.EMPTY
    """Of leg frame 0 in B, of legs joint by joint. Default: 0."""
    rotation: f.Rotation = None
    """Of leg frame 0. Default: none."""
    branch: int = 1  # type: ignore[assignment]
    """As of the type; of legs joint by joint the number of an assembly."""
    free_spin: bool = False
    """The leg has spherical joints at both ends, the first written as two hinges."""
    joint: list[JointTable] = f.EMPTY
    """The chain, from the base on. Default: of its type."""
    end: EndTable | None = None
    """How it meets the platform. Default: of its type."""
