"""Cables: massless, straight from a base point, or from a pulley there, to a point of the platform.

The leg has one joint, its length, which slides along the cable: frame 0 stands at the base point with x along the cable
at home. With a pulley of radius r the cable arrives at the base point along `axis` and runs over the pulley, which
turns about that axis towards the platform; length counts from the base point.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import Scalar, divide, is_value, norm
from gough.graph.triples import cross, from_columns, perpendicular, scale, subtract, unit, vector
from gough.robot.leg_values import Cable, End, Joint, Leg, Limits, Matrix, Vector
from gough.robot.legs.building_blocks import X, any_across, limits, platform_point
from gough.robot.legs.short_form import ShortForm


def cable_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """Cable of a table with base [m] in B, platform [m] in P and tension [N]."""
    base = vector(entry["base"])
    along = subtract(platform_point(entry, p_BP, R_BP), base)
    n = scale(divide(1.0, norm(along)), along)
    y = perpendicular(any_across(n), n)
    stated = entry.get("actuator", {})
    pulley = entry.get("pulley", {})
    low, high = entry["tension"]
    own = limits(stated)
    joint = Joint(
        "P",
        "P",
        X,
        actuated=True,
        zero=stated.get("zero", 0.0),
        start=norm(along),
        limits=Limits(own.stroke, own.speed, largest_force(stated, high), own.power),
        group="P",
        **{key: stated[key] for key in ("viscous", "coulomb", "rotor_inertia", "gear") if key in stated},
    )
    return Leg(
        name=entry["name"],
        joints=(joint,),
        end=End("spherical", joint=0, platform_point=vector(entry["platform"])),
        position=base,
        rotation=from_columns(n, y, cross(n, y)),
        branch=1,
        radius=entry.get("radius"),
        cable=Cable(
            (low, high),
            entry.get("reference"),
            pulley.get("radius", 0.0),
            unit(vector(pulley["axis"])) if "axis" in pulley else (0.0, 0.0, 1.0),
            entry.get("elasticity"),
        ),
    )


def largest_force(actuator: Mapping[str, Any], tension: Scalar) -> Scalar | None:
    """That is stated of the winch, or the largest tension where rotor and friction do not add to it."""
    adds = any(not is_value(actuator.get(key, 0.0), 0.0) for key in ("viscous", "coulomb", "rotor_inertia"))
    return actuator.get("force", None if adds else tension)


CABLE = ShortForm("cable", cable_leg, (None,), "P", needed=("tension",), optional=("reference", "pulley", "elasticity"))
