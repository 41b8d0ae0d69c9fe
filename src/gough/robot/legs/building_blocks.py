"""What the leg patterns share: the universal joint, the actuator, the platform point at home."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import dot
from gough.graph.triples import add, apply, cross, from_columns, perpendicular, transpose, unit, vector
from gough.robot.leg_values import JointSpring, Limits, Matrix, Vector
from gough.robot.legs.rings import radial_of

X: Vector = (1.0, 0.0, 0.0)
Y: Vector = (0.0, 1.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)


def platform_point(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Vector:
    """(3,) platform joint of a leg in B [m]."""
    return add(p_BP, apply(R_BP, vector(entry["platform"])))


def limits(stated: Mapping[str, Any] | None) -> Limits:
    """Limits of a table with any of stroke, speed, force, power."""
    stated = stated or {}
    stroke = stated.get("stroke")
    return Limits(
        stroke=None if stroke is None else (stroke[0], stroke[1]),
        speed=stated.get("speed"),
        force=stated.get("force"),
        power=stated.get("power"),
    )


def joint_spring(stated: Mapping[str, Any]) -> JointSpring | None:
    """Spring of the table of a joint or an actuator, None without one."""
    given = stated.get("spring")
    return given and JointSpring(given["stiffness"], given.get("rest", 0.0), given.get("preload", 0.0))


def actuator(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of the actuated joint of a leg, from its `actuator` table."""
    stated = entry.get("actuator", {})
    return {
        "actuated": True,
        "zero": stated.get("zero", 0.0),
        "limits": limits(stated),
        "spring": joint_spring(stated),
        **{key: stated[key] for key in ("viscous", "coulomb", "rotor_inertia", "gear") if key in stated},
    }


def universal(entry: Mapping[str, Any], n_B: Vector, free_spin: bool) -> tuple[Matrix, Vector, Vector]:
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
    axes = entry.get("axes")
    if axes is None:
        y = perpendicular(any_across(n_B) if free_spin and _on_axis(entry) else cross(Z, radial_of(entry)), n_B)
        return from_columns(n_B, y, cross(n_B, y)), Y, Z
    first_B = unit(vector(axes[0]))
    y = perpendicular(first_B, n_B)
    R_B0 = from_columns(n_B, y, cross(n_B, y))
    if free_spin:
        return R_B0, Y, Z
    into = transpose(R_B0)
    second = apply(into, unit(vector(axes[1]))) if len(axes) > 1 else Z
    return R_B0, apply(into, first_B), second


def end_bolt(entry: Mapping[str, Any]) -> Vector | None:
    """Direction in P of the bolt of a rod end on the platform, stated outward, tangential and up; None for none."""
    return _about(entry, "end_bolt", "platform")


def base_bolt(entry: Mapping[str, Any]) -> Vector | None:
    """Direction in B at home of the bolt of a rod end on the base or a slider, stated likewise; None for none."""
    return _about(entry, "bolt", "base")


def _about(entry: Mapping[str, Any], key: str, side: str) -> Vector | None:
    """A direction by its parts along the outward direction at a leg's point, the tangent and z.

    The second leg of each pair is the first one's mirror image.
    """
    if key not in entry:
        return None
    out, along, up = entry[key]
    c, s, _ = X if _on_axis(entry, side) else radial_of(entry, side)
    along = entry.get("side", 1.0) * along
    return (c * out - s * along, s * out + c * along, up)


def hinge_across(entry: Mapping[str, Any]) -> Vector:
    """Unit vector in B of the hinge of a leg that moves in a plane: as stated, or the tangent at the base point."""
    return unit(vector(entry["hinge"])) if "hinge" in entry else unit(cross(Z, radial_of(entry)))


def _on_axis(entry: Mapping[str, Any], side: str = "base") -> bool:
    """Whether a leg's point is on the z axis, so that no outward direction is known."""
    known = "radial" if side == "base" else "platform_radial"
    return known not in entry and all(isinstance(v, (int, float)) and v == 0.0 for v in entry[side][:2])


def any_across(n_B: Vector) -> Vector:
    """The axis of B that is least along a direction; the x axis where that is recorded."""
    plain = all(isinstance(v, (int, float)) for v in n_B)
    return min((X, Y, Z), key=lambda axis: abs(dot(axis, n_B))) if plain else X
