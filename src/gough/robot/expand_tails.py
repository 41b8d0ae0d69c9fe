"""What a slider or crank carries: the rod and its joints, up to the platform.

Each tail gives the rod's frame at home, R_BT, and a function that builds its joints once it is known where they sit on
the slider or crank (joint index 0): offset, R_0T, and R_PT at home, in which a rigid end meets the platform.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gough.robot.expand_parts import X, Y, Z, universal
from gough.robot.inertia import body
from gough.robot.numbers import atan2
from gough.robot.values import End, Joint, Matrix, Mimic, Vector
from gough.robot.vectors import add, apply, cross, dot, from_columns, norm, scale, subtract, transpose, unit, vector

Build = Callable[[Vector, Matrix, Matrix], tuple[tuple[Joint, ...], End]]


def rod_on_universal(entry: Mapping[str, Any], n_B: Vector, _hinge: Vector | None) -> tuple[Matrix, Build]:
    """..US and ..SS: a universal joint (the second without spin), the rod, a spherical end."""
    R_BT, first, second = universal(entry, n_B)
    letter, cone = entry["type"][1], entry.get("cone")

    def build(offset: Vector, R_0T: Matrix, _R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        cross_body, rod = body(entry.get("cross"), "cross"), body(entry["rod"], "rod")
        joints = (
            Joint(f"{letter}1", "R", first, offset, R_0T, parent=0, cone=cone, body=cross_body, group=letter),
            Joint(f"{letter}2", "R", second, parent=1, cone=cone, body=rod, group=letter),
        )
        tip, cone_end = scale(entry["rod"]["length"], X), entry.get("end_cone")
        return joints, End("spherical", 2, tip, platform_point=vector(entry["platform"]), cone=cone_end)

    return R_BT, build


def rod_on_hinge(entry: Mapping[str, Any], n_B: Vector, hinge: Vector | None) -> tuple[Matrix, Build]:
    """..RU and ..RR: a hinge, the rod, at its end a parallel hinge and, for U, one more fixed in the platform."""
    assert hinge is not None
    R_BT = from_columns(n_B, cross(hinge, n_B), hinge)

    def build(offset: Vector, R_0T: Matrix, R_PT: Matrix) -> tuple[tuple[Joint, ...], End]:
        tip = scale(entry["rod"]["length"], X)
        rod = Joint("R2", "R", Z, offset, R_0T, parent=0, body=body(entry["rod"], "rod"), group="R2")
        if entry["type"].endswith("RR"):
            joints: tuple[Joint, ...] = (rod, Joint("R3", "R", Z, tip, parent=1, group="R3"))
        else:
            axis = apply(transpose(R_BT), unit(vector(entry["platform_hinge"])))
            cone, cross_body = entry.get("end_cone"), body(entry.get("cross"), "cross")
            joints = (
                rod,
                Joint("U1", "R", Z, tip, parent=1, cone=cone, body=cross_body, group="U"),
                Joint("U2", "R", axis, parent=2, cone=cone, group="U"),
            )
        return joints, End("rigid", len(joints), platform_point=vector(entry["platform"]), platform_rotation=R_PT)

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
            Joint("R2", "R", Y, offset, R_0T, parent=0, body=crossbar, group="R2"),
            Joint("Pa1", "R", Z, plus, parent=1, start=swing, body=bar, group="Pa"),
            Joint("Pa2", "R", Z, tip, parent=2, mimic=Mimic(2, -1.0), start=-swing, body=closing, group="Pa"),
            Joint("R3", "R", Y, minus, parent=3, group="R3"),
            Joint("Pa3", "R", Z, minus, parent=1, mimic=Mimic(2, 1.0), start=swing, body=bar, group="Pa"),
        )
        return joints, End("rigid", 4, platform_point=vector(entry["platform"]), platform_rotation=R_PT)

    return R_BT, build


TAILS: dict[str, Callable[[Mapping[str, Any], Vector, Vector | None], tuple[Matrix, Build]]] = {
    "US": rod_on_universal,
    "SS": rod_on_universal,
    "RU": rod_on_hinge,
    "RR": rod_on_hinge,
    "Pa": parallelogram,
}
