"""Cables: their length to a point, straight or over a pulley, its rate and its acceleration.

Straight: l = |B - A|, u = (B - A) / l. Over a pulley of radius r that turns about k towards B: with b the distance of B
from the axis k through A, h its height along it, e the way there, x = b - r, D^2 = x^2 + h^2, f = sqrt(D^2 - r^2) the
free length; the cable leaves the pulley at the angle theta from e, cos = (x r - h f) / D^2, sin = (h r + x f) / D^2, in
the direction u = sin e - cos k from A + r (e + cos e + sin k), and l = f + r (pi - theta). What it winds up as the
pulley turns is what it pays out: in both cases ld = u . v, and the power of a tension is that of a force along u.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import Scalar, Vector, array, atan2, cross, dot, is_zero, norm, sqrt
from gough.kinematics.chain import Link, Slide
from gough.kinematics.leg import Closure
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class CableForm:
    """The closed form of cables: there is no other way to close one."""

    name: ClassVar[str] = "cable"
    postures: ClassVar[int] = 1

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg is a cable."""
        return None if leg.cable is None else cls()

    def close(self, leg: Leg, p_end: Vector, _R_end: Vector) -> Closure:
        """See `close_cable`."""
        return close_cable(leg, p_end)


def close_cable(leg: Leg, p_end: Vector) -> Closure:
    """Closure of a cable with its end at p_end (3,) in B; its link is there, x along the cable."""
    cable = leg.cable
    assert cable is not None
    start = array(leg.position)
    d = p_end - start
    short: Any = 0.0
    if is_zero([cable.pulley]):
        length = norm(d)
        u = d / length

        def bend(v: Vector) -> Scalar:
            across = v - u * dot(u, v)
            return dot(across, across) / length
    else:
        r, k = cable.pulley, array(cable.axis)
        h = dot(d, k)
        out = d - k * h
        b = norm(out)
        e, x = out / b, b - r
        square = x * x + h * h
        free = sqrt(square - r * r)
        c, s = (x * r - h * free) / square, (h * r + x * free) / square
        u, n, t = e * s - k * c, e * c + k * s, cross(k, e)
        start = start + (e + n) * r
        length = free + (pi - atan2(s, c)) * r
        short = r - sqrt(square)

        def bend(v: Vector) -> Scalar:
            turning, swinging = dot(n, v), dot(t, v)
            return turning * turning / free + swinging * swinging * (s / b)

    def solve(v: Vector, _w: Vector) -> dict[int, Any]:
        return {0: dot(u, v)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return u * efforts[0], np.zeros(3)

    def second(v: Vector, a: Vector) -> dict[int, Any]:
        return {0: dot(u, a) + bend(v)}

    side = array([row[1] for row in leg.rotation])
    y = side - u * dot(u, side)
    y = y / norm(y)
    link = Link(np.stack([u, y, cross(u, y)], axis=1), p_end, u)
    points = {0: start}
    return Closure({0: Slide(length)}, solve, short, transposed=transposed, second=second, links=[link], points=points)
