"""Kinematics and inverse dynamics of a stack: both robots in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.dynamics.base_motion import BaseLike, MovingBase, base_motion
from gough.dynamics.contract import Formulation
from gough.dynamics.inverse import SAMPLES, check_recording, inverse_dynamics
from gough.dynamics.result import InverseDynamics
from gough.dynamics.stacks.carried import CarriedBase, Held, UpperLoad, carrier_program, load_program
from gough.dynamics.stacks.stack_file import Stack
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics import Kinematics, inverse_kinematics
from gough.motion import Motion, choose_motion
from gough.motion.choose_motion import MotionLike

State = tuple[ArrayLike, ArrayLike, ArrayLike]
"""x, xd, xdd: (n,) or (N, n) each."""


@dataclass(frozen=True)
class StackKinematics:
    """A stack at a pose, or at N poses.

    Attributes:
        lower, upper: Joints and actuators of each robot.
        p, R: (3,) and (3, 3) the upper robot's base in that of the lower [m]; (N, ..) for N poses.
    """

    __repr__ = brief

    lower: Kinematics
    upper: Kinematics
    p: Any
    R: Any


@dataclass(frozen=True)
class StackDynamics:
    """Forces of both robots of a stack.

    Attributes:
        lower: With the wrench that the upper robot exerts on its platform.
        upper: With the motion of its base.
    """

    __repr__ = brief

    lower: InverseDynamics
    upper: InverseDynamics

    def to_dict(self) -> dict[str, Any]:
        """Plain values of each."""
        return {"lower": self.lower.to_dict(), "upper": self.upper.to_dict()}


def stack_kinematics(stack: Stack, lower: ArrayLike, upper: ArrayLike) -> StackKinematics:
    """Joints and actuators of both robots at their platform coordinates.

    Args:
        stack: Two robots.
        lower, upper: (n,) or (N, n) platform coordinates of each, the upper's relative to its own base.

    Raises:
        PoseError: A single pose is out of reach.
    """
    below, above = inverse_kinematics(stack.lower, lower), inverse_kinematics(stack.upper, upper)
    x = np.asarray(lower, dtype=float)
    still = np.zeros_like(x)
    placed = carrier_program(stack, False)(x=x, xd=still, xdd=still)
    return StackKinematics(below, above, placed["p"], placed["R"])


def stack_dynamics(
    stack: Stack,
    lower: State,
    upper: State,
    wrench: ArrayLike | None = None,
    formulation: str | Formulation = "auto",
    *,
    base: ArrayLike | None = None,
    t: ArrayLike | None = None,
) -> StackDynamics:
    """Actuator forces of both robots for their motions.

    Args:
        stack: Two robots.
        lower, upper: x, xd, xdd of each; the upper's are relative to its own base, which the lower platform carries.
        wrench: (6,) or (N, 6) external force and moment on the upper platform at its tool, in the upper's base axes.
        formulation: "auto", a name, or a formulation.
        base: (9,) or (N, 9) motion of the lower robot's base, as in `inverse_dynamics`.
        t: Times of the samples, which the results then carry [s].

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
    """
    (x, xd, xdd), (u, ud, udd) = lower, upper
    given: dict[str, Any] = {"x": x, "xd": xd, "xdd": xdd, "u": u, "ud": ud, "udd": udd, "wrench": wrench, "base": base}
    inputs = {name: value for name, value in given.items() if value is not None}
    found = load_program(stack, wrench is not None, base is not None)(**inputs)
    above = inverse_dynamics(stack.upper, u, ud, udd, wrench, formulation, base=found["base"], t=t)
    below = inverse_dynamics(stack.lower, x, xd, xdd, found["load"], formulation, base=base, t=t)
    return StackDynamics(below, above)


def stack_dynamics_along(
    stack: Stack,
    lower: MotionLike = None,
    upper: MotionLike = None,
    samples: int | ArrayLike = SAMPLES,
    wrench: Sequence[float | str] | Array | None = None,
    formulation: str | Formulation = "auto",
    base: BaseLike | None = None,
) -> StackDynamics:
    """Actuator forces of both robots along their motions; the shorter one stands still at its ends.

    Args:
        stack: Two robots.
        lower, upper: A `Motion`, the name of one of the robot's, or a CSV file; the robot's default if left out.
        samples: Number of samples, evenly spaced with both ends, or their times (N,) [s].
        wrench: (6,) constant external force and moment on the upper platform instead of the motion's own.
        formulation: "auto", a name, or a formulation.
        base: How the base of the lower robot moves.

    Raises:
        InputError: What cannot be read or does not fit.
    """
    below, above = stack_motions(stack, lower, upper, wrench)
    carried = None if base is None else base_motion(base)
    s, own = below.sampled(samples), above.sampled(samples)
    rates = None if carried is None else carried.rates(stack.lower, s.t)
    states = (s.x, s.xd, s.xdd), (own.x, own.xd, own.xdd)
    found = stack_dynamics(stack, *states, own.wrench, formulation, base=rates, t=s.t)
    return StackDynamics(replace(found.lower, motion=below.name), replace(found.upper, motion=above.name))


def stack_motions(
    stack: Stack, lower: MotionLike, upper: MotionLike, wrench: Sequence[float | str] | Array | None = None
) -> tuple[Motion, Motion]:
    """Motions of both robots over the same time.

    Raises:
        InputError: The lower has a load of its own; the shorter does not stand still at its ends.
    """
    robots = {"lower": stack.lower, "upper": stack.upper}
    found = {}
    for (key, robot), given in zip(robots.items(), (lower, upper), strict=True):
        found[key] = check_recording(robot, choose_motion(robot, given))
    if wrench is not None:
        found["upper"] = found["upper"].with_wrench(wrench)
    if found["lower"].load is not None:
        raise InputError(
            f"lower motion {found['lower'].name}: has an external wrench; in a stack only the upper robot loads it"
        )
    start, end = (pick(getattr(m, side) for m in found.values()) for pick, side in ((min, "start"), (max, "end")))
    return _over("lower", found["lower"], start, end), _over("upper", found["upper"], start, end)


def _over(key: str, motion: Motion, start: float, end: float) -> Motion:
    """A motion that stands still before and after it, from start to end."""
    if (motion.start, motion.end) == (start, end):
        return motion
    for own, edge in ((motion.start, start), (motion.end, end)):
        x, xd, _ = motion(own)
        if own != edge and np.abs(xd).max() * motion.duration > 1e-9 * max(1.0, float(np.abs(x).max())):
            raise InputError(
                f"{key} motion {motion.name}: moves at t = {own:g} s, where the other goes on; give motions of the "
                "same duration, or one that is at rest there"
            )
    if motion.load is not None:
        raise InputError(f"{key} motion {motion.name}: has an external wrench, and must last as long as the other")
    return replace(motion, start=start, end=end, law=Held(motion), recording=None)


def carried_motions(
    stack: Stack, lower: Motion, upper: Motion, base: BaseLike | None
) -> tuple[Motion, CarriedBase, MovingBase | None]:
    """The lower motion under the load of the upper robot, how the upper base moves, and how the lower one does."""
    below = None if base is None else base_motion(base)
    carried = CarriedBase(stack, lower, below)
    return replace(lower, load=UpperLoad(carried, upper)), carried, below
