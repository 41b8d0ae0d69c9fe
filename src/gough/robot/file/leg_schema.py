"""The tables of legs in a robot file: every key once, with its text, as in `schema`.

B is the base, P the platform; units are those of the key's quantity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.checks.joint_by_joint import chain_faults, joint_faults
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of, out_of_bounds
from gough.robot.file.units import Units
from gough.robot.legs.short_forms import PASSIVE, SHORT_FORMS

LEAD = f.LENGTH.of(high=1.0)


class BodyTable(Table):
    """A leg body, in its own frame; the leg types say where that is."""

    name = f.BODY_NAME
    """Name of the body in reports. Default: its key."""
    mass = f.MASS
    """Mass of the body. Default: 0."""
    com = f.POINT
    """Centre of mass in the body's frame. Default: its origin."""
    inertia = f.INERTIA
    """Inertia: 3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about = f.ABOUT
    """Point that the inertia refers to: "com", "joint" (the frame's origin), or coordinates. Default: `"com"`."""


class RodTable(BodyTable):
    """A body whose frame has x along it."""

    length = f.SIZE
    """Length of the crank or rod, from joint to joint. Default: needed by cranks and rods."""


class JointSpringTable(Table):
    """A spring in a joint: stiffness times (displacement - rest), plus the preload, towards smaller displacements."""

    stiffness = f.STIFFNESS.of(needed=True)
    """Stiffness, force per displacement."""
    rest = f.TRAVEL
    """Displacement at which only the preload acts. Default: 0."""
    preload = f.EFFORT
    """Constant extra force towards smaller displacements. Default: 0."""


class DriveTable(Table):
    """What drives, limits and loads a joint: the `actuator` of a leg of a known type, and keys of every joint."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Faults of the stroke."""
        return _stroke_fault(found, units, kind)

    zero = f.TRAVEL
    """Joint coordinate at which the displacement is 0. Default: 0."""
    stroke = f.STROKE
    """Smallest and largest displacement. Default: none."""
    speed = f.SPEED
    """Largest speed. Default: none."""
    force = f.LIMIT
    """Largest force, or torque where the joint rotates. Default: none."""
    power = f.POWER
    """Largest power. Default: none."""
    viscous = f.VISCOUS
    """Viscous friction, force per speed. With mm and deg: N s/mm, or N mm s/deg where the joint rotates. Default: 0."""
    coulomb = f.FRICTION
    """Dry (Coulomb) friction; for driven joints only. Default: 0."""
    rotor_inertia = f.MOMENT
    """Inertia of the motor's rotor. Default: 0."""
    gear = f.GEAR
    """Rotor angle per displacement: rad/m (with mm and deg: deg/mm), a ratio where the joint rotates. Of a ball screw
    360 deg or 2 pi per lead: 1257 rad/m or 72 deg/mm are a lead of 5 mm. Default: 1."""
    spring = key_of(JointSpringTable)
    """Spring in parallel with the actuator; not of cables. Default: none."""


class RingTable(Table):
    """Places of leg ends on a circle, in B or P: in pairs by `half_angle`, one by one by `angles`, else evenly."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """A fault where it states its places twice."""
        if "angles" in found and "half_angle" in found:
            yield Fault(("angles",), "angles and half_angle exclude each other", hint="keep one")

    radius = f.LENGTH.of(needed=True, low=1e-3)
    """Radius of the circle."""
    half_angle = f.ANGLE.of(low=-1e-9)
    """Angle from the middle of each pair of points to its two points.

    The first leg stands at +half_angle on the base, the next at 120 deg - half_angle, 120 deg + half_angle and so on,
    the sixth at -half_angle. On the platform pairs are at 60, 180 and 300 deg, the first leg at 60 deg - half_angle.
    Beyond 30 deg, points of neighbouring pairs are nearer to each other. Default: not in pairs.
    """
    angles = f.ANGLES
    """Angle of each point. Default: evenly spaced."""
    turn = f.ANGLE
    """Rotation of the whole ring about z. Default: 0."""
    z = f.LENGTH
    """Height of the ring. Default: 0."""


class GuideTable(Table):
    """Guide of a slider, whose joint is at base + (offset + coordinate) direction."""

    direction = f.DIRECTION
    """Direction of the slide, in B. Default: by `tilt`."""
    tilt = f.ANGLE
    """Instead of `direction`: angle from vertical, towards the z axis of B. Default: 0."""
    offset = f.LENGTH
    """Distance from the base point to coordinate 0. Default: 0."""


class MotorTable(Table):
    """Motor of a crank: axis and reference, or both horizontal by `yaw`.

    In pairs of legs the second is the mirror image of the first.
    """

    axis = f.DIRECTION
    """Axis of the motor, in B. Default: by `yaw`."""
    reference = f.DIRECTION
    """Direction of the crank at angle 0, in B. Default: by `yaw`."""
    yaw = f.ANGLE
    """Instead of both: angle of the horizontal crank from outward; a positive crank angle raises the crank.
    Default: 0."""


class PulleyTable(Table):
    """Pulley of a cable at its base point."""

    radius = f.SIZE.of(needed=True)
    """Radius of the groove."""
    axis = f.DIRECTION
    """Axis, in B, along which the cable arrives and about which the pulley swivels towards the platform. Default: z."""


class MimicTable(Table):
    """A coordinate that follows another's: ratio times it, plus offset."""

    joint = f.NAME.of(needed=True)
    """Name of the other joint of the leg."""
    ratio = f.NUMBER
    """Ratio of this coordinate to the other's. Default: 1."""
    offset = f.TRAVEL
    """Value of this coordinate where the other is 0. Default: 0."""


class PatternTable(Table):
    """A leg of a known `type`, in `[legs]` for all or in a `[[leg]]` for one; `short_forms` lists them."""

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """How the actuator of a leg of its type moves."""
        stated = table.get("type")
        return SHORT_FORMS[stated].drive if isinstance(stated, str) and stated in SHORT_FORMS else kind

    type = key_of(f.one_of(*SHORT_FORMS))
    """Type of the leg, one of those above. Default: `"UPS"`."""
    branch = key_of(f.one_of(1, -1))
    """Which [assembly](branches.md) is meant: 1 or -1; on a slider the platform joint is ahead of it along the guide
    (1) or behind it (-1). Any number for legs written joint by joint; UPU, UCU, UP and cables have none. Default: 1."""
    radius = f.SIZE
    """Radius of the leg, also of a cable, for its distance from other legs. Default: none."""
    cone = f.CONE
    """Largest angle of the lower universal or spherical joint, from straight. Default: none."""
    end_cone = f.CONE
    """Largest angle of the platform joint: of a spherical one from its position at home, of a universal one from
    straight. Default: none."""
    bolt = f.DIRECTION
    """Bolt of a rod end as the lower joint, about which it turns freely; `cone` then is its misalignment, the angle of
    the leg from the plane across the bolt. In the axes of the crank (`[0, 0, 1]` is parallel to the motor's shaft); on
    sliders and the base outward, tangential, up at `base`, at home. Default: a ball joint."""
    end_bolt = f.DIRECTION
    """Bolt of a rod end as the platform joint, in the same way: outward, tangential, up at `platform`, in P. Default: a
    ball joint."""
    axes = key_of(f.universal_axes)
    """One or two axes of the universal joint, in B at home. Default: across the leg, the first tangential."""
    hinge = f.DIRECTION
    """Axis of the hinge that carries the rod or the leg, in B at home. Default: the motor's axis, or tangential."""
    platform_hinge = f.DIRECTION
    """Axis of the hinge fixed in the platform, in B at home. Default: needed by PRU and RRU."""
    spread = f.LENGTH.of(low=0.0)
    """Half the distance between a parallelogram's bars. Default: 0."""
    lead = LEAD
    """Lead of the spindle of UCU, travel per turn: see [screws](bases_screws_stacks.md). Default: needed by UCU."""
    lower = f.SIZE
    """Length of the lower leg of SRU. Default: needed by SRU."""
    upper = f.SIZE
    """Length of the upper leg of SRU. Default: needed by SRU."""
    actuator = key_of(DriveTable)
    """Limits, friction, rotor and spring of the actuator. Default: no limits."""
    guide = key_of(GuideTable)
    """Guide of the slider. Default: needed by types with P first."""
    motor = key_of(MotorTable)
    """Motor of the crank. Default: needed by types with R first and a crank."""
    tension = f.TENSION
    """Smallest and largest tension of a cable. Default: needed by cables."""
    reference = f.FORCE
    """Desired tension of a cable. Default: the middle."""
    elasticity = f.FORCE.of(low=0.0, above=True)
    """E A of a cable (elastic modulus times cross-section), for `modes`. Default: stiff."""
    pulley = key_of(PulleyTable)
    """Pulley of a cable. Default: an eye."""
    crank = key_of(RodTable)
    """Body from motor to elbow: origin at `base`, x to the elbow, z along the motor's axis. Default: needed
    by types with a crank."""
    rod = key_of(RodTable)
    """Body that ends at the platform, in a parallelogram each bar: origin at its joint on crank, slider or crossbar, x
    along it. Behind a hinge (RU, RR, RS) z is along the hinge; behind U or S, y at home along the first of `axes` as
    far as it is across the rod; of a bar, z at home across bar and hinge. Default: needed by types with a rod."""
    slider = key_of(BodyTable)
    """Body of the slider, origin where it carries the rod, in the axes of the rod at home (of the crossbar with Pa),
    which do not turn. Default: no mass."""
    cross = key_of(BodyTable)
    """Cross of the universal joint; in PRU and RRU, of the one at the platform. Origin in the joint, at home in the
    axes of the rod or cylinder. Default: no mass."""
    cylinder = key_of(BodyTable)
    """Body that starts at the base joint, its origin, x along the leg; y at home along the first of `axes` as far as
    it is across the leg, in RPS z along the hinge. Default: no mass."""
    piston = key_of(BodyTable)
    """Body whose origin is the platform joint, in the axes of the cylinder; in UCU it turns in it. Default: no mass."""
    crossbar = key_of(BodyTable)
    """Body that carries a parallelogram's bars, origin in the middle between them, y along the hinge, x at home in the
    plane of hinge and bars, towards the platform. Default: no mass."""
    closing = key_of(BodyTable)
    """Body that closes the parallelogram, origin in its middle, in the axes of the crossbar. Default: no mass."""
    link1 = key_of(BodyTable)
    """First link of SRU, behind the axis x at the base joint; with all angles zero all links have z upwards and x
    outward from the z axis of B to the base joint. Default: no mass."""
    link2 = key_of(BodyTable)
    """Second link of SRU, behind the axis y at the base joint. Default: no mass."""
    link3 = key_of(BodyTable)
    """Third link of SRU, the lower leg: origin at the base joint, z along it to the knee. Default: no mass."""
    link4 = key_of(BodyTable)
    """Fourth link of SRU, the upper leg: origin at the knee, y its axis, z along it to the platform. Default: no
    mass."""
    link5 = key_of(BodyTable)
    """Fifth link of SRU, origin at the platform joint, y and x the axes there. Default: no mass."""


class LegsTable(PatternTable):
    """`[legs]`: all legs at once, spread over two rings, or defaults of the `[[leg]]` tables."""

    count = f.WHOLE
    """Number of legs. Default: 6 in pairs, else 3, or as listed."""
    names = f.NAME_LIST
    """Names of the legs. Default: their numbers."""
    base = key_of(RingTable)
    """Ring of base points, in B. Default: stated by each leg."""
    platform = key_of(RingTable)
    """Ring of platform points, in P. Default: stated by each leg."""


class JointTable(DriveTable):
    """`[[leg.joint]]`: a joint and the body it moves."""

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """How the joint moves: a driven C and a screw that states its slide are measured by that."""
        stated = table.get("type")
        slides = stated == "P" or (stated == "C" and table.get("actuated") is True)
        return "P" if slides or table.get("coordinate") == "slide" else "R"

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Convert the coordinates at home of a joint that stands for several; faults of keys that its type has not."""
        found |= f.each_in_si(found, "starts", "travel", "RP" if found["type"] == "C" else kind, units)
        if beyond := out_of_bounds(f.TRAVEL, found.get("starts"), units):
            yield Fault(("starts",), beyond.allowed, found["starts"], beyond.hint)
        yield from joint_faults(found)

    name = f.NAME
    """Name used in messages and addresses. Default: its number."""
    type = key_of(f.one_of("R", "P", "U", "S", "C", "H", "Pa"), needed=True)
    """Kind of joint: R revolute, P prismatic, U universal, S spherical, C cylindrical, H screw, Pa parallelogram."""
    axis = f.AXIS
    """Axis in the joint's frame; for Pa the axis its bars turn about. Default: needed by R, P, C, H and Pa."""
    axes = f.AXES
    """Axes of U and S, one after the other. Default: needed by U and S."""
    offset = f.POINT
    """Origin of the joint's frame in that of the body that carries it. Default: 0."""
    rotation = f.ROTATION
    """Orientation of the joint's frame in that of the body that carries it. Default: none."""
    parent = f.NAME
    """Joint whose body carries it; "base" is leg frame 0. Default: the one before."""
    mimic = key_of(MimicTable)
    """Makes the joint follow another one. Default: independent."""
    actuated = f.TRUTH
    """Whether the joint is driven. Default: false."""
    start = f.TRAVEL
    """Approximate coordinate at home, which selects the assembly: see [branches](branches.md). Default: none."""
    starts = f.STARTS
    """Approximate coordinates at home of a joint that stands for several. Default: none."""
    cone = f.CONE
    """Largest angle of U or S. Default: none."""
    bolt = f.DIRECTION
    """Bolt of a rod end (S), about which it turns freely, in the axes of the body that carries the joint; `cone` then
    is the angle from the plane across the bolt. Default: a ball joint."""
    group = f.TEXT
    """Name shared by the joints of one U, S or Pa. Default: its own."""
    body = key_of(BodyTable)
    """Body that the joint moves, in the joint's frame. Of U and S it is behind the last axis; the cross of a universal
    joint is a body of its own if that is written as two R joints. Default: no mass."""
    lead = LEAD
    """Travel per turn of H, and of a driven C whose actuator reads slide + lead turn / 2 pi; negative for left-handed
    screws; see [screws](bases_screws_stacks.md). Default: needed by H.
    """
    coordinate = key_of(f.one_of("turn", "slide"))
    """Which motion is the displacement of H. Default: `"turn"`."""
    bar = f.POINT
    """Vector from joint to joint along a bar of Pa. Default: needed by Pa."""
    spread = f.POINT
    """Vector from the middle of Pa to its first bar. Default: 0."""
    second = key_of(BodyTable)
    """Second bar of Pa. Default: no mass."""
    closing = key_of(BodyTable)
    """Closing bar of Pa. Default: no mass."""


class EndTable(Table):
    """`[leg.end]`: how the leg meets the platform."""

    type = key_of(f.one_of("spherical", "rigid"), needed=True)
    """How the leg is joined to the platform: by a ball joint, or fixed."""
    joint = f.NAME
    """Joint whose body meets the platform. Default: the last."""
    point = f.POINT
    """Point where the leg ends, in that body. Default: its origin."""
    rotation = f.ROTATION
    """Orientation of the end's frame in that body. Default: none."""
    platform_point = f.POINT
    """Point where the leg ends, in P. Default: P's origin."""
    platform_rotation = f.ROTATION
    """Orientation of the end's frame in P. Default: none."""
    cone = f.CONE
    """Largest angle of a spherical end. Default: none."""
    bolt = f.DIRECTION
    """Bolt of a rod end, about which it turns freely, in P; `cone` then is the angle from the plane across the bolt.
    Default: a ball joint."""


class LegTable(PatternTable):
    """`[[leg]]`: a leg of a known type from `base` to `platform`; or joint by joint from leg frame 0."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Faults of the branch, and of what joints say of each other."""
        branch = found.get("branch", 1)
        if branch == 0 or (abs(branch) > 1 and "joint" not in found):
            others = ", or a further assembly: 2, -2, .." if "joint" in found else ""
            yield Fault(("branch",), f"must be 1 or -1{others}", branch)
        if "joint" in found:
            moves = [JointTable.joint_kind(joint, "P") for joint in found["joint"]]
            yield from chain_faults(found, moves)
            for k, (joint, own) in enumerate(zip(found["joint"], moves, strict=True)):
                if own == "P" or not _is_screw(found["joint"], k):
                    yield from _stroke_fault(joint, units, own, ("joint", k))

    name = f.NAME
    """Name used in messages and addresses. Default: its number."""
    base = f.POINT
    """Base point, in B. Default: from the ring."""
    platform = f.POINT
    """Platform point, in P. Default: from the ring."""
    position = f.POINT
    """Origin of leg frame 0 in B, for legs written joint by joint. Default: 0."""
    rotation = f.ROTATION
    """Orientation of leg frame 0 in B. Default: none."""
    branch = f.WHOLE
    """Which assembly is meant; for legs written joint by joint any number of an assembly. Default: 1."""
    free_spin = f.TRUTH
    """Whether the leg has spherical joints at both ends, the first written as two hinges. Default: false."""
    joint = key_of([JointTable])
    """Joints of the chain, starting at the base. Default: those of its type."""
    end = key_of(EndTable)
    """How the leg meets the platform. Default: as its type does."""


def _stroke_fault(drive: Mapping[str, Any], units: Units, kind: str, path: Path = ()) -> Iterator[Fault]:
    """A fault where a joint slides more than the largest length, or turns more than twice."""
    if beyond := out_of_bounds(f.LENGTH if kind == "P" else f.TWO_TURNS, drive.get("stroke"), units):
        yield Fault((*path, "stroke"), beyond.allowed, drive["stroke"], beyond.hint)


def _is_screw(joints: Sequence[Mapping[str, Any]], k: int) -> bool:
    """Whether a joint that turns makes something slide."""
    follows = (joint["mimic"]["joint"] for joint in joints if joint["type"] == "P" and "mimic" in joint)
    return joints[k]["type"] == "H" or joints[k].get("name", f"joint{k + 1}") in follows


def actuator_kinds(spec: Mapping[str, Any]) -> list[str]:
    """How each actuator of a spec moves; those of legs on rings as the first, which is as all."""
    shared = spec.get("legs", {}).get("type", "UPS")
    kinds: list[str] = []
    for leg in spec.get("leg") or [{}]:
        form = SHORT_FORMS[leg.get("type", shared)]
        driven = [JointTable.joint_kind(joint, "P") for joint in leg.get("joint", ()) if joint.get("actuated")]
        kinds += driven if "joint" in leg else [] if form.name == PASSIVE else [form.drive]
    return kinds
