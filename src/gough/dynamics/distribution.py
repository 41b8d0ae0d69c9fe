"""From generalised forces on the platform to efforts of the actuators: one place, apart from every formulation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.dynamics.drives import winches
from gough.dynamics.sharing.shares import Shared, force_limits, shares
from gough.dynamics.sharing.within_limits import bounded, centre
from gough.graph import Vector, array, factor, maximum, minimum, solve, solve_transposed, where
from gough.robot import Actuation, Mechanism


@dataclass(frozen=True, slots=True)
class Demand:
    """What a motion asks of the actuators: efforts tau (m,) with K^T (tau - winch - own) = Q.

    K and Q are on the same n rates of the platform. Which ones does not matter: those of its coordinates, or any other
    basis of its motions.

    Attributes:
        K: (m, n) actuator rates per rate of the platform.
        Q: (n,) generalised force that must reach the platform [N or N m].
        own: (m,) effort that each actuator spends before it reaches the platform: on its own leg, rotor and friction.
        pivots_among_rates: Elimination picks its pivots among the rates, which spares operations where K has structural
            zeros, instead of among the actuators, which is kinder to rates of different units.
        winch: (m,) effort that winches spend beyond the tension in their cables, on rotors and friction; None where
            they spend none. Tensions are what is shared and has limits; the winches give this in addition.
    """

    K: Vector
    Q: Vector
    own: Any
    pivots_among_rates: bool = False
    winch: Any = None

    def with_own(self, effort: Vector) -> Demand:
        """The same with more spent (m,) in the actuators."""
        return replace(self, own=self.own + effort)

    def with_drives(self, robot: Mechanism, effort: Vector) -> Demand:
        """The same with more spent (m,) on rotors or friction: of winches beyond the tension in their cables."""
        pulling = winches(robot)
        if not pulling:
            return self.with_own(effort)
        places = range(len(effort))
        winch = array([effort[k] if k in pulling else 0.0 for k in places])
        rest = self.with_own(array([0.0 if k in pulling else effort[k] for k in places]))
        return replace(rest, winch=winch if self.winch is None else self.winch + winch)

    def generalized_force(self) -> Vector:
        """(n,) everything that is shared, on the platform's rates: Q + K^T own."""
        return self.Q + self.K.T @ self.own

    def given(self, shared: Vector) -> Vector:
        """(m,) forces of the actuators from those that are shared: those of winches with what they spend beyond."""
        return shared if self.winch is None else shared + self.winch


def share(demand: Demand, robot: Mechanism) -> Shared:
    """Forces of the actuators: see `share_out`; those of winches are the tensions and what they spend beyond."""
    found = share_out(demand, robot)
    return Shared(demand.given(found.force), found.feasible)


def share_out(demand: Demand, robot: Mechanism) -> Shared:
    """Forces that the platform feels, of cables minus their tensions: K^T (force - own) = Q.

    As many as the platform has motions: there is one solution. More: the one that the robot's actuation chooses, among
    all that give the platform the same; what the other actuators spend on their own is shared too.
    """
    m, n = demand.K.shape
    actuation = robot.actuation
    if m == n and (actuation is None or not actuation.limited):
        return Shared(sole_solution(demand), True)
    actuation = actuation or Actuation()
    given = shares(demand.K, demand.generalized_force(), actuation)
    if not actuation.limited:
        return Shared(given.force(given.smallest()), True)
    force, feasible = (centre if actuation.criterion == "centre" else bounded)(given, force_limits(robot))
    return Shared(array([where(feasible, value, np.nan) for value in force]), feasible)


def distribute(demand: Demand, robot: Mechanism) -> Vector:
    """(m,) forces of the actuators: see `share`."""
    return share(demand, robot).force


def allocate(demand: Demand, robot: Mechanism) -> Vector:
    """(m,) forces that a controller commands: as `share`, and where there are none within the limits something near.

    That is those of least norm, each brought within its own limits, cables by their tensions: they do not give the
    platform what it needs.
    """
    found = share(demand, robot)
    if robot.actuation is None or not robot.actuation.limited:
        return found.force
    free = replace(robot.actuation, criterion="least-norm")
    given = shares(demand.K, demand.generalized_force(), free)
    near: list[Any] = []
    for value, (low, high) in zip(given.force(given.smallest()), force_limits(robot), strict=True):
        value = value if low is None else maximum(value, low)
        near.append(value if high is None else minimum(value, high))
    return array([where(found.feasible, a, b) for a, b in zip(found.force, demand.given(array(near)), strict=True)])


def sole_solution(demand: Demand) -> Vector:
    """(n,) forces of as many actuators as the platform has motions: K^T (force - own) = Q."""
    if demand.pivots_among_rates:
        return demand.own + solve(factor(demand.K.T), demand.Q)
    return demand.own + solve_transposed(factor(demand.K), demand.Q)
