"""The tables of legs in a robot file, as in `schema`; keys of single leg types are stated with them, in `robot.legs`.

B is the base, P the platform; units are those of the key's quantity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.robot.checks.fault import Fault
from gough.robot.checks.joint_by_joint import chain_faults, joint_faults
from gough.robot.file import fields as f
from gough.robot.file.reader import Key, Table, key_of, out_of_bounds
from gough.robot.file.units import Units
from gough.robot.legs.leg_keys import LEAD, BodyTable, DriveTable, stroke_fault
from gough.robot.legs.short_forms import SHORT_FORMS, leg_keys


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


class MimicTable(Table):
    """A coordinate that follows another's: ratio times it, plus offset."""

    joint = f.NAME.of(needed=True)
    """Name of the other joint of the leg."""
    ratio = f.NUMBER
    """Ratio of this coordinate to the other's. Default: 1."""
    offset = f.TRAVEL
    """Value of this coordinate where the other is 0. Default: 0."""


def leg_type(value: object) -> str:
    """The name of a leg type, of those registered by now."""
    return str(f.one_of(*SHORT_FORMS)(value))


class PatternTable(Table):
    """A leg of a known `type`, in `[legs]` for all or in a `[[leg]]` for one; `short_forms` lists them."""

    @classmethod
    def keys(cls) -> dict[str, Key]:
        """Keys that every leg has, and those of all leg types."""
        return {**super().keys(), **leg_keys()}

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """How the actuator of a leg of its type moves."""
        stated = table.get("type")
        return SHORT_FORMS[stated].drive if isinstance(stated, str) and stated in SHORT_FORMS else kind

    type = key_of(leg_type)
    """Type of the leg, one of those above. Default: needed by legs that list no joints."""
    branch = key_of(f.one_of(1, -1))
    """Which [assembly](branches.md) is meant: 1 or -1; on a slider the platform joint is ahead of it along the guide
    (1) or behind it (-1). Any number for legs written joint by joint; UPU, UCU, UP and cables have none. Default: 1."""
    radius = f.SIZE
    """Radius of the leg, also of a cable, for its distance from other legs. Default: none."""
    actuator = key_of(DriveTable)
    """Limits, friction, rotor and spring of the actuator. Default: no limits."""


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
    """Unit vector of the axis in the joint's frame; for Pa of the axis its bars turn about. Default: needed by R, P, C,
    H and Pa."""
    axes = f.AXES
    """Unit vectors of the axes of U and S, one after the other. Default: needed by U and S."""
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
                    yield from stroke_fault(joint, units, own, ("joint", k))

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
        kinds += driven if "joint" in leg else [] if form.passive else [form.drive]
    return kinds
