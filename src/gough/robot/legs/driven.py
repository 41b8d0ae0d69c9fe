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
from collections.abc import Callable

from gough.graph import Scalar, atan2, divide, dot, exact_cos, exact_sin, norm
from gough.graph.triples import add, apply, cross, from_columns, product, scale, subtract, transpose, unit, vector
from gough.robot.inertia import moved_body
from gough.robot.leg_values import IDENTITY, Matrix, Vector
from gough.robot.legs.blocks import X, Y, Z, ball, base_bolt, chain, hinge_across, joint, platform_point, universal
from gough.robot.legs.closures import crank, slider
from gough.robot.legs.rings import Entry, Table, radial_of
from gough.robot.legs.short_form import Reason, ShortForm, between, too_long, too_short

Tail = tuple[Matrix, list[Table], Table]
"""What a slider or crank carries: axes of the rod's frame at home in B, tables of joints, and of the end."""


def driven_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Table:
    """Leg of a table with base, platform, rod, and a guide (first letter P) or a motor and crank (first letter R)."""
    kind, tail = leg["type"][0], leg["type"][1:]
    target = platform_point(leg, p_BP, R_BP)
    q, tip, origin, R_BC = (_slider if kind == "P" else _crank)(leg, target)
    n = scale(divide(1.0, leg["rod"]["length"]), subtract(target, tip))
    R_BT, joints, end = TAILS[tail][0](leg, n)
    if end["type"] == "rigid":
        end["platform_rotation"] = product(transpose(R_BP), R_BT)
    if kind == "P":
        R_B0, axis = R_BT, apply(transpose(R_BT), guide_direction(leg))
        first = joint(leg, "P", "P", axis, "slider", driven=True, start=q)
    else:
        R_B0 = from_columns(*motor_axes(leg))
        first = joint(leg, "R", "R", Z, "crank", driven=True, start=q)
        joints[0] |= {"offset": scale(leg["crank"]["length"], X), "rotation": product(transpose(R_BC), R_BT)}
    return chain(leg, [first, *joints], end, origin, R_B0, free_spin=tail == "SS")


def _tip(leg: Entry) -> Vector:
    return scale(leg["rod"]["length"], X)


def _on_universal(leg: Entry, n_B: Vector) -> Tail:
    """..US and ..SS: a universal joint (the second without spin), the rod, a spherical end."""
    letter = leg["type"][1]
    R_BT, first, second = universal(leg, n_B, free_spin=letter == "S")
    both: Table = {"cone": leg.get("cone"), "bolt": _bolt(leg, R_BT)}
    joints = [
        joint(leg, f"{letter}1", "R", first, "cross", **both),
        joint(leg, f"{letter}2", "R", second, "rod", **both),
    ]
    return R_BT, joints, ball(leg, _tip(leg))


def _bolt(leg: Entry, R_BT: Matrix) -> Vector | None:
    """Bolt of a rod end at the lower end of a rod, in the axes of the crank or of the slider, which are R_BT."""
    if "bolt" not in leg or leg["type"][0] == "P":
        return base_bolt(leg, R_BT)
    along, across, shaft = leg["bolt"]
    return (along, across, leg.get("side", 1.0) * shaft)  # the second leg of a pair is the first's mirror image


def _on_hinge(leg: Entry, n_B: Vector) -> Tail:
    """..RU and ..RR: a hinge, the rod, at its end a parallel hinge and, for U, one more fixed in the platform."""
    hinge = _hinge(leg)
    R_BT = from_columns(n_B, cross(hinge, n_B), hinge)
    rod = joint(leg, "R2", "R", Z, "rod")
    if leg["type"].endswith("RR"):
        return R_BT, [rod, joint(leg, "R3", "R", Z, offset=_tip(leg))], {"type": "rigid"}
    axis, cone = apply(transpose(R_BT), unit(vector(leg["platform_hinge"]))), leg.get("end_cone")
    ends = [joint(leg, "U1", "R", Z, "cross", offset=_tip(leg), cone=cone), joint(leg, "U2", "R", axis, cone=cone)]
    return R_BT, [rod, *ends], {"type": "rigid"}


def _in_plane(leg: Entry, n_B: Vector) -> Tail:
    """..RS: a hinge, the rod across it, a spherical end."""
    hinge = _hinge(leg)
    x = unit(subtract(n_B, scale(dot(n_B, hinge), hinge)))
    return from_columns(x, cross(hinge, x), hinge), [joint(leg, "R2", "R", Z, "rod")], ball(leg, _tip(leg))


def _between_universals(leg: Entry, n_B: Vector) -> Tail:
    """..UU: a universal joint, the rod, and at its end the same axes in the other order, on the platform at home."""
    cone, end_cone = leg.get("cone"), leg.get("end_cone")
    R_BT, first, second = universal(leg, n_B, free_spin=False)
    joints = [
        joint(leg, "U1", "R", first, "cross", cone=cone),
        joint(leg, "U2", "R", second, "rod", cone=cone),
        joint(leg, "V1", "R", second, cone=end_cone, offset=_tip(leg)),
        joint(leg, "V2", "R", first, cone=end_cone),
    ]
    return R_BT, joints, {"type": "rigid"}


def _parallelogram(leg: Entry, n_B: Vector) -> Tail:
    """..Pa: hinge y, swing z of two parallel bars at y = +-spread, a closing bar parallel to the first, hinge y.

    The frame has y along the hinge and x along the part of the rod's direction across it. The closing bar's coordinate
    is minus the swing, the second bar's is the swing. The file gives the closing bar's centre of mass from its middle.
    """
    hinge = _hinge(leg)
    across = dot(n_B, hinge)
    flat = subtract(n_B, scale(across, hinge))
    swing, x, spread = atan2(across, norm(flat)), unit(flat), leg.get("spread", 0.0)
    plus, minus = (0.0, spread, 0.0), (0.0, -spread, 0.0)
    same, opposite = {"joint": "Pa1", "ratio": 1.0}, {"joint": "Pa1", "ratio": -1.0}
    bar, closing = {"name": "bar", **leg["rod"]}, moved_body(leg.get("closing"), "closing", minus)
    joints = [
        joint(leg, "R2", "R", Y, "crossbar"),
        joint(leg, "Pa1", "R", Z, bar, offset=plus, start=swing),
        joint(leg, "Pa2", "R", Z, closing, offset=_tip(leg), mimic=opposite, start=-swing),
        joint(leg, "R3", "R", Y, offset=minus),
        joint(leg, "Pa3", "R", Z, bar, offset=minus, parent="R2", mimic=same, start=swing),
    ]
    return from_columns(x, hinge, cross(x, hinge)), joints, {"type": "rigid", "joint": "R3"}


_BARS = ("crossbar", "rod", "closing", None, "rod")

TAILS: dict[str, tuple[Callable[[Entry, Vector], Tail], tuple[str | None, ...]]] = {
    "US": (_on_universal, ("cross", "rod")),
    "SS": (_on_universal, ("cross", "rod")),
    "RS": (_in_plane, ("rod",)),
    "UU": (_between_universals, ("cross", "rod", None, None)),
    "RU": (_on_hinge, ("rod", "cross", None)),
    "RR": (_on_hinge, ("rod", None)),
    "Pa": (_parallelogram, _BARS),
}
"""Of each tail, by the letters behind the first: what writes it, and the keys of the bodies of its joints."""


def guide_direction(leg: Entry) -> Vector:
    """Unit vector along the guide in B: as stated, or leaning by `tilt` from z towards the z axis of B."""
    guide = leg["guide"]
    if "direction" in guide:
        return unit(vector(guide["direction"]))
    c, s, _ = radial_of(leg)
    tilt = guide["tilt"]
    return (-exact_sin(tilt) * c, -exact_sin(tilt) * s, exact_cos(tilt))


def motor_axes(leg: Entry) -> tuple[Vector, Vector, Vector]:
    """f, a x f and a of a motor in B: as stated, or horizontal, f turned by `yaw` from the outward direction.

    Unless stated, a = f x z: a positive angle raises the crank. The second leg of each pair is the first one's mirror
    image.
    """
    motor = leg["motor"]
    if "axis" in motor:
        a, f = unit(vector(motor["axis"])), unit(vector(motor["reference"]))
        return f, cross(a, f), a
    c, s, _ = radial_of(leg)
    yaw = leg.get("side", 1.0) * motor["yaw"]
    f = (c * exact_cos(yaw) - s * exact_sin(yaw), s * exact_cos(yaw) + c * exact_sin(yaw), 0.0)
    return f, Z, (f[1], -f[0], 0.0)


def _hinge(leg: Entry) -> Vector:
    """Unit vector in B of the hinge that carries the rod at home: as stated, or the motor's axis, or the tangent."""
    return hinge_across(leg) if "hinge" in leg or leg["type"][0] == "P" else motor_axes(leg)[2]


def _sign(leg: Entry) -> int:
    """Sign of the root that the branch chooses: of one that is refused too, which has no other faults then."""
    return 1 if leg.get("branch", 1) > 0 else -1


def _slider(leg: Entry, target: Vector) -> tuple[Scalar, Vector, Vector, Matrix]:
    """Coordinate at home, where it carries the rod and where the coordinate is zero, both in B [m], and no turn."""
    e = guide_direction(leg)
    origin = add(vector(leg["base"]), scale(leg["guide"].get("offset", 0.0), e))
    d = subtract(target, origin)
    along = dot(e, d)
    aside = subtract(d, scale(along, e))
    q, _ = slider(along, dot(aside, aside), leg["rod"]["length"], _sign(leg))
    return q, add(origin, scale(q, e)), origin, IDENTITY


def _crank(leg: Entry, target: Vector) -> tuple[Scalar, Vector, Vector, Matrix]:
    """Coordinate at home [rad], where it carries the rod and where it turns, both in B [m], and its axes in B."""
    f, s, a = motor_axes(leg)
    origin, r = vector(leg["base"]), leg["crank"]["length"]
    turn, _ = crank(subtract(target, origin), (f, s), r, leg["rod"]["length"], _sign(leg))
    q = atan2(turn.s, turn.c)
    c = add(scale(exact_cos(q), f), scale(exact_sin(q), s))
    return q, add(origin, scale(r, c)), origin, from_columns(c, cross(a, c), a)


def slider_reach(leg: Entry, d: Vector) -> Reason | None:
    """Why the rod of a slider does not span d, None where it does or no direction is known."""
    e = guide_direction(leg)
    if not math.isfinite(dot(e, e)):
        return None
    return between(norm(cross(e, d)), 0.0, leg["rod"]["length"], "rod.length")


def crank_reach(leg: Entry, d: Vector) -> Reason | None:
    """Why crank and rod do not span d, None where they do or no direction is known."""
    f, s, a = motor_axes(leg)
    if not math.isfinite(dot(f, f)):
        return None
    length, r = leg["rod"]["length"], leg["crank"]["length"]
    flat = add(scale(dot(d, f), f), scale(dot(d, s), s))
    near = norm(subtract(d, scale(r, unit(flat)))) if norm(flat) else math.hypot(r, dot(d, a))
    far = norm(add(d, scale(r, unit(flat)))) if norm(flat) else near
    if length < near:
        return too_short("rod.length", near - length)
    return too_long("rod.length", length - far) if length > far else None


def _driven(name: str, needed: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> ShortForm:
    bodies = TAILS[name[1:]][1]
    if name[0] == "P":
        bodies, needed = ("slider", *bodies), ("guide", "rod", *needed)
        return ShortForm(name, driven_leg, bodies, "P", needed, optional, slider_reach, "guide.direction")
    bodies, needed = ("crank", *bodies), ("motor", "crank", "rod", *needed)
    return ShortForm(name, driven_leg, bodies, "R", needed, optional, crank_reach)


_UNIVERSAL = ("axes", "cone", "end_cone")
_BOLTS = ("bolt", "end_bolt")
_PA = ("spread", "crossbar", "closing")

PUS = _driven("PUS", (), (*_UNIVERSAL, "end_bolt", "cross", "slider"))
PSS = _driven("PSS", (), (*_UNIVERSAL, *_BOLTS, "slider"))
PRS = _driven("PRS", (), ("hinge", "end_cone", "end_bolt", "slider"))
PUU = _driven("PUU", (), (*_UNIVERSAL, "cross", "slider"))
PRU = _driven("PRU", ("hinge", "platform_hinge"), ("slider", "cross", "end_cone"))
PRR = _driven("PRR", ("hinge",), ("slider",))
PPA = _driven("PPa", (), ("hinge", "slider", *_PA))
RUS = _driven("RUS", (), (*_UNIVERSAL, "end_bolt", "cross"))
RSS = _driven("RSS", (), (*_UNIVERSAL, *_BOLTS))
RRS = _driven("RRS", (), ("end_cone", "end_bolt"))
RUU = _driven("RUU", (), (*_UNIVERSAL, "cross"))
RRU = _driven("RRU", ("platform_hinge",), ("hinge", "cross", "end_cone"))
RRR = _driven("RRR")
RPA = _driven("RPa", (), ("hinge", *_PA))
