"""Kinematics and inverse dynamics of a stack: both robots in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.dynamics.contract import Formulation
from gough.dynamics.inverse import solved
from gough.dynamics.result import InverseDynamics
from gough.dynamics.stacks.carried import CarriedBase, Held, UpperLoad, carrier_program, load_program
from gough.dynamics.stacks.stack_file import Stack
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics import Kinematics, inverse_kinematics
from gough.motion import Motion, State, StateLike
from gough.motion.motion import SAMPLES


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
    lower: StateLike,
    upper: StateLike,
    *,
    formulation: str | Formulation = "auto",
) -> StackDynamics:
    """Actuator forces of both robots for their motions.

    Args:
        stack: Two robots.
        lower, upper: State of each. The upper's is relative to its own base, which the lower platform carries; its
            wrench is at its tool, in its own base axes. The lower's base may move; its wrench is what the upper robot
            exerts.
        formulation: "auto", a name, or a formulation.

    Raises:
        InputError: The lower state has a wrench, or the upper one a motion of the base.
        PoseError: A single pose has no solution. Of many samples each has a status instead.
    """
    below, above = State.of(stack.lower, lower), State.of(stack.upper, upper)
    if below.wrench is not None:
        raise InputError("lower: has an external wrench; in a stack only the upper robot loads it")
    given = below.inputs(stack.lower, "x", "xd", "xdd", "base")
    own = above.without_base("upper").inputs(stack.upper, "x", "xd", "xdd", "wrench")
    return _solved(stack, given, own, formulation, below.t)


def _solved(
    stack: Stack, below: dict[str, Any], above: dict[str, Any], formulation: str | Formulation, t: Array | None
) -> StackDynamics:
    """Forces of both robots from the inputs of their programs."""
    renamed = {{"x": "u", "xd": "ud", "xdd": "udd"}.get(name, name): value for name, value in above.items()}
    found = load_program(stack, "wrench" in above, "base" in below)(**below, **renamed)
    upper = solved(stack.upper, above | {"base": found["base"]}, formulation, t)
    return StackDynamics(solved(stack.lower, below | {"wrench": found["load"]}, formulation, t), upper)


def stack_dynamics_along(
    stack: Stack,
    lower: Motion,
    upper: Motion,
    samples: int | ArrayLike = SAMPLES,
    formulation: str | Formulation = "auto",
) -> StackDynamics:
    """Actuator forces of both robots along their motions; the shorter one stands still at its ends.

    Args:
        stack: Two robots.
        lower, upper: Motion of each; that of the lower with the motion of its base, that of the upper with the wrench
            on its platform.
        samples: Number of samples, evenly spaced with both ends, or their times (N,) [s].
        formulation: "auto", a name, or a formulation.

    Raises:
        InputError: What cannot be read or does not fit.
    """
    below, above = stack_motions(stack, lower, upper)
    s = below.sample(samples)
    given = s.inputs(stack.lower, "x", "xd", "xdd", "base")
    own = above.sample(samples).inputs(stack.upper, "x", "xd", "xdd", "wrench")
    found = _solved(stack, given, own, formulation, s.t)
    return StackDynamics(replace(found.lower, motion=below.name), replace(found.upper, motion=above.name))


def stack_motions(stack: Stack, lower: Motion, upper: Motion) -> tuple[Motion, Motion]:
    """Motions of both robots over the same time.

    Raises:
        InputError: The lower has a load of its own, or the upper a base; the shorter does not stand still at its ends.
    """
    found = {"lower": Motion.of(stack.lower, lower), "upper": Motion.of(stack.upper, upper)}
    if upper.base is not None:
        raise InputError(f"upper motion {upper.name}: its base moves with the lower robot; state none")
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
        at = motion(own)
        if own != edge and np.abs(at.xd).max() * motion.duration > 1e-9 * max(1.0, float(np.abs(at.x).max())):
            raise InputError(
                f"{key} motion {motion.name}: moves at t = {own:g} s, where the other goes on; give motions of the "
                "same duration, or one that is at rest there"
            )
    if motion.load is not None:
        raise InputError(f"{key} motion {motion.name}: has an external wrench, and must last as long as the other")
    return replace(motion, start=start, end=end, law=Held(motion), recording=None)


def carried_motions(stack: Stack, lower: Motion, upper: Motion) -> tuple[Motion, Motion]:
    """The lower motion under the load of the upper robot, and the upper motion on the base that the lower one moves."""
    carried = CarriedBase(stack, lower)
    return replace(lower, load=UpperLoad(carried, upper)), replace(upper, base=carried)
