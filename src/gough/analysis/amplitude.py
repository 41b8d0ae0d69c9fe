"""The largest amplitude at which a motion fits.

Amplitudes from zero upwards are checked in samples until one does not fit. Between it and the last that does, halving
comes to neighbours of four digits. What fits in samples is then checked between them, as a check does, and made
smaller until it fits there: what is given has been checked as such, and what is just above it does not fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.along_motion import Path, ReachError
from gough.analysis.check import edges_of, sample_times, singular_times, worst_of
from gough.analysis.check_result import Finding, finding
from gough.analysis.checked_quantities import Group, groups_of
from gough.analysis.extremes import extremes_at
from gough.errors import NumericalError

LARGEST = 8.0
"""Largest amplitude tried, in multiples of the motion's own."""
TRIALS = 48
"""Number of amplitudes tried: one that does not fit, between two that do, may be missed."""
SMALLEST = 1e-6
"""Smallest amplitude searched."""
COARSE = 201
"""Times at which a trial is checked first."""
CLOSE = 1e-3
"""How near, of itself, an amplitude is to one that does not fit."""

Violated = dict[str, float]
"""Relative margins of the kinds that are violated; minus infinity for "reach", "infeasible" and "det K"."""


@dataclass(frozen=True, slots=True)
class Trials:
    """A motion that is tried at several amplitudes.

    Attributes:
        path: The motion; its pace is kept.
        stated: Limits.
        samples: Of a user's function.
    """

    path: Path
    stated: dict[str, Any]
    samples: int

    def sampled(self, amplitude: float) -> Violated:
        """What is violated in samples."""
        scaled = self.path.scaled(amplitude)
        times = sample_times(scaled, COARSE)
        try:
            if lost := scaled.loss(times):
                return {lost: -np.inf}
            found: list[Finding] = []
            for group in self._groups(scaled):
                ends = extremes_at(times, group.function(times, times))
                worst = zip(group.columns, *ends, strict=True)
                found += [finding(column, a, b) for column, a, b in worst if not column.holds(a.value, b.value)]
        except NumericalError as error:
            return {error.kind if isinstance(error, ReachError) else "reach": -np.inf}
        signs = np.sign(scaled.determinant(times))
        return _violated(found, bool((signs != signs[0]).any() or scaled.singular(times).any()))

    def _groups(self, scaled: Path) -> list[Group]:
        """Groups of limits that samples are checked against, once there are forces at all of them.

        Forces that keep to their limits have a margin of at least 0, which takes longer to compute than all else.
        """
        groups, shared = groups_of(scaled, self.stated, every_pair=True)[0], scaled.robot.actuation
        if shared is None or not shared.limited or self.stated.get("margin", 0.0) > 0.0:
            return groups
        return [group for group in groups if not any(column.kind == "margin" for column in group.columns)]

    def between(self, amplitude: float) -> Violated:
        """What is violated, between samples too."""
        scaled = self.path.scaled(amplitude)
        try:
            edges = edges_of(scaled)
            groups = groups_of(scaled, self.stated)[0]
            found = [f for group in groups for f in worst_of(scaled, group, edges, self.samples)]
            return _violated(found, any(singular_times(scaled, self.samples)))
        except NumericalError as error:
            return {error.kind if isinstance(error, ReachError) else "reach": -np.inf}


def _violated(findings: list[Finding], crossed: bool) -> Violated:
    violated: Violated = {"det K": -np.inf} if crossed else {}
    for found in findings:
        if not found.fits:
            violated[found.kind] = min(violated.get(found.kind, 0.0), found.relative)
    return violated


def largest_amplitude(trials: Trials) -> tuple[float | None, str]:
    """The factor up to which every smaller one fits, and what is met there.

    Returns:
        amplitude: Four digits; `LARGEST` if nothing is met, None if nothing fits from `SMALLEST` on.
        meets: Kind of limit; empty if none.
    """
    good, bad, violated = _scan(trials)
    if bad == 0.0:
        return None, worst_kind(violated)
    if violated:
        good, bad, violated = _narrowed(trials.sampled, good, bad, violated)
    step = CLOSE
    while good > 0.0 and (met := trials.between(good)):
        bad, violated = good, met
        good, step = near(max(good * (1.0 - step), 0.0)), 2.0 * step
        if good < SMALLEST:
            good = 0.0
    if step > CLOSE:
        good, bad, violated = _narrowed(lambda s: trials.sampled(s) or trials.between(s), good, bad, violated)
    return good or None, worst_kind(violated)


def _scan(trials: Trials) -> tuple[float, float, Violated]:
    """The last trial that fits in samples before the first that does not, that one, and what it violates."""
    half = TRIALS // 2
    scan = np.concatenate([np.linspace(0.0, 1.0, half + 1), np.geomspace(1.0, LARGEST, half + 1)[1:]])
    good = 0.0
    for amplitude in (near(float(s)) for s in scan):
        if violated := trials.sampled(amplitude):
            return good, amplitude, violated
        good = amplitude
    return good, np.inf, {}


def _narrowed(
    trial: Callable[[float], Violated], good: float, bad: float, violated: Violated
) -> tuple[float, float, Violated]:
    """Neighbouring amplitudes of which the first fits; 0 if none from `SMALLEST` on does."""
    while bad - good > CLOSE * bad:
        middle = near(0.5 * (good + bad) if good > 0.0 else 0.2 * bad)
        if not good < middle < bad or middle < SMALLEST:
            break
        if met := trial(middle):
            bad, violated = middle, met
        else:
            good = middle
    return good, bad, violated


def worst_kind(violated: Violated) -> str:
    """The kind that is violated most; empty if none is."""
    return min(violated, key=lambda kind: violated[kind], default="")


DIGITS = 4


def near(value: float) -> float:
    """The nearest number of four digits."""
    return float(f"{value:.{DIGITS - 1}e}")


def up(value: float) -> float:
    """The smallest number of four digits that is not below a positive value, but for round-off."""
    found = near(value)
    return found if found >= value * (1.0 - 1e-12) else near(value + 0.5 * _step(value))


def _step(value: float) -> float:
    return 10.0 ** (math.floor(math.log10(value)) + 1 - DIGITS)
