"""Legs whose length is driven: UPS, and SPS with its spin taken as zero.

Leg frame 0 stands at the base point b, x along the leg at home. U1 about the first axis, U2 about the second, then P
along x. The coordinate of P is the distance from b to the platform joint, where the piston's frame has its origin.
At home the coordinates are 0, 0, length; on branch -1 the universal joint is turned over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import divide, norm
from gough.graph.triples import apply, scale, subtract, transpose, vector
from gough.robot.inertia import body
from gough.robot.leg_values import End, Joint, Leg, Matrix, Vector
from gough.robot.legs.building_blocks import X, actuator, base_bolt, end_bolt, platform_point, universal
from gough.robot.legs.short_form import ShortForm


def ups_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """UPS or SPS leg of a table with base [m] in B, platform [m] in P, and the bodies cross, cylinder, piston."""
    base = vector(entry["base"])
    along = subtract(platform_point(entry, p_BP, R_BP), base)
    length = norm(along)
    letter = entry["type"][0]
    R_B0, first, second = universal(entry, scale(divide(1.0, length), along), free_spin=letter == "S")
    cone, bolt_B = entry.get("cone"), base_bolt(entry)
    bolt = None if bolt_B is None else apply(transpose(R_B0), bolt_B)
    straight = 0.0 if entry.get("branch", 1) == 1 else None
    joints = (
        Joint(
            f"{letter}1",
            "R",
            first,
            start=straight,
            body=body(entry.get("cross"), "cross"),
            cone=cone,
            group=letter,
            bolt=bolt,
        ),
        Joint(
            f"{letter}2",
            "R",
            second,
            parent=0,
            start=straight,
            body=body(entry.get("cylinder"), "cylinder"),
            cone=cone,
            group=letter,
            bolt=bolt,
        ),
        Joint(
            "P", "P", X, parent=1, start=length, body=body(entry.get("piston"), "piston"), group="P", **actuator(entry)
        ),
    )
    return Leg(
        name=entry["name"],
        joints=joints,
        end=End(
            "spherical",
            joint=2,
            platform_point=vector(entry["platform"]),
            cone=entry.get("end_cone"),
            bolt=end_bolt(entry),
        ),
        position=base,
        rotation=R_B0,
        branch=entry.get("branch", 1),
        free_spin=letter == "S",
        radius=entry.get("radius"),
    )


_BODIES = ("cross", "cylinder", "piston")
_ANGLES = ("axes", "cone", "end_cone")

UPS = ShortForm("UPS", ups_leg, _BODIES, "P", optional=(*_ANGLES, "end_bolt", *_BODIES))
SPS = ShortForm("SPS", ups_leg, _BODIES, "P", optional=(*_ANGLES, "bolt", "end_bolt", "cylinder", "piston"))
