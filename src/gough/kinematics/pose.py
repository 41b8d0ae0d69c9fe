"""The platform's pose, twist and twist rate from its coordinates.

Twists are [v; w]: velocity of the origin of P and angular velocity, both in base axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, absolute, array, cos, cross, dot, label, sin
from gough.kinematics.spatial import UNIT, rotate_about
from gough.robot import Platform

_SLIDES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class Dependence:
    """How the dependent coordinates d follow the independent ones x.

    Attributes:
        whole: The pose with the rates of all coordinates in their order.
        places: For each coordinate in order its place in (x, d).
        values: (k,) d [m or rad].
        D: (k, n) rates of d = D xd.
        drift: Rates xd (n,) -> (k,) accelerations of d where xdd is zero.
        held: (rows, k) what the legs forbid of each rate of d: without full rank, x does not tell d.
    """

    whole: PlatformPose
    places: tuple[int, ...]
    values: Vector
    D: Any
    drift: Callable[[Any], Any]
    held: Any

    def all_rates(self, rate: Vector) -> Vector:
        """Rates of all coordinates in their order."""
        return self._in_order(rate, self.D @ array(rate))

    def all_accelerations(self, rate: Vector, rate_d: Vector) -> Vector:
        """Accelerations of all coordinates in their order."""
        return self._in_order(rate_d, self.D @ array(rate_d) + self.drift(rate))

    def _in_order(self, x: Vector, d: Vector) -> Vector:
        values = [*x, *d]
        return array([values[k] for k in self.places])


@dataclass(frozen=True, slots=True)
class PlatformPose:
    """Where the platform is and how its coordinates move it.

    Attributes:
        p_BP: (3,) origin of P in B [m].
        R_BP: (3, 3) orientation.
        columns: For each rate of the platform its twist (v, w) per unit: the columns of S, twist = S rate.
        turns: For each rate whether it is one of turning.
        carried: Each turning axis is carried by the turns before it; False where the axes stand still in B.
        dependence: How dependent coordinates follow the rates; None where there are none.
    """

    p_BP: Vector
    R_BP: Vector
    columns: tuple[tuple[Any, Any], ...]
    turns: tuple[bool, ...]
    carried: bool = True
    dependence: Dependence | None = None

    @property
    def dof(self) -> int:
        """n: number of rates."""
        return len(self.columns)

    def column(self, k: int) -> tuple[Any, Any]:
        """(v, w) of a unit rate k."""
        return self.columns[k]

    def twist(self, rate: Vector) -> tuple[Any, Any]:
        """(v, w) = S rate."""
        if self.dependence is not None:
            return self.dependence.whole.twist(self.dependence.all_rates(rate))
        v: Any = np.zeros(3)
        w: Any = np.zeros(3)
        with label("platform"):
            for (v_k, w_k), rate_k in zip(self.columns, rate, strict=True):
                v, w = v + v_k * rate_k, w + w_k * rate_k
        return v, w

    def twist_rate(self, rate: Vector, rate_d: Vector) -> tuple[Any, Any]:
        """(dv/dt, dw/dt) = S rate_d + Sd rate."""
        if self.dependence is not None:
            follows = self.dependence
            return follows.whole.twist_rate(follows.all_rates(rate), follows.all_accelerations(rate, rate_d))
        a, wd = self.twist(rate_d)
        if not self.carried:
            return a, wd
        w: Any = np.zeros(3)
        with label("platform"):
            for (_, w_k), turns, rate_k in zip(self.columns, self.turns, rate, strict=True):
                if turns:
                    wd = wd + cross(w, w_k * rate_k)
                    w = w + w_k * rate_k
        return a, wd

    def power(self, f: Vector, m: Vector) -> Vector:
        """(n,) S^T [f; m]: generalised force of a force and a moment about the origin of P, base axes."""
        with label("platform"):
            return array([dot(v, f) + dot(w, m) for v, w in self.columns])

    @property
    def charted(self) -> bool:
        """Whether three coordinates turn the platform in any way, so that w in base axes can stand for their rates."""
        return self.dependence is None and sum(self.turns) == 3

    @property
    def is_on_free_rates(self) -> bool:
        """Whether its rates are w in base axes, in place of the rates of three angles."""
        return not self.carried

    def free(self) -> PlatformPose:
        """The same pose with rates that no choice of angles can make singular: three turns become w in base axes."""
        if not self.charted:
            return self
        axes = iter(UNIT)
        columns = tuple(
            (np.zeros(3), next(axes)) if turns else column
            for column, turns in zip(self.columns, self.turns, strict=True)
        )
        return PlatformPose(self.p_BP, self.R_BP, columns, self.turns, carried=False)

    def chart(self) -> Vector:
        """(n, n) S: free rates = S xd; the identity unless three coordinates turn."""
        n = self.dof
        S = np.eye(n, dtype=object) * 1.0
        if self.charted:
            places = [k for k in range(n) if self.turns[k]]
            for column in places:
                for i, row in enumerate(places):
                    S[row, column] = self.columns[column][1][i]
        return array(S)

    def chart_width(self) -> Scalar:
        """Reciprocal of the condition of `chart`: 1 for axes at right angles, 0 where two of them fall together.

        The middle one of three turning axes is at right angles to both others; with a the cosine between those, the
        singular values of the chart are sqrt(1 + |a|), 1 and sqrt(1 - |a|).
        """
        if not self.charted:
            return 1.0
        first, middle, last = [w for (_, w), turns in zip(self.columns, self.turns, strict=True) if turns]
        return absolute(dot(first, cross(middle, last))) / (1.0 + absolute(dot(first, last)))


def platform_pose(platform: Platform, x: Vector) -> PlatformPose:
    """The pose at coordinates x (n,)."""
    p_BP, R_BP = array(platform.position), array(platform.rotation)
    origin = R_BP
    columns: list[tuple[Any, Any]] = []
    for coordinate, value in zip(platform.coordinates, x, strict=True):
        axis = UNIT["xyz".index(coordinate.motion[-1])]
        if coordinate.motion in _SLIDES:
            direction = origin @ axis
            p_BP = p_BP + direction * value
            columns.append((direction, np.zeros(3)))
        else:
            columns.append((np.zeros(3), R_BP @ axis))
            R_BP = rotate_about(R_BP, axis, cos(value), sin(value))
    turns = tuple(coordinate.motion not in _SLIDES for coordinate in platform.coordinates)
    return PlatformPose(p_BP, R_BP, tuple(columns), turns)
