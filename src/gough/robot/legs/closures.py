"""Where the joints of driven legs are for a given end: sliders, cranks, and legs with a driven knee.

Short forms solve these equations at home, `gough.kinematics.closure` at every pose; numbers may be recorded. Each has
one square root. Where there is no solution it is NaN, unless `least` bounds its argument from below.
"""

from __future__ import annotations

from typing import NamedTuple

from gough.graph import Scalar, Vector, cross, divide, dot, maximum, norm, sqrt

TINY = 1e-300
"""Keeps the square root of a length finite, and with it its reciprocal, where a direction is undefined."""


class CosSin(NamedTuple):
    """An angle by its cosine and sine."""

    c: Scalar
    s: Scalar


def _root(square: Scalar, least: Scalar | None) -> Scalar:
    return sqrt(square if least is None else maximum(square, least))


def slider(
    along: Scalar, aside: Scalar, length: Scalar, sign: int, least: Scalar | None = None
) -> tuple[Scalar, Scalar]:
    """Coordinate of a slider [m] that carries a rod, and the argument of its root: q = along - sign sqrt(L^2 - aside).

    Args:
        along: Part along the slider of the way from where q is zero to the rod's end [m].
        aside: Square of the part across the slider [m^2].
        length: L of the rod [m].
        sign: 1 where the rod points forwards along the slider, -1 where it points back.
        least: Lower bound of the root's argument [m^2].
    """
    left = length * length - aside
    return along - sign * _root(left, least), left


def crank(
    d: Vector, axes: tuple[Vector, Vector], r: Scalar, length: Scalar, sign: int, least: Scalar | None = None
) -> tuple[CosSin, Scalar]:
    """Angle of a crank that carries a rod, and the argument of its root.

    x cos q + y sin q = (d.d + r^2 - L^2) / (2 r) with x = d.u, y = d.v.

    Args:
        d: (3,) from the crank's centre, level with the rod's first point, to the rod's end [m].
        axes: u, v (3,) across the crank's axis: the crank lies along u at zero and moves towards v.
        r: Radius of the crank [m].
        length: L of the rod [m].
        sign: 1 where the crank is ahead of the rod's end, -1 where it is behind.
        least: Lower bound of the root's argument [m^2].
    """
    x, y = dot(d, axes[0]), dot(d, axes[1])
    h2 = maximum(x * x + y * y, TINY)
    k = divide(dot(d, d) + (r * r - length * length), 2.0 * r)
    left = h2 - k * k
    root = _root(left, least) * sign
    return CosSin((k * x - root * y) / h2, (k * y + root * x) / h2), left


class KneeLeg(NamedTuple):
    """A leg of two links in a plane, from a spherical joint over a knee to a universal joint.

    Attributes:
        turns: The six angles: three of the spherical joint, the knee's, two of the universal joint.
        x, y, z: (3,) axes of the leg's plane: z from the spherical to the universal joint, y the knee's axis.
        distance: Between these two joints [m].
        low: Angle from z to the lower link about y.
        left: Argument of the root: the squared sine of the knee's angle.
    """

    turns: tuple[CosSin, ...]
    x: Vector
    y: Vector
    z: Vector
    distance: Scalar
    low: CosSin
    left: Scalar


def knee_leg(
    d: Vector,
    base_axes: tuple[Vector, Vector, Vector],
    platform_axes: tuple[Vector, Vector],
    lengths: tuple[Scalar, Scalar],
    sign: int,
    posture: int = 0,
    least: Scalar | None = None,
) -> KneeLeg:
    """The leg whose universal joint is at d from its spherical one.

    The knee's axis and the first axis of the universal joint are perpendicular to the plane of the leg, which contains
    the last axis e6: y = (d x e6) / |d x e6|. The knee's angle follows from the law of cosines.

    Args:
        d: (3,) [m].
        base_axes: a, b, c (3,), perpendicular: of the spherical joint at zero, where the leg lies along c.
        platform_axes: The last axis e6 (3,), and where the knee's axis is in the platform at zero (3,).
        lengths: Lengths of the lower and the upper link [m].
        sign: 1 where the knee's angle is negative, -1 where it is positive.
        posture: 1 and 3 take the spherical joint's other set of angles, 2 and 3 let the knee's axis point back.
        least: Lower bound of the root's argument.
    """
    lower, upper = lengths
    e6, y6 = platform_axes
    d2 = maximum(dot(d, d), TINY)
    distance = sqrt(d2)
    normal = cross(d, e6)
    y = normal / maximum(norm(normal), TINY) * (1 - 2 * (posture // 2))
    z = d / distance
    x = cross(y, z)
    cos_low = divide(d2 + (lower * lower - upper * upper), 2.0 * lower * distance)
    cos_knee = divide(d2 - (lower * lower + upper * upper), 2.0 * lower * upper)
    left = 1.0 - cos_knee * cos_knee
    sin_knee = _root(left, least) * -sign
    sin_low = -sin_knee * upper / distance
    z3 = z * cos_low + x * sin_low
    x3 = cross(y, z3)
    z4 = z3 * cos_knee + x3 * sin_knee
    x4 = cross(y, z4)
    turns = (
        *_spherical(base_axes, (x3, y, z3), 1 - 2 * (posture % 2)),
        CosSin(cos_knee, sin_knee),
        CosSin(dot(e6, x4), -dot(e6, z4)),
        CosSin(dot(y, y6), dot(cross(e6, y), y6)),
    )
    return KneeLeg(turns, x, y, z, distance, CosSin(cos_low, sin_low), left)


def _spherical(
    axes: tuple[Vector, Vector, Vector], goal: tuple[Vector, Vector, Vector], side: int
) -> tuple[CosSin, CosSin, CosSin]:
    """Turns about the perpendicular axes a, b, c that bring them to x, y, z.

    The cosine of the second has the sign of `side`. The last is measured on b after the first turn, which stays in the
    plane of x and y where a and z nearly meet.
    """
    a, b, c = axes
    x, y, z = goal
    bz, cz = dot(b, z), dot(c, z)
    c2 = sqrt(maximum(bz * bz + cz * cz, TINY)) * side
    first = CosSin(cz / c2, -(bz / c2))
    b1 = b * first.c + c * first.s
    return first, CosSin(c2, dot(a, z)), CosSin(dot(b1, y), dot(b1, x))
