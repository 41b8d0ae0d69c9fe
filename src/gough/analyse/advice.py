"""What to try: how far the same motion can be scaled, and how short it can be made, before a limit is met."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analyse.check import crossings_of, edges_of, sample_times, worst_of
from gough.analyse.duration import shortest_duration
from gough.analyse.extremes import extremes_at
from gough.analyse.finding import ROUND_OFF, finding
from gough.analyse.groups import groups_of
from gough.analyse.path import Path
from gough.errors import NumericalError

if TYPE_CHECKING:
    from gough.analyse.check_result import CheckResult

LARGEST = 8.0
"""Amplitudes are tried up to so many times the motion's own."""
TRIALS = 48
"""So many of them: one that does not fit between two that do may be passed over."""
COARSE = 201
"""Times at which a trial is looked at first; what fits there is looked at between them too."""
CLOSE = 1e-7
"""How near, of itself, an amplitude is to the one at which a limit is met; it is never beyond."""
DET = "det K"


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
    good = bad = 0.0
    margins: dict[str, float] = {}
    for s in scan.tolist():
        bad, margins = s, _coarse(path, stated, s)
        if not min(margins.values()) >= 0.0:
            break
        good = s
    if good == bad == 0.0:
        return None, min(margins, key=lambda kind: margins[kind])
    kinds = {kind for kind, margin in margins.items() if margin < 0.0}
    for _ in range(len(margins) + 1):
        if kinds:
            margin = partial(_margin, path, stated, kinds)
            good, bad = _bracket(margin, scan, good, bad)
            good = _last_good(margin, good, bad)
        found = _margins(path, stated, good)
        more = {kind for kind, margin in found.items() if margin < 0.0} - kinds
        if not more:
            break
        kinds, bad = kinds | more, good  # met between the samples, and earlier
    if good == 0.0:
        return None, next(iter(kinds), "")
    beyond = _margins(path, stated, good + 4.0 * CLOSE * max(good, 1e-3))
    return good, min(beyond, key=lambda kind: beyond[kind]) if kinds else ""


def _bracket(margin: Callable[[float], float], scan: Any, good: float, bad: float) -> tuple[float, float]:
    """Neighbouring trials of which the first fits."""
    while good > 0.0 and not margin(good) >= 0.0:
        good, bad = float(scan[scan < good][-1]), good
    return good, bad


def _last_good(margin: Callable[[float], float], good: float, bad: float) -> float:
    """Where a margin turns negative: regula falsi (Illinois), or halving where it is not finite."""
    at_good, at_bad = margin(good), margin(bad)
    for _ in range(60):
        if bad - good <= CLOSE * max(bad, 1e-3) or at_bad >= 0.0:
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


def _margin(path: Path, stated: dict[str, Any], kinds: set[str], amplitude: float) -> float:
    """The smallest relative margin of some kinds."""
    return min(_margins(path, stated, amplitude, kinds).values())


def _margins(path: Path, stated: dict[str, Any], amplitude: float, kinds: set[str] | None = None) -> dict[str, float]:
    """Smallest relative margin by kind; minus infinity for "reach" out of reach and "det K" across a singularity."""
    scaled = path.scaled(amplitude)
    try:
        edges = edges_of(scaled)
        margins: dict[str, float] = {"reach": np.inf}
        if kinds is None or DET in kinds:
            margins[DET] = -np.inf if crossings_of(scaled) else np.inf
        for group in groups_of(scaled, stated)[0]:
            if kinds is None or kinds & {column.kind for column in group.columns}:
                for found in worst_of(scaled, group, edges):
                    margins[found.kind] = min(margins.get(found.kind, np.inf), found.relative + ROUND_OFF)
        return margins
    except NumericalError:
        return {"reach": -np.inf}


def _coarse(path: Path, stated: dict[str, Any], amplitude: float) -> dict[str, float]:
    """As `_margins`, at samples only."""
    scaled = path.scaled(amplitude)
    times = sample_times(path, COARSE)
    try:
        scaled.drive(times, times)
        signs = np.sign(scaled.determinant(times))
        margins: dict[str, float] = {"reach": np.inf, DET: np.inf if (signs == signs[0]).all() else -np.inf}
        for group in groups_of(scaled, stated)[0]:
            low, high = extremes_at(times, group.function(times, times))
            for column, a, b in zip(group.columns, low, high, strict=True):
                margins[column.kind] = min(margins.get(column.kind, np.inf), finding(column, a, b).relative + ROUND_OFF)
        return margins
    except NumericalError:
        return {"reach": -np.inf}
