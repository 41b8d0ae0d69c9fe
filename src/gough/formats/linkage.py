"""A machine between a `Robot` and a file of another program: links, and what connects them, loops included.

Each connection joins a frame of its parent link with a frame of its child link: X_W_parent at motion(q) = X_W_child
child_at. `closes` marks those that close a loop; without them the connections make up a tree. SI units and radians.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gough.errors import InputError
from gough.formats.placement import Floats, Placement

WORLD = "world"
"""Name of the link that stands still."""

Kind = Literal["fixed", "R", "P", "ball"]


@dataclass(frozen=True, eq=False)
class Rod:
    """What a link looks like: a rod between two points (3,) of it [m], round at its ends; a ball where they are one."""

    start: Floats
    stop: Floats
    radius: float


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body.

    Attributes:
        name: Unique in the machine.
        mass: [kg].
        com: (3,) centre of mass in the link's frame [m].
        inertia: (3, 3) about the centre of mass in the link's axes [kg m^2].
        rods: For pictures.
    """

    name: str
    mass: float = 0.0
    com: Floats = field(default_factory=lambda: np.zeros(3))
    inertia: Floats = field(default_factory=lambda: np.zeros((3, 3)))
    rods: tuple[Rod, ...] = ()

    @property
    def massless(self) -> bool:
        """Whether it has neither mass nor inertia."""
        return self.mass == 0.0 and not self.inertia.any()


@dataclass(frozen=True)
class Follow:
    """A coordinate that is ratio times that of another connection, plus offset."""

    leader: str
    ratio: float
    offset: float


@dataclass(frozen=True)
class Spring:
    """A spring in a joint: effort -stiffness (q - rest)."""

    stiffness: float
    rest: float


@dataclass(frozen=True, eq=False)
class Connection:
    """What joins two links.

    Attributes:
        name: Unique among connections.
        kind: "fixed", "R" turns, "P" slides, "ball" turns in all directions.
        parent, child: Names of the links.
        at: The joint's frame in the parent.
        child_at: The moved joint's frame in the child.
        axis: (3,) unit vector in the joint's frame.
        closes: It closes a loop: the tree does without it.
        home: Coordinate where the machine is assembled.
        given: A file states `home`, so that loops are closed with the joint there if they can be.
        zero: Coordinate at which the displacement counts as zero.
        range: Least and largest coordinate, None without limits.
        speed, effort: Largest, None without limits.
        viscous, coulomb: Friction [N s/m or N m s/rad; N or N m].
        armature: Inertia of the rotor, on the joint's side [kg or kg m^2].
        spring: None without.
        follows: Set where the coordinate is not its own.
        driven: A motor drives it.
    """

    name: str
    kind: Kind
    parent: str
    child: str
    at: Placement = field(default_factory=Placement)
    child_at: Placement = field(default_factory=Placement)
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    closes: bool = False
    home: float = 0.0
    given: bool = False
    zero: float = 0.0
    range: tuple[float, float] | None = None
    speed: float | None = None
    effort: float | None = None
    viscous: float = 0.0
    coulomb: float = 0.0
    armature: float = 0.0
    spring: Spring | None = None
    follows: Follow | None = None
    driven: bool = False


@dataclass(frozen=True, eq=False)
class Hook:
    """A point (3,) of a link [m]."""

    link: str
    point: Floats


@dataclass(frozen=True, eq=False)
class Rope:
    """A straight line between points of two links: a cable that a winch pulls, or a spring.

    Attributes:
        name: Unique among ropes.
        first, second: Points that it is attached to.
        tension: Least and largest of a cable [N]; None for a spring.
        range: Least and largest length of a cable [m], None without limits.
        viscous, coulomb, armature: As of a connection, of a cable.
        stiffness: Stiffness of a spring [N/m].
        free_length: Free length of a spring [m].
    """

    name: str
    first: Hook
    second: Hook
    tension: tuple[float, float] | None = None
    range: tuple[float, float] | None = None
    viscous: float = 0.0
    coulomb: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    free_length: float = 0.0


@dataclass(frozen=True, eq=False)
class Linkage:
    """A whole machine.

    Attributes:
        name: Name of the machine.
        gravity: (3,) acceleration of free fall [m/s^2].
        links: All but the world.
        connections: In the order of the file.
        ropes: Cables and springs between points.
        free: Links that hang in no tree, with their placement in the world where the machine is assembled.
        remarks: A line for each thing that was left out or changed on the way.
        platform: Name of the platform's link where it is known, else empty.
        slides: The platform never turns, so that its moments of inertia count for nothing.
    """

    name: str
    gravity: Floats
    links: tuple[Link, ...]
    connections: tuple[Connection, ...]
    ropes: tuple[Rope, ...] = ()
    free: dict[str, Placement] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    platform: str = ""
    slides: bool = False

    def link(self, name: str) -> Link:
        """The link of a name."""
        return next(link for link in self.links if link.name == name)

    def children(self, name: str) -> list[Connection]:
        """Connections of the tree that a link carries, in order."""
        return [c for c in self.connections if c.parent == name and not c.closes]


def refuse_cables(linkage: Linkage, form: str) -> None:
    """Refuse a machine with cables for a format that has none.

    Raises:
        InputError: It has one.
    """
    for rope in linkage.ropes:
        if rope.tension is not None:
            raise InputError(f"leg.{rope.name}: a cable has no place in {form}; export mjcf, which has tendons")
