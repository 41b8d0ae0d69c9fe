"""How far along the path Newton's method is certain to find the pose the path leads to: Kantorovich's theorem.

F(y, q) are the robot's equations in a displacement y = (d, w) from the pose here, J their Jacobian and G its inverse.
While the actuators go from q to q + t left, 0 <= t <= s <= 1, and the platform by N(y) <= r, bounds of F's derivatives
give

    N(G F(0, t)) <= e(t) = e1 t + e2 t^2             how far the equations are from holding here
    N(I - G J(0, t)) <= b(t) = b1 t + b2 t^2         how much the Jacobian here changes with the actuators
    N(G (J(y, t) - J(0, t))) <= (L + La s) N(y)      how much it changes with the pose

in the norm N(y) = max(|d|, rho |w|), rho the robot's length. If (1 - b(s))^2 >= 2 (L + La s) e(s), then y - G F(y, t)
is a contraction of the ball with r = e(s) + b(s) r + (L + La s) r^2 / 2, for all t <= s at once: each t has one pose in
it, these poses are a curve from here on, J is nowhere singular on it, and its end at s is the only solution in that
ball and in any larger one with b(s) + (L + La s) r < 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt as root_of
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, absolute, array, cross, dot, maximum, minimum, norm, sqrt
from gough.kinematics.forward.distance_equations import DistanceLeg
from gough.kinematics.pose import PlatformPose


@dataclass(frozen=True, slots=True)
class Scale:
    """The norm N(y) = max(|d|, rho |w|) of displacements.

    Attributes:
        turns: For each coordinate whether it turns.
        rho: The robot's length [m].
    """

    turns: tuple[bool, ...]
    rho: float

    @property
    def kappa(self) -> float:
        """|w| <= kappa times the length of the turning coordinates: two axes that are not at right angles add up."""
        return root_of(2.0) if sum(self.turns) == 2 else float(any(self.turns))

    @property
    def slides(self) -> float:
        """1 if any coordinate slides, else 0."""
        return 0.0 if all(self.turns) else 1.0

    def norm(self, y: Vector) -> Scalar:
        """N(y)."""
        slides = array([v for v, turns in zip(y, self.turns, strict=True) if not turns] or [0.0])
        turned = array([v for v, turns in zip(y, self.turns, strict=True) if turns] or [0.0])
        if not any(self.turns):
            return sqrt(dot(slides, slides))
        if all(self.turns):
            return sqrt(dot(turned, turned)) * self.rho
        return sqrt(maximum(dot(slides, slides), dot(turned, turned) * (self.rho * self.rho)))

    def first(self, leg: DistanceLeg) -> float:
        """Bound of the velocity of a leg's end, per N of the platform's."""
        return self.slides + self.kappa * leg.arm / self.rho

    def second(self, leg: DistanceLeg) -> float:
        """Bound of the second derivative of a leg's end, per N^2 [1/m]."""
        return self.kappa**2 * leg.arm / self.rho**2

    def third(self, leg: DistanceLeg) -> float:
        """Bound of its third derivative, per N^3 [1/m^2]."""
        return self.kappa**3 * leg.arm / self.rho**3


def curvature_here(scale: Scale, pose: PlatformPose, arms: Sequence[Any], spans: Sequence[Any], G: Vector) -> Scalar:
    """L0 with N(G D^2 F[y, z]) <= L0 N(y) N(z) at the pose itself [1/m]."""
    mixed = [_mixed(pose, arm) for arm in arms]
    turned = [_turned(pose, arm, span) for arm, span in zip(arms, spans, strict=True)]
    sizes = []
    for row in G:
        size: Any = absolute(sum(row[1:], row[0])) if scale.slides else 0.0
        if mixed[0]:
            size = size + _length(row, mixed) * (2.0 / scale.rho)
        if turned[0]:
            size = size + _length(row, turned) * (1.0 / scale.rho**2)
        sizes.append(size)
    return scale.norm(array(sizes))


def _mixed(pose: PlatformPose, arm: Vector) -> list[Any]:
    """Numbers whose root of squares bounds d.(w x r) for unit d, w: r itself, or each pair of coordinates."""
    axes = [w for (_, w), turns in zip(pose.columns, pose.turns, strict=True) if turns]
    ways = [v for (v, _), turns in zip(pose.columns, pose.turns, strict=True) if not turns]
    if len(axes) == len(ways) == 3:
        return list(arm)
    return [dot(way, cross(axis, arm)) for axis in axes for way in ways]


def _turned(pose: PlatformPose, arm: Vector, span: Vector) -> list[Any]:
    """Numbers whose root of squares bounds the part of w and w: a symmetric matrix, what is off its diagonal twice."""
    axes = [w for (_, w), turns in zip(pose.columns, pose.turns, strict=True) if turns]
    twice = root_of(2.0)
    if len(axes) == 3:
        rest = span - arm
        level = dot(arm, arm) - dot(span, arm)
        diagonal = [level + rest[k] * arm[k] for k in range(3)]
        return diagonal + [(rest[i] * arm[j] + rest[j] * arm[i]) * (0.5 * twice) for i, j in ((0, 1), (0, 2), (1, 2))]
    found = []
    for i, first in enumerate(axes):
        for j in range(i, len(axes)):
            second = cross(axes[j], arm)
            entry = dot(cross(first, arm), second) + dot(span, cross(first, second))
            found.append(entry * (1.0 if i == j else twice))
    return found


def _length(weights: Vector, columns: Sequence[Sequence[Any]]) -> Scalar:
    """Root of squares of the weighted sum of the legs' numbers."""
    total: Any = 0.0
    for k in range(len(columns[0])):
        value = dot(weights, array([column[k] for column in columns]))
        total = total + value * value
    return sqrt(total)


SURE = 0.9
"""Share of the certified step that is taken: the rest is for round-off, far more than it needs."""
_BALL = 0.7
"""L r of the ball in which L holds: with a step of this share no smaller one is needed."""
_ROOM = 2.5
"""Radius that a step of this share needs at most, in e(s)."""
_LEAST = 1e-6
"""Least radius, in rho: round-off stays within it."""
_CAP = 0.5
"""Third derivatives are bounded while the platform and the actuators' points move by less than this share of rho."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is certain from a pose.

    Attributes:
        share: Of the path that is left, at most 1.
        ball: Radius of a ball with the pose at that share and none other, in the norm N [m].
        drift: b(s): bound of N(I - G J) here.
        curvature: L + La s: that bound grows by this times N(y) [1/m].
    """

    share: Any
    ball: Any
    drift: Any
    curvature: Any


@dataclass(frozen=True, slots=True)
class Here:
    """What a certificate is made from: the robot at a pose on the path, and the way that is left.

    Attributes:
        scale: Of displacements.
        legs: The equations.
        arms: Of each leg from the origin of P to its end, (3,) in B [m].
        spans: Of each leg P - A, (3,) in B [m].
        rates: Of each leg dA/dq, (3,) in B, or None where A is fixed.
        slopes: (n,) dF/dq of each.
        G: (n, n) inverse of the Jacobian.
        left: (n,) what is left of the actuators' path.
        curvature: From `curvature_here` [1/m].
    """

    scale: Scale
    legs: Sequence[DistanceLeg]
    arms: Sequence[Any]
    spans: Sequence[Any]
    rates: Sequence[Any]
    slopes: Vector
    G: Vector
    left: Any
    curvature: Any

    def spread(self, values: Sequence[Any]) -> Scalar:
        """N(|G| values): bound of N(G v) for |v| <= values."""
        return self.scale.norm(absolute(self.G) @ array(values))


def certify(here: Here) -> Certificate:
    """The certificate of a pose on the path."""
    scale, legs = here.scale, here.legs
    cap, far = _CAP * scale.rho, absolute(here.left)
    e1 = scale.norm(here.G @ (here.slopes * here.left))
    e2 = here.spread([0.5 * leg.bend * a * a for leg, a in zip(legs, far, strict=True)])
    change, level = here.spread(_third(here, cap)), here.curvature
    radius = minimum(2.0 * _BALL / (level + sqrt(level * level + 4.0 * _BALL * change)), cap)
    radius = minimum(radius, maximum(_ROOM * (e1 + e2), _LEAST * scale.rho))
    L = level + change * radius
    b1, b2, La, share = _drift(here, far, cap)
    share = minimum(share, SURE * _within(2.0 * (b1 + L * e1), 2.0 * (b2 + L * e2 + La * (e1 + e2)), 1.0))
    share = minimum(share, _within(e1, e2, 0.25 * cap))
    drift, curvature = (b1 + b2 * share) * share, L + La * share
    return Certificate(share, minimum(SURE * (1.0 - drift) / curvature, radius), drift, curvature)


def _third(here: Here, cap: float) -> list[Any]:
    """Bounds of the third derivatives of the equations, while all moves by no more than `cap`."""
    scale, found = here.scale, []
    for leg, span in zip(here.legs, here.spans, strict=True):
        first, second, third = scale.first(leg), scale.second(leg), scale.third(leg)
        found.append(3.0 * first * second + (sqrt(dot(span, span)) + cap * (first + 1.0)) * third)
    return found


def _drift(here: Here, far: Scalar, cap: float) -> tuple[Any, Any, Any, Any]:
    """b1, b2, La, and the share of the path on which the points A move by no more than `cap`."""
    scale, legs = here.scale, here.legs
    if not any(leg.speed for leg in legs):
        return 0.0, 0.0, 0.0, 1.0
    share: Any = 1.0
    moved = [leg.speed * a for leg, a in zip(legs, far, strict=True)]
    for leg, a in zip(legs, moved, strict=True):
        share = minimum(share, cap / maximum(a, np.finfo(float).tiny)) if leg.speed else share
    rates = [np.zeros(3) if rate is None else rate * a for rate, a in zip(here.rates, here.left, strict=True)]
    moments = [cross(arm, rate) for arm, rate in zip(here.arms, rates, strict=True)]
    sizes = []
    for row in here.G:
        f, m = sum(rate * g for rate, g in zip(rates, row, strict=True)), 0.0
        size = norm(f) if scale.slides else 0.0
        if scale.kappa:
            m = sum(moment * g for moment, g in zip(moments, row, strict=True))
            size = size + norm(m) * (scale.kappa / scale.rho)
        sizes.append(size)
    swings = [0.5 * leg.swing * a * a * scale.first(leg) for leg, a in zip(legs, far, strict=True)]
    b2 = here.spread(swings) if any(leg.swing for leg in legs) else 0.0
    return (
        scale.norm(array(sizes)),
        b2,
        here.spread([a * scale.second(leg) for a, leg in zip(moved, legs, strict=True)]),
        share,
    )


def _within(first: Scalar, second: Scalar, limit: Scalar) -> Scalar:
    """Largest t with first t + second t^2 <= limit, for first, second >= 0."""
    return 2.0 * limit / maximum(first + sqrt(first * first + 4.0 * second * limit), np.finfo(float).tiny)
