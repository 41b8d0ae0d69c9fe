"""`Mechanism` and its parts: the platform, how forces are allocated, springs between bodies.

Frozen values in SI units and radians: what the equations of a robot read. Frames: B is the base, P the platform; legs
are in `leg_values`. Every number may also be a traced scalar of `gough.graph`: that is how a design parameter is left
free.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from dataclasses import replace as with_fields
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from gough.brief import brief
from gough.graph import is_value, is_zero
from gough.robot.leg_values import IDENTITY, ZERO, Body, Joint, Leg, Matrix, Vector


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One platform coordinate: its name and its motion; x, y, z slide, rx, ry, rz turn."""

    name: str
    motion: Literal["x", "y", "z", "rx", "ry", "rz"]

    @property
    def turns(self) -> bool:
        """Whether it is an angle."""
        return self.motion in ("rx", "ry", "rz")


@dataclass(frozen=True, slots=True)
class Platform:
    """The moving body and its coordinates.

    p_BP = p_origin + R_origin t and R_BP = R_origin R_1 R_2 R_3, where t holds the sliding coordinates and the R_i are
    the turning ones in the order in which they are listed (each about the already turned axis).

    Attributes:
        body: In frame P.
        coordinates: Ordered; at most one per sliding direction, at most three turning ones.
        home: A value per coordinate.
        position, rotation: The constant origin pose, which also holds what the coordinates do not move.
        dependent: Coordinates that follow the others, because the legs leave the platform no other motion.
        start: Approximate value of each of them at home, from which it is solved for.
        order: Names of all coordinates in the order in which they turn; empty where none is dependent.
    """

    __repr__ = brief

    body: Body
    coordinates: tuple[Coordinate, ...]
    home: tuple[float, ...]
    position: Vector = ZERO
    rotation: Matrix = IDENTITY
    dependent: tuple[Coordinate, ...] = ()
    start: tuple[float, ...] = ()
    order: tuple[str, ...] = ()

    @property
    def all_coordinates(self) -> tuple[Coordinate, ...]:
        """Independent and dependent coordinates in their order."""
        own = (*self.coordinates, *self.dependent)
        return tuple(own[k] for k in self._places())

    def in_order(self, x: Sequence[Any], d: Sequence[Any]) -> list[Any]:
        """Values of all coordinates in their order, from the independent ones x (n,) and the dependent ones d."""
        values = [*x, *d]
        return [values[k] for k in self._places()]

    def whole(self, d: Sequence[float] | None = None) -> Platform:
        """The platform as if no coordinate were dependent, at home where the dependent ones are d, or their starts."""
        if not self.dependent:
            return self
        home = tuple(self.in_order(self.home, self.start if d is None else d))
        return with_fields(self, coordinates=self.all_coordinates, home=home, dependent=(), start=(), order=())

    def _places(self) -> list[int]:
        """For each coordinate in order its place among the independent ones with the dependent ones behind them."""
        names = [c.name for c in (*self.coordinates, *self.dependent)]
        return [names.index(name) for name in self.order] if self.order else list(range(len(names)))


CRITERIA = ("least-norm", "bounded", "centre")
"""How forces are shared among more actuators than coordinates: see `Actuation`."""


@dataclass(frozen=True, slots=True)
class Actuation:
    """How forces are shared among the actuators of a robot that has more of them than coordinates.

    Attributes:
        criterion: One of `CRITERIA`. "least-norm": the sum of weight (force - reference)^2 is least; "bounded": the
            same within the limits of all actuators; "centre": the product of all distances from limits is largest.
        weights: One per actuator, above zero; None weighs all alike.
        reference: Preferred force of each actuator, the preload [N or N m]; None is zero.
    """

    __repr__ = brief

    criterion: str = "least-norm"
    weights: tuple[float, ...] | None = None
    reference: tuple[float, ...] | None = None

    @property
    def limited(self) -> bool:
        """Whether forces must keep to limits, so that a state may have no solution."""
        return self.criterion != "least-norm"

    @property
    def text(self) -> str:
        """A phrase for pages: "least-norm, weighted, about a reference"."""
        weighted = ", weighted" if self.weights is not None else ""
        return f"{self.criterion}{weighted}" + (", about a reference" if any(self.reference or ()) else "")


BASE = "base"
PLATFORM = "platform"
"""Names of the bodies that belong to no leg."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of a body: of "base", "platform" or "leg.joint", (3,) in that body's frame [m]."""

    body: str
    point: Vector = ZERO


@dataclass(frozen=True, slots=True)
class PointSpring:
    """A spring between points of two bodies, which pulls them together with stiffness (distance - free_length).

    Attributes:
        name: Unique in the robot.
        first, second: Points that it is attached to.
        stiffness: [N/m].
        free_length: Distance without force [m]; 0 pulls in proportion to the distance, as gravity balancing needs it.
    """

    name: str
    first: Anchor
    second: Anchor
    stiffness: float
    free_length: float = 0.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame fixed in a body: its origin (3,) and its orientation R in the body's frame [m]."""

    position: Vector = ZERO
    rotation: Matrix = IDENTITY

    @property
    def at_origin(self) -> bool:
        """Whether its origin is that of the body's frame, in plain numbers; a position left free is not."""
        return is_zero(self.position)

    @property
    def unturned(self) -> bool:
        """Whether its axes are those of the body's frame, in plain numbers."""
        return all(
            is_value(v, one)
            for row, ones in zip(self.rotation, IDENTITY, strict=True)
            for v, one in zip(row, ones, strict=True)
        )

    @property
    def is_identity(self) -> bool:
        """Whether it is the body's frame itself."""
        return self.at_origin and self.unturned


class _Content:
    """The values that make mechanisms equal, shared by all equal ones; it lives as long as one of them."""

    __slots__ = ("__weakref__", "values")

    def __init__(self, values: tuple[object, ...]) -> None:
        self.values = values


_CONTENTS: WeakValueDictionary[tuple[object, ...], _Content] = WeakValueDictionary()


@dataclass(frozen=True)
class Mechanism:
    """Geometry, masses, drives and limits of a machine, every number stated.

    Attributes:
        name: Name for tables and files.
        platform: The moving body and its coordinates.
        legs: At least one.
        gravity: (3,) acceleration of free fall in B [m/s^2].
        length: Characteristic length for condition numbers [m]; None takes the rms distance of the leg ends from
            their centroid.
        actuation: How forces are allocated to more actuators than coordinates; None where there are not more.
        springs: Between points of bodies; those in joints belong to the joints.
        tool: Frame of the platform where wrenches act and that pose conventions, travel and errors refer to.
    """

    __repr__ = brief

    name: str
    platform: Platform
    legs: tuple[Leg, ...]
    gravity: Vector = (0.0, 0.0, -9.80665)
    length: float | None = None
    actuation: Actuation | None = None
    springs: tuple[PointSpring, ...] = ()
    tool: Frame = Frame()

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism itself; that of a robot, which is one with a file, has no file."""
        return self

    @cached_property
    def without_tool(self) -> Mechanism:
        """The mechanism whose tool is its platform's own frame."""
        return self.mechanism if self.tool.is_identity else with_fields(self.mechanism, tool=Frame())

    @property
    def description(self) -> str:
        """What a robot's file says of it; empty for a mechanism."""
        return ""

    def __hash__(self) -> int:
        """Computed once: programs are found by mechanism on every call."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether all numbers and names are equal; compared once per mechanism, as every call asks for it."""
        if type(other) is not Mechanism:
            return NotImplemented
        return self is other or self._content is other._content

    @cached_property
    def _hash(self) -> int:
        return hash(self._content.values)

    @cached_property
    def _content(self) -> _Content:
        """The same object for all equal mechanisms."""
        content = _Content(tuple(getattr(self, entry.name) for entry in fields(Mechanism)))
        return _CONTENTS.setdefault(content.values, content)

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: hashes differ between processes, and all else is derived from the fields."""
        return {entry.name: self.__dict__[entry.name] for entry in fields(self)}

    @cached_property
    def dof(self) -> int:
        """Degrees of freedom n: the number of independent platform coordinates (columns of K)."""
        return len(self.platform.coordinates)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """(n,) names of the independent platform coordinates."""
        return tuple(coordinate.name for coordinate in self.platform.coordinates)

    @cached_property
    def dependent_names(self) -> tuple[str, ...]:
        """Names of the platform coordinates that follow the others."""
        return tuple(coordinate.name for coordinate in self.platform.dependent)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, leg by leg."""
        return tuple(joint for leg in self.legs for joint in leg.joints)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Of all joints: "leg.joint"."""
        return tuple(f"{leg.name}.{joint.name}" for leg in self.legs for joint in leg.joints)

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """The platform's, then those of all joints, leg by leg."""
        return (self.platform.body, *[joint.body for joint in self.joints])

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """Names of all bodies, one by one: "base", "platform", then "leg.joint" for the body each joint moves."""
        return (BASE, PLATFORM, *self.joint_names)

    @cached_property
    def has_springs(self) -> bool:
        """Whether it has a spring in a joint or between bodies."""
        return bool(self.springs) or any(joint.spring is not None for joint in self.joints)

    @cached_property
    def actuators(self) -> tuple[Joint, ...]:
        """(m,) actuated joints, leg by leg (rows of K); m may exceed `dof`."""
        return tuple(joint for joint in self.joints if joint.actuated)

    @cached_property
    def actuator_names(self) -> tuple[str, ...]:
        """(m,) names of the actuators: the leg's name if it has only one actuator, else "leg.joint"."""
        names: list[str] = []
        for leg in self.legs:
            driven = [joint.name for joint in leg.joints if joint.actuated]
            names += [leg.name] if len(driven) == 1 else [f"{leg.name}.{name}" for name in driven]
        return tuple(names)

    @cached_property
    def cables(self) -> tuple[int, ...]:
        """Indices of the actuators that are cables; a pulling cable's force is negative, its tension is -force."""
        return tuple(k for k, leg in enumerate(self.actuator_legs) if self.legs[leg].cable is not None)

    @cached_property
    def actuator_legs(self) -> tuple[int, ...]:
        """(m,) index of the leg of each actuator."""
        return tuple(k for k, leg in enumerate(self.legs) for joint in leg.joints if joint.actuated)

    def with_numbers(self, changes: Mapping[str, Any], at_joints: Mapping[str, Any] | None = None) -> Mechanism:
        """The mechanism with numbers at some addresses changed: see `Robot.with_numbers`.

        Raises:
            TypeError: There are changes, but a mechanism that is no robot has no addresses.
        """
        if changes or at_joints:
            raise TypeError(f"{self.name}: a mechanism without a spec has no addresses")
        return self


FARTHEST = 50.0
"""How many times its own size a robot's platform may be away from home, or a point from its platform."""


def size(robot: Mechanism) -> float:
    """How far the machine's parts reach from the origins of their frames [m]; 0 where its file says nothing of it.

    The farthest of: the base, the platform at home, joints and leg ends from the frame they stand in, centres of mass,
    and how far sliding joints go.
    """
    platform = robot.platform
    slides = [h for h, c in zip(platform.home, platform.coordinates, strict=True) if not c.turns]
    points: list[Sequence[float]] = [platform.position, slides, platform.body.com]
    for leg in robot.legs:
        points += [leg.position, leg.end.point, leg.end.platform_point]
        for joint in leg.joints:
            points += [joint.offset, joint.body.com]
            if joint.kind == "P":
                points += [(joint.start or 0.0,), *((end,) for end in joint.limits.stroke or ())]
    return max(math.hypot(*point) for point in points)


P = ParamSpec("P")
T = TypeVar("T")


def by_mechanism(
    maxsize: int,
) -> Callable[[Callable[Concatenate[Mechanism, P], T]], Callable[Concatenate[Mechanism, P], T]]:
    """Keep what a function makes of a mechanism, found by content; of a robot it gets the mechanism alone.

    So equal machines share programs, and nothing that is kept refers to a robot, its file or its tolerances.
    """

    def decorate(function: Callable[Concatenate[Mechanism, P], T]) -> Callable[Concatenate[Mechanism, P], T]:
        kept = lru_cache(maxsize)(function)

        @wraps(function)
        def found(robot: Mechanism, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return kept(robot.mechanism, *args, **kwargs)  # type: ignore[arg-type]

        return found

    return decorate
