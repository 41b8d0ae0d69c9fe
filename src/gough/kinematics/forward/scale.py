"""The norm in which displacements of a platform are measured, and bounds of how its legs' ends move with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import sqrt as root_of
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, dot, maximum, sqrt
from gough.kinematics.forward.distance_equations import DistanceLeg


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

    def square(self, y: Vector) -> Scalar:
        """N(y)^2."""
        parts = [_squares([y[k] for k in places]) * size**2 for places, size in self._kinds]
        return reduce(maximum, parts)

    def norm(self, y: Vector) -> Scalar:
        """N(y)."""
        return sqrt(self.square(y))

    def turn_square(self, y: Vector) -> Scalar:
        """|w|^2 of three turning coordinates."""
        return _squares([v for v, turns in zip(y, self.turns, strict=True) if turns])

    def matrix_norm(self, M: Vector) -> Scalar:
        """Bound of N(M y) / N(y), by the Frobenius norms of the blocks of slides and turns."""
        found = []
        for rows, size in self._kinds:
            parts = [sqrt(_squares(M[np.ix_(rows, places)].ravel())) * (size / other) for places, other in self._kinds]
            found.append(sum(parts[1:], parts[0]))
        return reduce(maximum, found)

    @property
    def _kinds(self) -> list[tuple[list[int], float]]:
        """Places of the slides and of the turns, as far as there are any, with what a unit of them counts."""
        kinds = [
            ([k for k, turns in enumerate(self.turns) if turns is kind], self.rho if kind else 1.0)
            for kind in (False, True)
        ]
        return [kind for kind in kinds if kind[0]]

    @property
    def bounds(self) -> tuple[Callable[[DistanceLeg], float], ...]:
        """Bounds of the first to fourth derivatives of a leg's end."""
        return self.first, self.second, self.third, self.fourth

    def first(self, leg: DistanceLeg) -> float:
        """Bound of the velocity of a leg's end, per N of the platform's."""
        return self.slides + self.kappa * leg.arm / self.rho

    def second(self, leg: DistanceLeg) -> float:
        """Bound of the second derivative of a leg's end, per N^2 [1/m]."""
        return self.kappa**2 * leg.arm / self.rho**2

    def third(self, leg: DistanceLeg) -> float:
        """Bound of its third derivative, per N^3 [1/m^2]."""
        return self.kappa**3 * leg.arm / self.rho**3

    def fourth(self, leg: DistanceLeg) -> float:
        """Bound of its fourth derivative, per N^4 [1/m^3]."""
        return self.kappa**4 * leg.arm / self.rho**4


def _squares(values: Sequence[Any]) -> Scalar:
    return dot(array(values), array(values))
