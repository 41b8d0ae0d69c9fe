"""What to try: how far the same motion can be scaled, and how short it can be made, before a limit is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gough.analysis.along_motion import Path
from gough.analysis.amplitude import CLOSE, Trials, largest_amplitude, up
from gough.analysis.check import SAMPLES
from gough.analysis.duration import TIMED, shortest_duration

if TYPE_CHECKING:
    from gough.analysis.check_result import CheckResult

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
    fixed = [kind for kind in result.violated if kind not in TIMED]
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
    """The largest pace that fits, by trials, and what stops it: forces that keep to limits are no polynomials in it."""

    def trial(pace: float) -> str:
        met = Trials(path.scaled(pace=pace), stated, samples).sampled(path.amplitude)
        return min(met, key=lambda kind: met[kind], default="")

    good, bad, stops = 0.0, np.inf, ""
    pace = 1.0
    while SLOW < pace < 1.0 / SLOW and not (good > 0.0 and bad < np.inf):
        met = trial(pace)
        good, bad, stops = (good, pace, met) if met else (pace, bad, stops)
        pace = 0.5 * pace if met else 2.0 * pace
    if good == 0.0:
        return None, stops
    while bad < np.inf and bad - good > CLOSE * good:
        pace = 0.5 * (good + bad)
        met = trial(pace)
        good, bad, stops = (good, pace, met) if met else (pace, bad, stops)
    return (np.inf, "") if bad == np.inf else (good, stops)
