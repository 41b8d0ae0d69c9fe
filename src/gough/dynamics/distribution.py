"""From generalised forces on the platform to efforts of the actuators: one place, apart from every formulation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gough.dynamics.sharing.shares import shares
from gough.graph import factor, solve, solve_transposed
from gough.robot import Actuation


@dataclass(frozen=True, slots=True)
class Demand:
    """What a motion asks of the actuators: efforts tau (m,) with K^T (tau - own) = Q.

    K and Q are on the same n rates of the platform. Which ones does not matter: those of its coordinates, or any other
    basis of its motions.

    Attributes:
        K: (m, n) actuator rates per rate of the platform.
        Q: (n,) generalised force that must reach the platform [N or N m].
        own: (m,) effort that each actuator spends before it reaches the platform: on its own leg, rotor and friction.
        pivots_among_rates: Elimination picks its pivots among the rates, which spares operations where K has structural
            zeros, instead of among the actuators, which is kinder to rates of different units.
    """

    K: Any
    Q: Any
    own: Any
    pivots_among_rates: bool = False

    def with_own(self, effort: Any) -> Demand:
        """The same with more spent (m,) in the actuators."""
        return replace(self, own=self.own + effort)

    def generalized_force(self) -> Any:
        """(n,) everything the actuators must give, on the platform's rates: Q + K^T own."""
        return self.Q + self.K.T @ self.own


def distribute(demand: Demand, actuation: Actuation | None = None) -> Any:
    """(m,) efforts of the actuators.

    As many as the platform has motions: there is one solution. More: the one that `actuation` chooses, among all that
    give the platform the same; what the actuators spend on their own is shared too.
    """
    m, n = demand.K.shape
    if m > n:
        given = shares(demand.K, demand.generalized_force(), actuation or Actuation())
        return given.force(given.smallest())
    if demand.pivots_among_rates:
        return demand.own + solve(factor(demand.K.T), demand.Q)
    return demand.own + solve_transposed(factor(demand.K), demand.Q)
