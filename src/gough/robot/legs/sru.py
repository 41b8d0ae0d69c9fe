"""The knee-driven SRU leg of the natural-orthogonal-complement lecture, with the frames of its six axes.

Leg frame 0 is Rz(a) at the base point S, a the angle of S; joints about x y z (all at S), y (knee, driven), y and x
(both at the platform point U); frame 6 is R_BP Rz(c), c the angle of U. Lower leg S-K along z of body 3, upper leg
K-U along z of body 4. branch +1: the knee angle is negative (`closures.knee_leg`).
"""

from __future__ import annotations

from gough.graph import array, atan2, norm
from gough.graph.triples import product, transpose
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of
from gough.robot.leg_values import Matrix, Vector
from gough.robot.legs.blocks import X, Y, Z, chain, joint, span
from gough.robot.legs.closures import knee_leg
from gough.robot.legs.leg_keys import BodyTable
from gough.robot.legs.rings import Entry, Values, radial_of
from gough.robot.legs.short_form import Reason, ShortForm, between


class SruKeys(Table):
    """Keys of legs with a driven knee."""

    lower = f.SIZE
    """Length of the lower leg of SRU. Default: needed by SRU."""
    upper = f.SIZE
    """Length of the upper leg of SRU. Default: needed by SRU."""
    link1 = key_of(BodyTable)
    """First link of SRU, behind the axis x at the base joint; with all angles zero all links have z upwards and x
    outward from the z axis of B to the base joint. Default: no mass."""
    link2 = key_of(BodyTable)
    """Second link of SRU, behind the axis y at the base joint. Default: no mass."""
    link3 = key_of(BodyTable)
    """Third link of SRU, the lower leg: origin at the base joint, z along it to the knee. Default: no mass."""
    link4 = key_of(BodyTable)
    """Fourth link of SRU, the upper leg: origin at the knee, y its axis, z along it to the platform. Default: no
    mass."""
    link5 = key_of(BodyTable)
    """Fifth link of SRU, origin at the platform joint, y and x the axes there. Default: no mass."""


def sru_leg(leg: Entry, p_BP: Vector, R_BP: Matrix) -> Values:
    """SRU leg of a table with base [m] in B, platform [m] in P, lower and upper [m], and the bodies link1 .. link5."""
    R_B0, R_P6 = _upright(radial_of(leg)), _upright(radial_of(leg, "platform"))
    a, b, c = (array(axis) for axis in transpose(R_B0))
    e6, y6, _ = (array(axis) for axis in transpose(product(R_BP, R_P6)))
    d = array(span(leg, p_BP, R_BP))
    turns = knee_leg(d, (a, b, c), (e6, y6), (leg["lower"], leg["upper"]), leg.get("branch", 1)).turns
    start = [atan2(turn.s, turn.c) for turn in turns]
    cone, end_cone = leg.get("cone"), leg.get("end_cone")
    knee, tip = (0.0, 0.0, leg["lower"]), (0.0, 0.0, leg["upper"])
    joints = [
        joint(leg, "S1", "R", X, "link1", start=start[0], cone=cone),
        joint(leg, "S2", "R", Y, "link2", start=start[1], cone=cone),
        joint(leg, "S3", "R", Z, "link3", start=start[2], cone=cone),
        joint(leg, "R", "R", Y, "link4", driven=True, start=start[3], offset=knee),
        joint(leg, "U1", "R", Y, "link5", start=start[4], cone=end_cone, offset=tip),
        joint(leg, "U2", "R", X, start=start[5], cone=end_cone),
    ]
    return chain(leg, joints, {"type": "rigid", "platform_rotation": R_P6}, leg["base"], R_B0)


def _upright(radial: Vector) -> Matrix:
    """Rz of the angle of a horizontal unit vector."""
    c, s, _ = radial
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def sru_reach(leg: Entry, d: Vector) -> Reason | None:
    """Why an SRU leg does not span d, None where it does."""
    lower, upper = leg["lower"], leg["upper"]
    return between(norm(d), abs(lower - upper), lower + upper, "upper")


_LINKS = ("link1", "link2", "link3", "link4", "link5")

SRU = ShortForm(
    "SRU",
    sru_leg,
    (*_LINKS, None),
    "R",
    needed=("lower", "upper"),
    optional=(*_LINKS, "cone", "end_cone"),
    keys=SruKeys,
    reach=sru_reach,
    outward="base",
    about="leg with a driven knee",
)
