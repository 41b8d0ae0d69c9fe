"""All forces that give the platform what it needs, as one point and the space of internal forces.

Of the forces s = sqrt(weight) (tau - reference) the smallest are wanted: K_s^T s = Q_s with K_s = K / sqrt(weight) and
Q_s = Q - K^T reference. With K_s = U [R; 0], R^T y = Q_s, the smallest are s0 = U [y; 0], and all solutions are
s0 + N z, N the last columns of U. K^T K, whose condition is the square of K's, is never formed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.graph import Orthogonal, Scalar, Vector, array, orthogonal, sqrt
from gough.robot import Actuation, Mechanism


def force_limits(robot: Mechanism) -> list[tuple[Any, Any]]:
    """Least and largest force of each actuator [N or N m]; None where it has no limit.

    A cable pulls: that of a cable is minus its tension, which the force of its winch is not while it turns.
    """
    found: list[tuple[Any, Any]] = []
    for leg, joint in zip(robot.actuator_legs, robot.actuators, strict=True):
        cable, most = robot.legs[leg].cable, joint.limits.force
        if cable is not None:
            found.append((-cable.tension[1], -cable.tension[0]))
        else:
            found.append((None, None) if most is None else (-most, most))
    return found


class Shared(NamedTuple):
    """Forces (m,), NaN where there are none; and whether there are any."""

    force: Vector
    feasible: Any


@dataclass(frozen=True, slots=True)
class Shares:
    """Forces tau (m,) with K^T tau = Q, by s = (tau - reference) / unit.

    Attributes:
        K: (m, n) of s.
        Q: (n,) that s must give.
        factors: Factors of K.
        unit: (m,) 1 / sqrt(weight), or None for ones.
        reference: (m,) or None for zeros.
    """

    K: Vector
    Q: Vector
    factors: Orthogonal
    unit: Any
    reference: Any

    @property
    def spare(self) -> int:
        """Number of actuators beyond the platform's degrees of freedom."""
        return int(self.K.shape[0] - self.K.shape[1])

    def smallest(self) -> Vector:
        """(m,) s with the least sum of squares."""
        return self.factors.least_norm(self.Q, len(self.K))

    def internal(self) -> Vector:
        """(m, spare) orthonormal basis of the forces s that give the platform nothing."""
        return self.factors.null_space(len(self.K))

    def force(self, s: Vector) -> Vector:
        """(m,) tau."""
        force = s if self.unit is None else s * self.unit
        return force if self.reference is None else force + self.reference

    def scaled(self, limits: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Limits of s from those of tau; None stays."""
        return [(self._scaled(k, low), self._scaled(k, high)) for k, (low, high) in enumerate(limits)]

    def _scaled(self, k: int, limit: Scalar) -> Scalar:
        if limit is None:
            return None
        if self.reference is not None:
            limit = limit - self.reference[k]
        return limit if self.unit is None else limit / self.unit[k]


def shares(K: Vector, Q: Vector, actuation: Actuation) -> Shares:
    """All ways to give the platform Q (n,) by K (m, n), m >= n."""
    unit = None if actuation.weights is None else array([1.0 / sqrt(weight) for weight in actuation.weights])
    reference = None if actuation.reference is None else array(actuation.reference)
    left = Q if reference is None else Q - K.T @ reference
    scaled = K if unit is None else K * unit[:, None]
    return Shares(np.asarray(scaled), left, orthogonal(scaled), unit, reference)
