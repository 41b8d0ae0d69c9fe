"""A base that moves: what its motion adds to the velocities and accelerations of bodies.

Everything stays in base axes. The base's own acceleration and tilt are in the gravity it feels, R0^T g - a0; its
velocity has no effect. Left are its angular velocity and acceleration: a point c that moves with v and a relative to
the base has the acceleration a + wd0 x c + w0 x (w0 x c) + 2 w0 x v, counted from free fall with the base's origin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gough.graph import Vector, array, cross, dot
from gough.kinematics.bodies import BodyPose, owned
from gough.kinematics.chain import Twist, TwistRate


@dataclass(frozen=True, slots=True)
class BaseRates:
    """How a base moves at one instant, in base axes.

    Attributes:
        gravity: (3,) free fall as the base feels it: R0^T g - a0 [m/s^2].
        w, wd: (3,) angular velocity and acceleration [rad/s, rad/s^2].
    """

    gravity: Vector
    w: Vector
    wd: Vector

    @classmethod
    def of(cls, values: Vector) -> BaseRates:
        """From the nine numbers of an input: gravity, w, wd."""
        values = array(values)
        return cls(values[:3], values[3:6], values[6:])

    def velocity(self, p: Vector, v: Vector) -> Vector:
        """(3,) velocity of a point at p (3,) that moves with v relative to the base."""
        return v + cross(self.w, p)

    def acceleration(self, p: Vector, v: Vector, a: Vector) -> Vector:
        """(3,) acceleration of a point at p (3,) that moves with v and a relative to the base."""
        return a + cross(self.wd, p) + cross(self.w, cross(self.w, p) + v * 2.0)

    def spin_rate(self, w: Vector, wd: Vector) -> Vector:
        """(3,) angular acceleration of a body that turns with w and wd relative to the base."""
        return wd + self.wd + cross(self.w, w)

    def carried(self, p: Vector, twist: Twist, rate: TwistRate) -> tuple[Twist, TwistRate]:
        """Twist and twist rate of a frame at p (3,), given relative to the base."""
        v, w = self.velocity(p, twist.v), twist.w + self.w
        return Twist(v, w), TwistRate(self.acceleration(p, twist.v, rate.a), self.spin_rate(twist.w, rate.wd))

    def direction_acceleration(self, n: Vector, nd: Vector, ndd: Vector) -> Vector:
        """(3,) second rate of a direction n that changes with nd and ndd relative to the base."""
        return self.acceleration(n, nd, ndd)


def on_moving_base(
    base: BaseRates, counted: list[BodyPose], twists: list[tuple[Any, Any]], rates: list[tuple[Any, Any]]
) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """Twists and twist rates of bodies, given relative to a moving base."""
    found, second = [], []
    for b, (v, w), (a, wd) in zip(owned(counted), twists, rates, strict=True):
        whole = w + base.w
        found.append((base.velocity(b.c, v), across_rod(b, whole)))
        spin = spin_rate_across_rod(b, whole, base.spin_rate(w, wd))
        second.append((base.acceleration(b.c, v, a), spin))
    return found, second


def across_rod(b: BodyPose, w: Vector) -> Vector:
    """(3,) the part of an angular velocity that a body feels: on a rod that does not spin, that across it."""
    return w if b.n is None else w - b.n * dot(b.n, w)


def spin_rate_across_rod(b: BodyPose, w: Vector, wd: Vector) -> Vector:
    """(3,) rate of `across_rod` of w, for a body that turns with w and wd."""
    if b.n is None:
        return wd
    return wd - b.n * dot(b.n, wd) + cross(b.n, w) * dot(b.n, w)
