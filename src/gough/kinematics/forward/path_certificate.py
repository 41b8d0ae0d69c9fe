"""How far along the path Newton's method is certain to find the pose the path leads to: a contraction in a tube.

F(y, t) are the robot's equations in a displacement y = (d, w) from the pose here while the actuators go from q to
q + t left, 0 <= t <= 1; F(0, 0) = 0. G is the inverse of dF/dy at (0, 0), y1 = -G dF/dt the way the path sets out, and
a(t) = t y1 + t^2 y2 an arc with any y2. In the norm N(y) = max(|d|, rho |w|), rho the robot's length, for all t

    N(G F(a(t), t)) <= eta                            how far the arc leaves the equations
    N(1 - G dF/dy(y, t)) <= c + L N(y - a(t))         how much the Jacobian changes along the arc and off it

If c + 4 L eta <= 3/4 then y - G F(y, t) is a contraction of the ball about a(t) with radius 4 eta, for all t at once:
each t has one pose in it, these poses are a curve from here on, the Jacobian is nowhere singular on it, and its end is
the only solution in the ball about a(1).

F and dF/dy are evaluated at the arc's end, so that bounds of derivatives are needed only for what is between. If f is
zero at 0, f(t) is t f(1) but for t (1 - t) / 2 of a bound of its second derivative. If f' is zero there too, it is
t^2 f(1) but for t^2 (1 - t) / 6 of a bound of the third; with f(1/2), it is t^2 ((1 - t) (8 f(1/2) - f(1)) + t f(1))
but for t^2 |t - 1/2| (1 - t) / 24 of a bound of the fourth. Orientations are exp(w) times the one here: derivatives of
any order are at most one.

A leg is stretched or folded where dF/dq vanishes. Along the arc that is a function whose second derivative is bounded,
and off it dF/dq changes by no more than |dA/dq| times the way of the leg's end: where both ends are far enough from
zero, on the same side, so is all between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, absolute, array, greater, less, less_equal, logical_and, maximum, minimum, sqrt
from gough.kinematics.forward.distance_equations import At, DistanceLeg
from gough.kinematics.forward.scale import Scale
from gough.kinematics.pose import PlatformPose


@dataclass(frozen=True)
class Here:
    """The robot at a pose on the path, on which the actuators have the way `left` to go.

    Attributes:
        scale: Of displacements.
        pose: The platform's, with free rates.
        legs: The equations.
        arms: Of each leg from the origin of P to its end, (3,) in B [m].
        spans: Of each leg P - A, (3,) in B [m].
        now: The equations at the actuators' coordinates here.
        slopes: (n,) dF/dq of each.
        G: (n, n) inverse of the Jacobian.
    """

    scale: Scale
    pose: PlatformPose
    legs: Sequence[DistanceLeg]
    arms: Sequence[Any]
    spans: Sequence[Any]
    now: Sequence[At]
    slopes: Vector
    G: Vector

    def heading(self, left: Vector) -> Vector:
        """(n,) y1, the way the path sets out."""
        return self.G @ (self.slopes * -left)

    @cached_property
    def spread(self) -> Scalar:
        """N(|G| 1): N(G v) for |v| <= 1."""
        return self.scale.norm(array([sum(row[1:], row[0]) for row in absolute(self.G)]))


SURE = 0.97
"""Share of what is certain that is made use of: the rest is for round-off, far more than it needs."""
CONTRACTION = 0.75
"""What is asked for: N(1 - G dF/dy) in the ball, whose radius is then 4 eta."""
_ALONG, _OFF = 0.8, 0.15
"""Shares that a step aims at of how much the Jacobian may change, along the arc and off it."""
_BOW, _WAVE = 4.0 / 27.0, 0.0388
"""Largest values of t^2 (1 - t) and t^2 |t - 1/2| (1 - t) between 0 and 1."""
_EPSILON = 2.0**-53
"""Relative round-off."""
_LEAST = 1e-8
"""Least radius, in rho: round-off stays within it."""
_CAP = 0.25
"""A way may lead the platform, and the actuators' points, by this share of rho; the tube may be as wide."""
_TURN = 0.5
"""How far actuators may turn on it [rad]."""


@dataclass(frozen=True)
class Arc:
    """The curve t y1 + t^2 y2 from here, on which the actuators go by `left`.

    Attributes:
        left: (n,) [m or rad].
        y1, y2: (n,).
        miss: N(G F) at its end [m].
        E: (n, n) G dF/dy - 1 there, but for what is of second order in w.
        bow: N(G (8 F_half - F_end)) with F half-way too, or None where it is not known [m].
        halved: Whether y2 = -4 G F(y1 / 2, 1/2), which leaves little of F half-way.
    """

    left: Vector
    y1: Vector
    y2: Vector
    miss: Any
    E: Vector
    bow: Any = None
    halved: bool = False

    def at(self, s: Scalar) -> Vector:
        """(n,) where it is at t = s."""
        return (self.y2 * s + self.y1) * s


@dataclass(frozen=True)
class Fold:
    """How far dF/dq of a leg must be from zero at both ends of an arc not to vanish on the way: between + aside.

    Attributes:
        bend: Bound of its second derivative along the arc, but for `swing` times itself.
        swing: The square of the turn of a crank, for which d^3A/dq^3 = -dA/dq, else None.
        aside: How much it changes off the arc.
    """

    bend: Any
    swing: Any
    aside: Any

    def at_least(self, both: Scalar) -> Scalar:
        """The distance, where its sizes at the ends sum up to `both`."""
        if self.swing is None:
            return self.bend * 0.125 + self.aside
        most = (both + self.bend * 0.125 + self.aside) * (1.0 / (1.0 - _TURN**2 / 8.0))
        return (self.bend + most * self.swing) * 0.125 + self.aside


@dataclass(frozen=True)
class Tube:
    """What is certain about an arc.

    Attributes:
        at_end: N(1 - G dF/dy) at its end.
        along: Bound of that on all of it.
        off: What is to be added within the ball.
        stray: eta: a quarter of the radius of the ball [m].
        size: Bound of how far the platform goes [m].
        most: The largest of it for which the bounds hold [m].
        curvature: L [1/m].
        floor: What is added to the radius for round-off [m].
        grain: About the round-off of a correction [m].
        folds: For each leg what dF/dq must keep from zero at both ends; None where it changes with the actuator alone.
    """

    at_end: Any
    along: Any
    off: Any
    stray: Any
    size: Any
    most: float
    curvature: Any
    floor: float
    grain: Any
    folds: Sequence[Fold | None]

    @property
    def change(self) -> Scalar:
        """Bound of N(1 - G dF/dy) in the ball."""
        return self.along + self.off + self.curvature * self.floor

    @property
    def ball(self) -> Scalar:
        """Radius in which a solution near the arc's end is that of the path [m]."""
        return SURE * (self.stray * 4.0 + self.floor)

    @property
    def holds(self) -> Scalar:
        """Whether the way is certain."""
        return logical_and(less_equal(self.change, SURE * CONTRACTION), less_equal(self.size, self.most))

    def kept(self, slopes: Vector, slopes_end: Vector) -> Scalar:
        """Whether certainly no leg is stretched or folded on the way, by dF/dq (n,) at its ends."""
        found = []
        for fold, a, b in zip(self.folds, slopes, slopes_end, strict=True):
            if fold is None:
                found.append(greater(a * b, 0.0))
            else:
                both = absolute(a + b)
                smaller = (both - absolute(a - b)) * 0.5  # of their sizes; below zero where signs differ
                found.append(less(fold.at_least(both), SURE * smaller))
        return reduce(logical_and, found)

    @property
    def scope(self) -> Scalar:
        """About how many times as long a way would just be certain: `off` goes with its third power or a higher one."""
        room = maximum(SURE * CONTRACTION - self.curvature * self.floor, np.finfo(float).tiny)
        at_end, between = self.at_end, self.along - self.at_end
        along = (at_end + sqrt(at_end * at_end + between * room * (4.0 * _ALONG))) / (room * (2.0 * _ALONG))
        fourth = sqrt(sqrt(self.off / (room * _OFF)))
        return 1.0 / maximum(1e-3, maximum(along, fourth * sqrt(fourth)))


def tube(here: Here, arc: Arc) -> Tube:
    """What is certain about an arc on which actuators move no farther than `longest_way` allows."""
    scale, legs, left, g = here.scale, here.legs, arc.left, here.spread
    first, second, third, fourth = (max(bound(leg) for leg in legs) for bound in scale.bounds)
    twice = scale.norm(arc.y2) * 2.0
    size = scale.norm(arc.y1) + twice
    square = size * size
    end_rate, end_bend = size * first, square * second + twice * first
    rate = end_rate + _largest(left, legs, lambda leg: leg.speed)
    turned = _largest(left, legs, lambda leg: float(leg.turns))
    swing = turned * turned * max(leg.swing for leg in legs)
    knee = turned * turned * max(leg.bend if _is_knee(leg) else 0.0 for leg in legs)

    S = reduce(maximum, [at.reach for at in here.now]) + rate + first * (_CAP * scale.rho)
    bend = end_bend + swing
    jerk = size * (square * third + twice * (3.0 * second)) + turned * swing
    change = bend * first + rate * size * (2.0 * second) + S * (square * third + twice * second)
    curvature, floor = g * (S * second + first * first), _LEAST * scale.rho
    at_end, between = scale.matrix_norm(arc.E), g * change * 0.125
    if sum(scale.turns) == 3:
        between = between + (at_end + 1.0) * scale.turn_square(arc.at(1.0)) * 0.2
    bow = arc.bow
    if arc.halved:
        half = twice * 0.125
        bow = arc.miss + (at_end * 0.5 + between + curvature * half * 0.5) * half * 8.0
    if bow is None:
        stray = arc.miss + g * (bend * rate * 3.0 + S * jerk + turned * knee) * (_BOW / 6.0)
    else:
        snap = square * (square * fourth + twice * (6.0 * third)) + twice * twice * (3.0 * second)
        snap = snap + turned * turned * swing
        quartic = bend * bend * 3.0 + rate * jerk * 4.0 + S * snap + turned * turned * knee
        stray = arc.miss + bow * _BOW + g * quartic * (_WAVE / 24.0)
    off = stray * (curvature + 3.0 / scale.rho) * 4.0
    grain = maximum(scale.rho, g * S * S * 0.5) * _EPSILON
    folds = [_fold(leg, turned, end_rate, end_bend, stray * (8.0 * first)) for leg in legs]
    return Tube(at_end, at_end + between, off, stray, size, 2.0 * _CAP * scale.rho, curvature, floor, grain, folds)


def _is_knee(leg: DistanceLeg) -> bool:
    """Whether the actuator turns and A stands still."""
    return leg.turns and not leg.speed


def _fold(leg: DistanceLeg, turned: Scalar, rate: Scalar, bend: Scalar, aside: Scalar) -> Fold | None:
    """Of a leg whose actuator turns by `turned` at most, if it does.

    Its end moves by `rate`, with second derivatives up to `bend`, and by `aside` off the arc.
    """
    if _is_knee(leg):
        return Fold(turned * turned * leg.bend, None, 0.0)
    if not leg.speed:
        return None
    if not leg.swing:
        return Fold(bend * leg.speed, None, aside * leg.speed)
    return Fold(bend * leg.speed + turned * rate * (2.0 * leg.swing), turned * turned, aside * leg.speed)


def longest_way(here: Here, left: Vector) -> Scalar:
    """The share of a way that `tube` may be asked about: what platform and actuators move is limited."""
    cap, tiny = _CAP * here.scale.rho, np.finfo(float).tiny
    share = minimum(1.0, cap / maximum(here.scale.norm(here.heading(left)), tiny))
    if any(leg.speed for leg in here.legs):
        share = minimum(share, cap / maximum(_largest(left, here.legs, lambda leg: leg.speed), tiny))
    if any(leg.turns for leg in here.legs):
        share = minimum(share, _TURN / maximum(_largest(left, here.legs, lambda leg: float(leg.turns)), tiny))
    return share


def _largest(left: Vector, legs: Sequence[DistanceLeg], weight: Any) -> Scalar:
    """The largest of the ways by its leg's weight."""
    weights = [weight(leg) for leg in legs]
    if len(set(weights)) == 1:
        return reduce(maximum, [absolute(a) for a in left]) * weights[0] if weights[0] else 0.0
    return reduce(maximum, [absolute(a) * w for a, w in zip(left, weights, strict=True) if w])
