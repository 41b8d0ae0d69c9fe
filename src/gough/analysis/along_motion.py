"""A robot along a motion: every quantity that can have a limit, as a function of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gough.analysis.leg_distances import Pair, Shape, distance_program, pairs_of, shape_of
from gough.display import Display
from gough.dynamics.contract import choose
from gough.dynamics.drives import dry_friction, winches, without_dry_friction
from gough.dynamics.force_programs import REACH, Model, inverse_program
from gough.dynamics.sharing.margin import margins
from gough.errors import NumericalError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length, kinematics_program
from gough.kinematics.singularity import SINGULAR, scaled
from gough.kinematics.status import Status, Verdict, judge, sentence
from gough.motion import Motion
from gough.motion.curves import Jet
from gough.robot import Mechanism
from gough.run import Program

STILL = 1e-12
"""An actuator slower than this, of its machine's length per duration, stands still: round-off."""

_ROUNDS, _TRIED = 12, 17
"""Rounds in which the time of the largest shortfall is narrowed, each to an eighth of the one before: to round-off."""
_UNSCALED = ("shape", "pairs", "distances", "coulomb", "still", "program", "first", "kinematics")
"""What a path has in common with itself at another amplitude or pace."""


class Worst(NamedTuple):
    """The leg that falls short the most along a motion, by how much [m], and when [s]."""

    leg: str
    amount: float
    t: float


class ReachError(NumericalError):
    """A motion that a leg cannot follow, or that takes forces beyond all limits.

    Attributes:
        status: Cause of failure.
        leg: Name of the leg that leaves its reach first; empty where it is none alone.
        t: Where it begins [s].
        worst: Which leg falls short the most, by how much, and when; None where none is out of reach.
    """

    def __init__(
        self, motion: str, status: Status, leg: str, amount: float, time: float, worst: Worst | None = None
    ) -> None:
        """The line made from the parts."""
        self.status, self.leg, self.t, self.worst, self._motion, self._amount = status, leg, time, worst, motion, amount
        super().__init__(self.told())

    def told(self, length: tuple[float, str] = (1.0, "m")) -> str:
        """The line with lengths in a unit, so many of which are 1 m."""
        display = Display(length=length)
        if self.worst is None:
            clause = sentence(self.status, self.leg, self._amount, display)
            return f"motion {self._motion}: t = {self.t:.6g} s: {clause}"
        line = f"motion {self._motion} leaves the workspace at t = {self.t:.6g} s: "
        if (self.worst.leg, self.worst.t) == (self.leg, self.t):
            return line + sentence(self.status, self.leg, self.worst.amount, display)
        return f"{line}leg {self.leg} is {self.status.text}; {self.at_worst(display)}"

    def at_worst(self, display: Display) -> str:
        """Which leg falls short the most, by how much and when; nothing where none is out of reach."""
        if self.worst is None:
            return ""
        whose = "" if self.worst.leg == self.leg else f"leg {self.worst.leg} "
        by = f"{self.worst.amount * display.length[0]:.4g} {display.length[1]}"
        return f"at worst {whose}by {by} at t = {self.worst.t * display.time[0]:.6g} {display.time[1]}"

    def earlier(self, other: ReachError) -> ReachError:
        """Another loss, which begins earlier, with the larger shortfall of both."""
        worst = max((w for w in (self.worst, other.worst) if w is not None), key=lambda w: w.amount, default=None)
        return ReachError(other._motion, other.status, other.leg, other._amount, other.t, worst)

    @property
    def kind(self) -> str:
        """In place of a kind of limit: "infeasible" where no forces within the limits do, otherwise "reach"."""
        return "infeasible" if self.status == Status.INFEASIBLE else "reach"

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        worst = None if self.worst is None else self.worst._asdict()
        return {"leg": self.leg, "t": self.t, "status": self.status.text, "worst": worst, "line": str(self)}


@dataclass(frozen=True)
class Path:
    """A robot along a motion, or along the same motion larger or faster.

    Attributes:
        robot: Any.
        motion: Its motion.
        amplitude: Factor of the coordinates about the first pose.
        pace: Factor of the speed; times stay those of the motion itself.
        also: More of `inverse_equations` that `drive` tells, as "qdd".
    """

    robot: Mechanism
    motion: Motion
    amplitude: float = 1.0
    pace: float = 1.0
    also: tuple[str, ...] = ()
    _sampled: dict[bytes, Any] = field(default_factory=dict, repr=False, compare=False)
    _latest: dict[str, tuple[bytes, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def shape(self) -> Shape:
        """Lines and angles of the legs."""
        return shape_of(self.robot)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Parts of legs that could meet."""
        return pairs_of(self.robot)

    @cached_property
    def distances(self) -> Program:
        """Squared distances of `pairs`, from the points of all legs."""
        count = next(out.shape[0] for out in self.shape.program.graph.outputs if out.name == "points")
        return distance_program(self.pairs, count)

    @cached_property
    def coulomb(self) -> Array:
        """(actuators,) dry friction [N or N m]."""
        return dry_friction(self.robot)

    @cached_property
    def still(self) -> float:
        """Speed below which an actuator stands still."""
        return STILL * characteristic_length(self.robot) / self.motion.duration

    @property
    def analytic(self) -> bool:
        """Whether motions of platform and base are analytic on each piece between `breakpoints`."""
        base = self.motion.base
        return self.motion.analytic and (base is None or base.analytic)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times at which an analytic piece of either motion begins or ends, start and end included [s].

        The base moves at its own pace.
        """
        own, base = self.motion.breakpoints, self.motion.base
        if base is None:
            return own
        more = (self.motion.start + (t - self.motion.start) * self.pace for t in base.breakpoints)
        return tuple(sorted({*own, *(t for t in more if self.motion.start < t < self.motion.end)}))

    def scaled(self, amplitude: float | None = None, pace: float | None = None) -> Path:
        """The same path with another factor, or both."""
        other = replace(
            self,
            amplitude=self.amplitude if amplitude is None else amplitude,
            pace=self.pace if pace is None else pace,
        )
        # Found once for all factors: to look a program up takes as long as to run it on a few hundred samples.
        other.__dict__.update({name: self.__dict__[name] for name in _UNSCALED if name in self.__dict__})
        return other

    def until(self, time: float) -> Path:
        """The same path up to a time."""
        return replace(self, motion=replace(self.motion, end=time))

    def state(self, t: Array) -> dict[str, Any]:
        """x, xd, xdd (N, n) and, where there is one, wrench (N, 6) and motion of the base (N, 9)."""
        return dict(self._at("state", t, lambda: self._state(t)))

    def _state(self, t: Array) -> dict[str, Any]:
        x, xd, xdd = self._law(t)
        first, s, r = self.first, self.amplitude, self.pace
        given = {"x": first + s * (x - first), "xd": s * r * xd, "xdd": s * r * r * xdd}
        load = self.motion.wrench(t)
        if load is not None:
            given["wrench"] = load
        if self.motion.base is not None:
            moving = self.motion.base.state(self.motion.start + (t - self.motion.start) / r)
            given["base"] = moving.felt(self.robot.gravity)
        return given

    def _law(self, t: Array) -> Jet:
        """x, xd, xdd (N, n) of the motion itself; a user's function is called once for the same times."""
        key = np.asarray(t, dtype=float).tobytes()
        if key not in self._sampled:
            if self.motion.analytic:
                self._sampled.clear()
            self._sampled[key] = self.motion.law(t)
        return self._sampled[key]

    def _at(self, what: str, t: Array, compute: Callable[[], Any]) -> Any:
        """A value at times, computed anew if the times are not those of the last call: groups of limits share it."""
        key = np.asarray(t, dtype=float).tobytes()
        kept = self._latest.get(what)
        if kept is None or kept[0] != key:
            kept = self._latest[what] = key, compute()
        return kept[1]

    def drive(self, t: Array, inside: Array) -> dict[str, Any]:
        """Of the actuators: q, qd, force and power (N, actuators), and what else `also` names.

        Dry friction has the sign of the speed at the times `inside`, which is not ambiguous where the speed is zero.
        """
        raw = dict(self._raw(t))
        self._at("reach", t, lambda: self.check_reach(t, raw))
        if self.coulomb.any():
            v = raw["qd"] if inside is t else self._speeds(inside)
            signs = np.where(np.abs(v) > self.still, np.sign(v), 0.0)
            raw["force"] = raw["force"] + self.coulomb * signs
            raw["power"] = raw["force"] * raw["qd"]
        return raw

    def _speeds(self, inside: Array) -> Array:
        """(N, actuators) qd at times of which many are the same."""
        middles, places = np.unique(inside, return_inverse=True)
        return np.asarray(self.program(**self.state(middles))["qd"][places])

    def _raw(self, t: Array) -> dict[str, Any]:
        """Outputs of `program`."""
        found: dict[str, Any] = self._at("raw", t, lambda: self.program(**self.state(t)))
        return found

    @cached_property
    def program(self) -> Program:
        """Inverse dynamics of the robot without dry friction."""
        smooth = without_dry_friction(self.robot) if self.coulomb.any() else self.robot
        model = Model(smooth, choose("auto"), self.motion.load is not None, base=self.motion.base is not None)
        also = (*self.also, *(("shared",) if winches(smooth) else ()))
        return inverse_program(model, (*REACH, *also)) if also else inverse_program(model)

    @cached_property
    def first(self) -> Array:
        """(n,) the pose that amplitudes are about."""
        start = np.array([self.motion.start])
        return (self.motion.law if self.motion.analytic else self._law)(start)[0][0]

    @cached_property
    def kinematics(self) -> Program:
        """Joints and Jacobian."""
        return kinematics_program(self.robot, 0)

    def _shapes(self, t: Array) -> dict[str, Any]:
        """Outputs of `shape.program`."""
        found: dict[str, Any] = self._at("shape", t, lambda: self.shape.program(x=self.state(t)["x"]))
        return found

    def joints(self, t: Array) -> Array:
        """(N, joints) coordinates of all joints from their zeros [m or rad]."""
        zeros = np.array([joint.zero for joint in self.robot.joints])
        return self.kinematics(x=self.state(t)["x"])["joint_q"] - zeros

    def cosines(self, t: Array) -> Array:
        """(N, angles) cosines of the angles of `shape.cones`."""
        return self._shapes(t)["cosines"][:, : len(self.shape.cones)]

    def squares(self, t: Array) -> Array:
        """(N, pairs) squared distances of the axes of `pairs` [m^2]."""
        return self.distances(points=self._shapes(t)["points"])

    def singular_values(self, t: Array) -> Array:
        """(N, n) of K in rates that no choice of angles changes, largest first, turns scaled by the length."""
        return np.asarray(np.linalg.svd(self._free(t), compute_uv=False))

    def margins(self, t: Array) -> Array:
        """(N,) how far what the platform needs is within what the actuators can give [N]."""
        raw = self._raw(t)
        return margins(self.robot, self.state(t)["x"], raw.get("shared", raw["force"]))

    def determinant(self, t: Array) -> Array:
        """(N,) of K in rates that no choice of angles makes singular, its turning columns divided by the length.

        With more actuators than coordinates, where K has none, the product of its singular values: it has no sign, and
        a motion does not cross their singularities but by chance.
        """
        K = self._free(t)
        if K.shape[1] != K.shape[2]:
            return np.linalg.svd(K, compute_uv=False).prod(axis=1)
        with np.errstate(invalid="ignore"):
            return np.linalg.det(K)

    def singular(self, t: Array) -> NDArray[np.bool_]:
        """(N,) whether the actuators do not hold the platform there: forces have no bound."""
        values = self.singular_values(t)
        return np.asarray(~(values[:, 0] <= SINGULAR * values[:, -1]))

    def _free(self, t: Array) -> Array:
        """(N, actuators, n) K in rates that no choice of angles makes singular, scaled by the length."""
        return np.asarray(scaled(self.robot, self._shapes(t)["free"]))

    def loss(self, t: Array) -> str:
        """What is lost at one of the times: "reach" of a leg, "infeasible" forces within the limits, or nothing, ""."""
        raw = self._raw(t)
        if (judge(raw["short"], raw["converged"]).status > Status.NEAR_SINGULAR).any():
            return "reach"
        return "infeasible" if self._lost(raw).any() else ""

    def check_reach(self, t: Array, raw: dict[str, Any]) -> None:
        """Raise where a leg does not reach, or no forces within the limits do, with the time at which that begins."""
        verdict = judge(raw["short"], raw["converged"])
        lost = np.flatnonzero(verdict.status > Status.NEAR_SINGULAR)
        if not len(lost):
            powerless = np.flatnonzero(self._lost(raw))
            if len(powerless):
                at = self._first_loss(float(np.min(t[powerless])))
                raise ReachError(self.motion.name, Status.INFEASIBLE, "", 0.0, at)
            return
        at = self._first_loss(float(np.min(t[lost])))
        state = self.state(np.array([at]))
        raw = self.program(**state)
        verdict = judge(raw["short"], raw["converged"], robot=self.robot, x=state["x"])
        leg = self.robot.legs[verdict.leg[0]].name if verdict.leg[0] >= 0 else ""
        worst = self._worst(t, lost)
        status = Status.OUT_OF_REACH if worst is not None else Status(int(verdict.status[0]))
        raise ReachError(self.motion.name, status, leg, float(verdict.amount[0]), at, worst)

    def _worst(self, t: Array, lost: NDArray[np.int64]) -> Worst | None:
        """The largest shortfall of a leg at those of the times that are lost, and between their neighbours."""
        times = np.sort(t)
        judged = self._judged(t[lost])
        beyond = np.where(judged.status == Status.OUT_OF_REACH, judged.amount, 0.0)
        k = int(np.argmax(beyond))
        if not beyond[k] > 0.0:
            return None
        leg, amount, at = int(judged.leg[k]), float(beyond[k]), float(t[lost[k]])
        if self.motion.analytic:
            place = int(np.searchsorted(times, at))
            low, high = times[max(place - 1, 0)], times[min(place + 1, len(times) - 1)]
            for _ in range(_ROUNDS):
                tried = np.linspace(low, high, _TRIED)
                short = np.asarray(self._judged(tried).short)[:, leg]
                most = int(np.argmax(short))
                if short[most] > amount + STILL * characteristic_length(self.robot):
                    amount, at = float(short[most]), float(tried[most])
                low, high = tried[max(most - 1, 0)], tried[min(most + 1, _TRIED - 1)]
        return Worst(self.robot.legs[leg].name, amount, at)

    def _judged(self, t: Array) -> Verdict:
        """Statuses at times."""
        state = self.state(t)
        raw = self.program(**state)
        return judge(raw["short"], raw["converged"], robot=self.robot, x=state["x"])

    def _lost(self, raw: dict[str, Any]) -> Any:
        """(N,) whether a leg does not reach, or forces that keep to limits do not exist."""
        lost = judge(raw["short"], raw["converged"]).status > Status.NEAR_SINGULAR
        shared = self.robot.actuation
        return lost | ~np.isfinite(raw["force"]).all(axis=1) if shared is not None and shared.limited else lost

    def _first_loss(self, known: float) -> float:
        """Where the first stretch out of reach begins, at or before a time that is out of reach."""
        times = np.append(np.linspace(self.motion.start, known, 1001), known)
        raw = self.program(**self.state(times))
        lost = self._lost(raw)
        k = int(np.argmax(lost))
        if k == 0:
            return float(times[0])
        good, bad = times[k - 1], times[k]
        for _ in range(40):
            middle = 0.5 * (good + bad)
            raw = self.program(**self.state(np.array([middle])))
            fine = not self._lost(raw)[0]
            good, bad = (middle, bad) if fine else (good, middle)
        return float(bad)
