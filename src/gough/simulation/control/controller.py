"""A controller: a law, the motion it follows, what it knows, what it measures and when it acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Body, Mechanism, Robot
from gough.robot.actuator_quantities import finite_vector, in_si, of_actuators
from gough.robot.quantities import measure
from gough.simulation.control.laws import Law
from gough.simulation.control.noise import Noise
from gough.simulation.inputs import Forces, Springs


@dataclass(frozen=True)
class Controller:
    """A controller that moves a robot along a motion.

    It measures the actuators (q, qd). The platform's state is found from them by forward kinematics of its own model;
    without noise and with the robot's own geometry that is the state itself.

    Attributes:
        law: `ComputedTorque`, `PD` or `Feedforward`.
        motion: The motion to follow; after its end the robot is held there. All laws know its wrench and how its base
            moves, e.g. by an inertial sensor, and add the forces that these require.
        robot: The controller's model of the robot; None for the simulated robot itself.
        sample_time: Controller sample time [s], forces held between samples; continuous if None.
        delay: Delay from a measurement to the force computed from it [s]; the first force acts immediately.
        saturation: True for the stated force limits, or one or (actuators,) largest forces; None for no bounds.
        noise: Noise of the sensors; needs a sample time.

    Times and forces may be texts with their units: "1 ms", "2 kN".
    """

    __repr__ = brief

    law: Law
    motion: Motion
    robot: Robot | None = None
    sample_time: Any = None
    delay: Any = 0.0
    saturation: Any = None
    noise: Noise | None = None

    def __post_init__(self) -> None:
        _plain_times(self, "sample_time", "delay")
        _check_times(self.sample_time, self.delay)
        if self.noise is not None and self.sample_time is None:
            raise InputError("controller: noise needs a sample time")

    @property
    def text(self) -> str:
        """The law's name, and how the motion was smoothed if that was asked for."""
        smoothing = self.motion.smoothing.rstrip(".")
        return self.law.name + (f" ({smoothing[0].lower()}{smoothing[1:]})" if smoothing else "")

    def largest(self, robot: Robot) -> Array | None:
        """(actuators,) largest forces, infinite where not bounded; None for no bounds."""
        if self.saturation is None or self.saturation is False:
            return None
        joints = robot.actuators
        if self.saturation is True:
            return np.array([np.inf if joint.limits.force is None else joint.limits.force for joint in joints])
        return finite_vector("saturation:", of_actuators(robot, "saturation", self.saturation, "effort"), len(joints))


@dataclass(frozen=True)
class Custom:
    """A user-defined controller.

    Attributes:
        function: `function(t, q, qd)` with the time [s], displacements and rates of the actuators (actuators,) gives
            their forces (actuators,). In an ensemble q, qd and the forces are (N, actuators).
        sample_time: Controller sample time [s], forces held between samples; continuous if None.
        saturation, delay: As in `Controller`.
        motion: What the function follows, or None. The run begins where it does, lasts as long and has its wrench
            unless stated otherwise, and the result has the `error` from it.
    """

    __repr__ = brief

    function: Callable[..., Any]
    sample_time: Any = None
    saturation: Any = None
    delay: Any = 0.0
    motion: Motion | None = None

    def __post_init__(self) -> None:
        """Times given as texts become numbers [s]."""
        _plain_times(self, "sample_time", "delay")
        _check_times(self.sample_time, self.delay)


InputLike: TypeAlias = (
    Springs | Forces | tuple[ArrayLike, ArrayLike] | Controller | Custom | Callable[..., Any] | float | None
)
"""What drives a robot: springs, a history of forces (t, forces), a controller, a function of t, q, qd; none or 0."""


def _plain_times(owner: object, *names: str) -> None:
    """Times given as texts, "1 ms", become numbers [s]."""
    for name in names:
        value = getattr(owner, name)
        if isinstance(value, str):
            found = in_si(f"controller: {name.replace('_', ' ')}", value, [measure("time")])[0]
            object.__setattr__(owner, name, float(found))


def _check_times(sample_time: float | None, delay: float) -> None:
    """Refuse a sample time or a delay [s] that cannot be."""
    if sample_time is not None and not (np.isfinite(sample_time) and sample_time > 0.0):
        raise InputError(f"controller: sample time {sample_time!r}, must be a positive number [s]")
    if not (np.isfinite(delay) and delay >= 0.0):
        raise InputError(f"controller: delay {delay!r}, must be a number [s], not negative")
    if delay > 0.0 and sample_time is None:
        raise InputError("controller: a delay needs a sample time")


def same_geometry(one: Mechanism, other: Mechanism) -> bool:
    """Whether two robots differ in nothing that kinematics sees."""
    return skeleton(one) == skeleton(other)


def skeleton(robot: Mechanism) -> Mechanism:
    """The mechanism without masses, friction, rotors, limits and names."""
    legs = tuple(
        replace(
            leg,
            radius=None,
            joints=tuple(
                replace(
                    j,
                    body=Body(),
                    viscous=0.0,
                    coulomb=0.0,
                    rotor_inertia=0.0,
                    gear=1.0,
                    limits=type(j.limits)(),
                    cone=None,
                )
                for j in leg.joints
            ),
        )
        for leg in robot.legs
    )
    platform = replace(robot.platform, body=Body())
    return replace(robot.mechanism, name="", platform=platform, legs=legs, gravity=(0.0, 0.0, 0.0), length=None)
