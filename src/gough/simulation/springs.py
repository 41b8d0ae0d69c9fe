"""Springs and dampers in the actuated joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.brief import brief
from gough.robot import Robot
from gough.robot.actuator_quantities import finite_vector, of_actuators


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

    def ready(self, robot: Robot, x: Any) -> tuple[Any, Any, Any]:
        """Stiffness, damping and rest (actuators,) for a run that starts at x (n,)."""
        m = len(robot.actuators)
        k, d = (
            finite_vector(f"springs: {name}", of_actuators(robot, f"springs: {name}", value, name), m)
            for name, value in (("stiffness", self.stiffness), ("damping", self.damping))
        )
        if self.rest is not None:
            rest = of_actuators(robot, "springs: rest", self.rest, "travel")
            return k, d, finite_vector("springs: rest", rest, m, signed=True)
        return k, d, rest_for(robot, x, k)


def rest_for(robot: Robot, x: Any, stiffness: Any) -> Any:
    """(actuators,) rest displacements with which springs hold the robot's weight at x (n,)."""
    from gough.dynamics import inverse_dynamics

    still = np.zeros(robot.dof)
    held = inverse_dynamics(robot, x, still, still)
    k = np.broadcast_to(np.asarray(stiffness, dtype=float), held.force.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return held.q + np.where(k > 0.0, held.force / k, 0.0)
