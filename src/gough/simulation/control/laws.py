"""Control laws: from a robot's state, its actuators and a reference to actuator forces, recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array, Vector
from gough.motion import Motion, State
from gough.robot import Actuation, Mechanism, by_mechanism
from gough.robot.actuator_quantities import finite_vector, has_text, plain
from gough.robot.actuator_quantities import of_actuators as in_units
from gough.robot.quantities import Measure
from gough.simulation.arguments import positive
from gough.simulation.control.known_model import acceleration, forces, reference_program, targets, weight
from gough.simulation.system import System

_PER_SQUARE, _PER_SECOND = Measure((0, 0, -2, 0), 1.0, ("1/s^2",)), Measure((0, 0, -1, 0), 1.0, ("1/s",))


Gain: TypeAlias = ArrayLike | Sequence[str] | None
"""A controller gain: one for all or one each, numbers or texts with their units; None for the default."""


def of_errors(kp: Gain, kd: Gain, bandwidth: float, n: int) -> tuple[Any, Any]:
    """Acceleration per error and per rate of error [1/s^2, 1/s]: critically damped at the bandwidth [Hz]."""
    kp = plain("kp", kp, _PER_SQUARE) if has_text(kp) else kp
    kd = plain("kd", kd, _PER_SECOND) if has_text(kd) else kd
    w = 2.0 * np.pi * bandwidth
    return finite_vector("kp:", w * w if kp is None else kp, n), finite_vector("kd:", 2.0 * w if kd is None else kd, n)


def of_actuators(robot: Mechanism, kp: Gain, kd: Gain, bandwidth: float) -> tuple[Any, Any]:
    """Force per displacement and per rate; by default those of `of_errors` times each actuator's inertia at home."""
    kp, kd = in_units(robot, "kp", kp, "stiffness"), in_units(robot, "kd", kd, "viscous")
    m = len(robot.actuators)
    acceleration = of_errors(None, None, bandwidth, m)
    inertia = actuator_inertia(robot) if kp is None or kd is None else np.ones(m)
    return (
        finite_vector("kp:", acceleration[0] * inertia if kp is None else kp, m),
        finite_vector("kd:", acceleration[1] * inertia if kd is None else kd, m),
    )


@by_mechanism(32)
def actuator_inertia(robot: Mechanism) -> Array:
    """(actuators,) inertia that each actuator feels at home [kg or kg m^2]: diagonal of the mass matrix on their rates.

    With more actuators than coordinates it is that of the motion that comes nearest to moving one of them alone.
    """
    from gough.dynamics import inverse_dynamics
    from gough.kinematics import inverse_kinematics

    n = robot.dof
    home = np.array(robot.platform.home)
    K = inverse_kinematics(robot, home).K
    alone = np.linalg.inv(K) if len(K) == n else np.linalg.pinv(K)
    xdd = np.vstack([np.zeros(n), alone.T])
    still = np.zeros((len(xdd), n))
    free = robot if robot.actuation is None else replace(robot.mechanism, actuation=Actuation())
    force = inverse_dynamics(free, State(np.tile(home, (len(xdd), 1)), still, xdd)).force
    if len(K) == n:
        return np.abs(np.diag(force[1:] - force[0]))
    return np.abs(np.einsum("ij,ij->i", (K @ alone).T, force[1:] - force[0]))


class Law(Protocol):
    """A control law; `system` is the controller's own model of the robot."""

    @property
    def name(self) -> str:
        """For tables."""

    def reference(self, system: System, motion: Motion, t: Array) -> Array:
        """(T, k) what the law follows at times t (T,)."""

    def force(self, system: System, c: Vector, z: Vector, q: Vector, qd: Vector, u: Vector) -> Vector:
        """(actuators,) forces at the state c, z, with actuators at q, qd, and the reference u (k,)."""


@dataclass(frozen=True)
class ComputedTorque:
    """Inverse dynamics of an acceleration: that of the motion, plus kp times the error, plus kd times its rate.

    Attributes:
        kp, kd: One or n numbers [1/s^2, 1/s], in joint space one per actuator, or texts with units, "900 1/s^2",
            "60 1/s"; by default critically damped at the bandwidth.
        bandwidth: [Hz], or a text, "5 Hz".
        space: "task" takes errors of the platform (turns about base axes), "joint" those of the actuators.
    """

    kp: Gain = None
    kd: Gain = None
    bandwidth: Any = 5.0
    space: Literal["task", "joint"] = "task"

    def __post_init__(self) -> None:
        """A bandwidth given as text becomes a number [Hz]."""
        _plain_bandwidth(self)

    @property
    def name(self) -> str:
        """For tables."""
        return "computed torque" + ("" if self.space == "task" else " (joint space)")

    def reference(self, system: System, motion: Motion, t: Array) -> Array:
        """(T, size + 2 n) in task space, (T, 3 m) in joint space."""
        x, xd, xdd = targets(motion, t)
        found = reference_program(system, "state" if self.space == "task" else "actuators")(x=x, xd=xd, xdd=xdd)
        return np.concatenate(list(found.values()), axis=1)

    def force(self, system: System, c: Vector, z: Vector, q: Vector, qd: Vector, u: Vector) -> Vector:
        """(actuators,)."""
        if self.space == "task":
            n, size = system.robot.dof, system.configuration.size
            kp, kd = of_errors(self.kp, self.kd, self.bandwidth, n)
            error = system.configuration.apart(u[:size], c)
            zd = u[size + n :] + kd * (u[size : size + n] - z) + kp * error
        else:
            m = len(system.robot.actuators)
            kp, kd = of_errors(self.kp, self.kd, self.bandwidth, m)
            qdd = u[2 * m :] + kd * (u[m : 2 * m] - qd) + kp * (u[:m] - q)
            zd = acceleration(system, c, z, qdd)
        return forces(system, c, z, zd)


@dataclass(frozen=True)
class PD:
    """kp (q_ref - q) + kd (qd_ref - qd), and the forces that hold the robot's weight where it is.

    Attributes:
        kp, kd: One or (actuators,) [N/m and N s/m, or N m/rad and N m s/rad], or texts with units, "200 N/mm"; by
            default from the bandwidth and the inertia that each actuator feels at home.
        bandwidth: [Hz], or a text, "5 Hz".
        gravity: Compensate the weight.
    """

    kp: Gain = None
    kd: Gain = None
    bandwidth: Any = 5.0
    gravity: bool = True

    def __post_init__(self) -> None:
        """A bandwidth given as text becomes a number [Hz]."""
        _plain_bandwidth(self)

    @property
    def name(self) -> str:
        """For tables."""
        return "PD with gravity compensation" if self.gravity else "PD"

    def reference(self, system: System, motion: Motion, t: Array) -> Array:
        """(T, 2 m)."""
        x, xd, xdd = targets(motion, t)
        found = reference_program(system, "actuators")(x=x, xd=xd, xdd=xdd)
        return np.concatenate([found["q"], found["qd"]], axis=1)

    def force(self, system: System, c: Vector, z: Vector, q: Vector, qd: Vector, u: Vector) -> Vector:
        """(actuators,)."""
        del z
        m = len(system.robot.actuators)
        kp, kd = of_actuators(system.robot, self.kp, self.kd, self.bandwidth)
        pulled = kp * (u[:m] - q) + kd * (u[m : 2 * m] - qd)
        return pulled + weight(system, c) if self.gravity else pulled


@dataclass(frozen=True)
class Feedforward:
    """The forces of the motion by inverse dynamics, and PD on the actuators' errors.

    Attributes:
        kp, kd, bandwidth: As those of `PD`.
    """

    kp: Gain = None
    kd: Gain = None
    bandwidth: Any = 5.0

    def __post_init__(self) -> None:
        """A bandwidth given as text becomes a number [Hz]."""
        _plain_bandwidth(self)

    @property
    def name(self) -> str:
        """For tables."""
        return "feed-forward and PD"

    def reference(self, system: System, motion: Motion, t: Array) -> Array:
        """(T, 3 m)."""
        x, xd, xdd = targets(motion, t)
        found = reference_program(system, "forces")(x=x, xd=xd, xdd=xdd)
        return np.concatenate([found["q"], found["qd"], found["force"]], axis=1)

    def force(self, system: System, c: Vector, z: Vector, q: Vector, qd: Vector, u: Vector) -> Vector:
        """(actuators,)."""
        del c, z
        m = len(system.robot.actuators)
        kp, kd = of_actuators(system.robot, self.kp, self.kd, self.bandwidth)
        return u[2 * m :] + kp * (u[:m] - q) + kd * (u[m : 2 * m] - qd)


def _plain_bandwidth(law: ComputedTorque | PD | Feedforward) -> None:
    if isinstance(law.bandwidth, str):
        object.__setattr__(law, "bandwidth", positive("bandwidth", law.bandwidth, "Hz"))
