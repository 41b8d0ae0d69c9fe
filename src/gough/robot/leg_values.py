"""What a leg is: bodies, joints with what drives, limits and loads them, and how it meets the platform.

Frozen values in SI units and radians. Leg frame 0 stands still in B. Joint k of a leg has a frame of its own, fixed in
the body that carries it (`parent`) at `offset`, `rotation`; moving along or about `axis` it takes body k with it, and
body k's frame *is* the moved joint frame. Joint coordinates are zero where the two coincide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gough.brief import brief
from gough.graph import Scalar, array, is_value, is_zero

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]
Inertia = tuple[float, float, float, float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
NO_INERTIA: Inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def tensor_of(inertia: Inertia) -> Any:
    """(3, 3) tensor of its six numbers xx, yy, zz, xy, xz, yz [kg m^2]."""
    xx, yy, zz, xy, xz, yz = inertia
    return array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body.

    Attributes:
        name: The group it belongs to in tables and plots, e.g. "cylinder".
        mass: [kg].
        com: (3,) centre of mass in the body's frame [m].
        inertia: Tensor about the centre of mass in the body's axes: xx, yy, zz, xy, xz, yz [kg m^2]; the off-diagonal
            entries are those of the tensor itself (xy = -integral of x y dm).
    """

    __repr__ = brief

    name: str = ""
    mass: float = 0.0
    com: Vector = ZERO
    inertia: Inertia = NO_INERTIA

    @property
    def tensor(self) -> Any:
        """(3, 3) inertia about the centre of mass in the body's axes [kg m^2]."""
        return tensor_of(self.inertia)

    @property
    def has_inertia(self) -> bool:
        """Whether its tensor is other than plain zero; a recorded number may be."""
        return not is_zero(self.inertia)

    @property
    def is_massless(self) -> bool:
        """Whether it has neither mass nor inertia, in plain numbers."""
        return is_value(self.mass, 0.0) and not self.has_inertia

    def inertia_across(self, u: Vector) -> Scalar:
        """Moment of inertia about an axis across the unit vector u (3,), if the body is even about u [kg m^2]."""
        xx, yy, zz, *_ = self.inertia
        return (xx + yy + zz - array(u) @ self.tensor @ array(u)) * 0.5


ROUND_OFF = 1e-12
"""A limit exceeded by at most this share of it, or of the value, counts as kept: round-off."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a joint; None if not stated. Units: m or rad, and N or N m, W."""

    stroke: tuple[float, float] | None = None
    speed: float | None = None
    force: float | None = None
    power: float | None = None


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint coordinate that follows another of the same leg: ratio * coordinate[joint] + offset."""

    joint: int
    ratio: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class JointSpring:
    """A spring in a joint, which pushes it towards smaller displacements.

    Attributes:
        stiffness: [N/m or N m/rad]; 0 leaves a constant force.
        rest: Displacement at which only the preload acts [m or rad].
        preload: Effort there [N or N m].
    """

    stiffness: float
    rest: float = 0.0
    preload: float = 0.0


@dataclass(frozen=True, slots=True)
class Joint:
    """An elementary joint and the body it moves.

    Attributes:
        name: Unique in its leg.
        kind: "R" turns about its axis, "P" slides along it.
        axis: (3,) unit vector in the joint's frame.
        offset: (3,) origin of the joint's frame in the frame of the body that carries it [m].
        rotation: R_parent_joint of the unmoved joint.
        parent: Index of the joint whose body carries this one; -1 is leg frame 0.
        mimic: The joint it follows, if its coordinate is not independent.
        actuated: A motor drives it.
        zero: Reading of the displacement's origin: displacement = coordinate - zero [m or rad].
        start: Approximate coordinate at home, which selects the assembly of the leg; None if not stated.
        cone: Largest angle of the joint this one was expanded from (U or S), from its straight position [rad].
        limits: On its displacement, speed, force and power.
        viscous: Friction per speed [N s/m or N m s/rad].
        coulomb: Dry friction, actuated joints only [N or N m].
        rotor_inertia: Inertia of the motor's rotor about its own axis [kg m^2].
        gear: Rotor angle per joint coordinate [rad/m or rad/rad].
        spring: Spring between the body and the one that carries it, on the displacement.
        body: The body that moves with it.
        group: Name of the joint in the file from which this one was expanded, e.g. "U1".
        bolt: (3,) direction in the frame of the body that carries it about which the joint it was expanded from (S)
            turns freely: the cone then is of the angle from the plane across the bolt. None for a ball joint.
    """

    __repr__ = brief

    name: str
    kind: Literal["R", "P"]
    axis: Vector
    offset: Vector = ZERO
    rotation: Matrix = IDENTITY
    parent: int = -1
    mimic: Mimic | None = None
    actuated: bool = False
    zero: float = 0.0
    start: float | None = None
    cone: float | None = None
    limits: Limits = Limits()
    viscous: float = 0.0
    coulomb: float = 0.0
    rotor_inertia: float = 0.0
    gear: float = 1.0
    body: Body = Body()
    group: str = ""
    spring: JointSpring | None = None
    bolt: Vector | None = None

    @property
    def turns(self) -> bool:
        """Whether it is a revolute joint: angles and torques in place of lengths and forces."""
        return self.kind == "R"

    @property
    def is_passive_viscous(self) -> bool:
        """Whether it has viscous friction that no actuator feels as its own; a recorded number may be."""
        return not self.actuated and not is_value(self.viscous, 0.0)


@dataclass(frozen=True, slots=True)
class End:
    """How a leg's last body meets the platform.

    Attributes:
        kind: "spherical" (the points meet, 3 equations) or "rigid" (the frames meet, 6 equations).
        joint: Index of the joint whose body is the last of the main chain.
        point: (3,) in that body's frame [m].
        rotation: R_body_end, used by a rigid end.
        platform_point: (3,) in P [m].
        platform_rotation: R_P_end, used by a rigid end.
        cone: Largest angle of a spherical end from its position at home [rad].
        bolt: (3,) direction in P about which a spherical end turns freely: the cone then is of the angle from the plane
            across the bolt. None for a ball joint.
    """

    __repr__ = brief

    kind: Literal["spherical", "rigid"]
    joint: int
    point: Vector = ZERO
    rotation: Matrix = IDENTITY
    platform_point: Vector = ZERO
    platform_rotation: Matrix = IDENTITY
    cone: float | None = None
    bolt: Vector | None = None


@dataclass(frozen=True, slots=True)
class Cable:
    """Properties of a leg that is a cable. It has one joint, whose coordinate is its length from the base point.

    Attributes:
        tension: Least and largest [N].
        reference: Preferred tension [N]; None is the middle of the two.
        pulley: Radius of the pulley at the base point [m]; 0 for none. The cable arrives at the base point along
            `axis`, about which the pulley turns towards the platform, and its length counts from there.
        axis: (3,) unit vector in B.
        elasticity: Force per strain, E times A [N]; None for an inextensible cable.
    """

    tension: tuple[float, float]
    reference: float | None = None
    pulley: float = 0.0
    axis: Vector = (0.0, 0.0, 1.0)
    elasticity: float | None = None

    @property
    def wanted(self) -> float:
        """The tension it would have if it could [N]."""
        return 0.5 * (self.tension[0] + self.tension[1]) if self.reference is None else self.reference


@dataclass(frozen=True, slots=True)
class Leg:
    """A chain of joints and bodies from the base to the platform, with side branches where joints say so.

    Attributes:
        name: Unique in the robot.
        position: (3,) origin of leg frame 0 in B [m].
        rotation: R_B0.
        joints: In an order in which every joint comes after the one that carries it.
        end: Where it meets the platform.
        branch: Number of its assembly, 1, -1, 2, -2 and so on (see docs/branches.md); None is not stated.
        free_spin: The leg has spherical joints at both ends; its spin about its own axis is taken as zero.
        radius: Radius of its parts, for distances between legs [m].
        cable: Set where the leg is a cable; then its only joint is its length.
    """

    __repr__ = brief

    name: str
    joints: tuple[Joint, ...]
    end: End
    position: Vector = ZERO
    rotation: Matrix = IDENTITY
    branch: int | None = None
    free_spin: bool = False
    radius: float | None = None
    cable: Cable | None = None
