"""What leg types share: tables of joints and legs, the universal joint, the platform point at home, directions.

A leg type writes a table of joints, `chain(leg, [joint(leg, ..), ..], end, ..)`, and `legs.chain` builds the leg.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import dot
from gough.graph.triples import add, apply, cross, from_columns, perpendicular, subtract, transpose, unit, vector
from gough.robot.leg_values import IDENTITY, ZERO, Matrix, Vector
from gough.robot.legs.rings import Entry, Values, radial_of

X: Vector = (1.0, 0.0, 0.0)
Y: Vector = (0.0, 1.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)


def platform_point(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Vector:
    """(3,) platform joint of a leg in B [m]."""
    return add(p_BP, apply(R_BP, vector(leg["platform"])))


def span(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Vector:
    """(3,) from a leg's base point to its platform joint, in B [m]."""
    return subtract(platform_point(leg, p_BP, R_BP), vector(leg["base"]))


def joint(
    leg: Entry, name: str, kind: str, axis: Vector, body: str | Entry = "", *, driven: bool = False, **more: Any
) -> Values:
    """Table of a joint of a leg, as it may be in a file.

    Args:
        leg: The leg's table.
        name: Joints U1, U2 are of the group U; R2 is one of its own.
        kind: R, P, or another type of joint.
        axis: (3,) in its frame.
        body: Key of the body it moves, or its table.
        driven: It has what `actuator` says.
        more: Further keys; None leaves one out. The coordinate at home, `start`, is zero unless stated.
    """
    table: Values = {"name": name, "type": kind, "axis": axis, "start": 0.0}
    table["group"] = name if name[0] == "R" else name.rstrip("123")
    if body:
        table["body"] = {"name": body, **leg.get(body, {})} if isinstance(body, str) else body
    if driven:
        table |= {"actuated": True, **leg.get("actuator", {})}
    return _stated(table | more)


def chain(
    leg: Entry, joints: list[Values], end: Values, position: Vector, rotation: Matrix = IDENTITY, **more: Any
) -> Values:
    """Table of a leg joint by joint.

    Args:
        leg: The leg's table.
        joints: Tables of its joints, from the base on.
        end: Values of its end, which is at `platform`.
        position: (3,) origin of leg frame 0 in B [m].
        rotation: R_B0.
        more: Further keys; None leaves one out.
    """
    end = _stated({"platform_point": leg["platform"], **end})
    own = {"name": leg["name"], "branch": leg.get("branch", 1), "radius": leg.get("radius"), **more}
    return _stated({**own, "position": position, "rotation": rotation, "joint": joints, "end": end})


def ball(leg: Entry, point: Vector = ZERO) -> Values:
    """Table of a spherical end at a point (3,) of the last body [m]."""
    return {"type": "spherical", "point": point, "cone": leg.get("end_cone"), "bolt": end_bolt(leg)}


def _stated(table: Mapping[str, Any]) -> Values:
    return {key: value for key, value in table.items() if value is not None}


def universal(leg: Entry, n_B: Vector, free_spin: bool) -> tuple[Matrix, Vector, Vector]:
    """Frame of a leg at its universal joint at home, and the joint's two axes in it.

    The frame's x axis lies along the leg `n_B`, its y axis along the first axis of the joint, or rather the part of it
    across the leg. Axes not stated: the first along the tangent at the base point, across the leg; the second
    perpendicular to the first and to the leg. A leg that spins freely from a point on the z axis, where there is no
    tangent, takes any axis across it: nothing depends on it. Of axes stated for a leg that spins freely only the part
    of the first across the leg counts: its joint is spherical, and its angles are counted from there.

    Returns:
        R_B0: The frame's axes in B.
        first: (3,) unit vector of the axis fixed in what carries the joint, in the frame.
        second: (3,) unit vector of the axis fixed in the leg, in the frame.
    """
    axes = leg.get("axes")
    if axes is None:
        y = perpendicular(any_across(n_B) if free_spin and _on_axis(leg) else cross(Z, radial_of(leg)), n_B)
        return from_columns(n_B, y, cross(n_B, y)), Y, Z
    first_B = unit(vector(axes[0]))
    y = perpendicular(first_B, n_B)
    R_B0 = from_columns(n_B, y, cross(n_B, y))
    if free_spin:
        return R_B0, Y, Z
    into = transpose(R_B0)
    second = apply(into, unit(vector(axes[1]))) if len(axes) > 1 else Z
    return R_B0, apply(into, first_B), second


def end_bolt(leg: Entry) -> Vector | None:
    """Direction in P of the bolt of a rod end on the platform, stated outward, tangential and up; None for none."""
    return _about(leg, "end_bolt", "platform")


def base_bolt(leg: Entry, R_BF: Matrix) -> Vector | None:
    """Direction at home of the bolt of a rod end on the base or a slider, stated likewise, in the axes R_BF."""
    bolt_B = _about(leg, "bolt", "base")
    return bolt_B and apply(transpose(R_BF), bolt_B)


def _about(leg: Entry, key: str, side: str) -> Vector | None:
    """A direction by its parts along the outward direction at a leg's point, the tangent and z.

    The second leg of each pair is the first one's mirror image.
    """
    if key not in leg:
        return None
    out, along, up = leg[key]
    c, s, _ = X if _on_axis(leg, side) else radial_of(leg, side)
    along = leg.get("side", 1.0) * along
    return (c * out - s * along, s * out + c * along, up)


def hinge_across(leg: Entry) -> Vector:
    """Unit vector in B of the hinge of a leg that moves in a plane: as stated, or the tangent at the base point."""
    return unit(vector(leg["hinge"])) if "hinge" in leg else unit(cross(Z, radial_of(leg)))


def _on_axis(leg: Entry, side: str = "base") -> bool:
    """Whether a leg's point is on the z axis, so that no outward direction is known."""
    known = "radial" if side == "base" else "platform_radial"
    return known not in leg and all(isinstance(v, (int, float)) and v == 0.0 for v in leg[side][:2])


def any_across(n_B: Vector) -> Vector:
    """The axis of B that is least along a direction; the x axis where that is recorded."""
    plain = all(isinstance(v, (int, float)) for v in n_B)
    return min((X, Y, Z), key=lambda axis: abs(dot(axis, n_B))) if plain else X
