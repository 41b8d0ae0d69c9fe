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
from collections.abc import Callable, Iterator

from gough.graph import Scalar, atan2, divide, dot, exact_cos, exact_sin, norm
from gough.graph.triples import add, apply, cross, from_columns, product, scale, subtract, transpose, unit, vector
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of
from gough.robot.inertia import moved_body
from gough.robot.leg_values import IDENTITY, Matrix, Vector
from gough.robot.legs.blocks import X, Y, Z, ball, base_bolt, chain, hinge_across, joint, platform_point, universal
from gough.robot.legs.closures import crank, slider
from gough.robot.legs.leg_keys import BodyTable, RodTable
from gough.robot.legs.rings import Entry, Values, radial_of
from gough.robot.legs.short_form import Misfit, Reason, ShortForm, between, too_long, too_short


class GuideTable(Table):
    """Guide of a slider. The slider is at base + (`offset` + coordinate) `direction`."""

    direction = f.DIRECTION
    """Direction of the slide, in B. Default: by `tilt`."""
    tilt = f.ANGLE
    """Instead of `direction`: angle from vertical, towards the z axis of B. Default: 0."""
    offset = f.LENGTH
    """Distance from the base point to coordinate 0. Default: 0."""


class MotorTable(Table):
    """Motor of a crank. In a pair of legs the second mirrors the first."""

    axis = f.DIRECTION
    """Axis of the motor, in B. Default: by `yaw`."""
    reference = f.DIRECTION
    """Direction of the crank at angle 0, in B. Default: by `yaw`."""
    yaw = f.ANGLE
    """Instead of both: angle of the horizontal crank from outward; a positive crank angle raises the crank.
    Default: 0."""


class RodKeys(Table):
    """Keys of legs with a rod of fixed length."""

    guide = key_of(GuideTable)
    """Guide of the slider. Default: needed by types with P first."""
    motor = key_of(MotorTable)
    """Motor of the crank. Default: needed by types with R first and a crank."""
    crank = key_of(RodTable)
    """Body from motor to elbow: origin at `base`, x to the elbow, z along the motor's axis. Default: needed
    by types with a crank."""
    rod = key_of(RodTable)
    """Body that ends at the platform, in a parallelogram each bar: origin at its joint on crank, slider or crossbar, x
    along it. Behind a hinge (RU, RR, RS) z is along the hinge; behind U or S, y at home along the first of `axes` as
    far as it is across the rod; of a bar, z at home across bar and hinge. Default: needed by types with a rod."""
    slider = key_of(BodyTable)
    """Body of the slider, origin where it carries the rod, in the axes of the rod at home (of the crossbar with Pa),
    which do not turn. Default: no mass."""
    platform_hinge = f.DIRECTION
    """Axis of the hinge fixed in the platform, in B at home. Default: needed by PRU and RRU."""
    spread = f.LENGTH.of(low=0.0)
    """Half the distance between a parallelogram's bars. Default: 0."""
    crossbar = key_of(BodyTable)
    """Body that carries a parallelogram's bars, origin in the middle between them, y along the hinge, x at home in the
    plane of hinge and bars, towards the platform. Default: no mass."""
    closing = key_of(BodyTable)
    """Body that closes the parallelogram, origin in its middle, in the axes of the crossbar. Default: no mass."""


Tail = tuple[Matrix, list[Values], Values]
"""What a slider or crank carries: axes of the rod's frame at home in B, tables of joints, and of the end."""


def driven_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
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
    both: Values = {"cone": leg.get("cone"), "bolt": _bolt(leg, R_BT)}
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


def rod_misfits(leg: Entry) -> Iterator[Misfit]:
    """A guide or a motor whose directions do not go together, a rod or a crank without its length."""
    guide, motor = leg.get("guide"), leg.get("motor")
    if guide is not None and ("direction" in guide) == ("tilt" in guide):
        yield Misfit(("guide",), "must have either direction or tilt", guide)
    if motor is not None and {*motor} not in ({"axis", "reference"}, {"yaw"}):
        yield Misfit(("motor",), "must have either axis and reference, or yaw", motor)
    elif motor is not None and "axis" in motor and not f.perpendicular(motor["axis"], motor["reference"]):
        yield Misfit(("motor", "reference"), "must be perpendicular to axis", motor["reference"])
    for key in ("rod", "crank"):
        if key in leg and "length" not in leg[key]:
            yield Misfit((key, "length"), "is missing")


def _driven(name: str, about: str, needed: tuple[str, ...] = (), optional: tuple[str, ...] = ()) -> ShortForm:
    slides, tail = name[0] == "P", TAILS[name[1:]][1]
    return ShortForm(
        name,
        driven_leg,
        ("slider" if slides else "crank", *tail),
        "P" if slides else "R",
        (*(("guide", "rod") if slides else ("motor", "crank", "rod")), *needed),
        optional,
        RodKeys,
        slider_reach if slides else crank_reach,
        "guide.direction" if slides else "axes",
        misfits=rod_misfits,
        about=about,
    )


_UNIVERSAL = ("axes", "cone", "end_cone")
_BOLTS = ("bolt", "end_bolt")
_PA = ("spread", "crossbar", "closing")
_BALLS = "spherical joints at both ends of the rod"

PUS = _driven("PUS", "rod of fixed length on a slider", (), (*_UNIVERSAL, "end_bolt", "cross", "slider"))
PSS = _driven("PSS", f"slider, {_BALLS}", (), (*_UNIVERSAL, *_BOLTS, "slider"))
PRS = _driven("PRS", "hinged rod on a slider: spindle heads", (), ("hinge", "end_cone", "end_bolt", "slider"))
PUU = _driven("PUU", "slider, rod between universal joints: three translations", (), (*_UNIVERSAL, "cross", "slider"))
PRU = _driven(
    "PRU", "slider, hinged rod, universal joint", ("hinge", "platform_hinge"), ("slider", "cross", "end_cone")
)
PRR = _driven("PRR", "slider, rod and hinges with parallel axes: planar robots", ("hinge",), ("slider",))
PPA = _driven("PPa", "parallelogram on a slider", (), ("hinge", "slider", *_PA))
RUS = _driven("RUS", "rod of fixed length on a crank", (), (*_UNIVERSAL, "end_bolt", "cross"))
RSS = _driven("RSS", f"crank, {_BALLS}", (), (*_UNIVERSAL, *_BOLTS))
RRS = _driven("RRS", "hinged rod on a crank: heads, five-bars", (), ("end_cone", "end_bolt"))
RUU = _driven("RUU", "crank, rod between universal joints: three translations", (), (*_UNIVERSAL, "cross"))
RRU = _driven("RRU", "crank, hinged rod, universal joint", ("platform_hinge",), ("hinge", "cross", "end_cone"))
RRR = _driven("RRR", "crank, rod and hinges with parallel axes: planar robots")
RPA = _driven("RPa", "parallelogram on a crank: delta robots", (), ("hinge", *_PA))
