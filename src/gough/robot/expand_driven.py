"""Legs with a rod of fixed length carried by a slider (P..) or a crank (R..).

Slider: S = base + (offset + q) e along the guide; crank: K = base + r (cos q f + sin q (a x f)) about the motor's axis
a, from the reference direction f. With n the rod's direction towards the platform and d = platform joint - base:

* slider, branch = sign(n . e): q = e.d - branch sqrt((e.d)^2 - d.d + L^2), d from the point where q is zero;
* crank, branch +1 where the crank is ahead of the platform joint: q = atan2(d.(a x f), d.f) + branch acos(...).

Leg frame 0 of a slider stands where q is zero, with the axes of the rod at home; that of a crank at base with axes
f, a x f, a. All passive coordinates are zero at home, except the parallelogram's swing. Rod frames have x along
the rod.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gough.robot.expand_parts import X, Z, actuator, platform_point
from gough.robot.expand_ring import radial_of
from gough.robot.expand_tails import TAILS
from gough.robot.inertia import body
from gough.robot.numbers import acos, atan2, cos, divide, sin, sqrt
from gough.robot.values import IDENTITY, ZERO, Joint, Leg, Matrix, Vector
from gough.robot.vectors import (
    add,
    apply,
    cross,
    dot,
    from_columns,
    norm,
    product,
    scale,
    subtract,
    transpose,
    unit,
    vector,
)


class Drive(NamedTuple):
    """A slider or crank at home: its coordinate, where it carries the rod, its origin, and the crank's axes in B."""

    q: float
    tip: Vector
    origin: Vector
    R_BC: Matrix | None


def driven_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """Leg of a table with base, platform, rod, and a guide (first letter P) or a motor and crank (first letter R)."""
    kind, tail = entry["type"][0], entry["type"][1:]
    target = platform_point(entry, p_BP, R_BP)
    drive = (_slider if kind == "P" else _crank)(entry, target)
    n = scale(divide(1.0, entry["rod"]["length"]), subtract(target, drive.tip))
    hinge = _hinge(entry)
    R_BT, build = TAILS[tail](entry, n, hinge)
    if drive.R_BC is None:
        e = guide_direction(entry)
        first = Joint("P", "P", apply(transpose(R_BT), e), start=drive.q, group="P", **_moved(entry, "slider"))
        joints, end = build(ZERO, IDENTITY, product(transpose(R_BP), R_BT))
        rotation = R_BT
    else:
        first = Joint("R", "R", Z, start=drive.q, group="R", **_moved(entry, "crank"))
        R_CT = product(transpose(drive.R_BC), R_BT)
        joints, end = build(scale(entry["crank"]["length"], X), R_CT, product(transpose(R_BP), R_BT))
        rotation = from_columns(*motor_axes(entry))
    return Leg(
        name=entry["name"],
        joints=(first, *joints),
        end=end,
        position=drive.origin,
        rotation=rotation,
        branch=entry.get("branch", 1),
        free_spin=tail == "SS",
        radius=entry.get("radius"),
    )


def _moved(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {"body": body(entry.get(key), key), **actuator(entry)}


def guide_direction(entry: Mapping[str, Any]) -> Vector:
    """Unit vector along the guide in B: as stated, or leaning by `tilt` from z towards the z axis of B."""
    guide = entry["guide"]
    if "direction" in guide:
        return unit(vector(guide["direction"]))
    c, s, _ = radial_of(entry)
    tilt = guide["tilt"]
    return (-sin(tilt) * c, -sin(tilt) * s, cos(tilt))


def motor_axes(entry: Mapping[str, Any]) -> tuple[Vector, Vector, Vector]:
    """f, a x f and a of a motor in B: as stated, or horizontal, f turned by `yaw` from the outward direction.

    Unless stated, a = f x z: a positive angle raises the crank. The second leg of each pair is the first one's mirror
    image.
    """
    motor = entry["motor"]
    if "axis" in motor:
        a, f = unit(vector(motor["axis"])), unit(vector(motor["reference"]))
        return f, cross(a, f), a
    c, s, _ = radial_of(entry)
    yaw = entry.get("side", 1.0) * motor["yaw"]
    f = (c * cos(yaw) - s * sin(yaw), s * cos(yaw) + c * sin(yaw), 0.0)
    a = (f[1], -f[0], 0.0)
    return f, cross(a, f), a


def _hinge(entry: Mapping[str, Any]) -> Vector | None:
    """Unit vector in B of the hinge that carries the rod at home: as stated, or the motor's axis."""
    if "hinge" in entry:
        return unit(vector(entry["hinge"]))
    return motor_axes(entry)[2] if "motor" in entry else None


def _slider(entry: Mapping[str, Any], target: Vector) -> Drive:
    e, length = guide_direction(entry), entry["rod"]["length"]
    origin = add(vector(entry["base"]), scale(entry["guide"].get("offset", 0.0), e))
    d = subtract(target, origin)
    ed = dot(e, d)
    q = ed - entry.get("branch", 1) * sqrt(ed * ed - dot(d, d) + length * length)
    return Drive(q, add(origin, scale(q, e)), origin, None)


def _crank(entry: Mapping[str, Any], target: Vector) -> Drive:
    f, s, a = motor_axes(entry)
    origin, r, length = vector(entry["base"]), entry["crank"]["length"], entry["rod"]["length"]
    d = subtract(target, origin)
    x, y = dot(d, f), dot(d, s)
    cosine = divide(dot(d, d) + r * r - length * length, 2.0 * r * norm((x, y, 0.0)))
    q = atan2(y, x) + entry.get("branch", 1) * acos(cosine)
    c = add(scale(cos(q), f), scale(sin(q), s))
    return Drive(q, add(origin, scale(r, c)), origin, from_columns(c, cross(a, c), a))
