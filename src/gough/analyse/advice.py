"""What to try: how far the same motion can be scaled, and how short it can be made, before a limit is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analyse.check import crossings_of, edges_of, sample_times, worst_of
from gough.analyse.duration import shortest_duration
from gough.analyse.finding import Finding, finding
from gough.analyse.groups import groups_of
from gough.analyse.path import Path
from gough.errors import NumericalError

if TYPE_CHECKING:
    from gough.analyse.check import CheckResult

LARGEST = 8.0
"""Amplitudes are tried up to so many times the motion's own."""
TRIALS = 64
COARSE = 201
CLOSE = 1e-7


@dataclass(frozen=True, slots=True)
class Advice:
    """What the same motion could be.

    Attributes:
        amplitude: Largest factor about the first pose up to which it fits; None if it fits at no size, `LARGEST` if
            nothing was met up to there.
        meets: Kind of limit met there; empty if none.
        duration: Shortest duration for which it fits [s]; None if no duration helps, 0 if no limit depends on it.
        slowest: What stops a shorter duration, or what no duration helps; empty if nothing.
    """

    amplitude: float | None
    meets: str
    duration: float | None
    slowest: str


def advise(result: CheckResult) -> Advice:
    """Largest amplitude and shortest duration at which the motion of a check fits."""
    path = result._path
    amplitude, meets = largest_amplitude(path, dict(result.limits))
    fixed = [kind for kind in result.violated if kind not in ("speed", "force", "power")]
    if fixed:
        return Advice(amplitude, meets, None, fixed[0])
    pace, stops = shortest_duration(path, dict(result.limits))
    duration = None if pace is None else 0.0 if np.isinf(pace) else path.motion.duration / pace
    return Advice(amplitude, meets, duration, stops)


def largest_amplitude(path: Path, stated: dict[str, Any]) -> tuple[float | None, str]:
    """The factor up to which every smaller one fits, and what is met there."""
    scan = np.concatenate([np.linspace(0.0, 1.0, TRIALS // 2 + 1), np.geomspace(1.0, LARGEST, TRIALS // 2 + 1)[1:]])
    coarse = [_coarse(path, stated, float(s)) for s in scan]
    if not coarse[0] >= 0.0:
        return None, _kind(path, stated, 0.0)
    last = next((k for k in range(1, len(scan)) if not coarse[k] >= 0.0), len(scan)) - 1
    good, bad = float(scan[last]), float(scan[min(last + 1, len(scan) - 1)])
    while good > 0.0 and not _margin(path, stated, good) >= 0.0:  # met between the coarse samples
        last -= 1
        good, bad = float(scan[last]), good
    if bad == good:
        return good, ""
    factor = _last_good(lambda s: _margin(path, stated, s), good, bad)
    return factor, _kind(path, stated, factor + 4.0 * CLOSE * max(factor, 1e-3))


def _last_good(margin: Callable[[float], float], good: float, bad: float) -> float:
    """Where a margin turns negative: regula falsi (Illinois), or halving where it is not finite."""
    at_good, at_bad = margin(good), margin(bad)
    for _ in range(60):
        if bad - good <= CLOSE * max(bad, 1e-3):
            break
        share = at_good / (at_good - at_bad) if np.isfinite(at_bad) else 0.5
        middle = good + min(max(share, 0.01), 0.99) * (bad - good)
        value = margin(middle)
        if value >= 0.0:
            at_bad *= 0.5
            good, at_good = middle, value
        else:
            at_good *= 0.5
            bad, at_bad = middle, value
    return good


def _findings(path: Path, stated: dict[str, Any]) -> list[Finding]:
    groups, _ = groups_of(path, stated)
    edges = edges_of(path)
    return [found for group in groups for found in worst_of(path, group, edges)]


def _margin(path: Path, stated: dict[str, Any], amplitude: float) -> float:
    """The smallest relative margin; minus infinity out of reach or across a singularity."""
    scaled = path.scaled(amplitude)
    try:
        if crossings_of(scaled):
            return -np.inf
        return min(found.relative for found in _findings(scaled, stated))
    except NumericalError:
        return -np.inf


def _coarse(path: Path, stated: dict[str, Any], amplitude: float) -> float:
    """As `_margin`, at samples only."""
    scaled = path.scaled(amplitude)
    times = sample_times(path, COARSE)
    try:
        groups, _ = groups_of(scaled, stated)
        worst = np.inf
        determinants = scaled.determinant(times)
        if (np.sign(determinants) != np.sign(determinants[0])).any():
            return -np.inf
        for group in groups:
            values = group.function(times, times)
            low, high = _ends(values)
            found = [finding(c, a, b).relative for c, a, b in zip(group.columns, low, high, strict=True)]
            worst = min(worst, *found)
        return float(worst)
    except NumericalError:
        return -np.inf


def _ends(values: Any) -> tuple[list[Any], list[Any]]:
    from gough.analyse.extremes import extremes_at

    return extremes_at(np.arange(len(values), dtype=float), values)


def _kind(path: Path, stated: dict[str, Any], amplitude: float) -> str:
    """What is violated at an amplitude."""
    scaled = path.scaled(amplitude)
    try:
        worst = min(_findings(scaled, stated), key=lambda found: found.relative)
    except NumericalError:
        return "reach"
    return worst.kind if not worst.fits else "det K" if crossings_of(scaled) else worst.kind
