"""Legs with a rod of fixed length carried by a slider (P..) or a crank (R..).

Slider: S = base + (offset + q) e along the guide; crank: K = base + r (cos q f + sin q (a x f)) about the motor's axis
a, from the reference direction f. With n the rod's direction towards the platform and d = platform joint - base:

* slider, branch = sign(n . e), d from the point where q is zero: `closures.slider`;
* crank, branch +1 where the crank is ahead of the platform joint: `closures.crank`.

Leg frame 0 of a slider stands where q is zero, with the axes of the rod at home; that of a crank at base with axes
f, a x f, a. All passive coordinates are zero at home, except the parallelogram's swing. Rod frames have x along
the rod.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gough.graph import atan2, divide, dot, exact_cos, exact_sin, norm
from gough.graph.triples import add, apply, cross, from_columns, product, scale, subtract, transpose, unit, vector
from gough.robot.inertia import body
from gough.robot.leg_values import IDENTITY, ZERO, End, Joint, Leg, Matrix, Mimic, Vector
from gough.robot.legs.building_blocks import (
    X,
    Y,
    Z,
    actuator,
    base_bolt,
    end_bolt,
    hinge_across,
    platform_point,
    universal,
)
from gough.robot.legs.closures import crank, slider
from gough.robot.legs.rings import radial_of
from gough.robot.legs.short_form import Reason, ShortForm, between, too_long, too_short

Build = Callable[[Vector, Matrix, Matrix], tuple[tuple[Joint, ...], End]]


def _ball(entry: Mapping[str, Any], joint: int) -> End:
    """The spherical end of a rod behind a joint."""
    tip, point = scale(entry["rod"]["length"], X), vector(entry["platform"])
    return End("spherical", joint, tip, platform_point=point, cone=entry.get("end_cone"), bolt=end_bolt(entry))


def _bolt(entry: Mapping[str, Any], R_BT: Matrix) -> Vector | None:
    """Bolt of a rod end at the lower end of a rod, in the axes of the crank or of the slider, which are R_BT."""
    if "bolt" not in entry:
        return None
    if entry["type"][0] == "R":
        along, across, shaft = entry["bolt"]
        return (along, across, entry.get("side", 1.0) * shaft)  # the second leg of a pair is the first's mirror image
    bolt_B = base_bolt(entry)
    assert bolt_B is not None
    return apply(transpose(R_BT), bolt_B)


def rod_on_universal(entry: Mapping[str, Any], n_B: Vector, _hinge: Vector | None) -> tuple[Matrix, Build]:
    """..US and ..SS: a universal joint (the second without spin), the rod, a spherical end."""
    letter, cone = entry["type"][1], entry.get("cone")
    R_BT, first, second = universal(entry, n_B, free_spin=letter == "S")
    bolt = _bolt(entry, R_BT)

    def build(offset: Vector, R_0T: Matrix, _R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        cross_body, rod = body(entry.get("cross"), "cross"), body(entry["rod"], "rod")
        joints = (
            Joint(
                f"{letter}1",
                "R",
                first,
                offset,
                R_0T,
                parent=0,
                start=0.0,
                cone=cone,
                body=cross_body,
                group=letter,
                bolt=bolt,
            ),
            Joint(f"{letter}2", "R", second, parent=1, start=0.0, cone=cone, body=rod, group=letter, bolt=bolt),
        )
        return joints, _ball(entry, 2)

    return R_BT, build


def rod_on_hinge(entry: Mapping[str, Any], n_B: Vector, hinge: Vector | None) -> tuple[Matrix, Build]:
    """..RU and ..RR: a hinge, the rod, at its end a parallel hinge and, for U, one more fixed in the platform."""
    assert hinge is not None
    R_BT = from_columns(n_B, cross(hinge, n_B), hinge)

    def build(offset: Vector, R_0T: Matrix, R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        tip = scale(entry["rod"]["length"], X)
        rod = Joint("R2", "R", Z, offset, R_0T, parent=0, start=0.0, body=body(entry["rod"], "rod"), group="R2")
        if entry["type"].endswith("RR"):
            joints: tuple[Joint, ...] = (rod, Joint("R3", "R", Z, tip, parent=1, start=0.0, group="R3"))
        else:
            axis = apply(transpose(R_BT), unit(vector(entry["platform_hinge"])))
            cone, cross_body = entry.get("end_cone"), body(entry.get("cross"), "cross")
            joints = (
                rod,
                Joint("U1", "R", Z, tip, parent=1, start=0.0, cone=cone, body=cross_body, group="U"),
                Joint("U2", "R", axis, parent=2, start=0.0, cone=cone, group="U"),
            )
        return joints, End("rigid", len(joints), platform_point=vector(entry["platform"]), platform_rotation=R_PT)

    return R_BT, build


def rod_in_plane(entry: Mapping[str, Any], n_B: Vector, hinge: Vector | None) -> tuple[Matrix, Build]:
    """..RS: a hinge, the rod across it, a spherical end."""
    assert hinge is not None
    x = unit(subtract(n_B, scale(dot(n_B, hinge), hinge)))
    R_BT = from_columns(x, cross(hinge, x), hinge)

    def build(offset: Vector, R_0T: Matrix, _R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        rod = Joint("R2", "R", Z, offset, R_0T, parent=0, start=0.0, body=body(entry["rod"], "rod"), group="R2")
        return (rod,), _ball(entry, 1)

    return R_BT, build


def rod_between_universals(entry: Mapping[str, Any], n_B: Vector, _hinge: Vector | None) -> tuple[Matrix, Build]:
    """..UU: a universal joint, the rod, and at its end the same axes in the other order, on the platform at home."""
    cone, end_cone = entry.get("cone"), entry.get("end_cone")
    R_BT, first, second = universal(entry, n_B, free_spin=False)

    def build(offset: Vector, R_0T: Matrix, R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        cross_body, rod = body(entry.get("cross"), "cross"), body(entry["rod"], "rod")
        tip = scale(entry["rod"]["length"], X)
        joints = (
            Joint("U1", "R", first, offset, R_0T, parent=0, start=0.0, cone=cone, body=cross_body, group="U"),
            Joint("U2", "R", second, parent=1, start=0.0, cone=cone, body=rod, group="U"),
            Joint("V1", "R", second, tip, parent=2, start=0.0, cone=end_cone, group="V"),
            Joint("V2", "R", first, parent=3, start=0.0, cone=end_cone, group="V"),
        )
        return joints, End("rigid", 4, platform_point=vector(entry["platform"]), platform_rotation=R_PT)

    return R_BT, build


def parallelogram(entry: Mapping[str, Any], n_B: Vector, hinge: Vector | None) -> tuple[Matrix, Build]:
    """..Pa: hinge y, swing z of two parallel bars at y = +-spread, a closing bar parallel to the first, hinge y.

    The frame has y along the hinge and x along the part of the rod's direction across it. The closing bar's coordinate
    is minus the swing, the second bar's is the swing. The file gives the closing bar's centre of mass from its middle.
    """
    assert hinge is not None
    across = dot(n_B, hinge)
    flat = subtract(n_B, scale(across, hinge))
    swing = atan2(across, norm(flat))
    x = unit(flat)
    R_BT = from_columns(x, hinge, cross(x, hinge))

    def build(offset: Vector, R_0T: Matrix, R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        bar, spread = body(entry["rod"], "bar"), entry.get("spread", 0.0)
        plus, minus = (0.0, spread, 0.0), (0.0, -spread, 0.0)
        tip, crossbar = scale(entry["rod"]["length"], X), body(entry.get("crossbar"), "crossbar")
        middle = body(entry.get("closing"), "closing")
        closing = replace(middle, com=add(middle.com, minus))
        joints = (
            Joint("R2", "R", Y, offset, R_0T, parent=0, start=0.0, body=crossbar, group="R2"),
            Joint("Pa1", "R", Z, plus, parent=1, start=swing, body=bar, group="Pa"),
            Joint("Pa2", "R", Z, tip, parent=2, mimic=Mimic(2, -1.0), start=-swing, body=closing, group="Pa"),
            Joint("R3", "R", Y, minus, parent=3, start=0.0, group="R3"),
            Joint("Pa3", "R", Z, minus, parent=1, mimic=Mimic(2, 1.0), start=swing, body=bar, group="Pa"),
        )
        return joints, End("rigid", 4, platform_point=vector(entry["platform"]), platform_rotation=R_PT)

    return R_BT, build


TAILS: dict[str, Callable[[Mapping[str, Any], Vector, Vector | None], tuple[Matrix, Build]]] = {
    "US": rod_on_universal,
    "SS": rod_on_universal,
    "RS": rod_in_plane,
    "UU": rod_between_universals,
    "RU": rod_on_hinge,
    "RR": rod_on_hinge,
    "Pa": parallelogram,
}


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
    return (-exact_sin(tilt) * c, -exact_sin(tilt) * s, exact_cos(tilt))


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
    f = (c * exact_cos(yaw) - s * exact_sin(yaw), s * exact_cos(yaw) + c * exact_sin(yaw), 0.0)
    return f, Z, (f[1], -f[0], 0.0)


def _hinge(entry: Mapping[str, Any]) -> Vector | None:
    """Unit vector in B of the hinge that carries the rod at home: as stated, or the motor's axis, or the tangent."""
    if entry["type"] in ("PRS", "PPa"):
        return hinge_across(entry)
    if "hinge" in entry:
        return unit(vector(entry["hinge"]))
    return motor_axes(entry)[2] if "motor" in entry else None


def _sign(entry: Mapping[str, Any]) -> int:
    """Sign of the root that the branch chooses: of one that is refused too, which has no other faults then."""
    return 1 if entry.get("branch", 1) > 0 else -1


def _slider(entry: Mapping[str, Any], target: Vector) -> Drive:
    e, length = guide_direction(entry), entry["rod"]["length"]
    origin = add(vector(entry["base"]), scale(entry["guide"].get("offset", 0.0), e))
    d = subtract(target, origin)
    along = dot(e, d)
    aside = subtract(d, scale(along, e))
    q, _ = slider(along, dot(aside, aside), length, _sign(entry))
    return Drive(q, add(origin, scale(q, e)), origin, None)


def _crank(entry: Mapping[str, Any], target: Vector) -> Drive:
    f, s, a = motor_axes(entry)
    origin, r, length = vector(entry["base"]), entry["crank"]["length"], entry["rod"]["length"]
    turn, _ = crank(subtract(target, origin), (f, s), r, length, _sign(entry))
    q = atan2(turn.s, turn.c)
    c = add(scale(exact_cos(q), f), scale(exact_sin(q), s))
    return Drive(q, add(origin, scale(r, c)), origin, from_columns(c, cross(a, c), a))


def slider_reach(entry: Mapping[str, Any], d: Vector) -> Reason | None:
    """Why the rod of a slider does not span d, None where it does or no direction is known."""
    e = guide_direction(entry)
    if not math.isfinite(dot(e, e)):
        return None
    return between(norm(cross(e, d)), 0.0, entry["rod"]["length"], "rod.length")


def crank_reach(entry: Mapping[str, Any], d: Vector) -> Reason | None:
    """Why crank and rod do not span d, None where they do or no direction is known."""
    f, s, a = motor_axes(entry)
    if not math.isfinite(dot(f, f)):
        return None
    length, r = entry["rod"]["length"], entry["crank"]["length"]
    flat = add(scale(dot(d, f), f), scale(dot(d, s), s))
    near = norm(subtract(d, scale(r, unit(flat)))) if norm(flat) else math.hypot(r, dot(d, a))
    far = norm(add(d, scale(r, unit(flat)))) if norm(flat) else near
    if length < near:
        return too_short("rod.length", near - length)
    return too_long("rod.length", length - far) if length > far else None


def _on_slider(
    tail: str, bodies: tuple[str | None, ...], needed: tuple[str, ...] = (), optional: tuple[str, ...] = ()
) -> ShortForm:
    return ShortForm(
        f"P{tail}",
        driven_leg,
        ("slider", *bodies),
        "P",
        ("guide", "rod", *needed),
        optional,
        reach=slider_reach,
        outward="guide.direction",
    )


def _on_crank(
    tail: str, bodies: tuple[str | None, ...], needed: tuple[str, ...] = (), optional: tuple[str, ...] = ()
) -> ShortForm:
    return ShortForm(
        f"R{tail}",
        driven_leg,
        ("crank", *bodies),
        "R",
        ("motor", "crank", "rod", *needed),
        optional,
        reach=crank_reach,
    )


_UNIVERSAL = ("axes", "cone", "end_cone")
_BOLTS = ("bolt", "end_bolt")
_PA = ("spread", "crossbar", "closing")
_BARS = ("crossbar", "rod", "closing", None, "rod")

PUS = _on_slider("US", ("cross", "rod"), optional=(*_UNIVERSAL, "end_bolt", "cross", "slider"))
PSS = _on_slider("SS", ("cross", "rod"), optional=(*_UNIVERSAL, *_BOLTS, "slider"))
PRS = _on_slider("RS", ("rod",), optional=("hinge", "end_cone", "end_bolt", "slider"))
PUU = _on_slider("UU", ("cross", "rod", None, None), optional=(*_UNIVERSAL, "cross", "slider"))
PRU = _on_slider("RU", ("rod", "cross", None), ("hinge", "platform_hinge"), ("slider", "cross", "end_cone"))
PRR = _on_slider("RR", ("rod", None), ("hinge",), ("slider",))
PPA = _on_slider("Pa", _BARS, optional=("hinge", "slider", *_PA))
RUS = _on_crank("US", ("cross", "rod"), optional=(*_UNIVERSAL, "end_bolt", "cross"))
RSS = _on_crank("SS", ("cross", "rod"), optional=(*_UNIVERSAL, *_BOLTS))
RRS = _on_crank("RS", ("rod",), optional=("end_cone", "end_bolt"))
RUU = _on_crank("UU", ("cross", "rod", None, None), optional=(*_UNIVERSAL, "cross"))
RRU = _on_crank("RU", ("rod", "cross", None), ("platform_hinge",), ("hinge", "cross", "end_cone"))
RRR = _on_crank("RR", ("rod", None))
RPA = _on_crank("Pa", _BARS, optional=("hinge", *_PA))
