"""The tables of a robot file: every key once, with its text; those of legs are in `leg_schema`.

`tools/robot_file_page.py` makes docs/robot_files.md of it; what follows "Default:" is the default. B is the base, P the
platform; units are those of the key's quantity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from gough.robot.checks.fault import Fault
from gough.robot.file import fields as f
from gough.robot.file.leg_schema import LegsTable, LegTable, actuator_kinds
from gough.robot.file.motor_file import MotorFile
from gough.robot.file.reader import Key, Named, Table, key_of, out_of_bounds
from gough.robot.file.units import Units
from gough.robot.mechanism import CRITERIA
from gough.robot.names import did_you_mean


class UnitsTable(Table):
    """`[units]`: of every number in the file; SI and radians unless stated, compound ones follow from the simple ones.

    Joint quantities follow too: with mm, N, s and deg a slider's speed is in mm/s, a crank's in deg/s, its torque in N
    mm unless `torque` is stated, viscous friction in N s/mm or N mm s/deg, the gear of a slider in deg/mm.
    """

    length = key_of(f.unit_of("length"))
    """Unit of lengths and positions. Default: `"m"`."""
    angle = key_of(f.unit_of("angle"))
    """Unit of angles. Default: `"rad"`."""
    mass = key_of(f.unit_of("mass"))
    """Unit of masses. Default: `"kg"`."""
    time = key_of(f.unit_of("time"))
    """Unit of times, also in speeds. Default: `"s"`."""
    inertia = key_of(f.unit_of("inertia"))
    """Unit of inertias. Default: from mass and length."""
    force = key_of(f.unit_of("force"))
    """Unit of forces. Default: `"N"`."""
    torque = key_of(f.unit_of("torque"))
    """Unit of torques. Default: from force and length."""
    acceleration = key_of(f.unit_of("acceleration"))
    """Unit of the acceleration of gravity. Default: from length and time."""
    power = key_of(f.unit_of("power"))
    """Unit of powers. Default: `"W"`."""


class OriginTable(Table):
    """`origin` of the platform: a constant pose in B, before its coordinates."""

    position = f.POINT
    """Origin of P in B when all coordinates are 0. Default: 0."""
    rotation = f.ROTATION
    """Orientation of P in B when all coordinates are 0. Default: none."""


class PlatformTable(Table):
    """`[platform]`: the moving body and its coordinates."""

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Convert home, each value in the unit of its coordinate; faults of coordinates and home."""
        kinds = ["R" if motion.startswith("r") else "P" for motion in found["coordinates"].values()]
        found |= f.each_in_si(found, "home", "travel", kinds, units)
        return _platform_faults(found, units)

    coordinates = key_of(Named(f.coordinate_name, Key(f.one_of("x", "y", "z", "rx", "ry", "rz"))), needed=True)
    """Name = motion, in order: x, y, z translate; rx, ry, rz rotate, each about the axis as rotated by those before."""
    dependent = f.NAME_LIST
    """Names of the coordinates that follow from the others because the legs allow no other motion. Default: none."""
    home = f.HOME
    """Home pose, one value per coordinate; for dependent ones an approximate value. Default: 0."""
    origin = key_of(OriginTable)
    """Pose of P in B when all coordinates are 0. Default: B."""
    body = f.BODY_NAME
    """Name of the body in reports. Default: platform."""
    mass = f.MASS.of(needed=True, above=True)
    """Mass of the platform with everything fixed to it."""
    com = f.POINT
    """Centre of mass in P. Default: P's origin."""
    inertia = f.INERTIA
    """Inertia: 3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about = f.ABOUT
    """Point that the inertia refers to: "com", "origin" of P, or coordinates. Default: `"com"`."""


class PayloadTable(Table):
    """`[payload]`: a body fixed to the platform; it counts as part of it."""

    mass = f.MASS.of(needed=True, above=True)
    """Mass of the payload."""
    com = f.POINT
    """Centre of mass in P. Default: P's origin."""
    inertia = f.INERTIA
    """Inertia: 3 principal moments, or xx, yy, zz, xy, xz, yz, or 3 rows. Default: 0."""
    about = f.ABOUT
    """Point that the inertia refers to: "com", "origin" of P, or coordinates. Default: `"com"`."""


class ToolTable(Table):
    """`[tool]`: frame of the platform where wrenches act and that poses by convention, travel and errors refer to."""

    position = f.POINT
    """Origin of the tool frame in P. Default: P's origin."""
    rotation = f.ROTATION
    """Orientation of the tool frame in P. Default: none."""


class ActuationTable(Table):
    """`[actuation]`: how forces are shared among more actuators than coordinates.

    "least-norm": the sum of weight (force - reference)^2 is least; "bounded": the same within all limits; "centre": in
    the middle of all limits.
    """

    criterion = key_of(f.one_of(*CRITERIA))
    """Criterion of the force distribution. Default: "bounded" where there are cables, else "least-norm"."""
    weights = f.WEIGHTS
    """Weights, one per actuator, or "force" for 1 / (force limit)^2. Default: 1."""
    reference = f.EFFORTS
    """Preload: the desired force of each actuator; for a cable, minus its tension. Default: 0."""


class AnchorTable(Table):
    """An end of a spring: a point of a body."""

    body = f.BODY_PLACE.of(needed=True)
    """Body that holds this end: "base", "platform", or "leg.joint" for the body that joint moves."""
    point = f.POINT
    """Attachment point in the body's frame. Default: its origin."""


class SpringTable(Table):
    """`[[spring]]`: pulls two points together with stiffness times (distance - free length)."""

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """A spring between points changes its length, however the actuators move."""
        return "P"

    name = f.NAME
    """Name used in messages. Default: its number."""
    stiffness = f.STIFFNESS.of(needed=True, above=True)
    """Stiffness, force per length."""
    free_length = f.LENGTH.of(low=0.0)
    """Length at which the spring exerts no force; with 0 it pulls in proportion to the distance. Default: 0."""
    first = key_of(AnchorTable, needed=True)
    """First end of the spring."""
    second = key_of(AnchorTable, needed=True)
    """Second end of the spring."""


class TolerancesTable(Table):
    """`[tolerances]`: half widths, for `gough accuracy` and as what `gough calibrate` knows beforehand.

    Any other key is an address of the robot, `"leg.1.base.x"`.
    """

    other_keys = f.ANYTHING

    base = f.ANYTHING
    """Tolerance (half width) of each coordinate of every leg's base point [m]. Default: exact."""
    platform = f.ANYTHING
    """Tolerance of each coordinate of every leg's platform point [m]. Default: exact."""
    zero = f.ANYTHING
    """Tolerance of every actuator's zero [m or rad]. Default: exact."""
    encoder = f.ANYTHING
    """Resolution of every actuator's encoder [m or rad]. Default: exact."""
    backlash = f.ANYTHING
    """Total backlash of every actuator [m or rad]. Default: none."""
    distribution = f.ANYTHING
    """Distribution of all of these: "uniform", or "normal" with a third of the half width as standard deviation.
    Default: `"uniform"`."""


class HeatTable(Table):
    """`[heat]`: how far the whole machine grows."""

    temperature = f.ANYTHING
    """Largest deviation of the machine's temperature from that at calibration [K]. Default: 0."""
    expansion = f.ANYTHING
    """Thermal expansion of its material [1/K]. Default: 0."""
    scale_expansion = f.ANYTHING
    """Thermal expansion of the scales of sliding actuators, which is the ball screw where its turns are counted [1/K].
    Default: 0."""


class StiffnessTable(Table):
    """`[stiffness]`: of what gives way under forces; what is not stated is rigid."""

    actuator = f.ANYTHING
    """Stiffness of every actuator along its displacement [N/m or N m/rad]. Default: rigid."""
    joint = f.ANYTHING
    """Stiffness of every joint's bearings in each direction [N/m]. Default: rigid."""
    tilt = f.ANYTHING
    """Rotational stiffness of every joint's bearings [N m/rad]. Default: rigid."""
    link = f.ANYTHING
    """Stiffness of every link along its axis [N/m]. Default: rigid."""
    bending = f.ANYTHING
    """Bending stiffness of every link, at its end [N/m]. Default: rigid."""


class RobotTable(Table):
    """A whole file."""

    @staticmethod
    def joint_kind(table: Mapping[str, Any], kind: str) -> str:
        """How the actuators move of legs that state no type themselves."""
        listed = table.get("leg")
        legs = [table.get("legs"), *(listed if isinstance(listed, list) else [])]
        kinds = (LegTable.joint_kind(leg, "") for leg in legs if isinstance(leg, Mapping))
        return next(filter(None, kinds), kind)

    @staticmethod
    def settle(found: dict[str, Any], units: Units, kind: str) -> Iterator[Fault]:
        """Convert the forces that actuators prefer, each in the unit of its actuator; faults of gravity."""
        if "actuation" in found:
            found["actuation"] |= f.each_in_si(found["actuation"], "reference", "effort", actuator_kinds(found), units)
        return _gravity_fault(found.get("gravity", [0.0]), units)

    name = f.NAME.of(needed=True)
    """Name of the robot: letters, digits, - and _."""
    description = f.TEXT
    """Description, one line. Default: none."""
    gravity = f.ACCELERATION
    """Acceleration of gravity, in B. Default: [0, 0, -9.80665]."""
    length = f.SIZE
    """Characteristic length for condition numbers, see `gough show`. Default: from the platform joints."""
    units = key_of(UnitsTable)
    """Units of the numbers in the file. Default: SI, rad."""
    platform = key_of(PlatformTable, needed=True)
    """The moving body and its coordinates."""
    payload = key_of(PayloadTable)
    """Body that the platform carries. Default: none."""
    legs = key_of(LegsTable)
    """All legs at once, or defaults for the `leg` tables. Default: none."""
    leg = key_of([LegTable], hint="each leg is a [[leg]]; all at once are [legs]")
    """One table per leg. Default: from `legs`."""
    motor = key_of(MotorFile)
    """Motor on every actuator, with the rotor inertia and gear of actuators that state none. Default: none."""
    tool = key_of(ToolTable)
    """Tool frame of the platform. Default: P."""
    actuation = key_of(ActuationTable)
    """Distribution of forces over redundant actuators. Default: see there."""
    spring = key_of([SpringTable])
    """Springs between bodies. Default: none."""
    tolerances = key_of(TolerancesTable)
    """Manufacturing tolerances and encoder resolution. Default: exact."""
    heat = key_of(HeatTable)
    """Thermal growth of the machine. Default: none."""
    stiffness = key_of(StiffnessTable)
    """Stiffness of the parts that deform under load. Default: rigid."""


def _platform_faults(platform: Mapping[str, Any], units: Units) -> Iterator[Fault]:
    """Faults of the platform's coordinates and home."""
    coordinates: Mapping[str, str] = platform["coordinates"]
    motions = [*coordinates.values()]
    if not motions:
        yield Fault(("coordinates",), "must have at least one coordinate", coordinates)
    for motion in sorted({m for m in motions if len(m) == 1 and motions.count(m) > 1}):
        yield Fault(("coordinates",), f"must move {motion} only once", coordinates)
    turns = [m for m in motions if len(m) == 2]
    if len(turns) > 3 or any(a == b for a, b in pairwise(turns)):
        allowed = "must have at most three turns, neighbours about different axes"
        yield Fault(("coordinates",), allowed, coordinates)
    dependent = platform.get("dependent", ())
    for k, name in enumerate(dependent):
        if name not in coordinates:
            yield Fault(("dependent", k), "must be the name of a coordinate", name, did_you_mean(name, [*coordinates]))
        elif name in dependent[:k]:
            yield Fault(("dependent", k), "must be listed once", name)
    if motions and {*coordinates} <= {*dependent}:
        hint = "list those that follow the others only"
        yield Fault(("dependent",), "must leave at least one coordinate that others depend on", list(dependent), hint)
    home = platform.get("home", motions)
    if len(home) != len(motions):
        yield Fault(("home",), f"must be {len(motions)} numbers, one per coordinate", home)
    elif "home" in platform:
        for k, (motion, value) in enumerate(zip(motions, home, strict=True)):
            if beyond := out_of_bounds(f.ANGLE if motion in turns else f.LENGTH, value, units):
                yield Fault(("home", k), beyond.allowed, value, beyond.hint)


def _gravity_fault(gravity: list[float], units: Units) -> Iterator[Fault]:
    """A fault of gravity that is most likely in another unit, or a direction."""
    size = math.hypot(*gravity)
    if 0 < size <= 1.0 or size > 30.0:
        hint = "a direction? multiply it by 9.81" if size == 1.0 else ""
        for unit, one in (("m/s^2", 1.0), ("mm/s^2", 0.001)):
            if 1.0 < size / units.acceleration * one < 30.0:
                hint = f'in {unit}? state [units] acceleration = "{unit}"'
        yield Fault(("gravity",), f"must be 0 or between 1 and 30 m/s^2 long, not {size:.4g}", gravity, hint)
