"""Keys that leg types share with each other and with legs written joint by joint: bodies, actuators, universal joints.

B is the base, P the platform; units are those of the key's quantity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of, out_of_bounds
from gough.robot.file.units import Units

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
        return stroke_fault(found, units, kind)

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


DRIVE = tuple(DriveTable.keys())
"""Keys of what drives, limits and loads a joint: of `actuator`, and of a joint by itself."""


class SharedKeys(Table):
    """Keys of several leg types."""

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
    cross = key_of(BodyTable)
    """Cross of the universal joint; in PRU and RRU, of the one at the platform. Origin in the joint, at home in the
    axes of the rod or cylinder. Default: no mass."""


def stroke_fault(drive: Mapping[str, Any], units: Units, kind: str, path: Path = ()) -> Iterator[Fault]:
    """A fault where a joint slides more than the largest length, or turns more than twice."""
    if beyond := out_of_bounds(f.LENGTH if kind == "P" else f.TWO_TURNS, drive.get("stroke"), units):
        yield Fault((*path, "stroke"), beyond.allowed, drive["stroke"], beyond.hint)
