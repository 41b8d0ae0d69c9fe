"""How the two robots of a stack act on each other.

The lower platform carries the upper base: its motion is that of a moving base. What the upper robot exerts on its base
is an external wrench on the lower platform. Neither needs the forces of the other's actuators, so that the upper robot
is solved first and the lower one then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.dynamics.base_wrench import base_wrench_program
from gough.dynamics.contract import DEFAULT
from gough.dynamics.force_programs import Model
from gough.dynamics.stacks.stack_file import Stack
from gough.graph import Array, Vector, array, cross, record
from gough.kinematics.chain import Twist, TwistRate
from gough.kinematics.spatial import point_acceleration, point_velocity
from gough.motion import BaseState, Motion
from gough.motion.curves import Jet
from gough.robot import Mechanism, by_mechanism
from gough.robot.leg_values import Matrix
from gough.robot.leg_values import Vector as Point
from gough.run import Program


def carrier_program(stack: Stack, base: bool) -> Program:
    """From x, xd, xdd of the lower robot (and the motion of its own base) to the motion of the upper's base.

    Outputs: base (9,) as `inverse_dynamics` takes it; p (3,) and R (3, 3) of the upper base in the lower one; arm (3,)
    from the origin of the lower platform to that of the upper base, in the lower's base axes.
    """
    return _carrier(stack.lower, stack.position, stack.rotation, base)


@by_mechanism(16)
def _carrier(lower: Mechanism, position: Point, rotation: Matrix, base: bool) -> Program:
    model = Model(lower, DEFAULT, base=base)

    def equations(x: Vector, xd: Vector, xdd: Vector, base: Vector = None) -> dict[str, Vector]:
        motion = model.motion(x, xd, xdd, base=base)
        platform, t, r = motion.pose.platform, motion.twist, motion.twist_rate
        arm = platform.R_BP @ array(position)
        R = platform.R_BP @ array(rotation)
        p = platform.p_BP + arm
        twist = Twist(point_velocity(t.v, t.w, arm), t.w)
        rate = TwistRate(point_acceleration(r.a, r.wd, t.w, arm), r.wd)
        if motion.base is not None:
            twist, rate = motion.base.carried(p, twist, rate)
        felt = np.concatenate([R.T @ (motion.gravity - rate.a), R.T @ twist.w, R.T @ rate.wd])
        return {"base": felt, "p": p, "R": R, "arm": arm}

    return Program(record(equations, **model.inputs()))


def load_program(stack: Stack, wrench: bool, base: bool) -> Program:
    """From both robots' motion to the wrench (6,) on the lower platform, at its origin, in the lower's base axes."""
    return _load(stack.lower, stack.upper.mechanism, stack.position, stack.rotation, wrench, base)


@by_mechanism(16)
def _load(lower: Mechanism, upper: Mechanism, position: Point, rotation: Matrix, wrench: bool, base: bool) -> Program:
    carrier = _carrier(lower, position, rotation, base).graph
    carried = base_wrench_program(Model(upper, DEFAULT, wrench, base=True)).graph

    def equations(
        x: Vector,
        xd: Vector,
        xdd: Vector,
        u: Vector,
        ud: Vector,
        udd: Vector,
        wrench: Vector = None,
        base: Vector = None,
    ) -> dict[str, Vector]:
        below = carrier(x=x, xd=xd, xdd=xdd, **({} if base is None else {"base": base}))
        outer = {} if wrench is None else {"wrench": wrench}
        given = carried(x=u, xd=ud, xdd=udd, base=below["base"], **outer)
        found = given["out"] if isinstance(given, dict) else given
        R = below["R"]
        f, m = R @ found[:3], R @ found[3:]
        return {"load": np.concatenate([f, m + cross(below["arm"], f)]), "base": below["base"]}

    n, m = lower.dof, upper.dof
    shapes: dict[str, Any] = {"x": n, "xd": n, "xdd": n, "u": m, "ud": m, "udd": m}
    shapes |= ({"wrench": 6} if wrench else {}) | ({"base": 9} if base else {})
    return Program(record(equations, **shapes))


@dataclass(frozen=True)
class CarriedBase:
    """The motion of the upper robot's base: see `MovingBase`.

    Attributes:
        stack: The two robots.
        lower: Motion of the lower one, on its own base.
    """

    stack: Stack
    lower: Motion

    @property
    def name(self) -> str:
        """For tables."""
        return f"on {self.stack.lower.name}, {self.lower.name}"

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Of all that moves it."""
        return (*self.lower.breakpoints, *(self.lower.base.breakpoints if self.lower.base is not None else ()))

    @property
    def analytic(self) -> bool:
        """Whether all that moves it is."""
        return self.lower.analytic and (self.lower.base is None or self.lower.base.analytic)

    def state(self, t: ArrayLike) -> CarriedState:
        """How it moves at times t (N,)."""
        program = carrier_program(self.stack, self.lower.base is not None)
        return CarriedState(program(**lower_state(self, t))["base"])


class CarriedState(BaseState):
    """How the upper robot's base moves: known in its own axes, under the gravity of the lower robot."""

    __slots__ = ("own",)
    own: Array

    def __init__(self, own: Array) -> None:
        """From gravity as the base feels it, w and wd (N, 9), in base axes."""
        super().__init__()
        object.__setattr__(self, "own", own)

    def felt(self, gravity: ArrayLike) -> Array:
        """(N, 9) gravity as the base feels it, w and wd, in base axes."""
        return self.own

    def at(self, rows: Any) -> CarriedState:
        """The base at one of the instants, or at several."""
        return CarriedState(self.own[rows])


def lower_state(carried: CarriedBase, t: ArrayLike) -> dict[str, Any]:
    """x, xd, xdd of the lower robot at times t (N,) and, where it moves, the motion of its base."""
    at = carried.lower(np.atleast_1d(np.asarray(t, dtype=float)))
    return at.inputs(carried.stack.lower, "x", "xd", "xdd", "base")


@dataclass(frozen=True)
class UpperLoad:
    """What the upper robot does to the lower platform, as the load of a motion: a `Curve` without derivatives.

    Attributes:
        carried: How the upper base moves.
        upper: Motion of the upper robot, with its own external wrench.
    """

    carried: CarriedBase
    upper: Motion

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Of both motions."""
        return tuple(sorted({*self.carried.breakpoints, *self.upper.breakpoints}))

    @property
    def analytic(self) -> bool:
        """Whether both motions are."""
        return self.carried.analytic and self.upper.analytic

    def __call__(self, t: Array) -> Jet:
        """(N, 6) force and moment at times t (N,), at the origin of the lower platform in the lower's base axes."""
        own = self.upper(t)
        outer = {} if own.wrench is None else {"wrench": own.wrench}
        program = load_program(self.carried.stack, own.wrench is not None, self.carried.lower.base is not None)
        given: dict[str, Any] = lower_state(self.carried, t) | {"u": own.x, "ud": own.xd, "udd": own.xdd} | outer
        found = program(**given)["load"]
        unknown = np.full_like(found, np.nan)
        return found, unknown, unknown


@dataclass(frozen=True)
class Held:
    """A motion that stands still before its start and after its end: a `Curve`."""

    motion: Motion

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Its own, start and end included."""
        return self.motion.breakpoints

    @property
    def analytic(self) -> bool:
        """Whether it is."""
        return self.motion.analytic

    def __call__(self, t: Array) -> Jet:
        """Values, first and second derivatives at times t (N,)."""
        x, xd, xdd = self.motion.law(np.clip(t, self.motion.start, self.motion.end))
        out = ((t < self.motion.start) | (t > self.motion.end))[:, None]
        return x, np.where(out, 0.0, xd), np.where(out, 0.0, xdd)
