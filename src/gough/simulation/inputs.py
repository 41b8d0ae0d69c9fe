"""Inputs of a simulation: forces given over time, and springs and dampers in the actuated joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.robot import Robot
from gough.robot.actuator_quantities import finite_vector, of_actuators


@dataclass(frozen=True)
class Forces:
    """A force history: samples held until the next, or joined by straight lines.

    Attributes:
        t: (T,) increasing times [s].
        force: (T, actuators) [N or N m].
        hold: True holds each sample until the next; False joins them. Before and after, the nearest counts.
    """

    __repr__ = brief

    t: Any
    force: Any
    hold: bool = False

    def ready(self, m: int) -> tuple[Array, Array]:
        """The arrays, checked for m actuators."""
        t, force = np.asarray(self.t, dtype=float), np.asarray(self.force, dtype=float)
        if t.ndim != 1 or len(t) == 0 or not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
            raise InputError("forces: t must be increasing finite times (T,)")
        if force.shape != (len(t), m):
            raise InputError(f"forces: force of shape {force.shape} given, expected ({len(t)}, {m})")
        if not np.isfinite(force).all():
            raise InputError(
                f"forces: a force at t = {t[int(np.argmin(np.isfinite(force).all(axis=1)))]:g} s is no number"
            )
        return t, force


def value_at(t: Array, force: Array, hold: bool, now: float) -> Array:
    """(actuators,) of a checked history at a time."""
    k = int(np.searchsorted(t, now, side="right")) - 1
    if k < 0:
        return force[0]
    if hold or k == len(t) - 1:
        return force[k]
    share = (now - t[k]) / (t[k + 1] - t[k])
    return force[k] + share * (force[k + 1] - force[k])


@dataclass(frozen=True)
class Springs:
    """Forces -stiffness (q - rest) - damping qd.

    Attributes:
        stiffness: One for all actuators or (actuators,) [N/m or N m/rad].
        damping: Likewise [N s/m or N m s/rad].
        rest: (actuators,) displacements without force; None lets the springs hold the robot's weight at the start.
            Any of these may be texts with their units: "1e3 N/mm", "50 N s/m", "10 mm".
    """

    __repr__ = brief

    stiffness: Any
    damping: Any = 0.0
    rest: Any = None

    def ready(self, robot: Robot, x: Array) -> tuple[Array, Array, Array]:
        """Stiffness, damping and rest (actuators,) for a run that starts at x (n,)."""
        m = len(robot.actuators)
        k, d = (
            finite_vector(f"springs: {name}", of_actuators(robot, f"springs: {name}", value, what), m)
            for name, value, what in (("stiffness", self.stiffness, "stiffness"), ("damping", self.damping, "viscous"))
        )
        if self.rest is not None:
            rest = of_actuators(robot, "springs: rest", self.rest, "travel")
            return k, d, finite_vector("springs: rest", rest, m, signed=True)
        return k, d, rest_for(robot, x, k)


def rest_for(robot: Robot, x: Array, stiffness: Array) -> Array:
    """(actuators,) rest displacements with which springs hold the robot's weight at x (n,)."""
    from gough.dynamics import inverse_dynamics

    held = inverse_dynamics(robot, x)
    k = np.broadcast_to(np.asarray(stiffness, dtype=float), held.force.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return held.q + np.where(k > 0.0, held.force / k, 0.0)
