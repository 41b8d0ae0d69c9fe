"""Joint angles from directions, as cosine and sine, and where axes must be for closed forms.

Axes and directions of the unmoved joints (`a`, `b`, `d`) come first; what is measured (`m`, `Q`) last.
"""

from __future__ import annotations

import numpy as np

from gough.graph import Scalar, Vector, absolute, cross, dot, maximum, sqrt
from gough.kinematics.chain import Turn
from gough.robot.legs.closures import TINY

_CLOSE = 1e-9
"""Relative slack of lengths and right angles: files give ten digits or so."""


def across(*axes: Vector) -> bool:
    """Whether unit vectors are perpendicular to each other."""
    return all(abs(np.dot(a, b)) <= _CLOSE for k, a in enumerate(axes) for b in axes[k + 1 :])


def parallel(a: Vector, b: Vector) -> bool:
    """Whether vectors are parallel."""
    return bool(np.linalg.norm(np.cross(a, b)) <= _CLOSE * np.linalg.norm(a) * np.linalg.norm(b))


def same(p: Vector, q: Vector, scale: float) -> bool:
    """Whether points are one, at lengths of this scale [m]."""
    return bool(np.linalg.norm(np.subtract(p, q)) <= _CLOSE * scale)


STRETCHED = 1e-16
"""Square of the sine at which a leg counts as stretched: closer than this, round-off of the pose hides what is left."""

OFF_PLANE = 1e-9
"""How far the end of a leg that moves in a plane may be off it: what iterations for the platform leave [m]."""


def turn_to(a: Vector, d: Vector, m: Vector) -> Turn:
    """Turn about the unit axis a that takes d to m, for unit vectors d, m perpendicular to a."""
    return Turn(dot(m, d), dot(m, cross(a, d)))


LEANING_LEAST = 1e-3
"""Least cosine of the angle by which a direction may lean from across the first axis of a universal joint."""


def leans(a: Vector, b: Vector, d: Vector) -> bool | None:
    """Whether d leans towards a, for axes a, b of a universal joint that turns d; None if it is no such joint.

    A universal joint has a across b and d across b. Where coordinates are zero d may lean towards a, all but along it.
    """
    if not across(a, b) or not across(b, d) or abs(np.dot(d, np.cross(a, b))) < LEANING_LEAST:
        return None
    return not across(a, d)


def universal_to(
    a: Vector, b: Vector, d: Vector, m: Vector, side_of_2: int = 1, leaning: bool = False
) -> tuple[Turn, Turn]:
    """Turns about a, then about b, that take d to the unit vector m, for a across b and b across d.

    With side = d . (a x b) = +-1: m = side [a sin 2 + cos 2 ((a x b) cos 1 - b sin 1)]; the sign of cos 2 is
    `side_of_2`: at -1 the joint is turned over. A d that leans towards a, `leaning`, has been turned about b already:
    that angle is taken off.
    """
    third = cross(a, b)
    side = dot(d, third)
    cosine: Scalar = 1.0
    if leaning:
        cosine = absolute(side)
        side = side / cosine
    along_third, along_b = dot(m, third) * side, dot(m, b) * side
    c2 = sqrt(maximum(along_third * along_third + along_b * along_b, TINY)) * side_of_2
    first, s2 = Turn(along_third / c2, -(along_b / c2)), dot(m, a) * side
    if not leaning:
        return first, Turn(c2, s2)
    sine = dot(d, a) * side
    return first, Turn(c2 * cosine + s2 * sine, s2 * cosine - c2 * sine)


def turn_of(a: Vector, p: Vector, Q: Vector) -> Turn:
    """Turn of the rotation Q about the unit axis a, measured on p perpendicular to a."""
    q = Q @ p
    return Turn(dot(p, q), dot(cross(a, p), q))


def turns_of(a: Vector, b: Vector, Q: Vector) -> tuple[Turn, Turn]:
    """Turns about a, then b, that make up the rotation Q, for perpendicular a, b."""
    qb, qa = Q @ b, Q.T @ a
    return Turn(dot(b, qb), dot(cross(a, b), qb)), Turn(dot(a, qa), -dot(cross(b, a), qa))
