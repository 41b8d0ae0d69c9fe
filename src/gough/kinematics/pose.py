"""The platform's pose, twist and twist rate from its coordinates.

Twists are [v; w]: velocity of the origin of P and angular velocity, both in base axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import absolute, array, cos, cross, dot, label, sin
from gough.kinematics.spatial import UNIT, rotate_about
from gough.robot import Platform

_SLIDES = ("x", "y", "z")


@dataclass(frozen=True, slots=True)
class PlatformPose:
    """Where the platform is and how its coordinates move it.

    Attributes:
        p_BP: (3,) origin of P in B [m].
        R_BP: (3, 3) orientation.
        directions: For each coordinate the direction of its twist in B: of v where it slides, of w where it turns.
        turns: For each coordinate whether it turns.
        carried: Each turning axis is carried by the turns before it; False where the axes stand still in B.
    """

    p_BP: Any
    R_BP: Any
    directions: tuple[Any, ...]
    turns: tuple[bool, ...]
    carried: bool = True

    def column(self, k: int) -> tuple[Any, Any]:
        """(v, w) of a unit rate of coordinate k: column k of S(x) with twist = S(x) xd."""
        zero = np.zeros(3)
        return (zero, self.directions[k]) if self.turns[k] else (self.directions[k], zero)

    def twist(self, xd: Any) -> tuple[Any, Any]:
        """(v, w) = S(x) xd."""
        v: Any = np.zeros(3)
        w: Any = np.zeros(3)
        with label("platform"):
            for direction, turns, rate in zip(self.directions, self.turns, xd, strict=True):
                if turns:
                    w = w + direction * rate
                else:
                    v = v + direction * rate
        return v, w

    def twist_rate(self, xd: Any, xdd: Any) -> tuple[Any, Any]:
        """(dv/dt, dw/dt) = S xdd + Sd xd."""
        a, wd = self.twist(xdd)
        if not self.carried:
            return a, wd
        w: Any = np.zeros(3)
        with label("platform"):
            for direction, turns, rate in zip(self.directions, self.turns, xd, strict=True):
                if turns:
                    wd = wd + cross(w, direction * rate)
                    w = w + direction * rate
        return a, wd

    def free(self) -> PlatformPose:
        """The same pose with rates that no choice of angles can make singular: three turns become w in base axes."""
        if sum(self.turns) < 3:
            return self
        axes = iter(UNIT)
        directions = tuple(next(axes) if turns else d for d, turns in zip(self.directions, self.turns, strict=True))
        return PlatformPose(self.p_BP, self.R_BP, directions, self.turns, carried=False)

    def chart(self) -> Any:
        """(n, n) S: free rates = S xd; the identity unless three coordinates turn."""
        n = len(self.turns)
        S = np.eye(n, dtype=object) * 1.0
        if sum(self.turns) == 3:
            places = [k for k in range(n) if self.turns[k]]
            for column in places:
                for i, row in enumerate(places):
                    S[row, column] = self.directions[column][i]
        return array(S)

    def chart_width(self) -> Any:
        """Reciprocal of the condition of `chart`: 1 for axes at right angles, 0 where two of them fall together.

        The middle one of three turning axes is at right angles to both others; with a the cosine between those, the
        singular values of the chart are sqrt(1 + |a|), 1 and sqrt(1 - |a|).
        """
        if sum(self.turns) < 3:
            return 1.0
        first, middle, last = [d for d, turns in zip(self.directions, self.turns, strict=True) if turns]
        return absolute(dot(first, cross(middle, last))) / (1.0 + absolute(dot(first, last)))


def platform_pose(platform: Platform, x: Any) -> PlatformPose:
    """The pose at coordinates x (n,)."""
    p_BP, R_BP = array(platform.position), array(platform.rotation)
    origin = R_BP
    directions: list[Any] = []
    for coordinate, value in zip(platform.coordinates, x, strict=True):
        axis = UNIT["xyz".index(coordinate.motion[-1])]
        if coordinate.motion in _SLIDES:
            direction = origin @ axis
            p_BP = p_BP + direction * value
        else:
            direction = R_BP @ axis
            R_BP = rotate_about(R_BP, axis, cos(value), sin(value))
        directions.append(direction)
    turns = tuple(coordinate.motion not in _SLIDES for coordinate in platform.coordinates)
    return PlatformPose(p_BP, R_BP, tuple(directions), turns)
