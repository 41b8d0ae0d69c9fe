"""Legs whose length is driven: UPS and SPS, RPS that swings in a plane, and UPU, UCU and UP that end rigidly.

UPS, and SPS with its spin taken as zero: leg frame 0 stands at the base point b, x along the leg at home. U1 about the
first axis, U2 about the second, then P along x. The coordinate of P is the distance from b to the platform joint, where
the piston's frame has its origin. At home the coordinates are 0, 0, length; on branch -1 the universal joint is turned
over.

RPS: leg frame 0 has z along the hinge, x along the leg at home; the hinge turns about z, the slide moves along x. Its
platform joint stays in the plane across the hinge.

UPU and UP: as UPS, and at the end of the slide, for UPU, two more axes: parallel to the second of the base, then
parallel to the first at home; UP ends on the platform at once and is passive. Both end rigidly, as they are at home.

UCU: as UPU, and the piston turns in the cylinder, which leaves the platform all six motions. The actuator's spindle
has its nut in the piston: it reads and drives slide + lead turn / 2 pi.
"""

from __future__ import annotations

from typing import Any

from gough.graph import divide, dot, norm
from gough.graph.triples import cross, from_columns, product, scale, subtract, transpose, unit
from gough.robot.file.reader import Table, key_of
from gough.robot.leg_values import Matrix, Vector
from gough.robot.legs.blocks import X, Z, ball, base_bolt, chain, hinge_across, joint, span, universal
from gough.robot.legs.leg_keys import LEAD, BodyTable
from gough.robot.legs.rings import Entry, Values
from gough.robot.legs.short_form import Expand, ShortForm


class StrutKeys(Table):
    """Keys of legs whose length is driven."""

    cylinder = key_of(BodyTable)
    """Body that starts at the base joint, its origin, x along the leg; y at home along the first of `axes` as far as
    it is across the leg, in RPS z along the hinge. Default: no mass."""
    piston = key_of(BodyTable)
    """Body whose origin is the platform joint, in the axes of the cylinder; in UCU it turns in it. Default: no mass."""
    lead = LEAD
    """Lead of the spindle of UCU, travel per turn: see [screws](bases_screws_stacks.md). Default: needed by UCU."""


def ups_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
    """UPS or SPS leg of a table with base [m] in B, platform [m] in P, and the bodies cross, cylinder, piston."""
    along, letter = span(leg, p_BP, R_BP), leg["type"][0]
    length = norm(along)
    R_B0, first, second = universal(leg, scale(divide(1.0, length), along), free_spin=letter == "S")
    start = 0.0 if leg.get("branch", 1) == 1 else None
    both: Values = {"cone": leg.get("cone"), "bolt": base_bolt(leg, R_B0), "start": start}
    joints = [
        joint(leg, f"{letter}1", "R", first, "cross", **both),
        joint(leg, f"{letter}2", "R", second, "cylinder", **both),
        joint(leg, "P", "P", X, "piston", driven=True, start=length),
    ]
    return chain(leg, joints, ball(leg), leg["base"], R_B0, free_spin=letter == "S")


def rps_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
    """RPS leg of a table with base [m] in B, platform [m] in P, hinge in B, and the bodies cylinder and piston."""
    along, hinge = span(leg, p_BP, R_BP), hinge_across(leg)
    flat = subtract(along, scale(dot(along, hinge), hinge))
    length = norm(flat)
    x = scale(divide(1.0, length), flat)
    straight = leg.get("branch", 1) == 1
    joints = [
        joint(leg, "R", "R", Z, "cylinder", start=0.0 if straight else None),
        joint(leg, "P", "P", X, "piston", driven=True, start=length if straight else None),
    ]
    return chain(leg, joints, ball(leg), leg["base"], from_columns(x, cross(hinge, x), hinge))


def held_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
    """UPU, UCU or UP leg of a table with base [m] in B, platform [m] in P, and the bodies cross, cylinder, piston."""
    along, cone = span(leg, p_BP, R_BP), leg.get("cone")
    R_B0, first, second = universal(leg, unit(along), free_spin=False)
    joints = [joint(leg, "U1", "R", first, "cross", cone=cone), joint(leg, "U2", "R", second, "cylinder", cone=cone)]
    length, driven = norm(along), leg["type"] != "UP"
    if leg["type"] == "UCU":
        turn_and_slide = {"lead": leg["lead"], "starts": (0.0, length), "start": None}
        joints.append(joint(leg, "C", "C", X, "piston", driven=True, **turn_and_slide))
    else:
        joints.append(joint(leg, "P", "P", X, "piston", driven=True, actuated=driven, start=length))
    if driven:
        joints += [joint(leg, f"V{k}", "R", axis, cone=leg.get("end_cone")) for k, axis in ((1, second), (2, first))]
    end = {"type": "rigid", "platform_rotation": product(transpose(R_BP), R_B0)}
    return chain(leg, joints, end, leg["base"], R_B0, branch=None)


def _strut(name: str, expand: Expand, bodies: tuple[str | None, ...], **more: Any) -> ShortForm:
    return ShortForm(name, expand, bodies, "P", keys=StrutKeys, **more)


_BODIES = ("cross", "cylinder", "piston")
_ANGLES = ("axes", "cone", "end_cone")
_UNIVERSAL = {"optional": (*_ANGLES, *_BODIES), "unused": ("branch",)}
_BALLS = (*_ANGLES, "bolt", "end_bolt", "cylinder", "piston")
_HINGED = ("hinge", "end_cone", "end_bolt", "cylinder", "piston")
_SPINDLE = ("cross", "cylinder", None, None, "piston", None, None)
_TUBE = {"optional": ("axes", "cone", *_BODIES), "unused": ("branch",), "passive": True}

UPS = _strut(
    "UPS", ups_leg, _BODIES, optional=(*_ANGLES, "end_bolt", *_BODIES), about="strut, universal joint at the base"
)
SPS = _strut("SPS", ups_leg, _BODIES, optional=_BALLS, about="strut, spherical joints at both ends; it may spin freely")
RPS = _strut("RPS", rps_leg, _BODIES[1:], optional=_HINGED, outward="hinge", about="hinged strut: spindle heads")
UPU = _strut(
    "UPU", held_leg, (*_BODIES, None, None), **_UNIVERSAL, about="strut, two universal joints: three translations"
)
UCU = _strut("UCU", held_leg, _SPINDLE, needed=("lead",), **_UNIVERSAL, about="spindle whose nut turns with the joints")
UP = _strut("UP", held_leg, _BODIES, **_TUBE, about="passive strut, fixed to the platform, that takes turning away")
