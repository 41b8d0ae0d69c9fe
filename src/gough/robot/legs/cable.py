"""Cables: massless, straight from a base point, or from a pulley there, to a point of the platform.

The leg has one joint, its length, which slides along the cable: frame 0 stands at the base point with x along the cable
at home. With a pulley of radius r the cable arrives at the base point along `axis` and runs over the pulley, which
turns about that axis towards the platform; length counts from the base point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from gough.graph import Scalar, divide, is_value, norm
from gough.graph.triples import cross, from_columns, perpendicular, scale, unit, vector
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of
from gough.robot.leg_values import Matrix, Vector
from gough.robot.legs.blocks import X, Z, any_across, chain, joint, span
from gough.robot.legs.rings import Entry, Values
from gough.robot.legs.short_form import Misfit, ShortForm


class PulleyTable(Table):
    """Pulley of a cable at its base point."""

    radius = f.SIZE.of(needed=True)
    """Radius of the groove."""
    axis = f.DIRECTION
    """Axis, in B, along which the cable arrives and about which the pulley swivels towards the platform. Default: z."""


class CableKeys(Table):
    """Keys of cables."""

    tension = f.TENSION
    """Smallest and largest tension of a cable. Default: needed by cables."""
    reference = f.FORCE
    """Desired tension of a cable. Default: the middle."""
    elasticity = f.FORCE.of(low=0.0, above=True)
    """E A of a cable (elastic modulus times cross-section), for `modes`. Default: stiff."""
    pulley = key_of(PulleyTable)
    """Pulley of a cable. Default: an eye."""


def cable_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
    """Cable of a table with base [m] in B, platform [m] in P and tension [N]."""
    along = span(leg, p_BP, R_BP)
    n = scale(divide(1.0, norm(along)), along)
    y = perpendicular(any_across(n), n)
    pulley, (low, high) = leg.get("pulley", {}), leg["tension"]
    force = largest_force(leg.get("actuator", {}), high)
    length = joint(leg, "P", "P", X, driven=True, start=norm(along), force=force)
    cable = {
        "tension": (low, high),
        "reference": leg.get("reference"),
        "pulley": pulley.get("radius", 0.0),
        "axis": unit(vector(pulley["axis"])) if "axis" in pulley else Z,
        "elasticity": leg.get("elasticity"),
    }
    end = {"type": "spherical"}
    return chain(leg, [length], end, leg["base"], from_columns(n, y, cross(n, y)), branch=1, cable=cable)


def largest_force(actuator: Mapping[str, Any], tension: Scalar) -> Scalar | None:
    """That is stated of the winch, or the largest tension where rotor and friction do not add to it."""
    adds = any(not is_value(actuator.get(key, 0.0), 0.0) for key in ("viscous", "coulomb", "rotor_inertia"))
    return actuator.get("force", None if adds else tension)


def cable_misfits(leg: Entry) -> Iterator[Misfit]:
    """A desired tension beyond the smallest and the largest."""
    low, high = leg.get("tension", (0.0, math.inf))
    if not low <= leg.get("reference", low) <= high:
        yield Misfit(("reference",), f"must be within tension, {low:g} to {high:g} N", leg["reference"])


CABLE = ShortForm(
    "cable",
    cable_leg,
    (None,),
    "P",
    needed=("tension",),
    optional=("reference", "pulley", "elasticity"),
    keys=CableKeys,
    unused=("branch", "spring"),
    misfits=cable_misfits,
    about="cable from a point or a pulley",
)
