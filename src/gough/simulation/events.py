"""Events: a limit reached, a singularity near, a leg at the end of its reach, or whatever a user watches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from gough.brief import brief
from gough.display import Display
from gough.graph import Array
from gough.kinematics.status import condition_number
from gough.simulation.own_function import call_own
from gough.simulation.system import System

NEAR_REACH = 1e-9
"""A leg is at the end of its reach when this much is left of it [m]."""


@dataclass(frozen=True)
class Event:
    """A user-defined event.

    Attributes:
        name: Name in the report.
        function: `function(t, x, xd, q, qd)` gives a number; the event is where it passes through zero.
        stop: Whether the run ends there.
        direction: +1 only upwards, -1 only downwards, 0 both.
    """

    __repr__ = brief

    name: str
    function: Callable[..., Any]
    stop: bool = True
    direction: int = 0


@dataclass(frozen=True)
class Occurrence:
    """An event that happened.

    Attributes:
        t: When [s].
        kind: "stroke", "angle", "singularity", "reach", "slack" or "user".
        leg: Name of the leg, or "".
        what: One clause, without the bound.
        stopped: The run ended there.
        bound: End of the stroke [m or rad], or the largest angle [rad]; None where there is none.
        turns: Whether the bound is an angle.
    """

    t: float
    kind: str
    leg: str
    what: str
    stopped: bool
    bound: float | None = None
    turns: bool = False

    @property
    def text(self) -> str:
        """One clause, in metres and degrees."""
        return self.clause(Display())

    def clause(self, display: Display) -> str:
        """One clause, in the units shown."""
        if self.bound is None:
            return self.what
        factor, unit = display.travel(self.turns)
        return f"{self.what}, {self.bound * factor:.6g} {unit}"

    def line(self, display: Display) -> str:
        """When and what, in the units shown."""
        factor, unit = display.time
        return f"t = {self.t * factor:.6g} {unit}: {self.clause(display)}{' (stopped)' if self.stopped else ''}"

    def __str__(self) -> str:
        """One line: when and what."""
        return self.line(Display())


@dataclass(frozen=True)
class Watched:
    """A number that falls to zero where something happens; all but `stops` and `direction` as in `Occurrence`."""

    kind: str
    leg: str
    what: str
    stops: bool
    direction: int = -1
    bound: float | None = None
    turns: bool = False

    def at(self, t: float, before: str = "") -> Occurrence:
        """That it happened at t, after words."""
        return Occurrence(t, self.kind, self.leg, f"{before}{self.what}", self.stops, self.bound, self.turns)


@dataclass(frozen=True)
class Watcher:
    """What is watched in a run.

    Attributes:
        system: The system.
        stop: End the run where a stroke ends or a singularity is near; a leg at the end of its reach always does.
        condition: Condition number of K at which a singularity counts as near.
        user: User-defined events.
    """

    system: System
    stop: bool
    condition: float
    user: tuple[Event, ...]

    def names(self) -> list[Watched]:
        """Each watched number."""
        found: list[Watched] = []
        legs = self.system.robot.legs
        for number, _, joint in self.system.limited:
            low, high = joint.limits.stroke  # type: ignore[misc]
            for bound, side in ((low, "lower"), (high, "upper")):
                what = f"leg {legs[number].name}: {joint.name} reaches the {side} end of its stroke"
                found.append(Watched("stroke", legs[number].name, what, self.stop, bound=bound, turns=joint.turns))
        for cone in self.system.cones:
            name = legs[cone.leg].name
            what = f"leg {name}: {cone.name} reaches its largest angle"
            found.append(Watched("angle", name, what, self.stop, bound=cone.largest, turns=True))
        found.append(Watched("singularity", "", f"near a singularity: condition {self.condition:.3g}", self.stop))
        for leg in legs:
            found.append(Watched("reach", leg.name, f"leg {leg.name} is at the end of its reach", True))
        for leg in legs:
            if leg.cable is not None:
                found.append(Watched("slack", leg.name, f"cable {leg.name} goes slack", False))
        return found + [Watched("user", "", event.name, event.stop, event.direction) for event in self.user]

    def values(self, watched: dict[str, Array], readings: Callable[[], Iterable[tuple[Any, ...]]]) -> Array:
        """(N, numbers) watched at N times, in the order of `names`.

        Args:
            watched: Outputs of `System.watch`; with cables also "pull" (N, actuators), minus their tensions.
            readings: Arguments of a user's event at each of the times.
        """
        low, high = self._strokes
        limited = watched["limited"][:, 1:]
        sides = np.stack([limited - low, high - limited], axis=2).reshape(len(limited), -1)
        angles = watched["cosines"][:, 1:] - np.cos([cone.largest for cone in self.system.cones])
        condition = np.minimum(condition_number(self.system.robot, watched["K"]), 1e300)
        near = np.log(self.condition) - np.log(condition)[:, None]
        margins = [sides, angles, near, -watched["short"] - NEAR_REACH]
        if self.system.robot.cables:
            margins.append(-watched["pull"][:, list(self.system.robot.cables)])
        if self.user:
            margins.append(np.array([[_watched(event, now) for event in self.user] for now in readings()]))
        return np.hstack(margins)

    @cached_property
    def _strokes(self) -> tuple[Array, Array]:
        """Lower and upper ends of the stated strokes."""
        strokes = np.array([joint.limits.stroke for _, _, joint in self.system.limited], dtype=float).reshape(-1, 2)
        return strokes[:, 0], strokes[:, 1]


def _watched(event: Event, now: tuple[Any, ...]) -> float:
    """The number of a user's event."""
    return float(call_own(f"event {event.name}", now[0], lambda: float(event.function(*now))))


Functions = Callable[[Any], Array]
"""Times (N,) -> values (N, k) of k functions; what is not finite counts as below zero."""

POINTS = 7
"""Of a step, both ends included: the extremes of a Chebyshev polynomial."""
FINE = 49
"""Points at which the polynomial is looked at."""
CLOSE = 0.2
"""Share of its span in a step that a function may keep from zero where it turns round, to be searched."""


def crossings(
    functions: Functions, t0: float, t1: float, first: Array, directions: Array
) -> tuple[list[tuple[int, float]], Array]:
    """Place and time of every zero within (t0, t1], the first first, and the values (k,) at t1.

    The functions are computed at a few points of the step. The polynomial through these says where one comes close to
    zero and turns round; there its true extreme is searched for, and zeros are bracketed by computed values.

    Args:
        functions: Smooth within the step.
        t0, t1: Its ends.
        first: (k,) values at t0.
        directions: (k,) +1 only upwards, -1 only downwards, 0 both.
    """
    nodes, fine, through = _grid()
    times = t0 + (t1 - t0) * nodes
    times[-1] = t1
    given = np.vstack([first, functions(times[1:])])
    values = _finite(given)
    between = through @ values
    found = []
    for k in _suspects(values, between):
        turns = _turns(functions, k, t0 + (t1 - t0) * fine, between[:, k], float(np.ptp(values[:, k])))
        knots = sorted([*zip(times.tolist(), values[:, k].tolist(), strict=True), *turns])
        for (a, at_a), (b, at_b) in pairwise(knots):
            if passes(at_a, at_b, int(directions[k])):
                found.append((k, _zero(functions, k, (a, at_a), (b, at_b))))
    return sorted(found, key=lambda item: (round(item[1], 9), item[0])), given[-1]


def _suspects(values: Array, between: Array) -> list[int]:
    """Places of the functions whose values change sign, or whose polynomial comes close to zero at all."""
    changing = (values.min(axis=0) <= 0.0) & (values.max(axis=0) >= 0.0)
    close = np.abs(between).min(axis=0) < CLOSE * np.ptp(values, axis=0)
    return np.flatnonzero(changing | close).tolist()


def passes(before: float, after: float, direction: int) -> bool:
    """Whether a function passes through zero on the way from one value to the next."""
    down, up = before > 0.0 >= after, before < 0.0 <= after
    return (down and direction <= 0) or (up and direction >= 0)


def _turns(functions: Functions, k: int, times: Array, guess: Array, span: float) -> list[tuple[float, float]]:
    """Times and values of function k where it comes close to zero, or beyond it, and turns round."""
    from scipy.optimize import minimize_scalar

    found = []
    close = np.abs(guess[1:-1]) < CLOSE * span
    for sign in (1.0, -1.0):
        here = sign * guess
        for j in np.flatnonzero(close & (here[1:-1] < here[:-2]) & (here[1:-1] <= here[2:])) + 1:
            best = minimize_scalar(
                lambda t, sign=sign: sign * _at(functions, k, t),
                bounds=(times[j - 1], times[j + 1]),
                method="bounded",
                options={"xatol": 1e-9 * (times[j + 1] - times[j - 1])},
            )
            found.append((float(best.x), sign * float(best.fun)))
    return found


def _zero(functions: Functions, k: int, a: tuple[float, float], b: tuple[float, float]) -> float:
    """Time of the zero of function k between two known points."""
    from scipy.optimize import brentq

    known = dict((a, b))

    def value(t: float) -> float:
        return known[t] if t in known else _at(functions, k, t)

    if b[1] == 0.0:  # where it has jumped to zero and stays there, the first instant counts
        return float(brentq(lambda t: 1.0 if value(t) * a[1] > 0.0 else -1.0, a[0], b[0], xtol=1e-13))
    return float(brentq(value, a[0], b[0], xtol=1e-13))


def _at(functions: Functions, k: int, t: float) -> float:
    return float(_finite(functions(np.array([t])))[0, k])


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, -1.0)


@cache
def _grid() -> tuple[Array, Array, Array]:
    """Nodes and fine points on (0, 1), and the matrix from values at the nodes to the polynomial at the fine points."""
    nodes = (1.0 - np.cos(np.pi * np.arange(POINTS) / (POINTS - 1))) / 2.0
    fine = np.linspace(0.0, 1.0, FINE)
    chebyshev = np.polynomial.chebyshev.chebvander
    return (
        nodes,
        fine,
        chebyshev(2.0 * fine - 1.0, POINTS - 1) @ np.linalg.inv(chebyshev(2.0 * nodes - 1.0, POINTS - 1)),
    )
