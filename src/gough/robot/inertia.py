"""Inertia tensors: the ways of a file, and the move from any stated point to the centre of mass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.graph import divide
from gough.graph.triples import add, scale, subtract, vector
from gough.robot.leg_values import NO_INERTIA, ZERO, Body, Inertia, Vector


def six(stated: Sequence[Any] | None) -> Inertia:
    """xx, yy, zz, xy, xz, yz of a tensor stated as 3 principal moments, as these 6, or as 3 rows [kg m^2]."""
    if stated is None:
        return NO_INERTIA
    if isinstance(stated[0], (list, tuple)):
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = stated
        return (xx, yy, zz, xy, xz, yz)
    if len(stated) == 3:
        return (stated[0], stated[1], stated[2], 0.0, 0.0, 0.0)
    xx, yy, zz, xy, xz, yz = stated
    return (xx, yy, zz, xy, xz, yz)


def steiner(mass: float, arm: Vector) -> Inertia:
    """Tensor of a point mass [kg] at `arm` [m] about the origin [kg m^2]: what moving the reference point adds."""
    x, y, z = arm
    return (
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * (x * y),
        -mass * (x * z),
        -mass * (y * z),
    )


def to_centre(inertia: Inertia, mass: float, arm: Vector) -> Inertia:
    """Tensor about the centre of mass of one stated about a point that lies `-arm` from it [kg m^2]."""
    a, b = inertia, steiner(mass, arm)
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5])


def body(stated: Mapping[str, Any] | None, name: str) -> Body:
    """Body of a document's table: mass [kg], com [m], inertia [kg m^2] and the point it is `about`.

    `about` is "com" (the default), "joint" or "origin" (the body frame's origin), or a point in the body's frame [m].
    """
    if stated is None:
        return Body(name=name)
    mass = stated.get("mass", 0.0)
    com = vector(stated.get("com", ZERO))
    inertia = six(stated.get("inertia"))
    about = stated.get("about", "com")
    if about in ("joint", "origin"):
        inertia = to_centre(inertia, mass, com)
    elif about != "com":
        inertia = to_centre(inertia, mass, subtract(com, vector(about)))
    return Body(name=stated.get("name", name), mass=mass, com=com, inertia=inertia)


def joined(own: Body, other: Body) -> Body:
    """The body that two bodies of one frame make up, with the name of the first.

    With mass and inertia of the other negative, what is left of the first without it.
    """
    mass = own.mass + other.mass
    com = tuple(
        divide(a + b, mass) for a, b in zip(scale(own.mass, own.com), scale(other.mass, other.com), strict=True)
    )
    about_com = (
        [a + b for a, b in zip(part.inertia, steiner(part.mass, subtract(part.com, com)), strict=True)]
        for part in (own, other)
    )
    return Body(own.name, mass, com, six([a + b for a, b in zip(*about_com, strict=True)]))


def moved_body(stated: Mapping[str, Any] | None, name: str, by: Vector) -> dict[str, Any]:
    """Table of a body that is stated in a frame whose origin is at `by` (3,) in the body's own [m]."""
    own = body(stated, name)
    return {"name": own.name, "mass": own.mass, "com": add(own.com, by), "inertia": own.inertia}
