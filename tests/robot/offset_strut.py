"""A leg type from outside gough, all in this file: a strut whose ball joint is beside the piston's axis."""

from gough import ShortForm
from gough.graph import divide, dot, norm, sqrt
from gough.graph.triples import add, cross, from_columns, perpendicular, scale, subtract, unit
from gough.robot.file import fields as f
from gough.robot.file.reader import Table, key_of, refuse
from gough.robot.legs.blocks import X, Y, Z, ball, chain, joint, radial_of, span
from gough.robot.legs.leg_keys import BodyTable
from gough.robot.legs.short_form import Misfit, Reason


def not_negative(value) -> "float":
    """A number that is not negative."""
    given = f.number(value)
    return given if given >= 0 else refuse("must not be negative", "turn the leg over")


class ShoeTable(BodyTable):
    """Shoe that guides the piston, in the axes of the cylinder."""

    width = f.LENGTH.of(needed=True)
    """Width of the shoe, from which the ball joint is."""


class OffsetKeys(Table):
    """Keys of struts with an offset."""

    eccentricity = key_of(not_negative, "length")
    """Distance of the ball joint from the face of the shoe. Default: 0."""
    shoe = key_of(ShoeTable)
    """Body whose origin is on the axis of the cylinder, across from the ball joint. Default: needed by UPSe."""


def offset(leg):
    """Distance of the ball joint from the axis of the cylinder [m]."""
    return leg.get("eccentricity", 0.0) + 0.5 * leg["shoe"]["width"]


def offset_strut(leg, p_BP, R_BP):
    """U at the base about the y and z axes of the leg frame, P along its x axis, ball at (0, offset, 0) of the shoe."""
    d, e = span(leg, p_BP, R_BP), offset(leg)
    length = sqrt(dot(d, d) - e * e)
    n = scale(divide(1.0, norm(d)), d)
    across = perpendicular(cross(Z, radial_of(leg)), n)
    x = unit(subtract(scale(length, n), scale(e, across)))
    y = unit(add(scale(e, n), scale(length, across)))
    joints = [
        joint(leg, "U1", "R", Y, cone=leg.get("cone")),
        joint(leg, "U2", "R", Z, "cylinder", cone=leg.get("cone")),
        joint(leg, "P", "P", X, "shoe", driven=True, start=length),
    ]
    return chain(leg, joints, ball(leg, (0.0, e, 0.0)), leg["base"], from_columns(x, y, cross(x, y)))


def reach(leg, d):
    """A strut that is nearer to its end than the offset does not reach."""
    reason = Reason("eccentricity", "is more than the leg is long", "check platform.home")
    return reason if offset(leg) > norm(d) else None


def misfits(leg):
    """A shoe that is wider than the offset is thick."""
    if leg.get("shoe", {}).get("width", 0.0) > 0.2:
        yield Misfit(("shoe", "width"), "must be at most 0.2 m", leg["shoe"]["width"])


UPSE = ShortForm(
    "UPSe",
    offset_strut,
    (None, "cylinder", "shoe"),
    "P",
    needed=("shoe",),
    optional=("eccentricity", "cylinder", "cone", "end_cone"),
    keys=OffsetKeys,
    reach=reach,
    misfits=misfits,
    about="strut whose ball joint is beside its axis",
    example="""
name = "offset"
gravity = [0, 0, -9.81]

[platform]
coordinates = { x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }
home = [0, 0, 0.6, 0, 0, 0]
mass = 10
inertia = [0.2, 0.3, 0.4]

[legs]
type = "UPSe"
base = { radius = 0.5, half_angle = 0.3 }
platform = { radius = 0.3, half_angle = 0.2 }
eccentricity = 0.03  # of the ball joint
shoe = { width = 0.04, mass = 0.5, com = [0, 0.01, 0], inertia = [0.001, 0.002, 0.002] }
cylinder = { mass = 1, com = [0.2, 0, 0], inertia = [0.001, 0.02, 0.02] }
actuator = { stroke = [0.4, 0.9], force = 900 }
radius = 0.02
""",
)
