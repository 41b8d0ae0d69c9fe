"""What to try: how far the same motion can be scaled, and how short it can be made, before a limit is met.

The same path at `pace` times the speed: a force is A + Coulomb + B pace + C pace^2, with A gravity and external loads,
B viscous friction, C inertia, each a function of the place on the path alone. Each limit then is a polynomial in the
pace whose roots are known in closed form at every place; the place that stops first is searched between samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.amplitude import CLOSE, Trials, largest_amplitude, up, worst_kind
from gough.analysis.check import SAMPLES, edges_of, sample_times, worst_of
from gough.analysis.checked_quantities import groups_of
from gough.analysis.limits import actuator_bounds
from gough.analysis.platform_rates import OUTPUT as PLATFORM
from gough.analysis.platform_rates import platform_program
from gough.graph import Array
from gough.robot.leg_values import ROUND_OFF

if TYPE_CHECKING:
    from gough.analysis.check_result import CheckResult

BASE = "base"
"""In place of a kind of limit: durations are not searched on a base that moves."""
SLOW = 1e-6
"""Pace at which forces are those at rest, with dry friction."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What the same motion could be; every figure has four digits, rounded to the side that fits.

    Attributes:
        amplitude: Largest factor about the first pose up to which it fits; None if it fits at no size,
            `gough.analysis.amplitude.LARGEST` if nothing was met up to there.
        meets: Kind of limit met there; empty if none.
        duration: Shortest duration for which it fits [s]; None if no duration helps, 0 if no limit depends on it.
        slowest: What stops a shorter duration, or what no duration helps; empty if nothing.
            On a base that moves, which keeps its own time, it is not searched: None, and slowest is "base".
        reachable: Where no duration helps, the largest amplitude that fits at some duration; otherwise None.
        reachable_duration: The shortest such duration [s]; 0 if no limit depends on it, None if there is none.
    """

    amplitude: float | None
    meets: str
    duration: float | None
    slowest: str
    reachable: float | None = None
    reachable_duration: float | None = None


def advise(result: CheckResult) -> Advice:
    """Largest amplitude and shortest duration at which the motion of a check fits."""
    path, stated, samples = result._path, dict(result.limits), result.sampled or SAMPLES
    amplitude, meets = largest_amplitude(Trials(path, stated, samples))
    if path.motion.base is not None:
        return Advice(amplitude, meets, None, BASE)
    shared = path.robot.actuation
    timed = (*TIMED, "infeasible", "margin") if shared is not None and shared.limited else TIMED
    fixed = [kind for kind in result.violated if kind not in timed]
    if not fixed:
        duration, slowest = _duration(path, stated, samples)
        if duration is not None:
            return Advice(amplitude, meets, duration, slowest)
        fixed = [slowest]
    reachable, _ = largest_amplitude(Trials(path.scaled(pace=SLOW), stated, samples))
    if reachable is None:
        return Advice(amplitude, meets, None, fixed[0])
    return Advice(amplitude, meets, None, fixed[0], reachable, _duration(path.scaled(reachable), stated, samples)[0])


def _duration(path: Path, stated: dict[str, object], samples: int) -> tuple[float | None, str]:
    """The shortest duration, rounded up, and what stops it."""
    shared = path.robot.actuation
    by_trials = shared is not None and shared.limited
    pace, stops = _pace_by_trials(path, stated, samples) if by_trials else shortest_duration(path, stated, samples)
    return None if pace is None else 0.0 if np.isinf(pace) else up(path.motion.duration / pace), stops


def _pace_by_trials(path: Path, stated: dict[str, object], samples: int) -> tuple[float | None, str]:
    """The largest pace that fits, by trials, and what stops it: forces that keep to limits are no polynomials in it.

    As with amplitudes, what fits in samples is then checked between them, and made slower until it fits there.
    """

    def sampled(pace: float) -> str:
        return worst_kind(Trials(path.scaled(pace=pace), stated, samples).sampled(path.amplitude))

    def between(pace: float) -> str:
        return worst_kind(Trials(path.scaled(pace=pace), stated, samples).between(path.amplitude))

    def rounded(pace: float) -> float:
        return path.motion.duration / up(path.motion.duration / pace)

    good, bad, stops = 0.0, np.inf, ""
    pace = 1.0
    while SLOW < pace < 1.0 / SLOW and not (good > 0.0 and bad < np.inf):
        met = sampled(pace)
        good, bad, stops = (good, pace, met) if met else (pace, bad, stops)
        pace = 0.5 * pace if met else 2.0 * pace
    if good == 0.0:
        return None, stops
    if bad == np.inf:
        return np.inf, ""
    good, bad, stops = _narrowed(sampled, good, bad, stops)
    step, good = CLOSE, rounded(good)
    while met := between(good):
        bad, stops = good, met
        good, step = rounded(good / (1.0 + step)), 2.0 * step
        if good <= SLOW:
            return None, stops
    if step > CLOSE:
        good, bad, stops = _narrowed(lambda s: sampled(s) or between(s), good, bad, stops)
    return good, stops


def _narrowed(trial: Callable[[float], str], good: float, bad: float, stops: str) -> tuple[float, float, str]:
    """Neighbouring paces of which the first fits, and what stops the other."""
    while bad - good > CLOSE * good:
        pace = 0.5 * (good + bad)
        met = trial(pace)
        good, bad, stops = (good, pace, met) if met else (pace, bad, stops)
    return good, bad, stops


COARSE = 401
ROUNDS = 30
TIMED = ("speed", "force", "power", *PLATFORM)


def shortest_duration(
    path: Path, stated: dict[str, Any], samples: int = SAMPLES, rounds: int = ROUNDS
) -> tuple[float | None, str]:
    """The largest pace at which speed, force and power fit, and which of them stops it.

    Args:
        path: A motion, at pace 1.
        stated: Limits in place of the robot's own.
        samples: Of the search for what is worst.
        rounds: Of that search; with none the pace is that of samples, good enough to compare motions with.

    Returns:
        pace: None if a limit is violated at rest too, infinity if there is no limit on any of the three.
        stops: Kind of limit; empty if none.
    """
    if not any(column.kind in TIMED for group in groups_of(path, stated, True)[0] for column in group.columns):
        return np.inf, ""
    times = sample_times(path, COARSE)
    pace, stops = _first_meeting(path, stated, times, times)
    edges = edges_of(path)
    for _ in range(rounds):
        if not 0.0 < pace < np.inf:
            break
        scaled = path.scaled(pace=pace)
        groups = [g for g in groups_of(scaled, stated, True)[0] if any(column.kind in TIMED for column in g.columns)]
        found = [f for group in groups for f in worst_of(scaled, group, edges, samples)]
        worst = min((f for f in found if f.kind in TIMED), key=lambda f: f.relative)
        if worst.relative >= -ROUND_OFF:
            break
        sides = [worst.t, _inside(edges, worst.t, -1), _inside(edges, worst.t, 1)]
        faster, kind = _first_meeting(path, stated, np.full(3, worst.t), np.array(sides))
        if not faster < pace:
            break
        pace, stops = faster, kind
    if pace <= 0.0:
        return None, stops
    return pace, stops


def _inside(edges: list[float], time: float, side: int) -> float:
    """A time in the piece before or after `time`."""
    points = np.array(edges)
    k = int(np.clip(np.searchsorted(points, time - side * -1e-12 * (points[-1] - points[0])), 1, len(points) - 1))
    return float(0.5 * (points[k - 1] + points[k]))


def _first_meeting(path: Path, stated: dict[str, Any], times: Array, inside: Array) -> tuple[float, str]:
    """Smallest pace at which a limit is met at any of the times, 0 where one is passed at rest, and its kind."""
    state = path.state(times)
    still = np.zeros_like(state["xd"])
    at_rest = path.program(**state | {"xd": still, "xdd": still})["force"]
    moving = path.program(**state)
    back = path.program(**state | {"xd": -state["xd"]})["force"]
    v = moving["qd"]
    viscous = 0.5 * (moving["force"] - back)
    inertia = 0.5 * (moving["force"] + back) - at_rest
    middle = path.program(**path.state(inside))["qd"]
    constant = at_rest + path.coulomb * np.where(np.abs(middle) > path.still, np.sign(middle), 0.0)
    met, stops = np.inf, ""
    for kind in (name for name in PLATFORM if name in stated):
        found = platform_program(path.robot)(x=state["x"], xd=state["xd"], xdd=state["xdd"])
        largest = float(np.linalg.norm(found[PLATFORM[kind]], axis=1).max())
        order = 1.0 if kind.endswith("_speed") else 2.0
        if largest > 0.0 and (first := (stated[kind] / largest) ** (1.0 / order)) < met:
            met, stops = first, kind
    for kind in ("speed", "force", "power"):
        for k, (_, bound) in enumerate(actuator_bounds(path.robot, kind, stated)):
            if bound is None:
                continue
            c0, c1, c2 = constant[:, k], viscous[:, k], inertia[:, k]
            none = np.zeros_like(c0)
            rows = {
                "speed": (none, v[:, k], none, none),
                "force": (c0, c1, c2, none),
                "power": (none, c0 * v[:, k], c1 * v[:, k], c2 * v[:, k]),
            }[kind]
            first = float(_smallest_roots(np.stack(rows), bound.high).min(initial=np.inf))
            if first < met:
                met, stops = first, kind
    return met, stops


def _smallest_roots(polynomials: Array, limit: float) -> Array:
    """(N,) smallest positive root of |p(s)| = limit for p = c0 + c1 s + c2 s^2 + c3 s^3; c (4, N).

    0 where |c0| is beyond the limit, infinity where there is no root.
    """
    found = np.where(np.abs(polynomials[0]) > limit, 0.0, np.inf)
    for sign in (1.0, -1.0):
        c = sign * polynomials
        found = np.minimum(found, _first_root(c[0] - limit, *c[1:]))
    return found


def _first_root(c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
    """(N,) smallest positive root where c0 < 0."""
    companion = np.zeros((len(c0), 3, 3))
    # In u = 1/s the leading coefficient is c0, which is not zero: u^3 + c1/c0 u^2 + c2/c0 u + c3/c0.
    with np.errstate(divide="ignore", invalid="ignore"):
        companion[:, 0] = np.nan_to_num(-np.stack([c1, c2, c3], axis=1) / c0[:, None], posinf=0.0, neginf=0.0)
    companion[:, 1, 0] = companion[:, 2, 1] = 1.0
    u = np.linalg.eigvals(companion)
    real = np.where((np.abs(u.imag) <= 1e-9 * np.abs(u)) & (u.real > 0.0), u.real, 0.0).max(axis=1)
    with np.errstate(divide="ignore"):
        return np.where((c0 < 0.0) & (real > 0.0), 1.0 / real, np.inf)
