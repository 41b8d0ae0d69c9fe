"""The knee-driven SRU leg of the natural-orthogonal-complement lecture, with the frames of its six axes.

Leg frame 0 is Rz(a) at the base point S, a the angle of S; joints about x y z (all at S), y (knee, driven), y and x
(both at the platform point U); frame 6 is R_BP Rz(c), c the angle of U. Lower leg S-K along z of body 3, upper leg
K-U along z of body 4. branch +1: the knee angle is negative (`closures.knee_leg`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import array, atan2, norm
from gough.graph.triples import product, subtract, transpose, vector
from gough.robot.inertia import body
from gough.robot.leg_values import End, Joint, Leg, Matrix, Vector
from gough.robot.legs.building_blocks import X, Y, Z, actuator, platform_point
from gough.robot.legs.closures import knee_leg
from gough.robot.legs.rings import radial_of
from gough.robot.legs.short_form import Reason, ShortForm, between


def sru_leg(entry: Mapping[str, Any], p_BP: Vector, R_BP: Matrix) -> Leg:
    """SRU leg of a table with base [m] in B, platform [m] in P, lower and upper [m], and the bodies link1 .. link5."""
    base = vector(entry["base"])
    R_B0 = _upright(radial_of(entry))
    R_P6 = _upright(radial_of(entry, "platform"))
    d = subtract(platform_point(entry, p_BP, R_BP), base)
    branch = entry.get("branch", 1)
    start = _home(d, R_B0, product(R_BP, R_P6), entry["lower"], entry["upper"], branch)
    links = [body(entry.get(f"link{k}"), f"link{k}") for k in range(1, 6)]
    knee, tip = (0.0, 0.0, entry["lower"]), (0.0, 0.0, entry["upper"])
    cone, end_cone = entry.get("cone"), entry.get("end_cone")
    joints = (
        Joint("S1", "R", X, start=start[0], body=links[0], cone=cone, group="S"),
        Joint("S2", "R", Y, parent=0, start=start[1], body=links[1], cone=cone, group="S"),
        Joint("S3", "R", Z, parent=1, start=start[2], body=links[2], cone=cone, group="S"),
        Joint("R", "R", Y, offset=knee, parent=2, start=start[3], body=links[3], group="R", **actuator(entry)),
        Joint("U1", "R", Y, offset=tip, parent=3, start=start[4], body=links[4], cone=end_cone, group="U"),
        Joint("U2", "R", X, parent=4, start=start[5], cone=end_cone, group="U"),
    )
    return Leg(
        name=entry["name"],
        joints=joints,
        end=End("rigid", joint=5, platform_point=vector(entry["platform"]), platform_rotation=R_P6),
        position=base,
        rotation=R_B0,
        branch=branch,
        radius=entry.get("radius"),
    )


def _upright(radial: Vector) -> Matrix:
    """Rz of the angle of a horizontal unit vector."""
    c, s, _ = radial
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def _home(d: Vector, R_B0: Matrix, R_B6: Matrix, lower: float, upper: float, branch: int) -> list[float]:
    """The six joint coordinates at home [rad]."""
    a, b, c = (array(axis) for axis in transpose(R_B0))
    e6, y6, _ = (array(axis) for axis in transpose(R_B6))
    return [atan2(turn.s, turn.c) for turn in knee_leg(array(d), (a, b, c), (e6, y6), (lower, upper), branch).turns]


def sru_reach(entry: Mapping[str, Any], d: Vector) -> Reason | None:
    """Why an SRU leg does not span d, None where it does."""
    lower, upper = entry["lower"], entry["upper"]
    return between(norm(d), abs(lower - upper), lower + upper, "upper")


_LINKS = ("link1", "link2", "link3", "link4", "link5")

SRU = ShortForm(
    "SRU",
    sru_leg,
    (*_LINKS, None),
    "R",
    needed=("lower", "upper"),
    optional=(*_LINKS, "cone", "end_cone"),
    reach=sru_reach,
    outward="base",
)
