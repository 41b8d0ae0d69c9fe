"""Legs that hold the platform: RPS swings in a plane, UPU and UP carry their own orientation to the platform.

RPS: leg frame 0 stands at the base point, z along the hinge, x along the leg at home; the hinge turns about z, the
slide moves along x. Its platform joint stays in the plane across the hinge.

UPU and UP: as UPS, and at the end of the slide, for UPU, two more axes: parallel to the second of the base, then
parallel to the first at home; UP ends on the platform at once and is passive. Both end rigidly, as they are at home.

UCU: as UPU, and the piston turns in the cylinder, which leaves the platform all six motions. The actuator's spindle
has its nut in the piston: it reads and drives slide + lead turn / 2 pi.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import divide, dot, norm
from gough.graph.triples import cross, from_columns, product, scale, subtract, transpose, unit, vector
from gough.robot.inertia import body
from gough.robot.leg_values import End, Joint, Leg, Matrix, Vector
from gough.robot.legs.building_blocks import X, Z, actuator, end_bolt, hinge_across, platform_point, universal
from gough.robot.legs.joint_by_joint import spindle
from gough.robot.legs.short_form import ShortForm


def rps_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """RPS leg of a table with base [m] in B, platform [m] in P, hinge in B, and the bodies cylinder and piston."""
    base, hinge = vector(entry["base"]), hinge_across(entry)
    along = subtract(platform_point(entry, p_BP, R_BP), base)
    flat = subtract(along, scale(dot(along, hinge), hinge))
    length = norm(flat)
    x = scale(divide(1.0, length), flat)
    straight = entry.get("branch", 1) == 1
    joints = (
        Joint("R", "R", Z, start=0.0 if straight else None, body=body(entry.get("cylinder"), "cylinder"), group="R"),
        Joint(
            "P",
            "P",
            X,
            parent=0,
            start=length if straight else None,
            body=body(entry.get("piston"), "piston"),
            group="P",
            **actuator(entry),
        ),
    )
    return Leg(
        name=entry["name"],
        joints=joints,
        end=End(
            "spherical",
            joint=1,
            platform_point=vector(entry["platform"]),
            cone=entry.get("end_cone"),
            bolt=end_bolt(entry),
        ),
        position=base,
        rotation=from_columns(x, cross(hinge, x), hinge),
        branch=entry.get("branch", 1),
        radius=entry.get("radius"),
    )


def held_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """UPU, UCU or UP leg of a table with base [m] in B, platform [m] in P, and the bodies cross, cylinder, piston."""
    base, cone = vector(entry["base"]), entry.get("cone")
    along = subtract(platform_point(entry, p_BP, R_BP), base)
    R_B0, first, second = universal(entry, unit(along), free_spin=False)
    driven = entry["type"] != "UP"
    cylinder, piston = body(entry.get("cylinder"), "cylinder"), body(entry.get("piston"), "piston")
    slide = actuator(entry) | {"actuated": driven}
    joints = [
        Joint("U1", "R", first, start=0.0, body=body(entry.get("cross"), "cross"), cone=cone, group="U"),
        Joint("U2", "R", second, parent=0, start=0.0, body=cylinder, cone=cone, group="U"),
    ]
    if entry["type"] == "UCU":
        place = Joint("C", "P", X, parent=1, group="C")
        joints += spindle(place, slide, entry["lead"], 2, piston, (0.0, norm(along)))
    else:
        joints.append(Joint("P", "P", X, parent=1, start=norm(along), body=piston, group="P", **slide))
    if driven:
        end_cone, last = entry.get("end_cone"), len(joints)
        joints.append(Joint("V1", "R", second, parent=last - 1, start=0.0, cone=end_cone, group="V"))
        joints.append(Joint("V2", "R", first, parent=last, start=0.0, cone=end_cone, group="V"))
    R_PE = product(transpose(R_BP), R_B0)
    return Leg(
        name=entry["name"],
        joints=tuple(joints),
        end=End("rigid", len(joints) - 1, platform_point=vector(entry["platform"]), platform_rotation=R_PE),
        position=base,
        rotation=R_B0,
        radius=entry.get("radius"),
    )


_BODIES = ("cross", "cylinder", "piston")

RPS = ShortForm(
    "RPS",
    rps_leg,
    ("cylinder", "piston"),
    "P",
    optional=("hinge", "end_cone", "end_bolt", "cylinder", "piston"),
    outward="hinge",
)
UPU = ShortForm("UPU", held_leg, (*_BODIES, None, None), "P", optional=("axes", "cone", "end_cone", *_BODIES))
UCU = ShortForm(
    "UCU",
    held_leg,
    ("cross", "cylinder", None, None, "piston", None, None),
    "P",
    ("lead",),
    ("axes", "cone", "end_cone", *_BODIES),
)
UP = ShortForm("UP", held_leg, _BODIES, "P", optional=("axes", "cone", *_BODIES))
